// The frictional contact problem: any number of contacts at once, at the level of velocities or of accelerations.
//
//   v⁺ = v + D p            D of all contacts, d rows a contact, normal first; bilateral rows after them
//   0 ≤ v⁺_n ⊥ p_n ≥ 0       Signorini
//   ‖p_t‖ ≤ μ p_n,  p_t = −μ p_n v⁺_t/‖v⁺_t‖ where v⁺_t ≠ 0       Coulomb, on the true cone
//   v⁺ = 0                   bilateral rows
//
// De Saxcé and Feng 1998: with û = v⁺ + μ‖v⁺_t‖ n both laws are one complementarity of cones, K ∋ p ⊥ û ∈ K*, and
// ‖p − P_K(p − û)‖ measures how far a point is from a solution. For accelerations read forces for p and free
// accelerations for v. With D symmetric and surfaces at rest a solution exists [Klarbring and Pang 1998; Acary, Cadoux,
// Lemaréchal and Malick 2011] and cannot gain energy; it need not be unique.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "routh/base/hidden.h"
#include "routh/base/names.h"
#include "routh/impact/problem.h"

namespace routh::internal {
class ContactsEngine;
}  // namespace routh::internal

namespace routh {

// D by blocks of d × d, one block row a contact (then one for every d bilateral rows, the last filled up with zeros).
struct BlockMatrix {
  std::vector<int> row_start;  // one more than there are block rows
  std::vector<int> column;     // ascending within a row
  std::vector<double> values;  // d·d for each entry of `column`, row by row
};

// D as a function: free bodies by the thousand, somebody else's simulator. Up to 300 rows it is formed, by applying it
// to as many unit vectors; beyond that never, and Newton's method is the only one.
class DelassusOperator {
 public:
  virtual ~DelassusOperator() = default;
  virtual int rows() const = 0;
  virtual void apply(const Eigen::VectorXd& impulse, Eigen::VectorXd& velocity) const = 0;  // velocity = D impulse
  // The block of D on the diagonal that belongs to a contact, or to d bilateral rows: the scale of that contact.
  virtual void diagonal_block(int index, Eigen::Ref<Eigen::MatrixXd> block) const = 0;
};

struct FrictionContactProblem {
  Dimension dimension = Dimension::spatial;
  std::variant<Eigen::MatrixXd, BlockMatrix, std::shared_ptr<const DelassusOperator>> inertia;  // D
  Eigen::VectorXd velocity;          // v, if no impulse acted
  std::vector<double> friction;      // μ of each contact; 0 is smooth, infinity holds
  Eigen::VectorXd surface_velocity;  // v_s of moving surfaces, subtracted from v; empty: all at rest
  // Directions of a slip that is there already, at the level of accelerations: friction is −μ p_n σ whatever v⁺ does.
  // Empty, or one for each contact; zero: none given.
  std::vector<Eigen::Vector2d> slip;

