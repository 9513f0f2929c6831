// Files that were read, and places in them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// A stretch of a source file. `file` and `pointer` are numbers given by Sources; -1 is "nowhere".
struct Loc {
  std::int32_t file = -1;
  std::uint32_t offset = 0;   // byte in the file's text
  std::uint32_t length = 1;   // bytes; what the caret underlines
  std::int32_t pointer = -1;  // JSON pointer of the enclosing value
};

struct LineColumn {
  int line = 0, column = 0;  // from 1; columns count bytes
};

// Owns the text of every file of one run. Lives as long as anything that holds a Loc.
class Sources {
 public:
  std::int32_t add(std::string name, std::string text);
  std::int32_t intern_pointer(std::string_view json_pointer);

  const std::string& name(std::int32_t file) const { return files_[index(file)].name; }
  const std::string& text(std::int32_t file) const { return files_[index(file)].text; }
  const std::string& pointer(std::int32_t pointer) const { return pointers_[index(pointer)]; }
  LineColumn line_column(const Loc&) const;      // {0, 0} for nowhere
  std::string_view line_text(const Loc&) const;  // without the line's end

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
  struct File {
    std::string name, text;
    std::vector<std::uint32_t> line_starts;
  };
  std::vector<File> files_;
  std::vector<std::string> pointers_;
  std::map<std::string, std::int32_t> pointer_ids_;
};

}  // namespace espalier
