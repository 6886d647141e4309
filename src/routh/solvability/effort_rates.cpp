// How forces change with efforts, in modes that stay: the equations of the modes, differentiated.
//
//   stick            d v̇ = 0                    unknown dλ
//   slip             d v̇_n = 0                  unknown dλ_n,      dλ = (1, −μ σ) dλ_n
//   slip that begins d v̇_n = 0, σ⊥ᵀ d v̇_t = κ dφ   unknown dλ_n, dφ,  dλ_t = −μ (σ dλ_n + λ_n σ⊥ dφ), κ = ‖v̇_t‖
//
// the last in space, where the direction σ of the slip follows v̇_t.
#include <algorithm>
#include <cmath>

#include "routh/math/dense_qr.h"
#include "routh/solvability/effort.h"
#include "routh/solvability/single_contact.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

// Columns: forces per unknown. Rows: what is asked of the accelerations, less what the unknowns turn by themselves.
struct ModeEquations {
  Eigen::MatrixXd forces, rows, own;
  Eigen::Index unknowns = 0;
};

class Differentiated {
 public:
  Differentiated(const ModesProblem& contacts, const ModesSolution& solution) : in_(contacts), at_(solution) {
    const Eigen::Index size = in_.inertia.rows();
    out_.forces = Eigen::MatrixXd::Zero(size, size);
    out_.rows = Eigen::MatrixXd::Zero(size, size);
    out_.own = Eigen::MatrixXd::Zero(size, size);
    for (int c = 0; c < in_.count(); ++c) {
      switch (at_.modes[static_cast<std::size_t>(c)]) {
        case ContactMode::free:
          break;
        case ContactMode::stick:
          for (int k = 0; k < in_.rows(); ++k)
            add(unit_vector(size, c * in_.rows() + k), unit_vector(size, c * in_.rows() + k));
          break;
        case ContactMode::slip:
          add_slip(c);
          break;
      }
    }
    out_.forces.conservativeResize(size, out_.unknowns);
    out_.rows.conservativeResize(out_.unknowns, size);
    out_.own.conservativeResize(out_.unknowns, out_.unknowns);
  }

  const ModeEquations& equations() const { return out_; }

 private:
  static Eigen::VectorXd unit_vector(Eigen::Index size, Eigen::Index k) { return Eigen::VectorXd::Unit(size, k); }

  void add(const Eigen::VectorXd& force, const Eigen::VectorXd& row) {
    out_.forces.col(out_.unknowns) = force;
    out_.rows.row(out_.unknowns) = row.transpose();
    ++out_.unknowns;
  }

  void add_slip(int contact) {
    const Eigen::Index size = in_.inertia.rows(), row = contact * in_.rows(), tangents = in_.rows() - 1;
    const double given = in_.friction[static_cast<std::size_t>(contact)].kinetic_coefficient;
    const double mu = std::min(given, widest_friction);
    const Eigen::VectorXd slip = in_.velocity.segment(row + 1, tangents);
    const bool begins = slip.isZero(0);
    const Eigen::VectorXd turn = at_.acceleration.segment(row + 1, tangents);
    const Eigen::VectorXd direction = (begins ? turn : slip).stableNormalized();
    Eigen::VectorXd force = unit_vector(size, row);
    force.segment(row + 1, tangents) = -mu * direction;
    add(force, unit_vector(size, row));
    if (!begins || tangents < 2) return;
    const Eigen::Vector2d across(-direction[1], direction[0]);
    Eigen::VectorXd turned = Eigen::VectorXd::Zero(size), side = Eigen::VectorXd::Zero(size);
    turned.segment(row + 1, 2) = -mu * at_.force[row] * across;
    side.segment(row + 1, 2) = across;
    out_.own(out_.unknowns, out_.unknowns) = turn.norm();
    add(turned, side);
  }

  const ModesProblem& in_;
  const ModesSolution& at_;
  ModeEquations out_;
};

}  // namespace

EffortRates effort_rates(const EffortProblem& problem, const ModesSolution& solution) {
  const ModesProblem& contacts = problem.contacts;
  const Differentiated differentiated(contacts, solution);
  const ModeEquations& equations = differentiated.equations();
  EffortRates rates;
  rates.force = Eigen::MatrixXd::Zero(contacts.inertia.rows(), problem.efforts());
  if (equations.unknowns == 0) return rates;
  const Eigen::MatrixXd system = equations.rows * contacts.inertia * equations.forces - equations.own;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(tolerances::unit_column_rank);
  decomposition.compute(system);
  rates.unique = decomposition.rank() == equations.unknowns;
  for (Eigen::Index k = 0; k < problem.efforts(); ++k) {
    const Eigen::VectorXd change = -(equations.rows * problem.response.col(k));
    rates.force.col(k) = equations.forces * Eigen::VectorXd(decomposition.solve(change));
  }
  return rates;
}

}  // namespace routh
