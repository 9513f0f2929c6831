// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier::fuzz {

// SplitMix64 (Steele, Lea and Flood, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  // In [0, n), and in [low, high].
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  bool chance(double p) { return uniform() < p; }
  template <class T>
  const T& pick(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(below(static_cast<int>(of.size())))];
  }
  // A multiple of 1/8 in [-2, 2].
  double eighth() { return between(-16, 16) / 8.0; }

 private:
  std::uint64_t state_;
};

}  // namespace espalier::fuzz
