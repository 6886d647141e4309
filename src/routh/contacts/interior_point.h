// A path-following interior-point method for the frictional contact problem, with De Saxcé's term ‖v⁺_t‖ differentiated
// as it stands [Acary, Armand, Nguyen and Shpakovych 2024]. In the variables x = (μ p_n, p_t) and y = (v_n/μ + ‖v_t‖,
// v_t) every cone is Lorentz's; Nesterov and Todd's scaling, Mehrotra's prediction [Andersen, Roos and Terlaky 2003].
//
// The kink of ‖v_t‖ at sticking contacts keeps it from the last digits: it finds which contacts do what, and Newton's
// method takes over.
#pragma once

#include "routh/contacts/newton.h"

namespace routh::internal {

class InteriorPoint {
 public:
  // Leaves in `state` the point of least residual met.
  void run(const ContactSystem& system, BlockFactor& factor, double tolerance, int limit, ContactsState& state,
           int& iterations);

 private:
  struct Pair {       // what one contact needs within a step
    Matrix3 scaling;  // W of x = W² y
    Matrix3 inverse;
    Vector3 scaled;  // λ = W y = W⁻¹ x
  };
  void to_impulse(const ContactSystem& system);
  double residuals(const ContactSystem& system);  // of y = G(D p + v); the mean of x·y
  void linearise(const ContactSystem& system);
  void right_side(const ContactSystem& system, double centre, double share, bool corrected);
  double longest_step(const ContactSystem& system) const;

  DiagonalBlocks blocks_;
  std::vector<Pair> pairs_;
  std::vector<Vector3> x_, y_, dx_, dy_, lack_, aim_, right_, step_, impulse_, velocity_;
};

}  // namespace routh::internal
