#include "read/numeric.h"

#include "base/float16.h"
#include "base/numbers.h"

namespace espalier::read {

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
