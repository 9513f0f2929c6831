#include "loop/tree.h"

namespace espalier::loop {

namespace {

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

std::string flat(const Tree& t) {
  if (!t.list) return t.quoted ? quote(t.word) : t.word;
  std::string out = "(";
  for (std::size_t i = 0; i < t.items.size(); i++) out += (i ? " " : "") + flat(t.items[i]);
  return out + ")";
}

void write(const Tree& t, std::size_t indent, std::string* out) {
  const std::string line = flat(t);
  if (!t.list || indent + line.size() < 100 || t.items.size() < 2) {
    *out += line;
    return;
  }
  *out += "(" + flat(t.items[0]);
  for (std::size_t i = 1; i < t.items.size(); i++) {
    if (!t.items[i].list) {  // leaves stay on the line
      *out += " " + flat(t.items[i]);
      continue;
    }
    *out += "\n" + std::string(indent + 2, ' ');
    write(t.items[i], indent + 2, out);
  }
  *out += ")";
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::optional<Tree> run(std::uint32_t* at) {
    Tree made;
    const bool good = item(&made, 0) && made.list && (skip(), at_ == text_.size());
    *at = static_cast<std::uint32_t>(at_ < text_.size() ? at_ : text_.size());
    if (!good) return std::nullopt;
    return made;
  }

 private:
  void skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      at_++;
  }

  bool item(Tree* made, int depth) {
    skip();
    if (at_ >= text_.size() || depth > 500) return false;
    made->offset = static_cast<std::uint32_t>(at_);
    if (text_[at_] == '"') return string(made);
    if (text_[at_] == ')') return false;
    if (text_[at_] != '(') {
      while (at_ < text_.size() &&
             std::string_view(" \n\r\t()\"").find(text_[at_]) == std::string::npos)
        made->word += text_[at_++];
      return true;
    }
    made->list = true;
    at_++;
    for (skip(); at_ < text_.size() && text_[at_] != ')'; skip()) {
      made->items.emplace_back();
      if (!item(&made->items.back(), depth + 1)) return false;
    }
    return at_++ < text_.size() && !made->items.empty();
  }

  bool string(Tree* made) {
    made->quoted = true;
    for (at_++; at_ < text_.size() && text_[at_] != '"'; at_++) {
      if (text_[at_] == '\\' && ++at_ < text_.size())
        made->word += text_[at_] == 'n' ? '\n' : text_[at_];
      else if (at_ < text_.size())
        made->word += text_[at_];
    }
    return at_++ < text_.size();
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string print(const Tree& tree) {
  std::string out;
  write(tree, 0, &out);
  return out + "\n";
}

std::optional<Tree> parse_tree(const std::string& text, std::uint32_t* at) {
  return Parser(text).run(at);
}

}  // namespace espalier::loop
