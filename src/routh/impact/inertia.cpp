#include "routh/impact/inertia.h"

#include "routh/impact/laws.h"

namespace routh {

namespace {

constexpr double rank_tolerance = 1e-14;

}  // namespace

Tangent solve_tangential(const ContactInertia& d, Tangent x) {
  if (d.dimension == Dimension::planar) return {d.b11 > 0 ? x.t1 / d.b11 : 0, 0};
  const double trace = d.b11 + d.b22;
  const double determinant = d.b11 * d.b22 - d.b12 * d.b12;
  if (determinant > rank_tolerance * trace * trace)
    return {(d.b22 * x.t1 - d.b12 * x.t2) / determinant, (d.b11 * x.t2 - d.b12 * x.t1) / determinant};
  if (!(trace > 0)) return {};
  // Rank one: b = trace e eᵀ.
  const Tangent column = d.b11 >= d.b22 ? Tangent{d.b11, d.b12} : Tangent{d.b12, d.b22};
  const double length = norm(column);
  const Tangent e{column.t1 / length, column.t2 / length};
  const double amount = dot(e, x) / trace;
  return {amount * e.t1, amount * e.t2};
}

ImpulseForChange impulse_for_change(const ContactInertia& d, const ContactVector& change) {
  const Tangent c = coupling(d);
  const Tangent t = tangent(change);
  const Tangent hold = solve_tangential(d, t);  // b⁺ Δv_t
  const double left = change.n - dot(c, hold);
  const double size = std::abs(change.n) + std::abs(change.t1) + std::abs(change.t2);
  ImpulseForChange answer;
  double in = 0;
  if (d.stick_slope > locked_slope * d.a)
    in = left / d.stick_slope;
  else if (std::abs(left) > 1e-10 * size)
    return answer;
  const Tangent it = solve_tangential(d, {t.t1 - c.t1 * in, t.t2 - c.t2 * in});
  answer.impulse = {in, it.t1, it.t2};
  const Tangent made = apply_tangential(d, it);
  const double miss = std::abs(made.t1 + c.t1 * in - t.t1) + std::abs(made.t2 + c.t2 * in - t.t2);
  const double scale = size + std::abs(in) * (std::abs(c.t1) + std::abs(c.t2));
  answer.reachable = miss <= 1e-9 * scale;
  return answer;
}

ContactInertia planar_inertia(double a, double c, double b) {
  ContactInertia d;
  d.dimension = Dimension::planar;
  d.a = a;
  d.c1 = c;
  d.b11 = b;
  d.stick_slope = b > 0 ? a - c * (c / b) : a;
  return d;
}

ContactInertia spatial_inertia(double a, double c1, double c2, double b11, double b12, double b22) {
  ContactInertia d{Dimension::spatial, a, c1, c2, b11, b12, b22, 0};
  d.stick_slope = a - dot(coupling(d), solve_tangential(d, coupling(d)));
  return d;
}

}  // namespace routh
