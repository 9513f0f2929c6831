// Models that between them have every kind of structure, with small dims.
#pragma once

#include <string>
#include <vector>

namespace espalier::test {

struct StructureModel {
  std::string name;
  std::string text;
  std::vector<std::string> codes;  // that spoiled inputs must meet
};

// A tree, a binary tree of two variants, a DAG, two types that refer to each other, an up sweep and
// a down sweep over four variants, lists as arguments, and payloads of lists with shared and
// unshared types in one model.
std::vector<StructureModel> structure_models();
StructureModel structure_model(const std::string& name);

}  // namespace espalier::test
