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

}  // namespace routh
