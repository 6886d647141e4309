// Which change of the efforts on a machine (torques of joints, applied forces) makes its contacts stay, or opens them?
//
//   v̇ = D λ + f + R e      R = J M_o⁺ S, S the directions of the efforts e
//
//   stay, without slip     v̇ = 0, ‖λ_t‖ ≤ (1 − reserve) μ_s λ_n, λ_n ≥ F
//   stay, slipping         v̇_n = 0, λ_t = −μ_k λ_n σ, λ_n ≥ F
//   open                   λ = 0, v̇_n ≥ a F
//
// All of it is affine in (e, λ), so that the efforts that do it are a convex set and the least of them the answer of a
// convex cone program, for any number of contacts, redundant ones too: of those it asks only that some forces hold, as
// contacts at rest do. What slips with A < 0 no effort makes slide in one way only, since A does not depend on e:
// `examine_modes` of `with_effort` tells how many answers there are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "routh/solvability/contact_modes.h"
#include "routh/solvability/single_contact.h"

namespace routh {

enum class ContactAim { stay, open };
constexpr auto names_of(ContactAim) {
  return name_table<ContactAim>({{ContactAim::stay, "stay"}, {ContactAim::open, "open"}});
}

struct EffortProblem {
  ModesProblem contacts;
  Eigen::MatrixXd response;      // R: rows of the contacts × efforts
  Eigen::VectorXd lower, upper;  // of each change e; may be infinite; lower ≤ 0 ≤ upper is not needed
  Eigen::VectorXd price;         // > 0: the least Σ price e² is sought
  double normal_force = 0;       // F [N], ≥ 0: reserve against opening, or against touching again
  double reserve = 0;            // share of static friction that is kept back, in [0, 1)

  Eigen::Index efforts() const { return response.cols(); }
};

struct EffortAnswer {
  bool exists = false;
  Eigen::VectorXd effort;        // e
  double cost = 0;               // √(Σ price e²)
  Eigen::VectorXd force;         // λ with it; of several that hold, one near the least
  Eigen::VectorXd acceleration;  // D λ + f + R e
};

// The least e that fulfils the aims; `aims` has one entry for each contact. Throws InputError where sizes do not fit or
// numbers are out of range. In the plane exact to rounding, in space to 1e-9.
EffortAnswer least_effort(const EffortProblem& problem, std::span<const ContactAim> aims);

// The least e with which the contacts have an answer by finite forces, whichever stay and whichever open; `aims` are
// those of the answer. Every combination is tried: of at most `enumerated_aims` contacts, beyond it there is none.
struct EffortChoice {
  EffortAnswer answer;
  std::vector<ContactAim> aims;
};
inline constexpr int enumerated_aims = 8;
EffortChoice least_effort_of_any(const EffortProblem& problem);

// How much of one effort alone fulfils the aims: from `low` to `high` and nowhere else.
struct EffortRange {
  bool exists = false;
  double low = 0, high = 0;  // may be infinite
};
EffortRange effort_range(const EffortProblem& problem, std::span<const ContactAim> aims, Eigen::Index effort);

// Whether e fulfils the aims: membership of the convex set.
bool effort_fulfils(const EffortProblem& problem, std::span<const ContactAim> aims, const Eigen::VectorXd& effort);

// ∂λ/∂e in the modes of a solution; rows of contacts that are free are zero. Where forces are not unique the change of
// least norm, and `unique` is false. A slip that begins turns with e in space; that is in it.
struct EffortRates {
  Eigen::MatrixXd force;  // rows of the contacts × efforts
  bool unique = true;
};
EffortRates effort_rates(const EffortProblem& problem, const ModesSolution& solution);

// The problem of the contacts with e acting: f + R e.
ModesProblem with_effort(const EffortProblem& problem, const Eigen::VectorXd& effort);

// Contacts and the efforts on them in one answer: what happens now, how forces follow the efforts, the least change
// that holds, and the least that lets go.

enum class EffortOutcome {
  needless,    // the contacts do so already, with the reserves that are asked for
  found,       // the efforts of `answer` do it
  not_unique,  // with those of `answer` it is one of several answers, and not the one that is taken
  limited,     // none within the limits; `answer` is the least without them
  none,        // no efforts do it
};
constexpr auto names_of(EffortOutcome) {
  return name_table<EffortOutcome>({{EffortOutcome::needless, "needless"},
                                    {EffortOutcome::found, "found"},
                                    {EffortOutcome::not_unique, "not unique"},
                                    {EffortOutcome::limited, "limited"},
                                    {EffortOutcome::none, "none"}});
}

struct EffortCure {
  EffortOutcome outcome = EffortOutcome::none;
  EffortAnswer answer;
  std::vector<ContactAim> aims;
  HoldVerdict after = HoldVerdict::unknown;  // with the efforts of `answer`
  std::vector<EffortRange> alone;            // how much of each effort by itself does it; out of a jam: empty
};

struct EffortReport {
  HoldVerdict verdict = HoldVerdict::unknown;     // as things are
  bool slipping = false;                          // some contact slips already
  std::vector<ContactMode> modes;                 // of the answer that is taken; empty: none, or none was found
  Eigen::VectorXd force;                          // λ in it
  std::vector<std::optional<SlipVerdict>> slips;  // of each contact that slips: A and B, as if it were alone
  Eigen::MatrixXd acceleration_rates;             // ∂f/∂e = R; rows (n, t1[, t2]) of each contact: ∂B/∂e first
  std::optional<EffortRates> force_rates;         // ∂λ/∂e in `modes`
  Eigen::VectorXd friction_demand;                // ‖λ_t‖/λ_n of contacts that stick and press, else −1
  Eigen::MatrixXd friction_rates;                 // its ∂/∂e: contacts × efforts; zero where it is not defined
  EffortCure hold, let_go;                        // all contacts stay; all open
  std::optional<EffortCure> no_jam;               // where contacts jam: whichever stay or open
};

EffortReport examine_efforts(const EffortProblem& problem);

}  // namespace routh
