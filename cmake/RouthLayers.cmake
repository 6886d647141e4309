# The library in layers: each is a target `routh::<layer>` that links only those before it, and each holds whole modules
# of src/routh/. tools/check_layers reads this file too, and holds every include line to it.
set(ROUTH_LAYERS impact machine simulation io)

# One contact and several, from bare numbers: needs nothing but Eigen's headers.
set(ROUTH_MODULES_impact base math impact compliant contacts march referee capi)
# What a machine is, how it moves, where it touches, whether contacts hold.
set(ROUTH_MODULES_machine mesh model dynamics solvability contact)
# Time. No threads, no files.
set(ROUTH_MODULES_simulation simulation)
# Text, files, pictures, many runs.
set(ROUTH_MODULES_io text file problem figure map robot scene record report play study recording)

# What nearly every source of a layer includes beside the standard library and Eigen.
foreach(layer IN ITEMS machine simulation io)
  set(ROUTH_PRECOMPILED_${layer} <fmt/format.h>)
endforeach()

# Under sanitizers and for the page the library is compiled several sources at a time, but for those whose own names
# stand in others of the layer too; tools/check_united finds them.
set(ROUTH_ALONE_impact impact/average_slip impact/simultaneous impact/simultaneous_set impact/solve impact/spatial
  march/together march/together_events march/together_modes contacts/block_factor math/dormand_prince math/elementary
  math/radau_systems impact/slip_variation math/small_roots)
set(ROUTH_ALONE_machine contact/contact_problem contact/convex_pairs contact/hull_pairs contact/hull_planes
  contact/nearest_point contact/separation_search dynamics/chain_jacobian dynamics/kinematics
  dynamics/load_derivatives dynamics/reactions dynamics/state dynamics/tree_derivatives mesh/mass mesh/polyhedron
  model/description solvability/effort_report solvability/invariant_slips solvability/rest_verdict
  solvability/restitution_set solvability/semidefinite solvability/slide)

# Public headers: installed, documented in docs/api.md, stable within a minor version. They include one another only;
# everything else is in namespace routh::internal and stays here.
set(ROUTH_PUBLIC_impact
  base/error.h base/hidden.h base/names.h math/spatial.h
  impact/problem.h impact/result.h impact/solve.h impact/bounds.h impact/reduction.h
  impact/impact_derivatives.h compliant/compliant_impact.h
  impact/simultaneous.h impact/projection.h impact/compliance.h contacts/friction_contact.h
  contacts/contacts_derivatives.h
  capi/routh_c.h)
set(ROUTH_PUBLIC_machine
  mesh/hull.h model/description.h model/model.h model/builder.h
  dynamics/state.h dynamics/dynamics.h dynamics/constrained.h dynamics/derivatives.h
  solvability/single_contact.h solvability/diagnosis.h solvability/energy_consistency.h
  solvability/contact_modes.h solvability/effort.h
  contact/contact.h contact/contact_problem.h)
set(ROUTH_PUBLIC_simulation simulation/event.h simulation/simulator.h simulation/sensitivity.h)
set(ROUTH_PUBLIC_io scene/scene.h scene/diagnosis.h robot/robot.h record/run_file.h map/verdict_map.h)
