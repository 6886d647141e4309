// The motion between events and its derivatives, with the modes of contacts given and kept.
//
//   M q̈ + h − τ − Gᵀ y = 0        H q̈ + Ḣ q̇ − v̇_s = 0
//
// H: the loops, every closed normal, and the tangents that stick. Gᵀ: the same, but a slipping normal brings its
// friction, n − μ_k σ. Loops and the tree are differentiated in closed form (dynamics/tree_derivatives.h); the rows of
// closed contacts by differences of fourth order of their closed form, at fixed q̈ and y.
#pragma once

#include <Eigen/QR>
#include <algorithm>
#include <vector>

#include "routh/contact/contact.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/derivatives.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/dynamics/tree_derivatives.h"
#include "routh/simulation/tolerances.h"
#include "routh/solvability/contact_modes.h"
#include "routh/solvability/single_contact.h"

namespace routh::internal {

struct ModeContact {
  ContactId id;
  ContactMode mode = ContactMode::stick;
  SlipDirection direction;  // of slip: in the plane its sign; in space where the slip itself has none yet
};

// By columns: tangents of q and q̇.
struct Tangents {
  Eigen::MatrixXd q, v;
};

class ModeFlow {
 public:
  explicit ModeFlow(const Model& model);

  void hold(std::vector<ModeContact> contacts);
  const std::vector<ModeContact>& held() const { return held_; }

  // q̈ and y. False where a contact is lost or M is singular.
  bool compute(const State& state);
  const Eigen::VectorXd& acceleration() const { return acceleration_; }
  // Of a held contact, after compute.
  const Contact& contact(std::size_t index) const { return contacts_[index]; }
  ContactVector force(std::size_t index) const;
  ContactVector velocity(std::size_t index) const;  // relative to the surfaces

  // What of the equations changes with something: at fixed q̈ and y.
  struct Residual {
    Eigen::VectorXd motion, rows, slip;  // slip: relative velocities of the contacts
  };
  Residual residual(const Model& model, Workspace& workspace, const State& state) const;

  // ∂/∂q and ∂/∂q̇ of q̈, y and the relative velocities. After compute.
  bool differentiate(const State& state);
  // The same for what changes the equations otherwise.
  struct Response {
    Eigen::VectorXd acceleration, unknowns, slip;
  };
  Response respond(const Residual& change) const;
  Response respond(const Eigen::VectorXd& dq, const Eigen::VectorXd& dv) const;  // after differentiate
  const Eigen::MatrixXd& acceleration_by_position() const { return by_q_.acceleration; }
  const Eigen::MatrixXd& acceleration_by_velocity() const { return by_v_.acceleration; }
  // δf of a contact, with that of the unknowns.
  ContactVector force_change(std::size_t index, const Eigen::VectorXd& unknowns) const;

  // Tangents of q and q̇ made to leave what is held and the loops closed, by least changes. After differentiate.
  void project(const State& state, Eigen::Ref<Eigen::MatrixXd> dq, Eigen::Ref<Eigen::MatrixXd> dv) const;

  // Velocities as the held contacts and loops want them, by impulses of the form of y; also of tangents.
  bool close_velocity(const State& state, Eigen::VectorXd& v, Workspace& workspace, const Model& model) const;

 private:
  struct Derivative {
    Eigen::MatrixXd acceleration, unknowns, slip;
  };
  struct ContactPart {
    Eigen::VectorXd force, rows, slip;
  };
  Eigen::Index first_row(std::size_t index) const { return starts_[index]; }
  bool slips(std::size_t index) const { return held_[index].mode == ContactMode::slip; }
  double kinetic_friction(const Model& model, const Contact& contact) const;
  SlipDirection direction_of(std::size_t index, const Eigen::VectorXd& slip) const;
  ContactPart contact_part(const Model& model, Workspace& workspace, const State& state,
                           const std::vector<SlipDirection>& directions) const;
  bool system(const Model& model, const State& state, Workspace& workspace, const std::vector<Contact>& contacts,
              Eigen::MatrixXd& H, Eigen::MatrixXd& G) const;
  bool find(const Model& model, const Workspace& workspace, const State& state, std::vector<Contact>& contacts) const;
  void add_turned_friction(const Eigen::MatrixXd& slip, Eigen::MatrixXd& right) const;
  void solve(const Eigen::MatrixXd& motion, const Eigen::MatrixXd& rows, Derivative& out) const;

  const Model& model_;
  mutable Workspace workspace_;
  MassFactor factor_;
  TreeDerivatives tree_;
  std::vector<ModeContact> held_;
  std::vector<Contact> contacts_;
  std::vector<Eigen::Index> starts_;  // of each contact among the unknowns
  std::vector<SlipDirection> directions_;
  Eigen::Index unknown_count_ = 0, tangents_ = 0;
  Eigen::MatrixXd H_, G_, response_;                                       // H, Gᵀ as columns, M⁻¹Gᵀ
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;  // of H M⁻¹ Gᵀ
  Eigen::VectorXd acceleration_, unknowns_, slip_;
  std::vector<double> steps_;  // of differences, by degree of freedom
  Derivative by_q_, by_v_;
};

inline ModeFlow::Residual operator*(double s, const ModeFlow::Residual& a) {
  return {s * a.motion, s * a.rows, s * a.slip};
}
inline ModeFlow::Residual operator+(const ModeFlow::Residual& a, const ModeFlow::Residual& b) {
  return {a.motion + b.motion, a.rows + b.rows, a.slip + b.slip};
}

// f(h), f(−h), f(2h), f(−2h) to f′(0), of fourth order.
template <class T>
T fourth_order(const T& a, const T& b, const T& c, const T& d, double h) {
  return T((8.0 * (a - b) - (c - d)) / (12 * h));
}

// f′(0) of entries of size one, by differences of fourth order. A pin in its hole bends within its play: the step is
// made shorter until the formula of second order nearly agrees, so that the fourth leaves out next to nothing, and is
// kept for the next time.
template <class F>
Eigen::VectorXd smooth_difference(const F& f, double& step) {
  step = std::min(tolerances::sensitivity_step, step * tolerances::sensitivity_refinement);
  for (;; step /= tolerances::sensitivity_refinement) {
    const Eigen::VectorXd a = f(step), b = f(-step), c = f(2 * step), d = f(-2 * step);
    const Eigen::VectorXd second = (a - b) / (2 * step), fourth = fourth_order(a, b, c, d, step);
    const double differ = fourth.size() == 0 ? 0 : (fourth - second).cwiseAbs().maxCoeff();
    const double size = 1 + (fourth.size() == 0 ? 0 : fourth.cwiseAbs().maxCoeff());
    if (differ <= tolerances::sensitivity_smooth * size || step < tolerances::sensitivity_step_shortest) return fourth;
  }
}

}  // namespace routh::internal
