#include "emit/write_package.h"

#include <algorithm>
#include <system_error>

#include "base/file.h"
#include "base/kinds.h"
#include "base/sha256.h"
#include "emit/manifest.h"

namespace espalier::emit {

namespace {

namespace fs = std::filesystem;

bool is_empty_or_absent(const fs::path& folder) {
  std::error_code none;
  if (!fs::exists(fs::symlink_status(folder, none))) return true;
  return fs::is_directory(folder, none) && fs::is_empty(folder, none);
}

// Whether the package in `folder` may be replaced.
bool may_replace(const fs::path& folder, bool force, Diagnostics& diagnostics) {
  const auto text = read_file(folder / "manifest.json");
  const auto files = text ? manifest_files(*text) : std::nullopt;
  if (!files) {
    diagnostics.error(
        Kind::not_a_package, {},
        "'" + folder.string() + "' is neither empty nor a package that Espalier wrote");
    return false;
  }
  if (force) return true;
  bool ok = true;
  for (const auto& [path, hash] : *files) {
    const auto bytes = read_file(folder / path);
    if (!bytes || sha256(*bytes) == hash) continue;
    diagnostics.error(Kind::edited_file, {},
                      "'" + (folder / path).string() +
                          "' was edited since Espalier wrote it; --force writes over it");
    ok = false;
  }
  return ok;
}

// Moves what the package does not have from the old folder to the new one.
void keep_other_files(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  const auto text = read_file(from / "manifest.json");
  const auto files = text ? manifest_files(*text) : std::nullopt;
  if (!files) return;
  std::vector<fs::path> others;
  for (const fs::directory_entry& entry : fs::directory_iterator(from, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name == "manifest.json" || name == "runtime" || files->contains(name);
    if (!ours && !fs::exists(to / name)) others.push_back(entry.path());
  }
  for (const fs::path& path : others) fs::rename(path, to / path.filename(), ignored);
}

}  // namespace

bool write_package(const Package& package, const fs::path& folder, bool force,
                   Diagnostics& diagnostics) {
  if (!is_empty_or_absent(folder) && !may_replace(folder, force, diagnostics)) return false;
  std::string why;
  const auto fail = [&] {
    diagnostics.error(Kind::cannot_write, {},
                      "'" + folder.string() + "' cannot be written: " + why);
    return false;
  };
  auto fresh = NewFolder::create(folder, &why);
  if (!fresh) return fail();
  for (const PackageFile& file : package.files) {
    const fs::path path = fresh->path() / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (!write_file(path, file.bytes, &why)) return fail();
  }
  keep_other_files(folder, fresh->path());
  return fresh->commit(&why) || fail();
}

}  // namespace espalier::emit
