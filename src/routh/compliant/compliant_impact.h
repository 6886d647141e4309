// One impact through springs: Routh's increment where the tangents yield, too [Stronge 2000, ch. 5; Jia 2013].
//
// The normal spring is the bilinear one of the energetic law, which gives back e² of what compression put in; beside it
// stand tangential springs η² times as soft [Stronge's η² = k_n/k_t], in series with Coulomb's friction:
//
//   F = (x, −u/η²)     v̇ = D F     stick u̇ = v_t, ‖u‖ ≤ η² μ_s x     slip ‖u‖ = η² μ_k x
//
// Time and stiffness themselves drop out. η² of elastic half spaces is (2 − ν)/(2(1 − ν)) [Mindlin 1949]; zero are
// rigid tangents, which is `solve_impact` under the energetic law. Tangents give back what they took: a ball of rubber
// turns its spin round [Garwin 1969]. No impact gains energy: W_n = −(1 − e²) W_c, and W_t is what friction took and
// what was left in the springs.
#pragma once

#include <vector>

#include "routh/impact/solve.h"

namespace routh {

// Of the problem, and of η², zero or positive.
Violation check_compliant(const ImpactProblem& problem, double tangential_compliance);

// Like `solve_impact`. Modes tell where slip first halted, and whether it came back another way; `stick`: from the
// start, until the springs let go. In the plane in closed form, without allocation; in space slip that swerves is
// marched, and allocates. Its law is energetic.
// Below η² = 1e-6, where the answer is within a few thousandths of it, tangents are rigid. There are no derivatives.
ImpactResult solve_compliant_impact(const ImpactProblem& problem, double tangential_compliance);

// The path of the relative velocity; sticking stretches are curved.
std::vector<PathPoint> trace_compliant_impact(const ImpactProblem& problem, double tangential_compliance);

// e = clamp(normal − loss ‖v_t⁻‖/|v_n⁻|, 0, 1): a restitution that depends on the angle of incidence, of the relative
// velocity before the impact; `normal` without slip. Zero without approach, where loss is not zero. Under the energetic
// law, rigid or through springs, an impact gains no energy whatever e is.
double restitution_at_slip(const ImpactProblem& problem, double normal, double loss);

}  // namespace routh
