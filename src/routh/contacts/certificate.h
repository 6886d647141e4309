// Farkas' certificate that no impulse in the cones stops every contact from approaching and holds the bilateral rows:
// y with y_n ≥ 0 and y_t = 0 at contacts, y·D p ≤ 0 for every p in the cones and y·v < 0. It is what is left of the
// approach where ½‖min(0, v⁺_n)‖² is least over the cones: found by least squares over edges of the cones, which are
// made where they help; for many contacts, and D as a function, by accelerated projected gradients [Nesterov 1983;
// O'Donoghue and Candès 2015].
#pragma once

#include <vector>

#include "routh/contacts/contact_system.h"

namespace routh::internal {

// Whether D and v are such that nothing contradicts: D symmetric without negative eigenvalues, v in its range, and all
// y among the allowed impulses. For then yᵀD y ≤ 0 of a certificate means D y = 0, and so y·v = 0; and a solution
// exists [Klarbring and Pang 1998]. Surfaces at rest on a machine are so: a search for a proof would cost more than the
// solution, and what it found, where D is ill-conditioned, would be rounding.
bool cannot_contradict(const ContactSystem& system);

// True where `certificate` proves the problem infeasible.
bool find_certificate(const ContactSystem& system, std::vector<Vector3>& certificate);

}  // namespace routh::internal
