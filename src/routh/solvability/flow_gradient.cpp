#include "routh/solvability/flow_gradient.h"

#include <algorithm>
#include <cmath>

namespace routh::internal {

namespace {

struct Slope {
  double A = 0, B = 0;
};

// One-sided, of second order: (−3 f0 + 4 f1 − f2)/2h.
std::optional<Slope> one_sided(const UnitFlow& flow, UnitPoint p, UnitPoint step, double length) {
  const auto f0 = flow.at(p), f1 = flow.at({p.u + step.u, p.v + step.v});
  const auto f2 = flow.at({p.u + 2 * step.u, p.v + 2 * step.v});
  if (!f0 || !f1 || !f2) return {};
  return Slope{(-3 * f0->A + 4 * f1->A - f2->A) / (2 * length), (-3 * f0->B + 4 * f1->B - f2->B) / (2 * length)};
}

// Both sides agree where the flow is smooth, and their mean is better than either; a jump makes one of them steep.
double reconcile(double forward, double backward) {
  const double larger = std::max(std::abs(forward), std::abs(backward));
  if (std::abs(forward - backward) <= 0.1 * larger) return 0.5 * (forward + backward);
  return std::abs(forward) < std::abs(backward) ? forward : backward;
}

std::optional<Slope> slope(const UnitFlow& flow, UnitPoint p, UnitPoint step, double length) {
  const auto forward = one_sided(flow, p, step, length);
  const auto backward = one_sided(flow, p, {-step.u, -step.v}, -length);
  if (!forward || !backward) return forward ? forward : backward;
  return Slope{reconcile(forward->A, backward->A), reconcile(forward->B, backward->B)};
}

}  // namespace

std::optional<SlipFlowValue> UnitFlow::at(UnitPoint p) const {
  auto value = flow_(x(p), rate(p));
  if (value && !std::isfinite(value->A + value->B + value->gain + value->rest + value->slip)) value.reset();
  return value;
}

std::optional<FlowGradient> UnitFlow::gradient(UnitPoint p, double step) const {
  const auto along_u = slope(*this, p, {step, 0}, step);
  const auto along_v = slope(*this, p, {0, step}, step);
  if (!along_u || !along_v) return {};
  return FlowGradient{along_u->A, along_v->A, along_u->B, along_v->B};
}

std::optional<UnitPoint> newton_step(const SlipFlowValue& value, const FlowGradient& gradient) {
  const double determinant = gradient.determinant();
  const UnitPoint step = {(gradient.A_v * value.B - gradient.B_v * value.A) / determinant,
                          (gradient.B_u * value.A - gradient.A_u * value.B) / determinant};
  if (!std::isfinite(step.u) || !std::isfinite(step.v)) return {};
  return step;
}

}  // namespace routh::internal
