// The derivative of what an instant does to the velocities (reset_map.h), where its contacts strike one by one:
//
//   v⁺ = v + W i,  W = M_o⁺Jᵀ      δv⁺ = δv + δW i + W δi      δi = i_D δD + i_u δu + i_s δv_s
//
// The impact itself is differentiated exactly (impact/impact_derivatives.h), phase by phase; D, W, u = J v and the
// surface's velocity v_s, smooth functions of the posture, by differences of fourth order of their closed forms.
// Private to the module.
#pragma once

#include <optional>
#include <vector>

#include "routh/contact/contact_problem.h"
#include "routh/impact/impact_derivatives.h"
#include "routh/simulation/event.h"
#include "routh/simulation/mode_flow.h"

namespace routh::internal {

class ResetDerivative {
 public:
  // Along the columns of δq and δq̇, all taken at `state`.
  ResetDerivative(const Model& model, const State& state, const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv);

  // One more contact strikes. False: it is on a border of its courses, and nothing was done.
  bool strike(const Event& event);
  // Then velocities become what is held after the instant; directions of slip as in its last `compute`.
  bool close(const ModeFlow& after);

  // Of the velocities so far, and of the normal velocity of a contact.
  const Eigen::VectorXd& velocity() const { return state_.v; }
  const Eigen::MatrixXd& change() const { return dv_; }
  std::optional<Eigen::RowVectorXd> normal_change(ContactId id);

 private:
  // f(q) of size one to its derivative along every δq.
  template <class F>
  Eigen::MatrixXd along_positions(const F& f);

  const Model& model_;
  Workspace workspace_;
  State state_;
  const Eigen::MatrixXd& dq_;
  Eigen::MatrixXd dv_;
  std::vector<double> steps_;
};

}  // namespace routh::internal
