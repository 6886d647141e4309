// One contact at a state: will it hold, and what would change that? Everything of this module in one answer.
#pragma once

#include <complex>

#include "routh/base/names.h"
#include "routh/impact/bounds.h"
#include "routh/impact/result.h"
#include "routh/solvability/energy_consistency.h"
#include "routh/solvability/single_contact.h"

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
constexpr auto names_of(ContactVerdict) {
  return name_table<ContactVerdict>({
      {ContactVerdict::strikes, "strikes"},
      {ContactVerdict::separates, "separates"},
      {ContactVerdict::detaches, "detaches"},
      {ContactVerdict::slides, "slides"},
      {ContactVerdict::false_cohesion, "false cohesion"},
      {ContactVerdict::jams, "jams"},
      {ContactVerdict::sticks, "sticks"},
      {ContactVerdict::starts_slipping, "starts slipping"},
      {ContactVerdict::unsolvable, "unsolvable"},
      {ContactVerdict::unknown, "unknown"},
  });
}

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
  AdmissibleRegion region = AdmissibleRegion::slips;  // of a strike, by the unified law
  ForAllVelocities every_velocity;
};

// A slide that leaves a machine one coordinate x, in the plane of x and ẋ: where A and B of the slip vanish together
// the motion is singular.
struct FlowBox {
  double x_low = 0, x_high = 1;
  double rate_low = -1, rate_high = 1;
};

enum class SingularKind { stable_node, unstable_node, saddle, stable_focus, unstable_focus, degenerate };
constexpr auto names_of(SingularKind) {
  return name_table<SingularKind>({
      {SingularKind::stable_node, "stable node"},
      {SingularKind::unstable_node, "unstable node"},
      {SingularKind::saddle, "saddle"},
      {SingularKind::stable_focus, "stable focus"},
      {SingularKind::unstable_focus, "unstable focus"},
      {SingularKind::degenerate, "degenerate"},
  });
}

// How many slides reach the point while they slide.
enum class SlipEntry { none, one, open_set };
constexpr auto names_of(SlipEntry) {
  return name_table<SlipEntry>({{SlipEntry::none, "none", "cannot be entered by slip"},
                                {SlipEntry::one, "one", "a single slide enters"},
                                {SlipEntry::open_set, "open set", "slip leads into it"}});
}

struct SingularPoint {
  double x = 0, rate = 0;
  // Of the desingularised field, ∂(x', ẋ')/∂(x, ẋ), by differences: about 8 digits.
  double jacobian[2][2] = {};
  // By rising real part. Where A does not depend on ẋ they are ∂A/∂x·ẋ (Liu's λ_1) and −g ∂B/∂ẋ.
  std::complex<double> eigenvalues[2];
  SingularKind kind = SingularKind::degenerate;  // an eigenvalue that is zero to 1e-7 of the Jacobian makes it so
  SlipEntry entry = SlipEntry::none;             // nothing is claimed of degenerate points
  // Whether slides enter the paradox there from more than one line of states: `entry` is `open_set`.
  bool entered_from_slip = false;
};

// `law` for the impact; the energetic law in its place where it has no tangential impact.
ContactDiagnosis diagnose(const AccelerationProblem& problem, FreeAcceleration known, Law law = Law::energetic);

}  // namespace routh
