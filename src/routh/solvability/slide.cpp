// One slide, by the desingularised flow, which stays smooth where A vanishes.
//
// Its independent variable is the length of the trajectory in the box, the time counted as a third direction with the
// duration as its unit: dy/ds = f/‖f‖, y = (x, ẋ, t) in units of box and duration, f = (A ẋ, −g B + A h, A) likewise.
// So a force that grows without bound, and a state of rest, are walked through in steps of ordinary size. Steps by the
// pair of orders 5 and 4 of [Dormand 1980].
#include <algorithm>
#include <array>
#include <cmath>

#include "routh/base/error.h"
#include "routh/math/bracket.h"
#include "routh/math/elementary.h"
#include "routh/solvability/flow_gradient.h"
#include "routh/solvability/slip_flow.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

using Vector = std::array<double, 3>;

constexpr int stages = 7;
constexpr double weights[stages][stages - 1] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
// Fifth order less fourth.
constexpr double error_weights[stages] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

struct Step {
  Vector end{};
  double error = 0;
};

class Slider {
 public:
  Slider(const SlipFlow& flow, const FlowBox& box, double duration) : flow_(flow, box), duration_(duration) {}

  FlowTrajectory run(Vector y);

 private:
  std::optional<Vector> field(const Vector& y);
  std::optional<Step> step(const Vector& y, double length);
  double longest_possible(const Vector& y, double length);
  FlowEnd what_lies_ahead(const Vector& y);
  std::optional<FlowEnd> end_at(const Vector& y) const;
  bool is_near_singular(const Vector& y);
  Vector locate_end(const Vector& y, double length, Vector end);
  void record(FlowTrajectory& trajectory, const Vector& y) const;

  UnitFlow flow_;
  double duration_;
  double slip_sign_ = 0;
  double A_largest_ = 0, B_largest_ = 0;
  FlowEnd obstacle_ = FlowEnd::no_posture;  // why the last step was impossible
};

// Nothing, and an obstacle, where the posture or the slip direction ceases: what lies behind would lead astray.
std::optional<Vector> Slider::field(const Vector& y) {
  const auto value = flow_.at({y[0], y[1]});
  obstacle_ = !value ? FlowEnd::no_posture : FlowEnd::slip_ends;
  if (!value || !(value->slip * slip_sign_ > 0)) return {};
  const double rate = flow_.rate({y[0], y[1]});
  const Vector f = {value->A * rate / flow_.width(), (value->A * value->rest - value->gain * value->B) / flow_.height(),
                    value->A / duration_};
  const double size = elementary::hypot(f[0], f[1], f[2]);
  obstacle_ = FlowEnd::near_singular;
  if (!(size > 0) || !std::isfinite(size)) return {};
  return Vector{f[0] / size, f[1] / size, f[2] / size};
}

std::optional<Step> Slider::step(const Vector& y, double length) {
  std::array<Vector, stages> k;
  Step result;
  for (std::size_t i = 0; i < stages; ++i) {
    Vector at = y;
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t d = 0; d < 3; ++d) at[d] += length * weights[i][j] * k[j][d];
    const auto slope = field(at);
    if (!slope) return {};
    k[i] = *slope;
    result.end = at;  // of the last stage: the fifth-order end
  }
  for (std::size_t d = 0; d < 3; ++d) {
    double error = 0;
    for (std::size_t i = 0; i < stages; ++i) error += length * error_weights[i] * k[i][d];
    result.error = std::max(result.error, std::abs(error));
  }
  return result;
}

// Nothing while it slides.
std::optional<FlowEnd> Slider::end_at(const Vector& y) const {
  if (y[0] < 0 || y[0] > 1 || y[1] < 0 || y[1] > 1) return FlowEnd::left_box;
  const auto value = flow_.at({y[0], y[1]});
  if (!value) return FlowEnd::no_posture;
  if (!(value->slip * slip_sign_ > 0)) return FlowEnd::slip_ends;
  if (!(value->A > 0)) return FlowEnd::reached_paradox;
  if (!(value->B < 0)) return FlowEnd::detached;
  if (y[2] >= 1) return FlowEnd::time_up;
  return {};
}

// The distance to the singular point is estimated by Newton's step.
bool Slider::is_near_singular(const Vector& y) {
  const UnitPoint p = {y[0], y[1]};
  const auto value = flow_.at(p);
  if (!value) return false;
  A_largest_ = std::max(A_largest_, std::abs(value->A));
  B_largest_ = std::max(B_largest_, std::abs(value->B));
  if (std::abs(value->A) > tolerances::near_singular_flow * A_largest_ ||
      std::abs(value->B) > tolerances::near_singular_flow * B_largest_)
    return false;
  const auto gradient = flow_.gradient(p, tolerances::near_singular);
  const auto to_point = gradient ? newton_step(*value, *gradient) : std::nullopt;
  return to_point && elementary::hypot(to_point->u, to_point->v) <= tolerances::near_singular;
}

