#include "base/status.h"

#include <algorithm>

namespace espalier {

const StatusTexts& call_statuses() {
  static const StatusTexts texts = {
      {"ok", "ok"},
      {"null_pointer", "an argument that would be read is a null pointer"},
      {"negative_count", "a count is negative"},
      {"misaligned", "a buffer is not aligned to 64 bytes"},
      {"workspace_too_small", "the workspace is smaller than this call needs"},
      {"bad_offsets", "the offsets of a list do not start at 0, or fall after this row"}};
  return texts;
}

const StatusTexts& forest_statuses() {
  static const StatusTexts texts = {
      {"too_many_edges", "the forest has more than 2^31 - 1 edges"},
      {"foreign_items", "this node has items of a list that its variant lacks"},
      {"bad_variant", "the variant of this node does not exist"},
      {"child_out_of_range", "a child of this node is not a node"},
      {"wrong_variant", "a child of this node is of a variant that cannot stand there"},
      {"shared_node", "this node has two parents, or is twice in one list"},
      {"cycle", "this node is its own descendant"},
      {"root_out_of_range", "the root of this call is not a node"},
      {"wrong_root_variant", "the root of this call is of another type"},
      {"overlapping_calls", "two calls reach this node"}};
  return texts;
}

std::string out_of_range_text(const Field& field, const std::string& of) {
  return field.name + " of this " + of + " is not in [0, " + std::to_string(field.bound) + ")";
}

std::string spelled_out(const std::string& code) {
  std::string text = code;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

}  // namespace espalier
