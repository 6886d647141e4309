// The gap g of what moves changes by no more than the way of its fastest point, so that a step of g never passes
// through; over an obstacle with the slope θ the steps fall by 1 − cos θ.
#include "routh/scene/set_down.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contact/contact.h"
#include "routh/contact/geometry.h"
#include "routh/contact/posed_shape.h"
#include "routh/dynamics/dynamics.h"
#include "routh/scene/tolerances.h"

namespace routh::internal {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class SetDown {
 public:
  SetDown(const RestingStart& start, const Model& model, State& state, Workspace& workspace)
      : start_(start),
        model_(model),
        state_(state),
        workspace_(workspace),
        joint_(*model.find_joint(start.joint)),
        target_(*model.find_shape(start.on)) {
    if (carries(model_.shapes[static_cast<std::size_t>(target_)].body))
      refuse(fmt::format("'{}' is part of '{}' itself", start_.on, start_.joint), "name a shape of something else");
  }

  void run() {
    compute_kinematics(model_, state_.q, workspace_);
    choose_way();
    const double first = gap();
    if (!(first < infinity))
      refuse(fmt::format("nothing of '{}' can touch '{}'", start_.joint, start_.on),
             "give its bodies shapes, and let the pair of surfaces touch");
    double left = first, way = 0;
    for (int k = 0; k < tolerances::set_down_steps_max; ++k) {
      const double step = left / reach_;
      if (std::abs(left) <= tolerances::set_down_gap_relative * size_ || way + step == way) return check_limit();
      way += step;
      if (way > tolerances::set_down_way_max * (std::abs(first) + size_)) break;
      move(step);
      left = gap();
    }
    refuse(fmt::format("'{}' does not come to rest on '{}' on its way down: {:.3g} m are left", start_.joint, start_.on,
                       left),
           "put it above in `position`");
  }

 private:
  [[noreturn]] void refuse(const std::string& message, const std::string& remedy) const {
    throw InputError(start_.where, "resting: " + message, remedy);
  }

  const Joint& joint() const { return model_.joints[static_cast<std::size_t>(joint_)]; }

  bool carries(int body) const {
    for (int b = body; b > 0; b = model_.joints[static_cast<std::size_t>(b - 1)].parent)
      if (b - 1 == joint_) return true;
    return false;
  }

  Matrix3 frame() const { return body_pose(model_, workspace_, joint().parent).rotation * joint().at.rotation; }

  // Along the coordinates of the joint, so that its bodies move by at most `reach_` for each unit.
  void choose_way() {
    const double g = norm(model_.gravity);
    if (g == 0) refuse("without gravity there is no down", "give `gravity`, or say the position");
    const Vector3 down = transpose_times(frame(), (1 / g) * model_.gravity);
    size_ = 0;
    for (std::size_t k = 0; k < model_.shapes.size(); ++k) {
      if (!carries(model_.shapes[k].body)) continue;
      const PosedShape shape = posed_shape(model_, workspace_, static_cast<int>(k));
      size_ = std::max(size_, bounding_radius(shape) + norm(shape.pose.position - body_origin()));
    }
    if (!(size_ < infinity)) refuse(fmt::format("'{}' has a shape without end", start_.joint), "set down bodies");
    const bool flies = joint().kind == JointKind::free || joint().kind == JointKind::planar;
    if (flies) {
      way_ = {down.x, down.y, joint().kind == JointKind::free ? down.z : 0};
    } else if (joint().kind == JointKind::prismatic || joint().kind == JointKind::revolute) {
      compute_gravity_force(model_, state_.q, workspace_);
      const double pull = -workspace_.force[joint().v];
      way_ = {pull > 0 ? 1.0 : pull < 0 ? -1.0 : 0.0, 0, 0};
    } else {
      refuse(fmt::format("'{}' is a {} joint", start_.joint, name(joint().kind)),
             "only free, planar, prismatic and revolute joints can be set down");
    }
    if (!(norm(way_) > tolerances::set_down_slope_min))
      refuse(fmt::format("the weight does not move '{}' here", start_.joint), "say its position");
    if (flies) way_ = (1 / norm(way_)) * way_;
    reach_ = joint().kind == JointKind::revolute ? size_ : 1;
  }

  Vector3 body_origin() const {
    const Pose parent = body_pose(model_, workspace_, joint().parent);
    return joint().kind == JointKind::free || joint().kind == JointKind::planar
               ? body_pose(model_, workspace_, joint_ + 1).position
               : parent * joint().at.position;
  }

  // Between what moves and the target.
  double gap() {
    compute_kinematics(model_, state_.q, workspace_);
    find_contacts(model_, workspace_, state_.q, std::numeric_limits<double>::max(), contacts_);
    double least = infinity;
    for (const Contact& contact : contacts_) {
      if (contact.kind == ContactKind::limit) continue;
      if ((contact.shape_a == target_ && carries(contact.body_b)) ||
          (contact.shape_b == target_ && carries(contact.body_a)))
        least = std::min(least, contact.gap);
    }
    return least;
  }

  void move(double step) {
    const double steps[] = {way_.x, way_.y, way_.z};
    const int count = joint().kind == JointKind::free ? 3 : joint().kind == JointKind::planar ? 2 : 1;
    for (int i = 0; i < count; ++i) state_.q[joint().q + i] += step * steps[i];
  }

  void check_limit() const {
    if (joint().kind != JointKind::prismatic && joint().kind != JointKind::revolute) return;
    const DofDescription& dof = model_.dofs[static_cast<std::size_t>(joint().v)].properties;
    const double q = state_.q[joint().q];
    if (q < dof.lower || q > dof.upper)
      refuse(fmt::format("'{}' touches '{}' at {:.6g}, beyond its limits [{}, {}]", start_.joint, start_.on, q,
                         dof.lower, dof.upper),
             "change the limits or what it is to rest on");
  }

  const RestingStart& start_;
  const Model& model_;
  State& state_;
  Workspace& workspace_;
  int joint_, target_;
  Vector3 way_;
  double reach_ = 1, size_ = 0;
  std::vector<Contact> contacts_;
};

}  // namespace

void set_down(std::span<const RestingStart> starts, const Model& model, State& state, Workspace& workspace) {
  for (const RestingStart& start : starts) SetDown(start, model, state, workspace).run();
}

}  // namespace routh::internal
