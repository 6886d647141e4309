// The least value of a function along a path: for instance the least μ* over postures [Liu 2007, Fig. 2].
#pragma once

#include <functional>
#include <optional>

namespace routh::internal {

struct LeastValue {
  double at = 0;
  double value = 0;
};

// Over [low, high]: `samples` even samples (at least 2, the ends among them), then the neighbourhood of every local
// least by Brent's method: the value to rounding, `at` to the root of rounding where the least is smooth. Of equal
// leasts the first. A dip between two samples that does not show at them is missed.
// The function may return infinity, or nothing where the posture does not exist (NaN counts as nothing). Nothing when
// it exists at no sample.
std::optional<LeastValue> least_on_path(const std::function<std::optional<double>(double)>& function, double low,
                                        double high, int samples = 400);

}  // namespace routh::internal
