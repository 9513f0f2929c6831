#include "base/dtype.h"

#include <map>

namespace espalier {

std::string dtype_meant(std::string_view name) {
  static const std::map<std::string_view, std::string> elsewhere = {
      {"float", "f32"},   {"float32", "f32"}, {"single", "f32"},    {"real", "f32"},
      {"double", "f64"},  {"float64", "f64"}, {"half", "f16"},      {"float16", "f16"},
      {"fp32", "f32"},    {"fp16", "f16"},    {"bfloat16", "bf16"}, {"int", "i64"},
      {"long", "i64"},    {"int64", "i64"},   {"int32", "i32"},     {"int8", "i8"},
      {"uint8", "i32"},   {"u8", "i32"},      {"i16", "i32"},       {"int16", "i32"},
      {"boolean", "bool"}};
  const auto found = elsewhere.find(name);
  return found == elsewhere.end() ? "" : found->second;
}

}  // namespace espalier
