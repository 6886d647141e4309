// One contact at a state: will it hold, and what would change that? Everything of this module in one answer.
#pragma once

#include "routh/impact/bounds.h"
#include "routh/impact/result.h"
#include "routh/solvability/admissible_set.h"
#include "routh/solvability/friction_cone.h"
#include "routh/solvability/rest_verdict.h"
#include "routh/solvability/slip_verdict.h"

namespace routh {

enum class ContactVerdict {
  strikes,         // v_n < 0: an impact decides
  separates,       // v_n > 0
  detaches,        // M_s¹, or at rest with the other forces pulling; with B = 0 it touches without force
  slides,          // M_s²
  false_cohesion,  // M_s³: no force is taken; a constraint could hold it, too
  jams,            // M_s⁴: no finite force; a tangential impact follows
  sticks,
  starts_slipping,
  unsolvable,  // at rest, and no force keeps the rules (D singular)
  unknown,     // the free acceleration is not known
};
const char* name(ContactVerdict verdict);

// Whether f is part of the question.
enum class FreeAcceleration { given, unknown };

struct ContactDiagnosis {
  AccelerationProblem problem;
  FreeAcceleration known = FreeAcceleration::given;
  ContactVerdict verdict = ContactVerdict::unknown;
  ImpactBounds bounds;                            // μ_c, μ_cr(e), μ*, e*(v), e*
  FrictionCone cone;                              // for the kinetic friction
  SlipState slip;                                 // speed zero: no slip
  SlipVerdict sliding;                            // when it slips; A and C hold even where f is not known
  RestVerdict rest;                               // when it does not slip and f is known
  ConeVerdict cone_verdict = ConeVerdict::sound;  // of the present slip

  // Of the incremental impact that follows: of a strike, or the tangential impact of a jam.
  bool has_impact = false;
  ImpactResult impact;
  AdmissibleRegion region = AdmissibleRegion::slips;  // of a strike, under the unified map
  ForAllVelocities every_velocity;
};

// `law` for the impact: energetic, poisson (newton has no tangential impact).
ContactDiagnosis diagnose(const AccelerationProblem& problem, FreeAcceleration known, Law law = Law::energetic);

}  // namespace routh
