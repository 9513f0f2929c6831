// Words by number: a file of a word a line, of which the first stands for all that are not there.
#ifndef EXAMPLES_COMMON_VOCABULARY_H
#define EXAMPLES_COMMON_VOCABULARY_H

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "package.h"

namespace example {

class Vocabulary {
 public:
  explicit Vocabulary(const std::string& path) {
    std::ifstream in(path);
    if (!in) stop("cannot read " + path);
    for (std::string word; std::getline(in, word);)
      ids_.emplace(word, static_cast<std::int32_t>(ids_.size()));
  }
  std::int32_t operator()(const std::string& word) const {
    const auto found = ids_.find(word);
    return found == ids_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, std::int32_t> ids_;
};

}  // namespace example

#endif
