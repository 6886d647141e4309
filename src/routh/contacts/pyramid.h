// The frictional contact problem with every cone made a pyramid: a linear complementarity problem with a copositive
// matrix, which Lemke's method solves wherever D is symmetric and surfaces rest [Stewart and Trinkle 1996]. Exact in
// the plane; in space a start for Newton's method. For small problems: its work grows with the cube of their size.
#pragma once

#include <Eigen/LU>
#include <vector>

#include "routh/contacts/contact_system.h"
#include "routh/math/complementarity.h"

namespace routh::internal {

// The sides of the pyramids: even at first, then close to where a solution slides.
struct PyramidFans {
  std::vector<double> centre;  // angle of the first side of each contact
  double width = 0;            // between it and the next

  void widen(int contacts);
  void narrow(const std::vector<Vector3>& impulse, const std::vector<Vector3>& velocity);
  double side(int index) const;
};

// Keeps its memory: no allocation from the second problem of one size on.
class PyramidSolver {
 public:
  // False where D is not formed, the problem too large, or Lemke's path ends without a solution.
  bool solve(const ContactSystem& system, const PyramidFans& fans, std::vector<Vector3>& impulse);

 private:
  // Columns of impulses: generators of the pyramids, every contact in units in which its mobility is one.
  struct Generators {
    std::vector<int> contact;
    std::vector<Vector3> direction;  // p = Σ direction z
    std::vector<Vector3> measured;   // w = measured · v⁺
    void clear();
    void add(int of, const Vector3& along, const Vector3& measure);
  };

  bool take_up(const ContactSystem& system);
  void solve_for_bilateral();
  void list_generators(const ContactSystem& system, const PyramidFans& fans);
  void fill_rows(const ContactSystem& system);
  const ComplementarityResult* follow_paths();

  int contacts_ = 0;   // without the bilateral rows, which come last
  double unit_ = 0;    // of velocities
  Eigen::MatrixXd d_;  // D and v, scaled; those of the contacts once the bilateral rows are solved for
  Eigen::VectorXd v_, scale_;
  Eigen::MatrixXd bilateral_, right_, follow_, product_;  // follow: D_bb⁻¹[D_bu v_b]
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  Eigen::VectorXd velocity_;
  Generators generators_;
  std::vector<int> first_;  // generator of each contact
  std::vector<int> slack_;  // contacts with a slip speed of their own
  Eigen::MatrixXd m_;       // of Lemke's problem
  Eigen::VectorXd q_, cover_;
  Eigen::RowVectorXd row_;
  Eigen::VectorXd p_;
  LemkeSolver lemke_;
};

}  // namespace routh::internal
