#include "routh/simulation/motion_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contact/posed_shape.h"

namespace routh::internal {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t place(int index) { return static_cast<std::size_t>(index); }

double arm_of(const Model& model, const Shape& it) {
  const PosedShape shape = {it.kind, model.dimension, it.in_link, it.radius, it.length, it.half_extents, it.hull.get()};
  return norm(it.in_link.position) +
         (it.kind == ShapeKind::hole ? it.radius : bounding_radius(shape) - core_radius(shape));
}

}  // namespace

MotionBound::MotionBound(const Model& model) : model_(model), links_(model.links.size()) {
  for (const Shape& shape : model.shapes) arms_.push_back(arm_of(model, shape));
  start_v_ = rates_ = acceleration_ = Eigen::VectorXd::Zero(model.velocities);
  start_position_.resize(model.links.size());
  end_position_.resize(model.links.size());
}

void MotionBound::begin(const Workspace& workspace, const Eigen::VectorXd& v) {
  for (std::size_t k = 0; k < links_.size(); ++k) start_position_[k] = workspace.link_poses[k].position;
  start_twists_ = workspace.link_twists;
  start_v_ = v;
}

void MotionBound::end(const Workspace& workspace, const Eigen::VectorXd& v,
                      const Eigen::Ref<const Eigen::VectorXd>& acceleration, double h) {
  h_ = h;
  acceleration_ = acceleration;
  rates_ = start_v_.cwiseAbs().cwiseMax(v.cwiseAbs()) + 0.5 * h * acceleration_;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Link& link = model_.links[k];
    end_position_[k] = workspace.link_poses[k].position;
    const LinkBound parent = link.parent < 0 ? LinkBound{} : links_[place(link.parent)];
    const auto first = static_cast<Eigen::Index>(link.v);
    double d = norm(link.offset), turn = 0, turn_rate = 0, slide = 0, slide_rate = 0;
    switch (link.kind) {
      case LinkKind::turn:
        turn = rates_[first], turn_rate = acceleration_[first];
        break;
      case LinkKind::ball:
        turn = rates_.segment(first, 3).norm(), turn_rate = acceleration_.segment(first, 3).norm();
        break;
      case LinkKind::slide:
        slide = rates_[first], slide_rate = acceleration_[first];
        break;
      case LinkKind::floating:
        slide = rates_.segment(first, 3).norm(), slide_rate = acceleration_.segment(first, 3).norm();
        turn = rates_.segment(first + 3, 3).norm(), turn_rate = acceleration_.segment(first + 3, 3).norm();
        break;
    }
    if (link.parent >= 0 && slide > 0)
      d = std::max(norm(start_position_[k] - start_position_[place(link.parent)]),
                   norm(end_position_[k] - end_position_[place(link.parent)])) +
          0.5 * h * slide;
    LinkBound& it = links_[k];
    it.angular_acceleration = parent.angular_acceleration + turn_rate + parent.turning * turn;
    it.acceleration = parent.acceleration + (parent.angular_acceleration + parent.turning * parent.turning) * d +
                      slide_rate + 2 * parent.turning * slide;
    const Twist &from = start_twists_[k], &to = workspace.link_twists[k];
    it.turning = std::max(norm(from.angular), norm(to.angular)) + 0.5 * h * it.angular_acceleration;
    it.speed = std::max(norm(from.linear), norm(to.linear)) + 0.5 * h * it.acceleration;
  }
}

MotionBound::LinkBound MotionBound::of_shape(int shape) const {
  const int link = model_.shapes[place(shape)].link;
  return link < 0 ? LinkBound{} : links_[place(link)];
}

double MotionBound::speed() const {
  double fastest = 0;
  for (std::size_t i = 0; i < model_.shapes.size(); ++i) {
    const int link = model_.shapes[i].link;
    if (link < 0) continue;
    if (arms_[i] == infinite) return infinite;
    fastest = std::max(fastest, links_[place(link)].speed + links_[place(link)].turning * arms_[i]);
  }
  return std::max(2 * fastest, rates_.size() > 0 ? rates_.maxCoeff() : 0.0);
}

double MotionBound::turning() const {
  double fastest = 0;
  for (const LinkBound& link : links_) fastest = std::max(fastest, link.turning);
  return fastest;
}

// Of any point of the first shape from the origin of the second one's link, as long as the step lasts.
double MotionBound::distance(int shape_a, int shape_b) const {
  const int a = model_.shapes[place(shape_a)].link, b = model_.shapes[place(shape_b)].link;
  const auto apart = [&](const std::vector<Vector3>& position) {
    return norm((a < 0 ? Vector3{} : position[place(a)]) - (b < 0 ? Vector3{} : position[place(b)]));
  };
  return std::max(apart(start_position_), apart(end_position_)) + arms_[place(shape_a)] +
         0.5 * h_ * (of_shape(shape_a).speed + of_shape(shape_b).speed);
}

MotionBound::Turn MotionBound::turn(int shape) const {
  const LinkBound it = of_shape(shape);
  return {it.turning, it.angular_acceleration};
}

double MotionBound::point_acceleration(int shape) const {
  const LinkBound it = of_shape(shape);
  const double turning = it.angular_acceleration + it.turning * it.turning;
  return it.acceleration + (turning > 0 ? turning * arms_[place(shape)] : 0);
}

MotionBound::Pair MotionBound::pair(int first, int second) const {
  const LinkBound a = of_shape(first), b = of_shape(second);
  const double r = a.turning > 0 || a.angular_acceleration > 0 ? arms_[place(first)] : 0;
  const double D = b.turning > 0 || b.angular_acceleration > 0 ? distance(first, second) : 0;
  Pair bound;
  bound.speed = a.speed + a.turning * r + b.speed + b.turning * std::min(D, arms_[place(second)]);
  bound.acceleration = a.acceleration + (a.angular_acceleration + a.turning * a.turning) * r + b.acceleration +
                       (b.angular_acceleration + b.turning * b.turning) * D +
                       2 * b.turning * (a.speed + a.turning * r + b.speed);
  return bound;
}

}  // namespace routh::internal
