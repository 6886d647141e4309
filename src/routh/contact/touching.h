// Another posture of a machine that goes on touching: some degrees of freedom are given, the others follow
// (Gauss–Newton).
#pragma once

#include <vector>

#include "routh/contact/contact.h"
#include "routh/dynamics/state.h"

namespace routh::internal {

enum class TouchingVelocity {
  rest,  // v_n = 0: what rests keeps resting; belts run along their surface and do not count
  kept,  // as given, loops apart
};

struct TouchingRequest {
  ContactId contact;
  // By degree of freedom: what stays as it is. Empty: everything may move.
  std::vector<bool> given_position = {}, given_velocity = {};
  TouchingVelocity velocity = TouchingVelocity::rest;
  std::vector<ContactId> others = {};  // contacts that go on touching besides
};

enum class TouchingStatus {
  touching,      // gaps and loops are closed to rounding, and the velocity is as asked for
  out_of_reach,  // no such posture was found; `state` is left as it was
};

// Moves q by steps of least norm until gaps and loops are closed, then takes out of v what they forbid.
TouchingStatus keep_touching(const Model& model, const TouchingRequest& request, State& state, Workspace& workspace);

// The same, walking there from a posture that touches, in steps short enough to stay on its branch: an elbow that is
// bent one way does not end bent the other way. `state` differs from `start` in what is given. Where the way is barred
// the direct attempt decides.
TouchingStatus move_touching(const Model& model, const TouchingRequest& request, const State& start, State& state,
                             Workspace& workspace);

}  // namespace routh::internal
