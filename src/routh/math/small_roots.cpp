// The roots of a polynomial lie between the roots of its derivative, so the degree is climbed from one upwards; between
// two neighbours the polynomial is monotone and a bracketed Newton iteration cannot fail.
#include "routh/math/small_roots.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace routh::internal {

namespace {

struct Value {
  double value;
  double slope;
  double scale;  // Σ |c_k xᵏ|: the value is known to a few ε of this
};

Value evaluate(std::span<const double> c, double x) {
  Value v{0, 0, 0};
  for (std::size_t k = c.size(); k-- > 0;) {
    v.slope = v.slope * x + v.value;
    v.value = v.value * x + c[k];
    v.scale = v.scale * std::abs(x) + std::abs(c[k]);
  }
  return v;
}

double root_between(std::span<const double> c, double low, double high) {
  const bool rising = evaluate(c, high).value > 0;
  double x = 0.5 * (low + high);
  for (int i = 0; i < 200; ++i) {
    const Value v = evaluate(c, x);
    if (v.value == 0) return x;
    ((v.value > 0) == rising ? high : low) = x;
    double next = x - v.value / v.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= std::numeric_limits<double>::epsilon() * std::abs(x)) return next;
    x = next;
  }
  return x;
}

}  // namespace

RealRoots real_roots(std::span<const double> coefficients) {
  RealRoots roots;
  std::size_t n = coefficients.size();
  double largest = 0;
  for (const double c : coefficients) largest = std::max(largest, std::abs(c));
  while (n > 1 && std::abs(coefficients[n - 1]) <= 1e-300 * largest) --n;
  if (n <= 1 || largest == 0) return roots;
  const std::span<const double> c = coefficients.first(n);
  if (n == 2) {
    roots.root[roots.count++] = -c[0] / c[1];
    return roots;
  }
  std::array<double, 4> derivative{};
  for (std::size_t k = 1; k < n; ++k) derivative[k - 1] = static_cast<double>(k) * c[k];
  const RealRoots turning = real_roots(std::span<const double>(derivative).first(n - 1));
  double bound = 0;  // Cauchy's
  for (std::size_t k = 0; k + 1 < n; ++k) bound = std::max(bound, std::abs(c[k] / c[n - 1]));
  bound += 1;

  double low = -bound;
  double low_value = evaluate(c, low).value;
  for (int i = 0; i <= turning.count; ++i) {
    const double high = i < turning.count ? turning.root[static_cast<std::size_t>(i)] : bound;
    const Value v = evaluate(c, high);
    const bool touches =
        i < turning.count && std::abs(v.value) <= 64 * std::numeric_limits<double>::epsilon() * v.scale;
    if (touches) {
      roots.root[static_cast<std::size_t>(roots.count++)] = high;
      low_value = 0;
    } else {
      if (low_value * v.value < 0 && roots.count < 4)
        roots.root[static_cast<std::size_t>(roots.count++)] = root_between(c, low, high);
      low_value = v.value;
    }
    low = high;
    if (roots.count == 4) break;
  }
  return roots;
}

}  // namespace routh::internal
