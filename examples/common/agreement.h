// How well predictions agree with what was measured.
#ifndef EXAMPLES_COMMON_AGREEMENT_H
#define EXAMPLES_COMMON_AGREEMENT_H

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace example {

// Prints Pearson's correlation and the mean squared error to stderr.
inline void print_agreement(const std::vector<float>& got, const std::vector<double>& wanted) {
  const double n = static_cast<double>(got.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0, squared = 0;
  for (std::size_t i = 0; i < got.size(); i++) {
    const double a = static_cast<double>(got[i]), b = wanted[i];
    x += a, y += b, xx += a * a, yy += b * b, xy += a * b, squared += (a - b) * (a - b);
  }
  const double correlation = (xy - x * y / n) / std::sqrt((xx - x * x / n) * (yy - y * y / n));
  std::fprintf(stderr, "Pearson %.3f, mean squared error %.5f\n", correlation, squared / n);
}

}  // namespace example

#endif
