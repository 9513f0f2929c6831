// Whole files, and folders that appear all at once or not at all.
#pragma once

#include <signal.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace espalier {

// The bytes of the file; nothing where it cannot be read (a folder included), and then the reason
// in `why`, in the system's words in lower case.
std::optional<std::string> read_file(const std::filesystem::path&, std::string* why = nullptr);
// The system's words for an error, in lower case.
std::string in_words(const std::error_code&);
bool write_file(const std::filesystem::path&, std::string_view bytes, std::string* why = nullptr);

// Signals that would end the program from outside (^C and its like) wait while one of these lives.
class HoldSignals {
 public:
  HoldSignals();
  ~HoldSignals();
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;

 private:
  sigset_t before_;
};

// A new, empty folder beside `target` (or what that links to) that takes its place when it is
// complete. Unless commit() succeeded, the folder is removed at the end of its life and `target` is
// as it was. The working folder is not replaced: whoever stands in it would stand nowhere.
class NewFolder {
 public:
  static std::optional<NewFolder> create(const std::filesystem::path& target,
                                         std::string* why = nullptr);
  ~NewFolder();
  NewFolder(NewFolder&&) noexcept;
  NewFolder& operator=(NewFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Renames the folder to `target`; what stood there is removed.
  bool commit(std::string* why = nullptr);

 private:
  NewFolder(std::filesystem::path target, std::filesystem::path path);
  std::unique_ptr<HoldSignals> hold_ = std::make_unique<HoldSignals>();
  std::filesystem::path target_, path_;  // path_ is empty once it is done
};

// An empty folder in the system's place for temporary files, removed with all it holds at the end
// of its life. Throws std::filesystem::filesystem_error where none can be made.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace espalier
