// Which other postures would make a contact jam, or free it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "routh/scene/diagnosis.h"

namespace routh::internal {

// For every coordinate that `moves`, to both sides, the nearest value at which `holds(dof, value)` is no more what it
// is at the state's own. Where it is nothing the search to that side ends. A quarter turn or one metre is searched, or
// the joint's range.
std::vector<RestPosture> search_coordinates(const Model& model, const State& state,
                                            const std::function<bool(int dof)>& moves,
                                            const std::function<std::optional<bool>(int dof, double value)>& holds);
// What is searched: a quarter turn or one metre.
double search_reach(const Model& model, int dof);
double coordinate_of(const Model& model, const State& state, int dof);

// Along every coordinate that moves the contact, to both sides, the nearest value at which the friction that makes slip
// jam passes the contact's own: of the present slip, or of the worst direction when there is none. The other
// coordinates give way so that the contact keeps touching; where they cannot, they stay.
std::vector<PostureChange> search_postures(const Model& model, const State& state, const TouchDiagnosis& contact,
                                           Workspace& workspace);

}  // namespace routh::internal
