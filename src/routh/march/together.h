// Several contacts of one machine that touch at the same instant, with friction: some strike (v_n < 0), others rest or
// separate. All advance together in one parameter τ, each with its own slip and its own restitution.
//
//   dv/dτ = D r      r = (ρ_i, r_t,i) the rate of impulse of each contact
//
// Normal. Each contact has a virtual linear spring, all equally stiff unless their contacts say otherwise; the common
// stiffness is a unit of τ and drops out. dx/dτ = −v_n, ρ = k x, k = `stiffness` at first. Where v_n rises through zero
// compression ends, and e² of the energy it put in stays: E = ½kx² becomes f E with x ← f x, k ← k/f (bistiffness: the
// force is continuous). f = e² the first time; after a recompression (v_n < 0 again before x = 0) the energy that was
// left from before stays in full, so that W_r = −e² W_c holds for the totals, as in `solve_impact`. The contact is free
// when x falls to 0, and may be struck anew. e is chosen where compression ends, for the greatest approach speed of the
// contact since it was struck: other contacts, and a jam, may raise it above the one with which it was struck.
//   e = 0: at the end of compression x ← 0, and the contact is held: ρ ≥ 0, dv_n/dτ ≥ 0, ρ dv_n/dτ = 0, until it opens.
//   Where that has no answer (friction that presses the bodies together) it takes up its spring again.
//
// Friction. Slip: r_t = −μ_k ρ σ. At v_t = 0: stick while some ‖r_t,i‖ ≤ μ_s ρ_i hold all such contacts; else those at
// the limit that accelerate begin to slip, all directions found together. With ρ given by the springs this is a convex
// problem and the motion is unique; redundant contacts share the load in proportion to μ_s ρ where that is possible.
// A tangential speed below 1e-12 of the greatest speed of the problem, or below `rounding`, counts as zero, as do
// approach speeds; and ten times as much each time 200 steps bring no event, up to 1e-3 of the approach: contacts
// of a body that turns slowly cannot all rest, and creep.
//
// Laws. energetic: as above, equal to `solve_impact` for one contact. poisson: k stays 1, and restitution ends where
// its impulse is e times that of compression (then x ← 0) or, at the latest, where the spring is relaxed; one contact
// gives the answer of `solve_impact` unless that takes more normal work out than went in. newton, unified, classical
// are treated as energetic: their own rules do not bound the energy of several contacts.
//
// A contact with v_n = 0 gets, when Load::pressed, a seed deflection of 1e-9 in the units of the problem. Where slip
// presses bodies together, at this contact or by way of others, the instability decides: a tangential impact. Where it
// does not, the seed comes back and changes velocities by as little. Contacts that jam only one by way of the other
// have seeds in the proportions in which they do.
//
// μ_k above 1e10, infinity included, counts as 1e10, which halts slip at once.
//
// A march that does not end within its budget of events, steps and τ (contacts locked by friction, ringing without
// loss) or leaves the range of numbers is ended by the frictional contact problem: without rebound, with the friction
// the contacts have. The result then warns of plastic_end.
//
// Springs and friction are passive, so W_n + W_t ≤ 0 whatever the contacts. Order and names of contacts do not matter.
// Where D is singular the velocities are unique, the shares of redundant contacts in the impulse are a choice.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "routh/impact/problem.h"
#include "routh/impact/result.h"
#include "routh/march/tolerances.h"

namespace routh::internal {

struct TogetherContact {
  Friction friction;
  Restitution restitution;
  Law law = Law::energetic;
  Load load = Load::unknown;
  double stiffness = 1;  // > 0, of its spring beside the others': only ratios count
};

enum class MarchStage { open, compression, restitution, held };
constexpr auto names_of(MarchStage) {
  return name_table<MarchStage>({{MarchStage::open, "open"},
                                 {MarchStage::compression, "compression"},
                                 {MarchStage::restitution, "restitution"},
                                 {MarchStage::held, "held"}});
}
enum class MarchSlip { none, slips, sticks };  // none: open, or without friction
constexpr auto names_of(MarchSlip) {
  return name_table<MarchSlip>({{MarchSlip::none, "none"}, {MarchSlip::slips, "slips"}, {MarchSlip::sticks, "sticks"}});
}

// A point on the way through the march: impulses so far, velocities, and what each contact does from there on. Between
// two points, straight lines follow the way to 1/50 of the greatest speed.
struct MarchPoint {
  Eigen::VectorXd impulse, velocity;  // contact after contact [N s], relative [m/s]
  std::vector<MarchStage> stages;
  std::vector<MarchSlip> slips;
};
enum class MarchPath { left_out, kept };

struct TogetherProblem {
  Dimension dimension = Dimension::planar;
  // D of all contacts, contact after contact: (n, t1) or (n, t1, t2). May be singular; a contact that nothing moves
  // along its normal, row and column zero, takes no part.
  Eigen::MatrixXd inertia;
  Eigen::VectorXd velocity;          // relative to the surfaces: J q̇ − v_s [m/s]
  Eigen::VectorXd surface_velocity;  // v_s [m/s]; empty: at rest
  std::vector<TogetherContact> contacts;
  MarchPath path = MarchPath::left_out;
  double rounding = 0;                      // of velocities [m/s]: what is slower counts as zero
  int steps = tolerances::march_steps_max;  // budget of the march
};

struct TogetherContactResult {
  ContactVector impulse;   // [N s]
  ContactVector velocity;  // relative, after [m/s]
  double restitution = 0;  // e used last; 0 for a contact that was not struck
  double friction = 0;     // μ_k
  double normal_work = 0;  // [J]
  double tangential_work = 0;
  int compressions = 0;  // begun, recompressions included
};

struct TogetherResult {
  ImpactStatus status = ImpactStatus::no_impact;
  std::uint32_t warnings = 0;  // bits of Warning
  std::vector<TogetherContactResult> contacts;
  Eigen::VectorXd impulse;   // i
  Eigen::VectorXd velocity;  // relative, after: v + D i
  EnergyLedger energy;
  std::vector<MarchPoint> path;  // from the first instant to the last, if it was asked for
  int events = 0;
  int steps = 0;
  bool has(Warning w) const { return (warnings & static_cast<std::uint32_t>(w)) != 0; }
  void warn(Warning w) { warnings |= static_cast<std::uint32_t>(w); }
};

// ImpactStatus: ok, no_impact, invalid, ill_conditioned (D not positive semidefinite), overflow; not_converged where a
// march does not end and the contact problem is not solved either, as between surfaces that close in: the velocity is
// then the one before.
TogetherResult solve_together(const TogetherProblem& problem);

}  // namespace routh::internal
