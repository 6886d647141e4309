// Keyframes in use put feet some millimetres into the floor, where soft contacts would carry the robot. Rigid ones
// begin with a gap of zero: the base goes up by the greatest depth, again and again until nothing of it overlaps.
#include "routh/scene/robot_lift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "routh/contact/contact.h"
#include "routh/dynamics/constrained.h"
#include "routh/scene/state_reader.h"
#include "routh/scene/tolerances.h"

namespace routh::internal {

namespace {

// The joints before the first that turns, outermost first: what they move keeps its directions.
std::vector<int> slides_to(const Model& model, int body) {
  std::vector<int> chain;
  for (int b = body; b > 0; b = model.joints[static_cast<std::size_t>(b - 1)].parent)
    if (model.joints[static_cast<std::size_t>(b - 1)].kind != JointKind::fixed) chain.push_back(b - 1);
  std::reverse(chain.begin(), chain.end());
  const auto turns = std::find_if(chain.begin(), chain.end(), [&](int joint) {
    return model.joints[static_cast<std::size_t>(joint)].kind != JointKind::prismatic;
  });
  chain.erase(turns, chain.end());
  return chain;
}

// The box around the shapes that a base carries: its diagonal.
double size_of(const Model& model, const Workspace& workspace, int base) {
  Vector3 low, high;
  bool any = false;
  for (const Shape& shape : model.shapes) {
    if (base_of(model, shape.body) != base) continue;
    const Vector3 p = body_pose(model, workspace, shape.body) * shape.at.position;
    low = any ? Vector3{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)} : p;
    high = any ? Vector3{std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)} : p;
    any = true;
  }
  return norm(high - low);
}

// A loop ties what the base carries to something else.
bool is_held(const Model& model, int base) {
  return std::any_of(model.loops.begin(), model.loops.end(), [&](const Loop& loop) {
    return loop.kind != LoopKind::coupling &&
           (base_of(model, loop.body_a) == base) != (base_of(model, loop.body_b) == base);
  });
}

class Lift {
 public:
  Lift(RobotFile& robot, const Model& model)
      : robot_(robot), model_(model), workspace_(model), state_(robot_start(robot, model, workspace_)) {}

  std::vector<std::string> run() {
    for (int i = 0; i < tolerances::lifts_max; ++i)
      if (!lift_deepest()) break;
    std::vector<std::string> warnings;
    for (const auto& [joint, lifted] : lifted_) {
      take(joint, lifted.path);
      warnings.push_back(describe(joint, lifted));
    }
    return warnings;
  }

 private:
  struct Lifted {
    Contact deepest;  // the first, which was the deepest
    Vector3 path;     // in the coordinates of the joint
  };

