// Contacts and the efforts on them in one answer: what happens now, how forces follow the efforts, the least change
// that holds, and the least that lets go.
#pragma once

#include <optional>
#include <vector>

#include "routh/solvability/effort.h"
#include "routh/solvability/hold_verdict.h"
#include "routh/solvability/slip_verdict.h"

namespace routh {

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
