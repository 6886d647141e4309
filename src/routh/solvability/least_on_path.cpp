#include "routh/solvability/least_on_path.h"

#include <cmath>
#include <limits>
#include <vector>

#include "routh/base/error.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double golden = 0.3819660112501051;  // (3 − √5)/2

// A function that is infinite where it does not exist.
using Total = std::function<double(double)>;

// The parabola through three points has its least at x + p/q.
struct Parabola {
  double p = 0, q = 0;
};
Parabola parabola(const LeastValue& x, const LeastValue& w, const LeastValue& v) {
  const double r = (x.at - w.at) * (x.value - v.value);
  const double s = (x.at - v.at) * (x.value - w.value);
  double p = (x.at - v.at) * s - (x.at - w.at) * r;
  double q = 2 * (s - r);
  if (q > 0) p = -p;
  return {p, std::abs(q)};
}

// Brent's method from a start inside [low, high]: parabolas where they behave, golden section elsewhere [Brent 1973,
// ch. 5]. Infinite values make a parabola that is no number, which does not pass as one that behaves.
LeastValue brent(const Total& function, double low, double high, const LeastValue& start) {
  LeastValue x = start, w = start, v = start;  // the best, the second, the one before it
  double step = 0, before = 0;
  const double floor = tolerances::brent_absolute * (high - low);
  for (int k = 0; k < tolerances::brent_steps_max; ++k) {
    const double middle = 0.5 * (low + high);
    const double reach = tolerances::brent_relative * std::abs(x.at) + floor;
    if (std::abs(x.at - middle) <= 2 * reach - 0.5 * (high - low)) break;
    const Parabola fit = parabola(x, w, v);
    if (std::abs(fit.p) < std::abs(0.5 * fit.q * before) && fit.p > fit.q * (low - x.at) &&
        fit.p < fit.q * (high - x.at)) {
      before = step;
      step = fit.p / fit.q;
      if (x.at + step - low < 2 * reach || high - x.at - step < 2 * reach) step = std::copysign(reach, middle - x.at);
    } else {
      before = x.at < middle ? high - x.at : low - x.at;
      step = golden * before;
    }
    const double at = x.at + (std::abs(step) >= reach ? step : std::copysign(reach, step));
    const LeastValue u = {at, function(at)};
    if (u.value <= x.value) {
      (u.at < x.at ? high : low) = x.at;
      v = w;
      w = x;
      x = u;
    } else {
      (u.at < x.at ? low : high) = u.at;
      if (u.value <= w.value || w.at == x.at) {
        v = w;
        w = u;
      } else if (u.value <= v.value || v.at == x.at || v.at == w.at) {
        v = u;
      }
    }
  }
  return x;
}

}  // namespace

std::optional<LeastValue> least_on_path(const std::function<std::optional<double>(double)>& function, double low,
                                        double high, int samples) {
  if (!(low <= high && std::isfinite(low) && std::isfinite(high) && samples >= 2))
    throw InputError({}, "the path has no extent, or fewer than two samples",
                     "give two finite ends, the smaller first, and at least two samples");
  bool exists = false;
  double first_at = low;
  const Total total = [&](double at) {
    const std::optional<double> value = function(at);
    if (!value || std::isnan(*value)) return infinite;
    if (!exists) first_at = at;
    exists = true;
    return *value;
  };
  std::vector<LeastValue> values;
  for (int k = 0; k < samples; ++k) {
    const double at = k + 1 < samples ? low + (high - low) * k / (samples - 1) : high;
    values.push_back({at, total(at)});
  }
  if (!exists) return {};
  LeastValue best = {first_at, infinite};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const LeastValue& before = values[k > 0 ? k - 1 : k];
    const LeastValue& after = values[k + 1 < values.size() ? k + 1 : k];
    const bool is_local =
        values[k].value < infinite && values[k].value <= before.value && values[k].value <= after.value;
    if (!is_local) continue;
    if (values[k].value < best.value) best = values[k];
    if (!(before.at < after.at) || std::isinf(values[k].value)) continue;
    const LeastValue refined = brent(total, before.at, after.at, values[k]);
    if (refined.value < best.value) best = refined;
  }
  return best;
}

}  // namespace routh::internal
