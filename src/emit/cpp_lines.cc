// Lines of code and of comments that end before column 100.
#include <algorithm>

#include "emit/cpp.h"
#include "emit/text.h"

namespace espalier::emit {

namespace {

constexpr std::size_t width = 99;

// Where the text may break within its first `room` characters: at the lowest depth of parentheses,
// there before a sum rather than inside a product, and as late as possible; else at any space that
// is in no string; npos where nowhere.
std::size_t break_of(const std::string& text, std::size_t room) {
  std::size_t best = std::string::npos, space = std::string::npos;
  int depth = 0, best_weight = 1000;
  bool quoted = false;
  for (std::size_t i = 0; i + 1 < text.size() && i < room; i++) {
    const char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ')' || c == ']' || c == '}') depth--;
    if (c != ' ' || i < 8) continue;
    space = i;
    const char before = text[i - 1], after = text[i + 1];
    const bool comma = before == ',' || before == ';';
    const bool assigned = before == '=' && i > 1 && text[i - 2] != '=' && text[i - 2] != '<' &&
                          text[i - 2] != '>' && text[i - 2] != '!';
    const bool operation = std::string("+-*/?:&|").find(after) != std::string::npos &&
                           (i + 2 < text.size() && (text[i + 2] == ' ' || text[i + 2] == after));
    if (!comma && !assigned && !operation) continue;
    const bool product = after == '*' || after == '/';
    const int weight = 2 * depth + (product ? 1 : 0);
    if (weight > best_weight) continue;
    if (weight == best_weight && assigned && !comma) continue;
    best = i;
    best_weight = weight;
  }
  return best != std::string::npos ? best : space;
}

// Where lines go on: behind the parenthesis that is open, if that is far enough left.
class Continuation {
 public:
  void put(const std::string& line) {
    for (std::size_t i = 0; i < line.size(); i++) {
      if (line[i] == '(') open_.push_back(i + 1);
      if (line[i] == ')' && !open_.empty()) open_.pop_back();
    }
  }
  std::size_t column() const { return !open_.empty() && open_.back() <= 40 ? open_.back() : 4; }

 private:
  std::vector<std::size_t> open_;
};

std::string filtered(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 32 && c != '\n') continue;
    out += c;
  }
  return out;
}

void print_paragraph(const std::string& text, LineBuffer& out) {
  std::string line = "//";
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find(' ', at);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(at, end - at);
    if (line.size() > 2 && out.margin() + line.size() + 1 + word.size() > width) {
      out.line(line);
      line = "//";
    }
    if (!word.empty()) line += " " + word;
    at = end + 1;
  }
  while (!line.empty() && line.back() == '\\') line += " .";  // would continue the comment
  out.line(line);
}

}  // namespace

std::vector<std::string> code_lines(const std::string& text, std::size_t room) {
  std::vector<std::string> lines;
  std::string rest = text, indent;
  Continuation next;
  while (indent.size() + rest.size() > room) {
    const std::size_t at = break_of(rest, room - std::min(indent.size(), room));
    if (at == std::string::npos) break;
    lines.push_back(indent + rest.substr(0, at));
    next.put(lines.back());
    indent = std::string(next.column(), ' ');
    rest = rest.substr(at + 1);
  }
  lines.push_back(indent + rest);
  return lines;
}

void print_code(const std::string& text, LineBuffer& out) {
  for (const std::string& line : code_lines(text, width - out.margin())) out.line(line);
}

void print_comment(const std::string& text, LineBuffer& out) {
  const std::string plain = filtered(text);
  std::size_t at = 0;
  while (at <= plain.size()) {
    std::size_t end = plain.find('\n', at);
    if (end == std::string::npos) end = plain.size();
    if (end > at) print_paragraph(plain.substr(at, end - at), out);
    at = end + 1;
  }
}

}  // namespace espalier::emit
