// What the programs of a run have exercised.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fun/module.h"

namespace espalier::fuzz {

class Coverage {
 public:
  Coverage();
  void count_syntax(const fun::Module&);     // as read
  void count_operators(const fun::Module&);  // checked
  void count_feature(const std::string& name) { ++counts_["feature"][name]; }

  // A table of all, and what has not been seen.
  std::string table() const;
  std::vector<std::string> missing() const;

 private:
  std::map<std::string, std::map<std::string, int>> counts_;
};

}  // namespace espalier::fuzz
