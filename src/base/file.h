// Whole files, and folders that appear all at once or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// The bytes of the file; nothing where it cannot be read (a folder included), and then the reason
// in `why`, in the system's words in lower case.
std::optional<std::string> read_file(const std::filesystem::path&, std::string* why = nullptr);
bool write_file(const std::filesystem::path&, std::string_view bytes, std::string* why = nullptr);

// A new, empty folder beside `target` that takes its place when it is complete. Unless commit()
// succeeded, the folder is removed at the end of its life and `target` is as it was.
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
