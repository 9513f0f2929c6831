// Nested lists of words: what the text form is made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace espalier::loop {

struct Tree {
  std::string word;  // of a leaf
  bool quoted = false, list = false;
  std::vector<Tree> items;
  std::uint32_t offset = 0;  // in the text

  static Tree leaf(std::string word, bool quoted = false) {
    return {std::move(word), quoted, false, {}, 0};
  }
  static Tree of(std::string head) {
    Tree made;
    made.list = true;
    made.items.push_back(leaf(std::move(head)));
    return made;
  }
  // The item that is a list with this head, or null.
  const Tree* find(const std::string& head) const {
    for (const Tree& item : items)
      if (item.list && !item.items.empty() && item.items[0].word == head) return &item;
    return nullptr;
  }
};

std::string print(const Tree&);
// Nothing where the text is no list; `at`: where it went wrong.
std::optional<Tree> parse_tree(const std::string& text, std::uint32_t* at);

}  // namespace espalier::loop
