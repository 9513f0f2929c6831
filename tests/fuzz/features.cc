#include "tests/fuzz/generator.h"

namespace espalier::fuzz {

const std::vector<std::string>& all_features() {
  static const std::vector<std::string> all = {
      "three variants", "mutually recursive types", "shared type", "f64 model", "payload: index",
      "payload: real", "payload: vector", "payload: integer", "payload: half", "payload: boolean",
      "payload: tuple", "payload: list of indices", "payload: list of vectors", "payload: child",
      "payload: children", "payload: labelled edges", "state: unnamed tuple", "state: nested tuple",
      "state: integers and bools", "state: data", "pattern: number", "pattern: empty list",
      "pattern: nested variant", "pattern: tuple of variants", "pattern: wildcard",
      "mutual recursion", "bottom-up, roots", "bottom-up, nodes", "bottom-up with unchanging arguments",
      "two sweeps", "recursion behind a condition", "top-down, built tree",
      "top-down, results on the way up", "up, then down", "top-down, shared, sum",
      "top-down, shared, max", "top-down, shared, min", "recursion over a built tree",
      "two trees and a tensor", "nodes without recursion", "ragged result of a list of trees",
      "list argument", "ragged result of a list", "list recursion [x, *rest]",
      "list recursion [*init, x]", "list recursion with a changing argument",
      "recursion over payload lists in a sweep", "data made and matched",
      "generic data and functions", "tensor arguments"};
  return all;
}

}  // namespace espalier::fuzz
