// Derivative-free minimization: the brute-force judge of everything that claims to be shortest.

#ifndef MUJOCABLE_TESTS_KIT_SEARCH_H_
#define MUJOCABLE_TESTS_KIT_SEARCH_H_

#include <algorithm>
#include <cmath>
#include <vector>

namespace mujocable::test {

// minimum of a function with one valley in [low, high]; halves the interval 60 times
template <typename F>
double GoldenSection(const F& f, double low, double high) {
  const double share = (std::sqrt(5.0) - 1) / 2;
  double x1 = high - share * (high - low), x2 = low + share * (high - low);
  double f1 = f(x1), f2 = f(x2);
  for (int i = 0; i < 80; ++i) {
    if (f1 < f2) {
      high = x2;
      x2 = x1;
      f2 = f1;
      x1 = high - share * (high - low);
      f1 = f(x1);
    } else {
      low = x1;
      x1 = x2;
      f1 = f2;
      x2 = low + share * (high - low);
      f2 = f(x2);
    }
  }
  return 0.5 * (low + high);
}

// Compass search from x: along every axis and every diagonal of two axes, the step halved when
// nothing improves, until it is below `smallest`. Returns the minimum, x becomes where it is.
// `f` may clamp: it receives a candidate and answers its value.
template <typename F>
double CompassSearch(const F& f, std::vector<double>& x, double step, double smallest) {
  const int n = static_cast<int>(x.size());
  double best = f(x);
  std::vector<double> candidate;
  while (step > smallest) {
    bool improved = false;
    for (int i = 0; i < n; ++i) {
      for (int j = i; j < n; ++j) {
        for (int signs = 0; signs < (i == j ? 2 : 4); ++signs) {
          candidate = x;
          candidate[i] += signs & 1 ? -step : step;
          if (j != i) candidate[j] += signs & 2 ? -step : step;
          const double value = f(candidate);
          if (value < best) {
            best = value;
            x = candidate;
            improved = true;
          }
        }
      }
    }
    if (!improved) step *= 0.5;
  }
  return best;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_SEARCH_H_
