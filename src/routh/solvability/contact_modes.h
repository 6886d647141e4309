// Several contacts at once: does the frictional acceleration problem have none, one or several solutions?
//
//   v̇ = D λ + f       contact by contact, rows (n, t1[, t2])
//   free     λ = 0, v̇_n ≥ 0
//   stick    v̇ = 0, λ_n ≥ 0, ‖λ_t‖ ≤ μ_s λ_n                        (only without slip)
//   slip     v̇_n = 0, λ_n ≥ 0, λ_t = −μ_k λ_n σ; σ given by the slip, or where there is none v̇_t = κ σ, κ ≥ 0
//
// D may be singular (redundant contacts): then forces are not unique though accelerations may be. Solutions are told
// apart by their accelerations, contacts in units of their own √D: two that differ by less than 1e-7 of the largest
// scaled force or acceleration are one. Every solution reported has been tested against the lines above, to 1e-9 of
// that.
//
// What counts as what
// - Modes are those of the acceleration: free where the contact opens, stick where it rests (v̇ = 0 without slip), slip
//   elsewhere. A contact that neither opens nor carries force counts as closed, so that a limiting case is listed once.
//   (Where rounding does not let the closed modes hold, or where closing changes the share of redundant contacts and
//   with it the acceleration, the contact stays free.)
// - With static friction above kinetic a stick that needs between μ_k and μ_s can stand beside a slip. They differ in
//   acceleration and are two solutions.
// - Redundant contacts that slip: the share of each can change the acceleration (unequal friction or height). Then
//   the solutions form a continuum; of each combination of modes one is listed, with `acceleration_unique` false.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh {

enum class ContactMode { free, stick, slip };
constexpr auto names_of(ContactMode) {
  return name_table<ContactMode>(
      {{ContactMode::free, "free"}, {ContactMode::stick, "stick"}, {ContactMode::slip, "slip"}});
}

struct ModesProblem {
  Dimension dimension = Dimension::planar;
  Eigen::MatrixXd inertia;            // D of all contacts
  Eigen::VectorXd free_acceleration;  // f
  Eigen::VectorXd velocity;           // relative; only the tangential entries matter: exactly zero is no slip
  std::vector<Friction> friction;     // one per contact, finite

  int count() const { return static_cast<int>(friction.size()); }
  int rows() const { return dimension == Dimension::planar ? 2 : 3; }
};

struct ModesSolution {
  std::vector<ContactMode> modes;
  // Where the modes leave forces open, the one of least norm among those allowed: nearest point of the polyhedron of
  // the inequalities; in space of the cones themselves, to 1e-10. In a continuum of accelerations with slip beginning
  // in space, the least at the directions found.
  Eigen::VectorXd force;
  Eigen::VectorXd acceleration;     // D λ + f
  bool force_unique = true;         // false: the equations of the modes leave forces open (inequalities may close them)
  bool acceleration_unique = true;  // false: and so the acceleration
};

enum class ModesStatus {
  complete,   // every combination of modes was tried: `solutions` are all there are
  sampled,    // every combination was tried; directions of beginning slip at two or three contacts in space (or at one,
              // where contacts are redundant) were searched from a grid of starts, so that a solution could be missed
  one_found,  // `find_modes`: a solution was found; there may be others
  none_found,  // more contacts than are enumerated: the method ended without one, which is no proof
};
constexpr auto names_of(ModesStatus) {
  return name_table<ModesStatus>({{ModesStatus::complete, "complete"},
                                  {ModesStatus::sampled, "sampled"},
                                  {ModesStatus::one_found, "one_found"},
                                  {ModesStatus::none_found, "none_found"}});
}

struct ModesReport {
  ModesStatus status = ModesStatus::complete;
  std::vector<ModesSolution> solutions;  // distinct accelerations, in a fixed order: most free contacts first
  int rank = 0;                          // of D, scaled
};

inline constexpr int enumerated_planar = 4;
inline constexpr int enumerated_spatial = 3;

// Enumerates up to 4 planar or 3 spatial contacts; beyond, `find_modes`. Both throw InputError where sizes do not fit,
// numbers are not finite, or 0 ≤ μ_k ≤ μ_s is broken.
ModesReport examine_modes(const ModesProblem& problem);

// One solution for any number of contacts. First the modes of `guess` (may be empty; one for each contact), repaired
// contact by contact where they break an inequality; then Lemke's method on the problem with the cone made a pyramid,
// and the exact cone by Newton on the modes found; then the frictional contact problem (contacts/friction_contact.h);
// last, for so few contacts that it can be done, the enumeration, whose status is reported when it finds none. The same
// problem and guess give the same answer.
//
// For redundant contacts at rest a solution exists but is missed now and then; for contacts that slip none need exist.
ModesReport find_modes(const ModesProblem& problem, std::span<const ContactMode> guess);

// Several contacts together: will they hold, and from which friction?
//
// Rest is possible when forces within all cones balance the other forces: λ in the cones of μ_s with D λ + f = 0. The
// cones grow with friction, so that there is a least friction for rest, of all contacts by one factor and of each with
// the others as they are: one convex problem for any number of contacts (rest_forces.h). Beside rest the laws may allow
// a motion, too: up to a greatest friction, found by trying the modes that a motion can have (other_motions.h), for as
// many contacts as can be tried. Where the contacts rest even without friction, nothing else is possible at any.

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
