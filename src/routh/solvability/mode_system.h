// Inside of contact_modes: the problem in units of its own, one combination of modes as a linear system, and the test
// of an answer against the definition in contact_modes.h. Not for users.
//
// Units: s_c = 1/√(largest diagonal entry of D at contact c), one number for each contact, so that cones stay cones;
//   ṽ = s v̇ / u,  D̃ = s D s,  λ̃ = λ / (s u),  f̃ = s f / u,  u = largest entry of s f.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "routh/math/dense_qr.h"
#include "routh/solvability/contact_modes.h"

namespace routh::internal::mode_search {

struct ScaledProblem {
  Dimension dimension = Dimension::planar;
  int count = 0;
  int rows = 2;                       // of one contact
  Eigen::MatrixXd inertia;            // D̃
  Eigen::VectorXd free_acceleration;  // f̃
  std::vector<Eigen::Vector2d> slip;  // σ of a contact that slips, zero of one that does not
  std::vector<Friction> friction;
  Eigen::VectorXd scale;  // s, of each contact
  double unit = 1;        // u

  int row(int contact) const { return contact * rows; }
  bool slips(int contact) const { return slip[static_cast<std::size_t>(contact)] != Eigen::Vector2d::Zero(); }
  double static_friction(int contact) const { return friction[static_cast<std::size_t>(contact)].static_coefficient; }
  double kinetic_friction(int contact) const { return friction[static_cast<std::size_t>(contact)].kinetic_coefficient; }
  // The tangential entries of a force or acceleration at a contact; the second is zero in the plane.
  Eigen::Vector2d tangent(const Eigen::VectorXd& x, int contact) const;
};

// Throws InputError where sizes do not fit or numbers make no sense.
ScaledProblem scale_problem(const ModesProblem& problem);
int scaled_rank(const ScaledProblem& problem);

// Modes with the direction σ of every slip; directions of other contacts are not used.
struct Combination {
  std::vector<ContactMode> modes;
  std::vector<Eigen::Vector2d> direction;

  ContactMode mode(int contact) const { return modes[static_cast<std::size_t>(contact)]; }
  const Eigen::Vector2d& sigma(int contact) const { return direction[static_cast<std::size_t>(contact)]; }
};
Combination all_free(const ScaledProblem& problem);
// Sets a mode; a slip gets the given direction of slip where there is one, else `beginning`.
void set_mode(const ScaledProblem& problem, Combination& combination, int contact, ContactMode mode,
              const Eigen::Vector2d& beginning = Eigen::Vector2d::UnitX());
// Contacts whose slip begins in a direction that is not known and matters: in space, with friction.
std::vector<int> unknown_directions(const ScaledProblem& problem, const Combination& combination);

// Forces in scaled units with the accelerations they cause.
struct Candidate {
  Combination combination;
  Eigen::VectorXd force;
  Eigen::VectorXd acceleration;
  bool force_unique = true;
  bool acceleration_unique = true;
};

// What the modes demand, with directions as they stand: λ̃ = G y, and v̇ = 0 in the rows E (all of a stick, the normal
// one of a slip), hence K y = −E f̃ with K = E D̃ G.
class ModeSystem {
 public:
  ModeSystem(const ScaledProblem& problem, const Combination& combination);

  // λ̃ of a solution (in the sense of least squares where there is none).
  Eigen::VectorXd force() const { return solve(problem_.free_acceleration); }
  // The one of least norm when weighted, with `null_forces` where they are known already.
  Eigen::VectorXd least_force() const { return least_force(freedom() == 0 ? Eigen::MatrixXd() : null_forces()); }
  Eigen::VectorXd least_force(const Eigen::MatrixXd& null) const;
  // The change G dy that restores E v̇ = 0 after a change of acceleration.
  Eigen::VectorXd solve(const Eigen::VectorXd& acceleration) const;
  // Forces that leave E v̇ as it is, one in each column, orthonormal when weighted by `weight()`.
  Eigen::MatrixXd null_forces() const;
  // Turns scaled forces into forces, up to one factor.
  Eigen::VectorXd weight() const;
  // Whether D̃ λ̃ + f̃ is zero in the rows E.
  bool fulfils(const Eigen::VectorXd& force) const;
  double determinant() const;  // of K, with columns of constant length
  int freedom() const;         // dimension of the null forces

 private:
  const ScaledProblem& problem_;
  std::vector<int> equalities_;  // E
  Eigen::MatrixXd generators_;   // G
  Eigen::MatrixXd response_;     // E D̃ G
  Eigen::VectorXd row_scale_, column_scale_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
};

// Whether forces fulfil the definition with these modes, within `mode_answer_relative`.
bool holds(const ScaledProblem& problem, const Candidate& candidate);
// 1, or more where forces or accelerations are large in the units of the problem.
double size_of(const Eigen::VectorXd& force, const Eigen::VectorXd& acceleration);
// The modes that an acceleration means: free where the contact opens, stick where it rests, slip where it moves along.
Combination modes_of(const ScaledProblem& problem, const Eigen::VectorXd& acceleration, double tolerance);

// Whether the modes of a candidate leave its force and its acceleration free; the null forces, none if they do not.
Eigen::MatrixXd judge_uniqueness(const ScaledProblem& problem, const ModeSystem& system, Candidate& candidate);
// The force of least norm that the combination allows with its directions as they stand, if it allows any.
std::optional<Candidate> allowed_force(const ScaledProblem& problem, const Combination& combination);

// Newton's method for the unknown directions, from those in `combination`, until v̇_t is along σ. False: did not settle.
bool settle_directions(const ScaledProblem& problem, Combination& combination);
// All directions possible at the one contact whose direction is unknown; none: they could not be separated (K is
// singular for every direction).
std::optional<std::vector<Eigen::Vector2d>> possible_directions(const ScaledProblem& problem, Combination combination);

// All combinations, one after the other.
struct Enumeration {
  bool sampled = false;
  std::vector<Candidate> found;
};
Enumeration enumerate_modes(const ScaledProblem& problem);

// One solution, or none.
std::optional<Candidate> search_modes(const ScaledProblem& problem, std::span<const ContactMode> guess);
// Its last resort: the frictional contact problem of the accelerations, on the true cone.
std::optional<Candidate> by_contact_problem(const ScaledProblem& problem);
// The same solution with the modes its acceleration means and the least force these allow.
Candidate settled(const ScaledProblem& problem, const Candidate& candidate);

}  // namespace routh::internal::mode_search
