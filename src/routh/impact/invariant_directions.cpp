#include "routh/impact/invariant_directions.h"

#include <algorithm>
#include <cmath>

namespace routh::internal {

namespace {

// One side of the secular equation: x > 0 with p²/x² + q²/(x + gap)² = 1, p, q ≥ 0. Newton on 1/√(…) from the left
// converges monotonically because that function is concave and increasing there.
double secular_root(double p, double q, double gap) {
  double x = std::max(p, std::sqrt(p * p + q * q) - gap);  // the left side is at least 1 here
  if (x <= 0) return 0;
  for (int i = 0; i < 60; ++i) {
    const double f = p / x;
    const double g = q / (x + gap);
    const double norm2 = f * f + g * g;
    const double step = (std::sqrt(norm2) - 1) * norm2 / (f * f / x + g * g / (x + gap));
    x += step;
    if (!(std::abs(step) > 1e-6 * x)) break;  // convergence is quadratic, and `polished` does the rest
  }
  return x;
}

Direction unit(double x, double y) {
  const double length = std::sqrt(x * x + y * y);
  return {x / length, y / length};
}

// σ = (q/(x+gap), p/x) up to sign and order; when x = 0 the second component follows from |σ| = 1.
Direction outer_direction(double p, double q, double gap) {
  const double x = secular_root(p, q, gap);
  if (x > 0) return unit(q / (x + gap), p / x);
  const double first = gap > 0 ? std::min(1.0, q / gap) : 1.0;
  return {first, std::sqrt((1 - first) * (1 + first))};
}

// Root in (0, gap) of p²/x² + q²/(gap − x)² = 1 between `outer` (left end) and `inner` (the minimum), where the left
// side falls from ≥ 1 to < 1.
double inner_root(double p, double q, double gap, double inner) {
  if (p == 0) return 0;
  double low = std::min(p, inner), high = inner;
  double x = low;
  for (int i = 0; i < 100 && high - low > 1e-16 * high; ++i) {
    const double f = x > 0 ? p / x : 1;
    const double g = q / (gap - x);
    const double norm2 = f * f + g * g;
    if (std::abs(norm2 - 1) <= 4e-16) break;
    if (norm2 >= 1)
      low = x;
    else
      high = x;
    const double slope = (x > 0 ? f * f / x : 0) - g * g / (gap - x);
    double next = x + (std::sqrt(norm2) - 1) * norm2 / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool settled = std::abs(next - x) <= 1e-9 * x;
    x = next;
    if (settled) break;
  }
  return x;
}

// One Newton step on h(φ) = 0 itself: the secular root loses digits where its two terms differ much in size, and the
// slip curve relies on its ends being roots of h to the last digit.
Direction polished(const SlipField& f, Direction s) {
  const double slope = -f.c1 * s.x - f.c2 * s.y + (f.m1 - f.m2) * (s.x * s.x - s.y * s.y);
  const double turn = -f.turning(s) / slope;
  if (!(std::abs(turn) < 1e-3)) return s;  // coalescing directions: h' is no guide
  return unit(s.x - turn * s.y, s.y + turn * s.x);
}

Direction repelling_third_quadrant(const SlipField& f) {
  const Direction s = outer_direction(f.c1, f.c2, f.m1 - f.m2);
  return polished(f, {-s.y, -s.x});
}

}  // namespace

Direction principal_direction(const SlipField& f) { return polished(f, outer_direction(f.c2, f.c1, f.m1 - f.m2)); }

Enclosure enclosing_directions(const SlipField& f, Direction slip) {
  const double gap = f.m1 - f.m2;
  const double turning = f.turning(slip);
  const bool fourth = slip.x >= 0 && slip.y <= 0;
  const bool pair_possible = f.c1 < gap && f.c2 < gap && (fourth || turning > 0);
  if (pair_possible) {
    const double p = std::cbrt(f.c1 * f.c1);
    const double q = std::cbrt(f.c2 * f.c2);
    const double g = std::cbrt(gap * gap);
    if (p + q < g) {
      const double middle = p + q > 0 ? gap * p / (p + q) : 0.5 * gap;  // where the secular function is least
      const double x = inner_root(f.c2, f.c1, gap, gap - middle);       // measured from the far end
      const double first = f.c1 / (gap - x);
      const Direction attracting =
          x > 0 ? unit(first, -f.c2 / x) : Direction{first, -std::sqrt((1 - first) * (1 + first))};
      const bool before = attracting.x * slip.y - attracting.y * slip.x < 0;
      if (turning > 0 && before) return {repelling_third_quadrant(f), polished(f, attracting)};
      const double z = inner_root(f.c1, f.c2, gap, middle);
      const double second = -f.c2 / (gap - z);
      const Direction repelling =
          z > 0 ? unit(f.c1 / z, second) : Direction{std::sqrt((1 - second) * (1 + second)), second};
      if (turning > 0) return {polished(f, repelling), principal_direction(f)};
      return {polished(f, repelling), polished(f, attracting)};
    }
  }
  return {repelling_third_quadrant(f), principal_direction(f)};
}

}  // namespace routh::internal
