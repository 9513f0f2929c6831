#include "read/numeric.h"

#include "base/float16.h"
#include "base/numbers.h"

namespace espalier::read {

double rounded(double value, Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return static_cast<double>(static_cast<float>(value));
    case Dtype::f16:
      return round_to_f16(value);
    case Dtype::bf16:
      return round_to_bf16(value);
    case Dtype::f64:
    case Dtype::i8:
    case Dtype::i32:
    case Dtype::i64:
    case Dtype::boolean:
      break;
  }
  return value;
}

bool fits_integer(std::int64_t value, Dtype dtype) {
  const int bits = 8 * bytes(dtype);
  if (bits == 64) return true;
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  return value >= -half && value < half;
}

std::optional<double> real_element(const Json& json, Dtype dtype) {
  if (json.is(Json::Kind::number)) return rounded(json.number(), dtype);
  const bool word = json.is(Json::Kind::string) &&
                    (json.text() == "inf" || json.text() == "-inf" || json.text() == "nan");
  return word ? parse_double(json.text()) : std::nullopt;
}

}  // namespace espalier::read
