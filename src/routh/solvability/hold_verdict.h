// Several contacts together: will they hold, and from which friction?
//
// Rest is possible when forces within all cones balance the other forces: λ in the cones of μ_s with D λ + f = 0. The
// cones grow with friction, so that there is a least friction for rest, of all contacts by one factor and of each with
// the others as they are: one convex problem for any number of contacts (rest_forces.h). Beside rest the laws may allow
// a motion, too: up to a greatest friction, found by trying the modes that a motion can have (other_motions.h), for as
// many contacts as can be tried. Where the contacts rest even without friction, nothing else is possible at any.
#pragma once

#include <optional>
#include <vector>

#include "routh/solvability/contact_modes.h"

namespace routh {

enum class HoldVerdict {
  must_hold,  // rest is the only answer
  can_hold,   // rest is possible; a motion, too, or that is not known
  slides,     // all answers move, and in the one taken some contact slips
  tips,       // all answers move; some contacts open while the others stay
  lets_go,    // all answers move, and all contacts open
  jams,       // contacts that slip, and no finite force obeys the laws: an impact follows
  unknown,    // no answer was found, which is no proof that there is none
};
constexpr auto names_of(HoldVerdict) {
  return name_table<HoldVerdict>({{HoldVerdict::must_hold, "must hold"},
                                  {HoldVerdict::can_hold, "can hold"},
                                  {HoldVerdict::slides, "slides"},
                                  {HoldVerdict::tips, "tips"},
                                  {HoldVerdict::lets_go, "lets go"},
                                  {HoldVerdict::jams, "jams"},
                                  {HoldVerdict::unknown, "unknown"}});
}

// Values of friction with which a motion obeys the laws.
struct MotionRange {
  double from = 0, to = 0;  // may be infinite
};

// Of the static friction of one contact, or of the factor of all.
struct HoldThreshold {
  double rest_from = 0;  // least with which rest is possible; infinite: no friction holds
  // True: at `rest_from`, too. False: only above it, where forces grow without bound towards it; where it is zero, with
  // every friction, however small.
  bool attained = true;
  std::optional<std::vector<MotionRange>> motions;  // in ascending order; nothing: not known
  // From which friction nothing but rest is possible; infinite: from none on; nothing: not known.
  std::optional<double> only_rest_from() const;
};

// How much of a load can be added; rest is possible from `low` to `high` and nowhere else.
struct HoldRange {
  bool exists = false;
  double low = 0, high = 0;  // may be infinite
};

struct HoldReport {
  HoldVerdict verdict = HoldVerdict::unknown;
  std::vector<Friction> friction;  // of each contact, as given
  bool slipping = false;           // some contact slips already: only `verdict`, `modes` and `jam_factor` are answered
  bool rest = false;               // possible with the friction there is
  std::optional<bool> motion;      // whether a motion is possible; nothing: not known
  std::vector<ContactMode> modes;  // of a motion that obeys the laws, where there is one
  Eigen::VectorXd acceleration;    // of it
  bool all_motions = true;         // false: found by a search that may miss some
  HoldThreshold factor;            // of all friction, static and kinetic
  std::vector<HoldThreshold> contacts;  // of each contact, with the others as they are; μ_k in proportion
  bool any_load = false;                // rest is possible whatever the other forces are: the contacts wedge
  std::vector<HoldRange> loads;         // one for each column of `loads`
  // Contacts that slip: the friction of all by this factor at which sliding becomes jamming, or the reverse.
  std::optional<double> jam_factor;
};

// `report`: of `examine_modes` for the same problem. `loads`: changes of f, one in each column, of which one asks how
// much may be added; may have no columns.
HoldReport judge_hold(const ModesProblem& problem, const ModesReport& report, const Eigen::MatrixXd& loads);

// Whether rest is possible, alone; false where a contact slips.
bool can_rest(const ModesProblem& problem);

}  // namespace routh
