// Descriptions that are right, with places, for tests that then spoil them; and what a refusal said.
#pragma once

#include <optional>
#include <string>

#include "routh/model/model.h"

namespace testing_support {

// A place in `m.yaml`.
routh::Location on_line(int line);

// Lines: model 1, gravity 2. Bodies `base` (fixed, a point mass at the world's origin), `arm` (revolute on it), `hand`
// (revolute on arm) and `crate` (free; planar in the plane) stand on lines 10, 20, 30 and 40: body +0, mass +1, com +2,
// inertia +3, joint +4, its parent +5, axis +6 and first degree of freedom +7. Surface `steel` 50, shapes `tip` on hand
// 60 (its body 61, its surface 62) and `floor` 65, spring `band` 70, force `push` 75, loop `link` 80 (its second body
// 81), loop `gear` 85 (its terms 86).
routh::ModelDescription sample(routh::Dimension dimension);

routh::BodyDescription& body(routh::ModelDescription& description, const std::string& name);
routh::JointDescription& joint(routh::ModelDescription& description, const std::string& name);
routh::ShapeDescription& shape(routh::ModelDescription& description, const std::string& name);
// The first degree of freedom, with its place.
routh::DofDescription& dof(routh::ModelDescription& description, const std::string& joint_name);

// The refusal of a description, if it is refused.
std::optional<routh::InputError> refusal(const routh::ModelDescription& description);

}  // namespace testing_support
