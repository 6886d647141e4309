// The frictional contact problem in the form in which it is solved: blocks of 3 × 3, one for each contact or for up to
// three bilateral rows. Rows that do not exist (the second tangent in the plane, the rest of the last bilateral block)
// are filled up with a decoupled row that has the block's mobility and no velocity, so that its impulse is zero.
//
// D and v are divided by powers of two near their largest entries, which loses no bit: nothing overflows, and problems
// that differ by such powers alone have the same steps.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include "routh/contacts/friction_contact.h"

namespace routh::internal {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

enum class ConeKind {
  cone,       // Coulomb's
  ray,        // p = p_n (1, d_t): smooth contacts, and contacts whose slip is given
  bilateral,  // any p, v⁺ = 0
};

// D by rows: blocks `row_start[i]` … `row_start[i + 1] − 1` stand in row i.
struct BlockRows {
  std::vector<int> row_start, column, diagonal;
  std::vector<Matrix3> block;
};

class ContactSystem {
 public:
  // Checks sizes and numbers (InputError), takes the problem up. True where the structure of D is the last one's.
  bool take_up(const FrictionContactProblem& problem);

  int size() const { return static_cast<int>(kind.size()); }
  bool planar() const { return dimension_ == 2; }
  bool formed() const { return operator_ == nullptr; }  // whether D is there by blocks, or as a function alone
  // velocity = v + D p.
  void respond(const std::vector<Vector3>& impulse, std::vector<Vector3>& velocity) const;

  // Numbers by rows in the units of the problem, by blocks in those of the system.
  void gather(std::span<const double> rows, double unit, std::vector<Vector3>& blocks) const;
  void scatter(const std::vector<Vector3>& blocks, double unit, Eigen::VectorXd& rows) const;

  BlockRows inertia;  // by an operator: the blocks on the diagonal alone
  std::vector<ConeKind> kind;
  std::vector<double> friction;        // of cones; finite
  std::vector<Vector3> ray;            // of rays: (1, −μσ)
  std::vector<Vector3> free_velocity;  // v − v_s
  std::vector<double> mobility;        // a third of the trace of the block on the diagonal: the scale of the contact
  double speed = 0;                    // ‖v − v_s‖; 1 where that is zero
  double mean_mobility = 1;
  // Powers of two: what D, v and p of the system are multiplied by to be those of the problem.
  double inertia_unit = 1, velocity_unit = 1;
  double impulse_unit() const { return velocity_unit / inertia_unit; }

 private:
  void take_velocity(const FrictionContactProblem& problem);
  void scale_inertia();
  void set_dense(const Eigen::MatrixXd& matrix);
  void set_blocks(const BlockMatrix& matrix);
  void set_operator(const DelassusOperator& matrix);
  void complete_diagonals();
  int rows_of(int index) const;

  int dimension_ = 3, contacts_ = 0, rows_ = 0;
  const DelassusOperator* operator_ = nullptr;
  std::vector<int> previous_start_, previous_column_;
  mutable Eigen::VectorXd operand_, response_;
};

// Projection of x onto Coulomb's cone of friction μ.
Vector3 project_on_cone(const Vector3& x, double friction);

// How far (p, v⁺) is from a solution.
struct ContactResidual {
  double natural = 0;  // ‖p − P_K(p − û)‖ / ‖v‖, impulses and velocities added as they are
  double scaled = 0;   // ‖F‖ / ‖v‖ of Alart and Curnier's equations, contacts in units of velocity
  double natural_floor = 0, scaled_floor = 0;  // what rounding leaves of them
  double largest = 0;                          // impulse, in units of velocity, of ‖v‖
  bool reaches(double tolerance) const { return std::max(natural, scaled) <= tolerance; }
  bool within(double tolerance) const;  // or as near as rounding is thought to allow
};
ContactResidual residual_of(const ContactSystem& system, const std::vector<Vector3>& impulse,
                            const std::vector<Vector3>& velocity);

}  // namespace routh::internal
