// A model in the making. The parts are built in this order, each from the description and the parts before it.
#pragma once

#include "routh/model/checks.h"
#include "routh/model/model.h"

namespace routh::internal {

inline constexpr std::size_t max_bodies = 10'000;
inline constexpr std::size_t max_shapes = 100'000;
inline constexpr std::size_t max_pairs = 2'147'483'647;  // they are numbered by an int, and not kept
inline constexpr std::size_t max_meetings = 1'000'000;   // of two surfaces each: 150 MB
inline constexpr std::size_t max_velocities = 60'000;
inline constexpr std::size_t max_mass_entries = 60'000'000;  // of M along the tree: 480 MB

struct ModelDraft {
  explicit ModelDraft(const ModelDescription& written) : description(written) {}

  const ModelDescription& description;
  Model model;
  std::vector<const JointDescription*> written_joints;  // of each joint of the model
  std::vector<const BodyDescription*> written_bodies;   // of each joint's child
  NameIndex bodies{"body", "bodies"};                   // of the model, the world included
  NameIndex joints{"joint", "joints"};
  NameIndex surfaces{"surface", "surfaces"};
  NameIndex shapes{"shape", "shapes"};

  const Body& body(int index) const { return model.bodies[index]; }
  const Joint& joint(int index) const { return model.joints[index]; }
};

void build_tree(ModelDraft& draft);      // bodies and joints, parents first
void build_links(ModelDraft& draft);     // links and degrees of freedom
void build_loops(ModelDraft& draft);     // loop closures
void build_loads(ModelDraft& draft);     // springs between points and forces
void build_surfaces(ModelDraft& draft);  // surfaces and shapes
void build_pairs(ModelDraft& draft);     // pairs of shapes that may touch

// The degree of freedom `dof` of a joint that moves.
int require_dof(const ModelDraft& draft, const Subject& subject, const std::string& joint, int dof,
                const Location& where);

// Throws InputError when some degree of freedom has no inertia of its own: see inertia_check.cpp.
void check_mass_matrix(const ModelDraft& draft);

}  // namespace routh::internal
