#include <fmt/format.h>

#include "routh/base/error_list.h"
#include "routh/model/draft.h"

namespace routh {

namespace {

void check_size(const ModelDescription& description) {
  const Subject subject{"model", description.name, description.where};
  if (description.bodies.size() > max_bodies)
    refuse(subject, fmt::format("{} bodies; at most {} are allowed", description.bodies.size(), max_bodies));
  if (description.shapes.size() > max_shapes)
    refuse(subject, fmt::format("{} shapes; at most {} are allowed", description.shapes.size(), max_shapes));
  std::size_t velocities = 0;
  for (const JointDescription& joint : description.joints)
    velocities += static_cast<std::size_t>(velocity_count(joint.kind));
  if (velocities > max_velocities)
    refuse(subject, fmt::format("{} degrees of freedom; at most {} are allowed", velocities, max_velocities));
}

// Entries of M: each degree of freedom with all that carry it. Free bodies have 21 each, a chain the square.
void check_mass_entries(const ModelDraft& draft) {
  std::vector<std::size_t> carried;  // the degrees of freedom from the world to each, itself included
  std::size_t entries = 0;
  for (const Dof& dof : draft.model.dofs) {
    carried.push_back(1 + (dof.parent < 0 ? 0 : carried[static_cast<std::size_t>(dof.parent)]));
    entries += carried.back();
  }
  if (entries > max_mass_entries)
    refuse({"model", draft.description.name, draft.description.where},
           fmt::format("a mass matrix of {} entries; at most {} are allowed", entries, max_mass_entries),
           "make its chains shorter");
}

}  // namespace

Model build_model(const ModelDescription& description) {
  check_size(description);
  ModelDraft draft(description);
  draft.model.name = description.name;
  draft.model.dimension = description.dimension;
  const Subject subject{"model", description.name, description.where};
  expect_vector(subject, description.gravity_where, "gravity", description.gravity, description.dimension);
  draft.model.gravity = description.gravity;
  build_tree(draft);
  build_links(draft);
  check_mass_entries(draft);
  check_mass_matrix(draft);
  ErrorList errors;
  errors.attempt([&] { build_loops(draft); });
  errors.attempt([&] { build_loads(draft); });
  errors.attempt([&] { build_surfaces(draft); });
  errors.finish();
  build_pairs(draft);
  return std::move(draft.model);
}

}  // namespace routh
