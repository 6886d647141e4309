#include <algorithm>
#include <cmath>

#include "bare_impact.h"
#include "simulation.h"

namespace bench {

namespace {

struct Rod {
  std::array<double, 3> q, v;
};

double gap(const Rod& s, double side) { return s.q[1] + side * rod_half * std::sin(s.q[2]) - rod_radius; }
double least_gap(const Rod& s) { return std::min(gap(s, 1), gap(s, -1)); }

// Runge–Kutta as for any machine, though the rod's acceleration happens to be constant.
std::array<double, 3> acceleration(const Rod&) { return {0, -gravity, 0}; }

Rod moved(const Rod& s, const std::array<double, 3>& dq, const std::array<double, 3>& dv, double h) {
  Rod out = s;
  for (std::size_t i = 0; i < 3; ++i) {
    out.q[i] += h * dq[i];
    out.v[i] += h * dv[i];
  }
  return out;
}

Rod flight(const Rod& s, double h) {
  const auto a1 = acceleration(s);
  const Rod s2 = moved(s, s.v, a1, h / 2);
  const auto a2 = acceleration(s2);
  const Rod s3 = moved(s, s2.v, a2, h / 2);
  const auto a3 = acceleration(s3);
  const Rod s4 = moved(s, s3.v, a3, h);
  const auto a4 = acceleration(s4);
  Rod out = s;
  for (std::size_t i = 0; i < 3; ++i) {
    out.q[i] += h / 6 * (s.v[i] + 2 * s2.v[i] + 2 * s3.v[i] + s4.v[i]);
    out.v[i] += h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
  }
  return out;
}

// Energetic restitution at one end, from event to event.
void strike(Rod& s) {
  const double side = gap(s, 1) < gap(s, -1) ? 1 : -1;
  const double x = side * rod_half * std::cos(s.q[2]), y = rod_radius - side * rod_half * std::sin(s.q[2]);
  const double a = 1 + x * x / rod_inertia, b = 1 + y * y / rod_inertia, c = x * y / rod_inertia;
  const BareAnswer impulse =
      solve_bare({a, b, c, s.v[1] + x * s.v[2], s.v[0] + y * s.v[2], friction, friction, restitution});
  s.v[0] += impulse.i_t;
  s.v[1] += impulse.i_n;
  s.v[2] += (x * impulse.i_n + y * impulse.i_t) / rod_inertia;
}

// Time from s at which the gap closes, by the Illinois variant of the secant.
double closing_time(const Rod& s, double h, double gap_end) {
  double low = 0, high = h, gap_low = least_gap(s), gap_high = gap_end;
  for (int i = 0; i < 60 && high - low > 1e-14; ++i) {
    double t = high - gap_high * (high - low) / (gap_high - gap_low);
    if (!(t > low && t < high)) t = 0.5 * (low + high);
    const double value = least_gap(flight(s, t));
    if (value < 0) {
      high = t;
      gap_high = value;
      gap_low /= 2;
    } else {
      low = t;
      gap_low = value;
    }
    if (std::fabs(value) < 1e-13) return t;
  }
  return low;
}

}  // namespace

PlanarState bare_rod(double until, double step) {
  const PlanarState start = start_of(StrikeScene::rod);
  Rod s{start.q, start.v};
  double left = until;
  for (int i = 0; i < 100000 && left > 0; ++i) {
    const double h = std::min(step, left);
    const Rod next = flight(s, h);
    const double end = least_gap(next);
    if (end >= 0) {
      s = next;
      left -= h;
      continue;
    }
    const double t = closing_time(s, h, end);
    s = flight(s, t);
    strike(s);
    s = flight(s, 1e-12);  // clear of the floor
    left -= t + 1e-12;
  }
  return {3, s.q, s.v};
}

}  // namespace bench
