#include "emit/text.h"

#include <algorithm>
#include <cctype>

namespace espalier::emit {

namespace {

constexpr std::size_t columns = 100;

std::size_t indent_of(std::string_view line) {
  const auto at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

void put_code_line(std::string_view line, std::string* out) {
  const std::size_t indent = indent_of(line);
  const bool directive = line.substr(0, 1) == "#";  // goes on behind a backslash
  const std::size_t room = columns - indent - (directive ? 2 : 0);
  const std::vector<std::string> lines = code_lines(std::string(line.substr(indent)), room);
  for (std::size_t i = 0; i < lines.size(); i++)
    *out +=
        std::string(indent, ' ') + lines[i] + (directive && i + 1 < lines.size() ? " \\\n" : "\n");
}

}  // namespace

std::string memory_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32: return "float";
    case Dtype::f64: return "double";
    case Dtype::f16:
    case Dtype::bf16: return "std::uint16_t";
    case Dtype::i8: return "std::int8_t";
    case Dtype::i32: return "std::int32_t";
    case Dtype::i64: return "std::int64_t";
    case Dtype::boolean: return "std::uint8_t";
  }
  return "";
}

std::string comment_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      out += ' ';
    else if (c == '/' && !out.empty() && (out.back() == '*' || out.back() == '/'))
      out += " /";
    else if (c == '*' && !out.empty() && out.back() == '/')
      out += " *";
    else if (c == '?' && out.ends_with("?"))
      out += " ?";  // no trigraphs
    else
      out += c;
  }
  while (!out.empty() && (out.back() == '\\' || out.back() == ' ')) out.pop_back();
  return out;
}

std::string comment(std::string_view text, int indent) {
  const std::string margin = std::string(static_cast<std::size_t>(indent), ' ') + "// ";
  const std::string clean = comment_text(text);
  std::string out, line;
  std::size_t at = 0;
  const auto flush = [&] {
    while (!line.empty() && (line.back() == '\\' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  while (at < clean.size()) {
    const std::size_t end = std::min(clean.find(' ', at), clean.size());
    std::string word = clean.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && margin.size() + line.size() + 1 + word.size() > columns) flush();
    while (margin.size() + word.size() > columns) {
      line = word.substr(0, columns - margin.size());
      word.erase(0, line.size());
      flush();
    }
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
  }
  flush();
  return out;
}

std::string wrap_lines(const std::string& cpp) {
  std::string out;
  for (std::size_t at = 0; at < cpp.size();) {
    const std::size_t end = std::min(cpp.find('\n', at), cpp.size());
    const std::string_view line(cpp.data() + at, end - at);
    at = end + 1;
    const std::size_t indent = indent_of(line);
    if (line.empty() && out.ends_with("\n\n")) continue;
    if (line.size() <= columns)
      out.append(line) += '\n';
    else if (line.substr(indent).starts_with("//"))
      out += comment(line.substr(indent + 2), static_cast<int>(indent));
    else
      put_code_line(line, &out);
  }
  return out;
}

std::vector<std::string> with_comments(
    const std::vector<std::pair<std::string, std::string>>& declarations) {
  std::size_t width = 0;
  for (const auto& [text, note] : declarations)
    if (!note.empty() && text.size() <= 48) width = std::max(width, text.size());
  std::vector<std::string> out;
  for (const auto& [text, note] : declarations) {
    const std::string clean = comment_text(note);
    const std::size_t pad = width > text.size() ? width - text.size() : 0;
    if (clean.empty()) {
      out.push_back(text);
    } else if (text.size() + pad + clean.size() + 8 <= columns) {
      out.push_back(text + std::string(pad, ' ') + "  // " + clean);
    } else {
      std::string above = comment(clean, 2);
      if (!above.empty()) above.pop_back();
      out.push_back(above.substr(2));
      out.push_back(text);
    }
  }
  return out;
}

bool names_word(std::string_view cpp, std::string_view word) {
  const auto part_of_name = [&](std::size_t at) {
    return at < cpp.size() &&
           (std::isalnum(static_cast<unsigned char>(cpp[at])) != 0 || cpp[at] == '_');
  };
  for (auto at = cpp.find(word); at != std::string_view::npos; at = cpp.find(word, at + 1))
    if ((at == 0 || !(part_of_name(at - 1) || cpp[at - 1] == '.')) &&
        !part_of_name(at + word.size()) && !cpp.substr(0, at).ends_with("->"))
      return true;
  return false;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string brackets(const std::vector<std::int64_t>& shape) {
  std::string out;
  for (const std::int64_t n : shape) out += "[" + std::to_string(n) + "]";
  return out;
}

}  // namespace espalier::emit
