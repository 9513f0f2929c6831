#include "emit/write_package.h"

#include <map>
#include <optional>
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

using Files = std::map<std::string, std::string>;  // of a package, with their hashes

std::optional<Files> package_in(const fs::path& folder) {
  const auto text = read_file(folder / "manifest.json");
  auto files = text ? manifest_files(*text) : std::nullopt;
  if (files) (*files)["manifest.json"] = "";
  return files;
}

bool is_folder_of(const std::string& folder, const Files& files) {
  const auto first = files.lower_bound(folder + "/");
  return first != files.end() && first->first.starts_with(folder + "/");
}

// Files and whole folders in `folder` that are the user's: the package there lists none of them.
// Paths from `folder` on.
void find_others(const fs::path& folder, const fs::path& below, const Files& old,
                 const Files& fresh, std::vector<fs::path>* others) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / below, ignored)) {
    const fs::path path = below / entry.path().filename();
    if (old.contains(path.string())) continue;
    const bool shared = is_folder_of(path.string(), old) || is_folder_of(path.string(), fresh);
    if (shared && fs::is_directory(entry.symlink_status(ignored)))
      find_others(folder, path, old, fresh, others);
    else
      others->push_back(path);
  }
}

bool edited(const fs::path& file, const std::string& hash) {
  std::error_code none;
  const auto bytes = read_file(file);
  return bytes ? !hash.empty() && sha256(*bytes) != hash
               : fs::exists(fs::symlink_status(file, none));
}

// Whether the package `old` in `folder` may be replaced.
bool may_replace(const fs::path& folder, const Files& old, const Files& fresh,
                 const std::vector<fs::path>& others, Diagnostics& diagnostics) {
  bool ok = true;
  const auto refuse = [&](const fs::path& path, const char* why) {
    diagnostics.error(Kind::edited_file, {},
                      "'" + (folder / path).string() + "' " + why + "; --force writes over it");
    ok = false;
  };
  for (const auto& [path, hash] : old)
    if (edited(folder / path, hash)) refuse(path, "was edited since Espalier wrote it");
  for (const fs::path& path : others)
    if (fresh.contains(path.string())) refuse(path, "was not written by Espalier");
  return ok;
}

// Moves all of `paths`, or none.
bool move_all(const std::vector<fs::path>& paths, const fs::path& from, const fs::path& to,
              std::string* why) {
  std::error_code error, ignored;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    fs::create_directories((to / paths[i]).parent_path(), error);
    fs::rename(from / paths[i], to / paths[i], error);
    if (!error) continue;
    *why = "'" + paths[i].string() + "' in it cannot be moved: " + in_words(error);
    while (i-- > 0) fs::rename(to / paths[i], from / paths[i], ignored);
    return false;
  }
  return true;
}

bool write_files(const Package& package, const fs::path& folder, std::string* why) {
  for (const PackageFile& file : package.files) {
    std::error_code error;
    fs::create_directories((folder / file.path).parent_path(), error);
    if (!write_file(folder / file.path, file.bytes, why)) return false;
  }
  return true;
}

}  // namespace

bool write_package(const Package& package, const fs::path& folder, bool force,
                   Diagnostics& diagnostics) {
  Files fresh;
  for (const PackageFile& file : package.files) fresh[file.path] = "";
  std::vector<fs::path> others;
  if (!is_empty_or_absent(folder)) {
    const std::optional<Files> old = package_in(folder);
    if (!old) {
      diagnostics.error(
          Kind::not_a_package, {},
          "'" + folder.string() + "' is neither empty nor a package that Espalier wrote");
      return false;
    }
    find_others(folder, "", *old, fresh, &others);
    if (!force && !may_replace(folder, *old, fresh, others, diagnostics)) return false;
    std::erase_if(others, [&](const fs::path& path) { return fresh.contains(path.string()); });
  }
  std::string why;
  const auto fail = [&] {
    diagnostics.error(Kind::cannot_write, {},
                      "'" + folder.string() + "' cannot be written: " + why);
    return false;
  };
  auto made = NewFolder::create(folder, &why);
  if (!made || !write_files(package, made->path(), &why)) return fail();
  if (!move_all(others, folder, made->path(), &why)) return fail();
  if (made->commit(&why)) return true;
  std::string ignored;
  move_all(others, made->path(), folder, &ignored);
  return fail();
}

}  // namespace espalier::emit
