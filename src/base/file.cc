#include "base/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace espalier {

namespace fs = std::filesystem;

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

void tell(std::string* why, int error) {
  if (why != nullptr) *why = in_words({error, std::generic_category()});
}

// mkdtemp on "`prefix`XXXXXX"; empty, with errno set, where it fails.
fs::path make_folder(const fs::path& prefix) {
  std::string name = prefix.string() + "XXXXXX";
  return mkdtemp(name.data()) == nullptr ? fs::path() : fs::path(name);
}

// mkdtemp gives a folder that its owner alone can enter; a result is made like any other folder.
void apply_umask(const fs::path& folder) {
  const mode_t mask = umask(0);
  umask(mask);
  chmod(folder.c_str(), 0777 & ~mask);
}

}  // namespace

std::string in_words(const std::error_code& error) {
  std::string words = error.message();
  if (!words.empty() && words[0] >= 'A' && words[0] <= 'Z') words[0] += 'a' - 'A';
  return words;
}

std::optional<std::string> read_file(const fs::path& path, std::string* why) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return tell(why, errno), std::nullopt;
  std::string bytes;
  char block[1 << 16];
  for (std::size_t read; (read = std::fread(block, 1, sizeof block, file.get())) > 0;)
    bytes.append(block, read);
  if (std::ferror(file.get()) != 0) return tell(why, errno), std::nullopt;
  return bytes;
}

bool write_file(const fs::path& path, std::string_view bytes, std::string* why) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return tell(why, errno), false;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  const int error = errno;
  if (std::fclose(file.release()) != 0) return tell(why, errno), false;
  if (!written) tell(why, error);
  return written;
}

HoldSignals::HoldSignals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

HoldSignals::~HoldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

NewFolder::NewFolder(fs::path target, fs::path path)
    : target_(std::move(target)), path_(std::move(path)) {}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : hold_(std::move(other.hold_)),
      target_(std::move(other.target_)),
      path_(std::move(other.path_)) {
  other.path_.clear();
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::optional<NewFolder> NewFolder::create(const fs::path& target, std::string* why) {
  std::error_code error;
  const fs::path from_root = fs::absolute(target, error);
  if (error) return tell(why, error.value()), std::nullopt;
  fs::path full = fs::weakly_canonical(from_root, error).lexically_normal();
  if (error) return tell(why, error.value()), std::nullopt;
  if (!full.has_filename()) full = full.parent_path();  // "out/" is "out"
  if (fs::exists(full, error) && !fs::is_directory(full, error))
    return tell(why, ENOTDIR), std::nullopt;
  if (full == fs::current_path(error)) {
    if (why != nullptr) *why = "it is the working folder, and is replaced as a whole";
    return std::nullopt;
  }
  fs::create_directories(full.parent_path(), error);
  if (error) return tell(why, error.value()), std::nullopt;
  const fs::path path =
      make_folder(full.parent_path() / ("." + full.filename().string() + ".new-"));
  if (path.empty()) return tell(why, errno), std::nullopt;
  apply_umask(path);
  return NewFolder(full, path);
}

bool NewFolder::commit(std::string* why) {
  std::error_code error;
  // Where the system can exchange two names there is never a moment without a `target`.
  if (fs::exists(target_, error)) {
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
      fs::remove_all(path_, error);
      path_.clear();
      return true;
    }
#endif
    const fs::path old = path_.string() + ".old";
    fs::rename(target_, old, error);
    if (error) return tell(why, error.value()), false;
    fs::rename(path_, target_, error);
    if (error) {
      tell(why, error.value());
      fs::rename(old, target_, error);
      return false;
    }
    fs::remove_all(old, error);
  } else {
    fs::rename(path_, target_, error);
    if (error) return tell(why, error.value()), false;
  }
  path_.clear();
  return true;
}

TempFolder::TempFolder() : path_(make_folder(fs::temp_directory_path() / "espalier-")) {
  if (path_.empty())
    throw fs::filesystem_error("cannot make a temporary folder",
                               std::error_code(errno, std::generic_category()));
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace espalier
