// The numbers of [Liu 2007, sections 3, 4 and 6].
#include "papers/liu-2007/arm.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "papers/liu-2007/runs.h"
#include "papers/tolerances.h"
#include "papers/two_rods.h"
#include "routh/impact/bounds.h"
#include "routh/math/bracket.h"
#include "routh/math/elementary.h"
#include "routh/scene/diagnosis.h"

namespace routh {

namespace {

constexpr double highest_rate = 4;  // of θ1, in the figures [rad/s]
constexpr double case_5_angle = -0.2;

}  // namespace

LiuArm::LiuArm(const PaperFiles& files) : scene_(read_paper_scene(files, "arm.yaml")), probe_(scene_) {
  if (scene_.model.velocities != 2) throw InputError({scene_.model.name}, "the arm must have two joints");
  height_ = elementary::cos(scene_.state.q[0]) + elementary::cos(scene_.state.q[0] + scene_.state.q[1]);
}

double LiuArm::theta2(double height, double theta1) {
  return elementary::acos(std::clamp(height - elementary::cos(theta1), -1.0, 1.0));
}

double LiuArm::largest_angle(double height) { return elementary::acos(height - 1); }

double LiuArm::aligned_angle() const { return elementary::acos(height_ / 2); }

double LiuArm::critical_friction(double theta1, double theta2) {
  State state = scene_.state;
  state.q << theta1, theta2 - theta1;
  return compute_bounds(probe_.at(state).contact).jamming_friction;
}

LeastValue LiuArm::least_friction(double height, LiuPostures postures) const {
  constexpr double quarter = std::numbers::pi / 2;
  // The same arm over a belt at another height, touching with its links aligned.
  Scene scene = scene_;
  for (std::size_t i = 0; i < scene.model.shapes.size(); ++i) {
    Pose at = scene.model.shapes[i].at;
    at.position.y = -height;
    if (scene.model.shapes[i].body == 0) place_shape(scene.model, static_cast<int>(i), at);
  }
  scene.state.q << elementary::acos(height / 2), 0;
  scene.state.v.setZero();
  ContactProbe probe(scene);
  State state = scene.state;
  const auto friction = [&](double theta1) -> std::optional<double> {
    const double lower = theta2(height, theta1);
    if (postures == LiuPostures::hanging && lower > quarter) return std::nullopt;
    state.q << theta1, lower - theta1;
    return compute_bounds(probe.at(state).contact).jamming_friction;
  };
  double end = largest_angle(height);
  if (postures == LiuPostures::hanging) end = std::min(end, quarter);
  const std::optional<LeastValue> least = least_on_path(friction, -end, end);
  if (!least) throw RuntimeFailure("the arm reaches the belt in no posture");
  return *least;
}

SceneMapBase LiuArm::base(double friction) const {
  Workspace workspace(scene_.model);
  SceneMapBase out;
  out.model = &scene_.model;
  out.state = scene_.state;  // θ2 > 0, and so on the way from there
  out.contact = first_contact(scene_, workspace).id;
  out.adjust = {false, true};
  out.fixed = {{find_variable(map_variables(scene_.model), "friction"), friction}};
  return out;
}

SlipFlow LiuArm::flow(double friction) const { return scene_slip_flow(base(friction), 0); }

MapSource LiuArm::modes(double friction) const {
  const std::vector<MapVariable> variables = map_variables(scene_.model);
  return scene_map(base(friction), find_variable(variables, "position.upper"),
                   find_variable(variables, "velocity.upper"), MapQuantity::slip_mode);
}

FlowBox LiuArm::plane() const {
  const double end = largest_angle(height_);
  return {-end, end, -highest_rate, highest_rate};
}

const std::vector<SingularPoint>& LiuArm::points(double friction) {
  const auto found = points_.find(friction);
  if (found != points_.end()) return found->second;
  return points_[friction] = singular_points(flow(friction), plane(), {.cells = 100});
}

namespace {

constexpr double gravity = 9.8;

struct LiuSingularity {
  double theta1, rate1;
};

// Eq. 13 as printed, where cos(θ1 − θ2) has lost its parentheses and the squares stand on the angles.
double printed_13(double theta1, double theta2) {
  const double bracket = 3 * elementary::cos(theta1) - theta2 * elementary::sin(theta1) * elementary::sin(theta2) -
                         (elementary::sin(theta1 * theta1) + 4 * elementary::sin(theta2 * theta2));
  return std::abs(4 * bracket / (elementary::sin(2 * theta1) - 5 * elementary::sin(2 * theta2)));
}

// Eq. 13 without its misprints: the friction at which A = 0.
double corrected_13(double theta1, double theta2) {
  const double s1 = elementary::sin(theta1), s2 = elementary::sin(theta2);
  const double bracket = 3 * elementary::cos(theta1 - theta2) * s1 * s2 - (s1 * s1 + 4 * s2 * s2);
  return std::abs(4 * bracket / (elementary::sin(2 * theta1) - 5 * elementary::sin(2 * theta2)));
}

// A = B = 0 from the paper's equations of two uniform rods of 1 kg and 1 m, beside a point that the search found: the
// angle where (13) is the friction, and the rate at which the tip, free of force, keeps its height.
LiuSingularity singularity_near(double x, double rate, double height, double friction) {
  const auto excess = [&](double theta1) { return corrected_13(theta1, LiuArm::theta2(height, theta1)) - friction; };
  const Bracket about{x - tolerances::singularity_search, x + tolerances::singularity_search};
  const bool rises = excess(about.low) < 0;
  const Bracket root = bisect(about, 60, [&](double theta1) { return (excess(theta1) < 0) == rises; });
  const double theta1 = root.low, theta2 = LiuArm::theta2(height, theta1);
  const TwoRods rods(1, 1, theta1, theta2);
  const double s1 = elementary::sin(theta1), s2 = elementary::sin(theta2), ratio = -s1 / s2;  // of the rates
  const double turn = 0.5 * elementary::sin(theta1 - theta2);
  const Eigen::Vector2d centrifugal(turn * ratio * ratio, -turn), weight(1.5 * gravity * s1, 0.5 * gravity * s2);
  const Eigen::RowVector2d normal(s1, s2);
  const double squared = elementary::cos(theta1) + elementary::cos(theta2) * ratio * ratio -
                         (normal * rods.M.inverse() * centrifugal).value();
  const double still = (normal * rods.M.inverse() * weight).value();
  return {theta1, std::copysign(std::sqrt(still / squared), rate)};
}

std::string count_word(std::size_t count) {
  static const char* const names[] = {"none", "one", "two", "three", "four"};
  return count < std::size(names) ? names[count] : "many";
}

std::string type_word(SingularKind kind) {
  return kind == SingularKind::saddle ? "saddle point" : std::string(name(kind));
}

std::string mode_word(SlipMode mode) {
  static const char* const names[] = {"M_s^1", "M_s^2", "M_s^3", "M_s^4"};
  return names[static_cast<std::size_t>(mode)];
}

class Liu : public TabulatedPaper {
 public:
  explicit Liu(const PaperFiles& files) : arm_(files), case_4_(read_paper_scene(files, "case-4.yaml")), runs_(files) {
    add_postures();
    add_case_4();
  }

