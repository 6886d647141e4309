#include "routh/math/panel_crossing.h"

#include <algorithm>
#include <cmath>

#include "routh/math/tolerances.h"

namespace routh::internal {

namespace {

template <std::size_t lanes>
[[gnu::always_inline]] inline PanelCrossing find(const PanelArray& values, const PanelArray& rates, double target,
                                                 Passing passing, double from) {
  const double sign = passing == Passing::upwards ? 1 : -1;
  PanelCrossing found;
  std::size_t j = 0;
  while (j < panel_nodes && (panel_node[j] <= from || sign * (values[j] - target) < 0)) ++j;
  if (j == panel_nodes) return found;
  double low = j > 0 ? std::max(from, panel_node[j - 1]) : from;
  double high = panel_node[j];
  double x = high;
  if (j > 0 && rates[j] != 0 && rates[j - 1] != 0) {
    // Inverse Hermite cubic between the nodes, then Newton kept inside the bracket.
    const double left = values[j - 1] - target, right = values[j] - target;
    const double t = -left / (right - left);
    const double h = panel_node[j] - panel_node[j - 1];
    const double slope0 = (right - left) / rates[j - 1], slope1 = (right - left) / rates[j];
    x = panel_node[j - 1] + t * (slope0 * (1 - t) * (1 - t) + t * (h * (3 - 2 * t) - slope1 * (1 - t)));
  }
  for (int i = 0; i < tolerances::crossing_steps_max; ++i) {
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    found.weights = interpolation_weights<lanes>(x);
    const double value = dot<lanes>(values, found.weights) - target;
    (sign * value >= 0 ? high : low) = x;
    const double step = value / dot<lanes>(rates, found.weights);
    if (std::abs(step) <= tolerances::crossing_step || high - low <= tolerances::crossing_bracket) break;
    x -= step;
  }
  found.x = x;
  return found;
}

}  // namespace

PanelCrossing find_crossing(const PanelArray& values, const PanelArray& rates, double target, Passing passing,
                            double from) {
  return on_widest_lanes([&](auto lanes) __attribute__((always_inline)) {
    return find<lanes>(values, rates, target, passing, from);
  });
}

}  // namespace routh::internal
