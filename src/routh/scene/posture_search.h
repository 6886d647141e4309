// Which other postures would make a contact jam, or free it.
#pragma once

#include <vector>

#include "routh/scene/diagnosis.h"

namespace routh::internal {

// Along every coordinate that moves the contact, to both sides, the nearest value at which the friction that makes slip
// jam passes the contact's own: of the present slip, or of the worst direction when there is none. The other
// coordinates give way so that the contact keeps touching; where they cannot, they stay. A quarter turn or one metre is
// searched, or the joint's range.
std::vector<PostureChange> search_postures(const Model& model, const State& state, const TouchDiagnosis& contact,
                                           Workspace& workspace);

}  // namespace routh::internal