  std::optional<OurValue> value(const PrintedGroup& group, const std::string& quantity) override {
    if (group.friction) return point_value(*group.friction, quantity);
    const std::optional<OurValue> found = TabulatedPaper::value(group, quantity);
    return found ? found : runs_.value(quantity);
  }

  std::vector<PaperFigure> figures() override {
    std::vector<PaperFigure> out = liu_figures(arm_);
    for (PaperFigure& figure : runs_.figures()) out.push_back(std::move(figure));
    return out;
  }

 private:
  void add_postures() {
    const double H = arm_.height(), aligned = arm_.aligned_angle();
    values_["theta_1_max"] = {LiuArm::largest_angle(H), {}, {}};
    values_["mu_m_min"] = {arm_.least_friction(H, LiuPostures::all).value, {}, {}};
    values_["theta_star"] = {aligned, {}, {}};
    values_["mu_0_star"] = {arm_.critical_friction(aligned, aligned), {}, std::sqrt(4 - H * H) / H};
    const double theta1 = case_4_.state.q[0], theta2 = LiuArm::theta2(H, theta1);
    values_["mu_m"] = {arm_.critical_friction(theta1, theta2), {}, printed_13(theta1, theta2)};
    values_["theta_2_c4"] = {theta2, {}, {}};
    values_["theta_2_c5"] = {LiuArm::theta2(H, case_5_angle), {}, {}};
  }

  void add_case_4() {
    const SlipVerdict slip = diagnose_first(case_4_).sliding;
    // Eq. 29 as printed has the spring relaxed at θ1 = θ2. (At rest its damper does nothing.)
    Scene printed = case_4_;
    printed.model.dofs[1].properties.rest = 0;
    values_["A"] = {slip.A, {}, {}};
    values_["B"] = {slip.B, {}, {}};
    values_["B_eq29"] = {slip.B, {}, diagnose_first(printed).sliding.B};
    values_["mode"] = {0, mode_word(slip.mode), {}};
  }

  // "P2_lambda_1": of the second singular point the first eigenvalue.
  std::optional<OurValue> point_value(double friction, const std::string& quantity) {
    const std::vector<SingularPoint>& points = arm_.points(friction);
    if (quantity == "points") return OurValue{0, count_word(points.size()), {}};
    if (quantity.size() < 4 || quantity[0] != 'P' || quantity[2] != '_') return std::nullopt;
    const auto index = static_cast<std::size_t>(quantity[1] - '1');
    if (index >= points.size()) return std::nullopt;
    const SingularPoint& point = points[index];
    const std::string part = quantity.substr(3);
    const LiuSingularity derived = singularity_near(point.x, point.rate, arm_.height(), friction);
    if (part == "theta_1") return OurValue{point.x, {}, derived.theta1};
    if (part == "rate_1") return OurValue{point.rate, {}, derived.rate1};
    if (part == "lambda_1") return OurValue{point.eigenvalues[0].real(), {}, {}};
    if (part == "lambda_2") return OurValue{point.eigenvalues[1].real(), {}, {}};
    if (part == "type") return OurValue{0, type_word(point.kind), {}};
    return std::nullopt;
  }

  LiuArm arm_;
  Scene case_4_;
  LiuRuns runs_;
};

}  // namespace

std::unique_ptr<PaperEvaluator> liu_evaluator(const PaperFiles& files) { return std::make_unique<Liu>(files); }

}  // namespace routh