// The first state that does not slide any more, `end` being such a one at `length`; steps anew from y for each trial,
// so nothing is interpolated.
Vector Slider::locate_end(const Vector& y, double length, Vector end) {
  const auto slides = [&](double at) {
    const auto trial = step(y, at);
    if (trial && end_at(trial->end)) end = trial->end;
    return trial && !end_at(trial->end);
  };
  bisect({0, length}, tolerances::slide_bisections - 1, slides,
         [](const Bracket& b) { return !(b.high - b.low > tolerances::slide_step_min); });
  return end;
}

double Slider::longest_possible(const Vector& y, double length) {
  const auto enough = [](const Bracket& b) { return !(b.high - b.low > 0.5 * tolerances::slide_step_min); };
  const Bracket end = bisect(
      {0, length}, tolerances::slide_bisections, [&](double at) { return step(y, at).has_value(); }, enough);
  step(y, end.high);  // names the obstacle
  return end.low;
}

// Steps have shrunk to nothing because the flow is not smooth here: at the edge of the postures, where another
// coordinate than x would have to go on, velocities behave as roots.
FlowEnd Slider::what_lies_ahead(const Vector& y) {
  if (is_near_singular(y)) return FlowEnd::near_singular;
  const auto slope = field(y);
  if (!slope) return obstacle_;
  const bool goes_on = field({y[0] + tolerances::slide_look_ahead * (*slope)[0],
                              y[1] + tolerances::slide_look_ahead * (*slope)[1], y[2]})
                           .has_value() &&
                       field({y[0] + std::copysign(tolerances::slide_look_ahead, (*slope)[0]), y[1], y[2]}).has_value();
  return goes_on ? FlowEnd::step_limit : obstacle_;
}

void Slider::record(FlowTrajectory& trajectory, const Vector& y) const {
  const UnitPoint p = {y[0], y[1]};
  trajectory.points.push_back({y[2] * duration_, flow_.x(p), flow_.rate(p)});
}

FlowTrajectory Slider::run(Vector y) {
  FlowTrajectory trajectory;
  record(trajectory, y);
  if (const auto value = flow_.at({y[0], y[1]})) slip_sign_ = value->slip;
  const auto finish = [&](FlowEnd end) {
    trajectory.end = end;
    return trajectory;
  };
  if (const auto end = end_at(y)) return finish(*end);
  is_near_singular(y);  // takes the scales
  double length = tolerances::slide_step_first;
  for (int k = 0; k < tolerances::slide_steps_max; ++k) {
    const auto trial = step(y, length);
    if (!trial) {
      length = longest_possible(y, length);
      if (length < tolerances::slide_step_stuck)
        return finish(is_near_singular(y) ? FlowEnd::near_singular : obstacle_);
      continue;
    }
    const double factor =
        0.9 * elementary::pow(tolerances::slide_error / std::max(trial->error, tolerances::slide_error_floor), 0.2);
    if (trial->error > tolerances::slide_error) {
      length *= std::clamp(factor, 0.1, 0.9);
      if (length < tolerances::slide_step_stuck) return finish(what_lies_ahead(y));
      continue;
    }
    const auto end = end_at(trial->end);
    y = end ? locate_end(y, length, trial->end) : trial->end;
    record(trajectory, y);
    if (is_near_singular(y)) return finish(FlowEnd::near_singular);
    if (end) return finish(end_at(y).value_or(*end));
    length = std::min(length * std::clamp(factor, 0.2, 5.0), tolerances::slide_step_max);
  }
  return finish(FlowEnd::step_limit);
}

}  // namespace

FlowTrajectory slide(const SlipFlow& flow, const FlowBox& box, double x, double rate, double duration) {
  if (!(box.x_low < box.x_high && box.rate_low < box.rate_high && std::isfinite(x + rate)))
    throw InputError({}, "the box of a slip flow is empty, or its start is not finite",
                     "give low < high in both directions and a finite start");
  if (!(duration > 0 && std::isfinite(duration)))
    throw InputError({}, "the duration of a slide is not positive and finite", "give a positive time in seconds");
  const double u = (x - box.x_low) / (box.x_high - box.x_low);
  const double v = (rate - box.rate_low) / (box.rate_high - box.rate_low);
  return Slider(flow, box, duration).run({u, v, 0});
}

}  // namespace routh::internal
