// Farkas' certificate that no impulse in the cones stops every contact from approaching and holds the bilateral rows:
// y with y_n ≥ 0 and y_t = 0 at contacts, y·D p ≤ 0 for every p in the cones and y·v < 0. It is what is left of the
// approach where ½‖min(0, v⁺_n)‖² is least over the cones: found by least squares over edges of the cones, which are
// made where they help; for many contacts, and D as a function, by accelerated projected gradients [Nesterov 1983;
// O'Donoghue and Candès 2015].
#pragma once

#include <vector>

#include "routh/contacts/contact_system.h"

namespace routh::internal {

// True where `certificate` proves the problem infeasible.
bool find_certificate(const ContactSystem& system, std::vector<Vector3>& certificate);

}  // namespace routh::internal
