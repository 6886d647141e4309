// From contacts of posed shapes to contacts of a machine: what find_contacts and ContactSearch share.
#pragma once

#include "routh/contact/contact.h"
#include "routh/contact/geometry.h"

namespace routh::internal {

PosedShape shape_at(const Model& model, const Shape& shape, const Pose& pose);

// Joint limits within the margin, ordered by id.
void add_limit_contacts(const Model& model, const ConstVector& q, double margin, std::vector<Contact>& contacts);
// All contacts of a manifold of this pair.
void add_contacts(const Model& model, int pair, const Manifold& manifold, std::vector<Contact>& contacts);

}  // namespace routh::internal
