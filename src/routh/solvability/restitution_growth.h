// Whether one set of restitutions gains energy, quickly: for maps, which ask at many of them.
#pragma once

#include <optional>

#include "routh/solvability/energy_consistency.h"

namespace routh::internal {

// The largest (K⁺ − K⁻)/K⁻ of the struck part over the admissible velocities, as `worst_growth` of
// `examine_restitution`; zero where nothing gains, within rounding. Nothing where the question is refused or every
// striking row is idle.
std::optional<double> restitution_growth(const RestitutionQuestion& question);

}  // namespace routh::internal
