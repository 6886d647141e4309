// The frictional contact problem of one contact, exactly: what a sweep of Gauss and Seidel solves at each contact.
#pragma once

#include "routh/contacts/contact_system.h"

namespace routh::internal {

// p of contact `index` with v⁺ = D_ii p + v, where v is the velocity that all the other impulses leave it.
Vector3 solve_one_contact(const ContactSystem& system, int index, const Vector3& velocity);

// One sweep through all contacts in order [Jourdan, Alart and Jean 1998].
void sweep(const ContactSystem& system, std::vector<Vector3>& impulse);

}  // namespace routh::internal
