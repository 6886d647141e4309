// The derivative of a frictional contact problem's solution (friction_contact.h), contacts kept as they are:
//
//   open     δp = 0
//   sticks   δv⁺ = 0
//   slips    δv⁺_n = 0,  δp_t = −μ σ δp_n − σ p_n δμ − μ p_n/‖v⁺_t‖ (1 − σσᵀ) δv⁺_t,  σ = v⁺_t/‖v⁺_t‖
//
// with δv⁺ = δv + δD p + D δp. What D changes acts like a change of v: ∂p/∂D is ∂p/∂v along δD p. Where rows depend on
// one another this holds for changes of v that the machine can make, those in the range of D.
#pragma once

#include "routh/contacts/friction_contact.h"
#include "routh/impact/impact_derivatives.h"

namespace routh {

struct ContactsDerivatives {
  // one_sided: contacts of `border` are about to slip, to open or to close; the derivative is that of the contacts as
  // they are. none: what they do leaves v⁺ undetermined, or it is not solved; the matrices are then empty.
  DerivativeStatus status = DerivativeStatus::none;
  std::vector<int> border;
  // Rows and columns as those of v. Where impulses are not unique these are the least that go with those of v⁺; what μ
  // does is then that of the impulses as they were found.
  Eigen::MatrixXd impulse_by_velocity, velocity_by_velocity;
  Eigen::MatrixXd impulse_by_friction, velocity_by_friction;  // a column for each contact
  bool impulse_unique = true;

  // Along a change of all: δp and δv⁺.
  struct Change {
    Eigen::VectorXd impulse, velocity;
  };
  // Empty parts: no change. `inertia` is δD.
  Change along(const Eigen::MatrixXd& inertia, const Eigen::VectorXd& velocity, const Eigen::VectorXd& friction,
               const Eigen::VectorXd& solved_impulse) const;
};

// Of what `solve_contacts` found. D is formed, whatever form it has.
ContactsDerivatives differentiate_contacts(const FrictionContactProblem& problem, const ContactsSolution& solution);

}  // namespace routh
