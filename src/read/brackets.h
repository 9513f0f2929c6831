// Bracketed trees, a line each: (label left right), (label word).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/forest.h"
#include "base/result.h"
#include "fun/module.h"

namespace espalier::read {

// Words by their number, a word a line of a file; line 0 stands for every word that is not there.
class Vocabulary {
 public:
  static Result<Vocabulary> read(const std::filesystem::path&, Diagnostics*);
  static Vocabulary of(std::string_view text);

  std::int64_t number(std::string_view word) const;
  const std::string& word(std::int64_t number) const;
  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }

 private:
  std::vector<std::string> words_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
};

struct BracketOptions {
  bool lower_case = false;  // words are looked up in lower case (ASCII)
};

// Trees as read: nodes children first, the trees one after the other.
struct BracketedTrees {
  struct Node {
    std::int64_t label = 0;
    std::string word;           // of a leaf
    int left = -1, right = -1;  // of an inner node; right is -1 for a single child
  };
  std::vector<Node> nodes;
  std::vector<int> roots;
};

// Empty lines are skipped. Labels are integers. Never recurses.
Result<BracketedTrees> read_brackets(Sources*, const std::filesystem::path&, Diagnostics*);
Result<BracketedTrees> read_brackets(Sources*, std::string name, std::string text, Diagnostics*);

// The trees as nodes of the data type `type`, whose leaf variant has one integer or index field for
// the word, whose inner variant has two children (or a list of them) and, if it likes, a field for
// the word, which is 0 there; both may have a field called "label". Tables of
// fun::forest_of(module).
Result<ForestData> to_forest(const BracketedTrees&, const Vocabulary&, const BracketOptions&,
                             const fun::Module&, const std::string& type, Diagnostics*);

}  // namespace espalier::read
