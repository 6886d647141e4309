// Small things that the files of a step share. Private to the module.
#pragma once

#include <algorithm>

#include "routh/contacts/friction_contact.h"
#include "routh/math/elementary.h"
#include "routh/simulation/moreau_step.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal::moreau {

inline double slip_speed(const ContactVector& v) { return elementary::hypot(v.t1, v.t2); }

// A step takes the best point that some hundred Newton steps find; whether it is unique, or why there is none better,
// is not asked.
inline ContactsOptions contact_options(double tolerance, double enough = tolerances::step_residual_enough) {
  ContactsOptions options;
  options.tolerance = tolerance;
  options.enough = enough;
  options.iterations = tolerances::step_iterations;
  options.thorough = options.uniqueness = options.certificate = false;
  return options;
}

// Of the contact in the last step; null: it carried no load.
inline const ContactVector* known_force(const StepMemory& memory, ContactId id) {
  const auto known = std::lower_bound(memory.forces.begin(), memory.forces.end(), id,
                                      [](const StepMemory::Known& a, ContactId b) { return a.id < b; });
  return known == memory.forces.end() || known->id != id ? nullptr : &known->force;
}

}  // namespace routh::internal::moreau
