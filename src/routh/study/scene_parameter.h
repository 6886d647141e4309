// A number of a scene by its path, found once and set as often as wanted. Paths follow the scene file.
//
//   surfaces.NAME.friction [.static, .kinetic], surfaces.NAME.restitution [.normal, .tangential, .alpha]
//   bodies.NAME.mass, .com[i], .inertia (plane), .inertia.xx … .yz
//   joints.NAME.damping, .stiffness, .rest, .armature, .lower, .upper, .limit_restitution; joints.NAME.DOF.damping …
//   springs.NAME.stiffness, .damping, .rest_length; loops.NAME.distance, .constant
//   shapes.NAME.radius, .length, .half_extents[i], .at[i]; forces.NAME.force[i], .torque[i]
//   gravity[i]
//   state.position.DOF, state.velocity.DOF, state.time
#pragma once

#include <functional>

#include "routh/scene/draft.h"
#include "routh/study/path.h"

namespace routh::internal {

struct SceneParameter {
  // Whether the model must be built anew; else only the state changes.
  bool changes_model = true;
  std::function<void(SceneDraft&, double)> set;
};

// Throws InputError at the path. `model` is that of the draft.
SceneParameter find_scene_parameter(const StudyPath& path, const SceneDraft& draft, const Model& model);

// The degree of freedom that the parts of the path from `first` on name: `knee`, `base.x`. Throws InputError.
int find_dof(const StudyPath& path, std::size_t first, const Model& model);

}  // namespace routh::internal
