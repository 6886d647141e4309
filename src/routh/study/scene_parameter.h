// A number of a scene by its path, found once and set as often as wanted. Paths follow the scene file.
//
//   friction [.static, .kinetic], restitution [.normal, .tangential, .alpha]   of every surface and pair of surfaces
//   surfaces.NAME.friction [.static, .kinetic], surfaces.NAME.restitution [.normal, .tangential, .alpha]
//   bodies.NAME.mass, .com[i], .inertia (plane), .inertia.xx … .yz
//   joints.NAME.damping, .stiffness, .rest, .armature, .lower, .upper, .limit_restitution; joints.NAME.DOF.damping …
//   joints.NAME.effort; joints.NAME.drive.position, .velocity, .stiffness, .damping, .limit; position, velocity and
//   effort become constants; joints.NAME.at[i]
//   springs.NAME.stiffness, .damping, .rest_length; loops.NAME.distance, .constant
//   shapes.NAME.radius, .length, .half_extents[i], .at[i]; forces.NAME.force[i], .torque[i], .at[i], .scale
//   gravity[i]
//   state.position.DOF, state.velocity.DOF, state.time; `state.` may be left out before the first two
#pragma once

#include <functional>

#include "routh/scene/scene.h"
#include "routh/study/path.h"

namespace routh::internal {

struct SceneParameter {
  // Whether the model must be built anew; else only the state changes.
  bool changes_model = true;
  bool is_angle = false;  // a position that may be said in degrees
  std::function<void(SceneDraft&, double)> set;
  std::function<double(const SceneDraft&)> value;  // the present one
};

// Throws InputError at the path. `model` is that of the draft.
SceneParameter find_scene_parameter(const StudyPath& path, const SceneDraft& draft, const Model& model);

// The degree of freedom that the parts of the path from `first` on name: `knee`, `base.x`. Throws InputError.
int find_dof(const StudyPath& path, std::size_t first, const Model& model);

}  // namespace routh::internal
