// A slip flow in the coordinates of its box, each from 0 to 1, and its derivatives there. Internal to the slip flow.
#pragma once

#include <optional>

#include "routh/solvability/slip_flow.h"

namespace routh::internal {

struct UnitPoint {
  double u = 0, v = 0;
};

struct FlowGradient {
  double A_u = 0, A_v = 0, B_u = 0, B_v = 0;
  double determinant() const { return A_u * B_v - A_v * B_u; }
};

class UnitFlow {
 public:
  UnitFlow(const SlipFlow& flow, const FlowBox& box) : flow_(flow), box_(box) {}

  double width() const { return box_.x_high - box_.x_low; }
  double height() const { return box_.rate_high - box_.rate_low; }
  double x(UnitPoint p) const { return box_.x_low + width() * p.u; }
  double rate(UnitPoint p) const { return box_.rate_low + height() * p.v; }
  // Nothing unless all values are finite.
  std::optional<SlipFlowValue> at(UnitPoint p) const;
  // By differences over `step`. Beside an edge of the postures or a jump (slip reversing) from the smooth side.
  std::optional<FlowGradient> gradient(UnitPoint p, double step) const;

 private:
  const SlipFlow& flow_;
  const FlowBox& box_;
};

// The step of Newton's method towards A = B = 0; nothing where the gradient is singular.
std::optional<UnitPoint> newton_step(const SlipFlowValue& value, const FlowGradient& gradient);

}  // namespace routh::internal
