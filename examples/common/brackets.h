// Bracketed trees, a line each: (label left right), (label word).
#ifndef EXAMPLES_COMMON_BRACKETS_H
#define EXAMPLES_COMMON_BRACKETS_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace example {

// A forest of the type {"Leaf": {"word": ..}, "Node": {"left": .., "right": ..}}, whose variants
// `left` tells apart, and what the file says beside it.
struct Trees {
  std::vector<std::int32_t> word, left, right, root;
  std::vector<std::string> text;  // of leaves
  std::vector<int> label;

  // Adds a line, nodes behind their children; false if it is no tree.
  bool add(const std::string& line, const std::function<std::int32_t(const std::string&)>& id) {
    std::vector<Open> open;
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == ' ') {
        i++;
      } else if (line[i] == '(') {
        char* end = nullptr;
        open.push_back({static_cast<int>(std::strtol(line.c_str() + i + 1, &end, 10)), "", {}});
        i = static_cast<std::size_t>(end - line.c_str());
      } else if (open.empty()) {
        return false;
      } else if (line[i] != ')') {
        const std::size_t end = std::min(line.find_first_of(" )", i), line.size());
        open.back().leaf = line.substr(i, end - i);
        i = end;
      } else {
        const Open done = open.back();
        open.pop_back();
        if (done.leaf.empty() ? done.children.size() != 2 : !done.children.empty()) return false;
        (open.empty() ? root : open.back().children).push_back(close(done, id));
        i++;
      }
    }
    return open.empty();
  }

  template <class Forest>
  Forest forest() const {
    Forest f = {};
    f.nodes = static_cast<std::int32_t>(word.size());
    f.word = word.data();
    f.left = left.data();
    f.right = right.data();
    return f;
  }

 private:
  struct Open {
    int label;
    std::string leaf;
    std::vector<std::int32_t> children;
  };

  std::int32_t close(const Open& done, const std::function<std::int32_t(const std::string&)>& id) {
    const bool is_leaf = !done.leaf.empty();
    word.push_back(is_leaf ? id(done.leaf) : 0);
    left.push_back(is_leaf ? -1 : done.children[0]);
    right.push_back(is_leaf ? -1 : done.children[1]);
    text.push_back(done.leaf);
    label.push_back(done.label);
    return static_cast<std::int32_t>(word.size()) - 1;
  }
};

}  // namespace example

#endif