  // Whether there was something to lift.
  bool lift_deepest() {
    std::vector<Contact> overlaps = find_touches(model_, state_, {}, workspace_).overlaps;
    std::stable_sort(overlaps.begin(), overlaps.end(),
                     [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
    for (const Contact& contact : overlaps) {
      if (contact.kind == ContactKind::limit) continue;
      const auto motion = motion_out_of(model_, workspace_, contact);
      if (motion && move(contact, *motion)) return true;
    }
    return false;
  }

  bool move(const Contact& contact, const BaseMotion& motion) {
    const Joint& joint = model_.joints[static_cast<std::size_t>(motion.joint)];
    const auto known = lifted_.find(motion.joint);
    const Vector3 step = -contact.gap * motion.along;
    const Vector3 path = known == lifted_.end() ? step : known->second.path + step;
    if (!(norm(path) <= motion.most)) return false;
    if (joint.kind == JointKind::free) {
      state_.q.segment<3>(joint.q) += Eigen::Vector3d(step.x, step.y, step.z);
    } else {
      const DofDescription& dof = model_.dofs[static_cast<std::size_t>(joint.v)].properties;
      const double q = state_.q[joint.q] + step.x;
      if (q < dof.lower || q > dof.upper) return false;
      state_.q[joint.q] = q;
    }
    const auto entry = lifted_.try_emplace(motion.joint, Lifted{contact, {}}).first;
    entry->second.path = path;
    return true;
  }

  // From where the file puts it, not from where closing the loops does.
  void take(int index, const Vector3& path) {
    const Joint& joint = model_.joints[static_cast<std::size_t>(index)];
    State state = rest_state(model_);
    take_start(robot_.start, model_, state);
    const double steps[] = {path.x, path.y, path.z};
    for (int i = 0; i < (joint.kind == JointKind::free ? 3 : 1); ++i) state.q[joint.q + i] += steps[i];
    const auto q = state.q.segment(joint.q, joint.q_count);
    const auto found = std::find_if(robot_.start.begin(), robot_.start.end(),
                                    [&](const RobotStart& start) { return start.joint == joint.name; });
    RobotStart& start =
        found != robot_.start.end() ? *found : robot_.start.emplace_back(RobotStart{joint.name, {}, {}});
    start.position.assign(q.begin(), q.end());
  }

  std::string describe(int joint, const Lifted& lifted) const {
    const Contact& deepest = lifted.deepest;
    const auto name = [&](int shape) { return model_.shapes[static_cast<std::size_t>(shape)].name; };
    return overlap_warning(
        robot_, name(deepest.shape_a), name(deepest.shape_b),
        fmt::format("overlap by {:.3g} m where the robot begins: '{}' is lifted by {:.3g} m", -deepest.gap,
                    model_.joints[static_cast<std::size_t>(joint)].name, norm(lifted.path)));
  }

  RobotFile& robot_;
  const Model& model_;
  Workspace workspace_;
  State state_;
  std::map<int, Lifted> lifted_;  // by joint
};

}  // namespace

int base_of(const Model& model, int body) {
  int base = -1;
  for (int b = body; b > 0; b = model.joints[static_cast<std::size_t>(b - 1)].parent)
    if (model.joints[static_cast<std::size_t>(b - 1)].kind != JointKind::fixed) base = b - 1;
  return base;
}

// One of the two shapes stands still, the other is carried by a base that can move along the normal.
std::optional<BaseMotion> motion_out_of(const Model& model, const Workspace& workspace, const Contact& contact) {
  const int base_a = base_of(model, contact.body_a), base_b = base_of(model, contact.body_b);
  const int body = base_a < 0 ? contact.body_b : contact.body_a, base = std::max(base_a, base_b);
  if ((base_a < 0) == (base_b < 0) || is_held(model, base)) return {};
  const Vector3 out = base_a < 0 ? -contact.normal : contact.normal;
  const double most = std::max(tolerances::lift_max, tolerances::lift_max_share * size_of(model, workspace, base));
  const auto frame = [&](int joint) {
    const Joint& j = model.joints[static_cast<std::size_t>(joint)];
    return body_pose(model, workspace, j.parent).rotation * j.at.rotation;
  };
  if (model.joints[static_cast<std::size_t>(base)].kind == JointKind::free)
    return BaseMotion{base, transpose_times(frame(base), out), most};
  for (const int slide : slides_to(model, body)) {
    const double cosine = dot(frame(slide) * model.joints[static_cast<std::size_t>(slide)].axis, out);
    if (std::abs(cosine) > tolerances::lift_slide_cosine) return BaseMotion{slide, {1 / cosine, 0, 0}, most};
  }
  return {};
}

State robot_start(const RobotFile& robot, const Model& model, Workspace& workspace) {
  State state = rest_state(model);
  take_start(robot.start, model, state);
  if (model.loops.empty()) return state;
  State closed = state;
  return assemble(model, closed, workspace, {}).closed ? closed : state;
}

std::vector<std::string> lift_bases(RobotFile& robot, const Model& model) { return Lift(robot, model).run(); }

}  // namespace routh::internal
