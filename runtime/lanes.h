// Vectors of float whose width follows the instruction set that the compiler was told to use: the
// compiler's vector type where it has a good one, elsewhere (or with ESPALIER_PLAIN_LANES) a plain
// array with the same names and the same order of operations.
#ifndef ESPALIER_V0_1_LANES_H
#define ESPALIER_V0_1_LANES_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "-ffast-math would change the answers: it drops NaN, infinity and the order of sums"
#endif

// Names what changes the bits, so that packages compiled for different machines link together.
#if defined(__AVX512F__)
#define ESPALIER_V0_1_ISA avx512
#elif defined(__AVX__) && defined(__FMA__)
#define ESPALIER_V0_1_ISA avx_fma
#elif defined(__AVX__)
#define ESPALIER_V0_1_ISA avx
#else
#define ESPALIER_V0_1_ISA base
#endif

#if defined(__GNUC__) && !defined(ESPALIER_PLAIN_LANES) && \
    (defined(__SSE2__) || defined(__aarch64__) || defined(__VSX__) || defined(__wasm_simd128__))
#define ESPALIER_V0_1_VECTORS 1
#else
#define ESPALIER_V0_1_VECTORS 0
#endif

namespace espalier {
inline namespace v0_1 {
inline namespace ESPALIER_V0_1_ISA {

#if defined(__AVX512F__)
constexpr int lanes = 16, vector_registers = 32;
#elif defined(__AVX__)
constexpr int lanes = 8, vector_registers = 16;
#elif defined(__aarch64__) || defined(__VSX__)
constexpr int lanes = 4, vector_registers = 32;
#else
constexpr int lanes = 4, vector_registers = 16;
#endif

#if ESPALIER_V0_1_VECTORS

typedef float vec __attribute__((vector_size(lanes * 4)));
typedef std::int32_t mask __attribute__((vector_size(lanes * 4)));  // a lane is 0 or -1
typedef std::uint32_t bitvec __attribute__((vector_size(lanes * 4)));
typedef float aligned_vec __attribute__((vector_size(lanes * 4), may_alias));
typedef float loose_vec __attribute__((vector_size(lanes * 4), may_alias, aligned(4)));

inline vec splat(float x) { return x - vec{}; }  // x - 0 is x even for -0, so this is one broadcast
inline vec load(const float* p) { return *reinterpret_cast<const aligned_vec*>(p); }
inline vec loadu(const float* p) { return *reinterpret_cast<const loose_vec*>(p); }
inline void store(float* p, vec x) { *reinterpret_cast<aligned_vec*>(p) = x; }
inline void storeu(float* p, vec x) { *reinterpret_cast<loose_vec*>(p) = x; }

inline vec select(mask c, vec a, vec b) { return c ? a : b; }
inline bitvec to_bits(vec x) { return reinterpret_cast<bitvec>(x); }
inline vec from_bits(bitvec x) { return reinterpret_cast<vec>(x); }

#else

// One T a lane; a scalar converts to a vector of equal lanes, as in the compiler's types.
template <class T>
struct alignas(sizeof(T) * lanes) Lanes {
  T at[lanes];

  Lanes() = default;
  Lanes(T x) {
    for (T& v : at) v = x;
  }
  T& operator[](int i) { return at[i]; }
  const T& operator[](int i) const { return at[i]; }
};
using vec = Lanes<float>;
using mask = Lanes<int>;  // a lane is 0 or 1

#define ESPALIER_OPERATOR(result, type, op)                 \
  inline result operator op(const type& a, const type& b) { \
    result y;                                               \
    for (int i = 0; i < lanes; i++) y[i] = a[i] op b[i];    \
    return y;                                               \
  }
ESPALIER_OPERATOR(vec, vec, +)
ESPALIER_OPERATOR(vec, vec, -)
ESPALIER_OPERATOR(vec, vec, *)
ESPALIER_OPERATOR(vec, vec, /)
ESPALIER_OPERATOR(mask, vec, ==)
ESPALIER_OPERATOR(mask, vec, !=)
ESPALIER_OPERATOR(mask, vec, <)
ESPALIER_OPERATOR(mask, vec, <=)
ESPALIER_OPERATOR(mask, vec, >)
ESPALIER_OPERATOR(mask, vec, >=)
ESPALIER_OPERATOR(mask, mask, &)
ESPALIER_OPERATOR(mask, mask, |)
ESPALIER_OPERATOR(mask, mask, !=)
#undef ESPALIER_OPERATOR

inline mask operator!(const mask& a) { return a != mask(1); }
inline vec operator-(const vec& a) { return vec(-0.0f) - a; }
inline vec& operator+=(vec& a, const vec& b) { return a = a + b; }
inline vec& operator-=(vec& a, const vec& b) { return a = a - b; }
inline vec& operator*=(vec& a, const vec& b) { return a = a * b; }
inline vec& operator/=(vec& a, const vec& b) { return a = a / b; }

inline vec splat(float x) { return vec(x); }
inline vec loadu(const float* p) {
  vec y;
  for (int i = 0; i < lanes; i++) y[i] = p[i];
  return y;
}
inline vec load(const float* p) { return loadu(p); }
inline void storeu(float* p, const vec& x) {
  for (int i = 0; i < lanes; i++) p[i] = x[i];
}
inline void store(float* p, const vec& x) { storeu(p, x); }
inline vec select(const mask& c, const vec& a, const vec& b) {
  vec y;
  for (int i = 0; i < lanes; i++) y[i] = c[i] ? a[i] : b[i];
  return y;
}

#endif

// The same names for one number, so that one text serves both.
template <class T>
inline T select(bool c, T a, T b) {
  return c ? a : b;
}
inline std::uint32_t to_bits(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float from_bits(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// x, rounded before it is added to something. A compiler may fuse a product into the addition
// behind it; where both terms are products, copies of the code could differ in which of the two
// is. gcc before 12 lacks the means: build with -ffp-contract=off if they must give the same bits.
template <class T>
inline T rounded(T x) {
#ifdef __has_builtin
#if __has_builtin(__builtin_assoc_barrier)
  return __builtin_assoc_barrier(x);
#else
  return x;
#endif
#else
  return x;
#endif
}
#if !ESPALIER_V0_1_VECTORS
inline vec rounded(vec x) {
  for (int i = 0; i < lanes; i++) x[i] = rounded(x[i]);
  return x;
}
#endif

// f of each lane, for functions that have no vector form.
template <class F>
inline vec by_lane(vec x, F f) {
  for (int i = 0; i < lanes; i++) x[i] = f(x[i]);
  return x;
}
template <class F>
inline vec by_lane(vec x, vec y, F f) {
  for (int i = 0; i < lanes; i++) x[i] = f(x[i], y[i]);
  return x;
}

// The sum of the lanes, in their order.
inline float sum(vec x) {
  float total = x[0];
  for (int i = 1; i < lanes; i++) total += x[i];
  return total;
}

}  // namespace ESPALIER_V0_1_ISA
}  // namespace v0_1
}  // namespace espalier

#endif
