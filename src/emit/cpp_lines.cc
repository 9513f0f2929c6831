// Lines of code and of comments that end before column 100.
#include <algorithm>

#include "emit/cpp.h"

namespace espalier::emit {

namespace {

constexpr std::size_t width = 99;

// Where the text may break within its first `room` characters: at the lowest depth of parentheses,
// there before a sum rather than inside a product, and as late as possible; npos where nowhere.
std::size_t break_of(const std::string& text, std::size_t room) {
  std::size_t best = std::string::npos;
  int depth = 0, best_weight = 1000;
  for (std::size_t i = 0; i + 1 < text.size() && i < room; i++) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ')' || c == ']' || c == '}') depth--;
    if (c != ' ' || i < 8) continue;
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
  return best;
}

// Where lines go on: behind the parenthesis that is open at the break, if that is far enough left.
std::size_t continuation(const std::string& text, std::size_t at) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < at; i++) {
    if (text[i] == '(') open.push_back(i + 1);
    if (text[i] == ')' && !open.empty()) open.pop_back();
  }
  return !open.empty() && open.back() <= 40 ? open.back() : 4;
}

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

void print_code(const std::string& text, LineBuffer& out) {
  std::string rest = text;
  std::string indent;
  while (out.margin() + indent.size() + rest.size() > width) {
    const std::size_t at = break_of(rest, width - out.margin() - indent.size());
    if (at == std::string::npos) break;
    out.line(indent + rest.substr(0, at));
    if (indent.empty()) indent = std::string(continuation(rest, at), ' ');
    rest = rest.substr(at + 1);
  }
  out.line(indent + rest);
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