  int contacts() const { return static_cast<int>(friction.size()); }
  int rows_per_contact() const { return dimension == Dimension::planar ? 2 : 3; }
  int bilateral_rows() const { return static_cast<int>(velocity.size()) - contacts() * rows_per_contact(); }
};

enum class ContactsStatus {
  solved,
  not_solved,  // the best point found, with its residual
  infeasible,  // no impulse obeys the laws: `certificate` or `cases` prove it
};
constexpr auto names_of(ContactsStatus) {
  return name_table<ContactsStatus>({{ContactsStatus::solved, "solved"},
                                     {ContactsStatus::not_solved, "not_solved"},
                                     {ContactsStatus::infeasible, "infeasible"}});
}

struct ContactsOptions {
  double tolerance = 1e-10;  // of the residual
  double enough = 0;         // residual at which no further method is tried; a tenth, after a step from the start
  int iterations = 10000;    // Newton and interior-point steps in all; every method has a share of its own besides
  bool thorough = true;      // whether methods follow that take longer than those before them together
  bool least_norm = false;   // of the impulses that give the velocity found, the least in ‖p‖; costs another solve
  // Whether to judge `impulse_unique`, which costs another factorisation, and to look for a second velocity in small
  // problems, which costs some further solves.
  bool uniqueness = true;
  // How many further starts are tried for a second velocity once one has been found; none: as many as cost little.
  std::optional<int> other_starts;
  // Whether to look for the proof that there is no solution, where none was found; costs thousands of products with D.
  bool certificate = true;
};

// What a contact does in a case of the proof that there is no solution.
enum class CaseMode {
  any,
  open,     // p = 0, v⁺_n ≥ 0
  touches,  // v⁺_n = 0
  sticks,   // v⁺ = 0
  slips_plus,
  slips_minus,  // in the plane: v⁺_n = 0 and v⁺_t ≥ 0 or ≤ 0, friction opposed in full
  slips,        // in space: v⁺_n = 0, v⁺_t within a sector, friction opposed in full
};
constexpr auto names_of(CaseMode) {
  return name_table<CaseMode>({{CaseMode::any, "any"},
                               {CaseMode::open, "open"},
                               {CaseMode::touches, "touches"},
                               {CaseMode::sticks, "sticks"},
                               {CaseMode::slips_plus, "slips_plus"},
                               {CaseMode::slips_minus, "slips_minus"},
                               {CaseMode::slips, "slips"}});
}
// Directions of slip between two of length 1, the lesser angle between them: at most a right one.
struct SlipSector {
  Eigen::Vector2d from = Eigen::Vector2d::Zero(), to = Eigen::Vector2d::Zero();
};
// y·v⁺ ≥ 0 by the signs of y and of the velocities that the case allows, but y·(D p) ≤ 0 for all its impulses and
// y·v < 0.
struct ContactsCase {
  std::vector<CaseMode> modes;      // one for each contact
  std::vector<SlipSector> sectors;  // in space, one for each contact: of those that slip
  Eigen::VectorXd y;                // by rows
};

struct ContactsSolution {
  ContactsStatus status = ContactsStatus::not_solved;
  double residual = 0;       // ‖p − P_K(p − û)‖ / ‖v‖
  Eigen::VectorXd impulse;   // p
  Eigen::VectorXd velocity;  // v⁺, relative to the surfaces
  int iterations = 0;        // Newton and interior-point steps
  double energy_change = 0;  // of T: p·v⁺ − ½ pᵀD p, v⁺ in space
  double supplied = 0;       // p·v_s, by moving surfaces; energy_change − supplied is what contacts took
  // false: other impulses in the cones give the same velocity. None: not judged, or it cannot be told (D an operator
  // that is not formed, not solved, contacts at the edge of their cones).
  std::optional<bool> impulse_unique;
  // false: there is a second solution of another velocity; true: there is none. None: not known.
  std::optional<bool> velocity_unique;
  Eigen::VectorXd other_velocity;  // of a second solution, where one was met; else empty
  // Of an infeasible problem, y by rows, y_n ≥ 0, y_t = 0: y·(D p) ≤ 0 for every p in the cones, and y·v < 0.
  Eigen::VectorXd certificate;
  // Of an infeasible problem without such a y: cases that are all there are, each with its own.
  std::vector<ContactsCase> cases;
  std::string tried;  // of a problem that is not solved: the methods, in words
};

// Keeps its memory and the order of elimination between problems of the same structure: no allocation after the first
// of them, but for the search for a second velocity in the plane (`uniqueness`), and for hard problems, which pyramids,
// modes or a certificate decide. Same bits for the same input.
class FrictionContactSolver {
 public:
  FrictionContactSolver();
  // Throws InputError where sizes do not fit or numbers are out of range. `start` is an impulse to begin from, the last
  // answer for instance; empty: none.
  const ContactsSolution& solve(const FrictionContactProblem& problem, const ContactsOptions& options = {},
                                std::span<const double> start = {});

 private:
  Hidden<internal::ContactsEngine> engine_;
};

ContactsSolution solve_contacts(const FrictionContactProblem& problem, const ContactsOptions& options = {});

// ‖p − P_K(p − û)‖ / ‖v‖ of any p; ‖v‖ counts as 1 where v is zero.
double natural_residual(const FrictionContactProblem& problem, const Eigen::VectorXd& impulse);

}  // namespace routh
