#include "routh/model/model.h"

namespace routh {

namespace {

template <class Thing>
std::optional<int> find_named(const std::vector<Thing>& things, std::string_view name) {
  for (std::size_t i = 0; i < things.size(); ++i)
    if (things[i].name == name) return static_cast<int>(i);
  return std::nullopt;
}

// `knee`, or `base.x` for an entry of several.
std::string entry_name(const std::string& joint, std::span<const std::string_view> names, int entry) {
  if (names.size() == 1) return joint;
  return joint + "." + std::string(names[entry]);
}

}  // namespace

std::optional<int> Model::find_body(std::string_view wanted) const { return find_named(bodies, wanted); }
std::optional<int> Model::find_joint(std::string_view wanted) const { return find_named(joints, wanted); }
std::optional<int> Model::find_shape(std::string_view wanted) const { return find_named(shapes, wanted); }

void place_shape(Model& model, int shape, const Pose& at) {
  Shape& it = model.shapes[static_cast<std::size_t>(shape)];
  const Body& body = model.bodies[static_cast<std::size_t>(it.body)];
  it.at = at;
  it.link = body.link;
  it.in_link = body.in_link * at;
}

std::string dof_name(const Model& model, int dof) {
  const Joint& joint = model.joints[model.dofs[dof].joint];
  return entry_name(joint.name, dof_names(joint.kind), dof - joint.v);
}

bool is_angular(const Model& model, int dof) {
  for (const Link& link : model.links) {
    const int k = dof - link.v;
    if (k < 0 || k >= velocity_count(link.kind)) continue;
    switch (link.kind) {
      case LinkKind::turn:
      case LinkKind::ball:
        return true;
      case LinkKind::slide:
        return false;
      case LinkKind::floating:
        return k >= 3;
    }
  }
  return false;
}

std::string coordinate_name(const Model& model, int coordinate) {
  for (const Joint& joint : model.joints)
    if (coordinate >= joint.q && coordinate < joint.q + joint.q_count)
      return entry_name(joint.name, coordinate_names(joint.kind), coordinate - joint.q);
  return {};
}

}  // namespace routh
