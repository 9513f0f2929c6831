// Each row: name, opcode, operands, dtypes, evaluation in double, evaluation of integers. A new
// elementwise operator is a row here (and its opcode one in wave/opcodes.def).
#include <cmath>
#include <limits>
#include <map>

#include "base/bug.h"
#include "ops/elementwise.h"
#include "wave/integer.h"

namespace espalier::ops {
namespace {

using R = const double*;
using W = const std::int64_t*;
using wave::Opcode;

// Rounds down as Python does: exact where the remainder is.
double floor_quotient(double a, double b) {
  if (b == 0) return a / b;
  double rest = std::fmod(a, b), quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  const double down = std::floor(quotient);
  return quotient - down > 0.5 ? down + 1 : down;
}

double floor_remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }
double smaller(double a, double b) { return std::isnan(a) || a <= b ? a : b; }
double clipped(double x, double low, double high) { return smaller(larger(x, low), high); }

double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

double softplus(double x) { return larger(x, 0) + std::log1p(std::exp(-std::fabs(x))); }
double hardsigmoid(double x) { return clipped(x + 3, 0, 6) / 6; }
double gelu(double x) { return x * std::erfc(-x * std::sqrt(0.5)) / 2; }

constexpr double slope = 0.01;  // of leaky_relu, as PyTorch's

// clang-format off
const Elementwise rows[] = {
    {"+", Opcode::add, 2, numbers, [](R x) { return x[0] + x[1]; }, [](W x) { return wave::wrapping_add(x[0], x[1]); }},
    {"-", Opcode::sub, 2, numbers, [](R x) { return x[0] - x[1]; }, [](W x) { return wave::wrapping_sub(x[0], x[1]); }},
    {"-", Opcode::neg, 1, numbers, [](R x) { return -x[0]; }, [](W x) { return wave::wrapping_sub(0, x[0]); }},
    {"*", Opcode::mul, 2, numbers, [](R x) { return x[0] * x[1]; }, [](W x) { return wave::wrapping_mul(x[0], x[1]); }},
    {"/", Opcode::div, 2, reals, [](R x) { return x[0] / x[1]; }, nullptr},
    {"//", Opcode::floordiv, 2, numbers, [](R x) { return floor_quotient(x[0], x[1]); }, [](W x) { return wave::floor_div(x[0], x[1]); }},
    {"%", Opcode::mod, 2, numbers, [](R x) { return floor_remainder(x[0], x[1]); }, [](W x) { return wave::floor_mod(x[0], x[1]); }},
    {"**", Opcode::pow, 2, numbers, [](R x) { return std::pow(x[0], x[1]); }, [](W x) { return wave::integer_power(x[0], x[1]); }},
    {"pow", Opcode::pow, 2, numbers, [](R x) { return std::pow(x[0], x[1]); }, [](W x) { return wave::integer_power(x[0], x[1]); }},
    {"==", Opcode::eq, 2, anything, [](R x) { return x[0] == x[1] ? 1.0 : 0.0; }, [](W x) { return std::int64_t{x[0] == x[1]}; }},
    {"!=", Opcode::ne, 2, anything, [](R x) { return x[0] != x[1] ? 1.0 : 0.0; }, [](W x) { return std::int64_t{x[0] != x[1]}; }},
    {"<", Opcode::lt, 2, numbers, [](R x) { return x[0] < x[1] ? 1.0 : 0.0; }, [](W x) { return std::int64_t{x[0] < x[1]}; }},
    {"<=", Opcode::le, 2, numbers, [](R x) { return x[0] <= x[1] ? 1.0 : 0.0; }, [](W x) { return std::int64_t{x[0] <= x[1]}; }},
    {">", Opcode::gt, 2, numbers, [](R x) { return x[0] > x[1] ? 1.0 : 0.0; }, [](W x) { return std::int64_t{x[0] > x[1]}; }},
    {">=", Opcode::ge, 2, numbers, [](R x) { return x[0] >= x[1] ? 1.0 : 0.0; }, [](W x) { return std::int64_t{x[0] >= x[1]}; }},
    {"and", Opcode::logical_and, 2, bools, nullptr, [](W x) { return x[0] & x[1]; }},
    {"or", Opcode::logical_or, 2, bools, nullptr, [](W x) { return x[0] | x[1]; }},
    {"not", Opcode::logical_not, 1, bools, nullptr, [](W x) { return 1 - x[0]; }},
    {"select", Opcode::select, 3, anything, nullptr, nullptr},  // condition and branches differ in dtype
    {"minimum", Opcode::minimum, 2, numbers, [](R x) { return smaller(x[0], x[1]); }, [](W x) { return x[0] <= x[1] ? x[0] : x[1]; }},
    {"maximum", Opcode::maximum, 2, numbers, [](R x) { return larger(x[0], x[1]); }, [](W x) { return x[0] >= x[1] ? x[0] : x[1]; }},
    {"clip", Opcode::clip, 3, numbers, [](R x) { return clipped(x[0], x[1], x[2]); }, [](W x) { return std::min(std::max(x[0], x[1]), x[2]); }},
    {"abs", Opcode::abs, 1, numbers, [](R x) { return std::fabs(x[0]); }, [](W x) { return x[0] < 0 ? wave::wrapping_sub(0, x[0]) : x[0]; }},
    {"sign", Opcode::sign, 1, numbers, [](R x) { return x[0] > 0 ? 1.0 : x[0] < 0 ? -1.0 : 0.0; }, [](W x) { return std::int64_t{x[0] > 0} - std::int64_t{x[0] < 0}; }},
    {"atan2", Opcode::atan2, 2, reals, [](R x) { return std::atan2(x[0], x[1]); }, nullptr},
    {"floor", Opcode::floor, 1, reals, [](R x) { return std::floor(x[0]); }, nullptr},
    {"ceil", Opcode::ceil, 1, reals, [](R x) { return std::ceil(x[0]); }, nullptr},
    {"round", Opcode::round, 1, reals, [](R x) { return std::nearbyint(x[0]); }, nullptr},  // ties to even
    {"exp", Opcode::exp, 1, reals, [](R x) { return std::exp(x[0]); }, nullptr},
    {"expm1", Opcode::expm1, 1, reals, [](R x) { return std::expm1(x[0]); }, nullptr},
    {"log", Opcode::log, 1, reals, [](R x) { return std::log(x[0]); }, nullptr},
    {"log1p", Opcode::log1p, 1, reals, [](R x) { return std::log1p(x[0]); }, nullptr},
    {"sqrt", Opcode::sqrt, 1, reals, [](R x) { return std::sqrt(x[0]); }, nullptr},
    {"rsqrt", Opcode::rsqrt, 1, reals, [](R x) { return 1 / std::sqrt(x[0]); }, nullptr},
    {"square", Opcode::square, 1, reals, [](R x) { return x[0] * x[0]; }, nullptr},
    {"reciprocal", Opcode::reciprocal, 1, reals, [](R x) { return 1 / x[0]; }, nullptr},
    {"sin", Opcode::sin, 1, reals, [](R x) { return std::sin(x[0]); }, nullptr},
    {"cos", Opcode::cos, 1, reals, [](R x) { return std::cos(x[0]); }, nullptr},
    {"tan", Opcode::tan, 1, reals, [](R x) { return std::tan(x[0]); }, nullptr},
    {"asin", Opcode::asin, 1, reals, [](R x) { return std::asin(x[0]); }, nullptr},
    {"acos", Opcode::acos, 1, reals, [](R x) { return std::acos(x[0]); }, nullptr},
    {"atan", Opcode::atan, 1, reals, [](R x) { return std::atan(x[0]); }, nullptr},
    {"sinh", Opcode::sinh, 1, reals, [](R x) { return std::sinh(x[0]); }, nullptr},
    {"cosh", Opcode::cosh, 1, reals, [](R x) { return std::cosh(x[0]); }, nullptr},
    {"tanh", Opcode::tanh, 1, reals, [](R x) { return std::tanh(x[0]); }, nullptr},
    {"sigmoid", Opcode::sigmoid, 1, reals, [](R x) { return sigmoid(x[0]); }, nullptr},
    {"relu", Opcode::relu, 1, reals, [](R x) { return x[0] <= 0 ? 0 : x[0]; }, nullptr},
    {"leaky_relu", Opcode::leaky_relu, 1, reals, [](R x) { return x[0] > 0 ? x[0] : x[1] * x[0]; }, nullptr, "negative_slope", slope},
    {"elu", Opcode::elu, 1, reals, [](R x) { return x[0] > 0 ? x[0] : x[1] * std::expm1(x[0]); }, nullptr, "alpha", 1},
    {"gelu", Opcode::gelu, 1, reals, [](R x) { return gelu(x[0]); }, nullptr},
    {"softplus", Opcode::softplus, 1, reals, [](R x) { return softplus(x[0]); }, nullptr},
    {"silu", Opcode::silu, 1, reals, [](R x) { return x[0] * sigmoid(x[0]); }, nullptr},
    {"mish", Opcode::mish, 1, reals, [](R x) { return x[0] * std::tanh(softplus(x[0])); }, nullptr},
    {"hardsigmoid", Opcode::hardsigmoid, 1, reals, [](R x) { return hardsigmoid(x[0]); }, nullptr},
    {"hardswish", Opcode::hardswish, 1, reals, [](R x) { return x[0] * hardsigmoid(x[0]); }, nullptr},
    {"erf", Opcode::erf, 1, reals, [](R x) { return std::erf(x[0]); }, nullptr},
    {"isnan", Opcode::isnan, 1, reals, [](R x) { return std::isnan(x[0]) ? 1.0 : 0.0; }, nullptr},
};
// clang-format on

}  // namespace

std::span<const Elementwise> elementwise_rows() { return rows; }

const Elementwise& elementwise_row(Opcode op) {
  for (const Elementwise& row : rows)
    if (row.opcode == op) return row;
  throw Bug("no elementwise operator of this opcode");
}

}  // namespace espalier::ops
