#include "routh/contact/touching.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/tolerances.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/tolerances.h"
#include "routh/math/dense_qr.h"

namespace routh::internal {

namespace {

class Touching {
 public:
  Touching(const Model& model, const TouchingRequest& request, Workspace& workspace)
      : model_(model),
        ids_{request.contact},
        workspace_(workspace),
        rows_(model.loop_rows + 1 + static_cast<Eigen::Index>(request.others.size()), model.velocities),
        residual_(rows_.rows()),
        contact_rows_(contact_rows(model), model.velocities) {
    ids_.insert(ids_.end(), request.others.begin(), request.others.end());
  }

  bool close(Eigen::VectorXd& q, const std::vector<bool>& given) {
    if (!look(q)) return false;
    Eigen::VectorXd step(model_.velocities), trial(q.size());
    double error = residual_.norm();
    for (int k = 0; k < tolerances::assembly_steps_max && error > 0; ++k) {
      if (!solve(given, residual_, step)) return false;
      double factor = std::min(1.0, tolerances::touching_step_max / step.cwiseAbs().maxCoeff());
      double next = error;
      // Closed already: a full step may still gain digits, shorter ones would only stir the rounding.
      const int most_halvings =
          error <= tolerances::touching_closed * (1 + q.cwiseAbs().maxCoeff()) ? 1 : tolerances::assembly_halvings_max;
      for (int halving = 0; halving < most_halvings; ++halving, factor /= 2) {
        integrate(model_, q, step, factor, trial);
        if (look(trial) && (next = residual_.norm()) < error) break;
        next = error;
      }
      if (!(next < error)) break;
      q = trial;
      error = next;
    }
    return error <= tolerances::touching_closed * (1 + q.cwiseAbs().maxCoeff()) && look(q);
  }

  // After `close`, at its posture.
  bool settle(Eigen::VectorXd& v, const std::vector<bool>& given, TouchingVelocity wanted) {
    Eigen::VectorXd step(model_.velocities);
    if (wanted == TouchingVelocity::kept) rows_.topRows(static_cast<Eigen::Index>(ids_.size())).setZero();
    const Eigen::VectorXd rate = rows_ * v;
    const double scale = rows_.cwiseAbs().maxCoeff() * v.cwiseAbs().maxCoeff();
    if (rate.cwiseAbs().maxCoeff() <= tolerances::assembly_rate_relative * scale) return true;
    if (!solve(given, rate, step)) return false;
    v += step;
    return (rows_ * v).cwiseAbs().maxCoeff() <=
           tolerances::touching_closed * rows_.cwiseAbs().maxCoeff() * (1 + v.cwiseAbs().maxCoeff());
  }

 private:
  // Gaps, loops and their rows at a posture; false when the features of a contact do not face each other there.
  bool look(const Eigen::VectorXd& q) {
    compute_kinematics(model_, q, workspace_);
    for (std::size_t k = 0; k < ids_.size(); ++k) {
      const std::optional<Contact> contact = find_contact(model_, workspace_, q, ids_[k]);
      if (!contact) return false;
      contact_jacobian(model_, workspace_, *contact, contact_rows_);
      rows_.row(static_cast<Eigen::Index>(k)) = contact_rows_.row(0);
      residual_[static_cast<Eigen::Index>(k)] = contact->gap;
    }
    if (model_.loop_rows > 0) {
      loop_jacobian(model_, workspace_, rows_.bottomRows(model_.loop_rows));
      loop_residual(model_, workspace_, q, residual_.tail(model_.loop_rows));
    }
    return true;
  }

  // The least step along what was not given with rows · step = −rhs.
  bool solve(const std::vector<bool>& given, const Eigen::VectorXd& rhs, Eigen::VectorXd& step) const {
    Eigen::MatrixXd movable = rows_;
    for (std::size_t k = 0; k < given.size(); ++k)
      if (given[k]) movable.col(static_cast<Eigen::Index>(k)).setZero();
    if (movable.rows() == 1) {
      const double square = movable.squaredNorm();
      if (!(square > 0)) return false;
      step = movable.transpose() * (-rhs[0] / square);
    } else {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
      decomposition.setThreshold(tolerances::assembly_rank_relative);
      decomposition.compute(movable);
      step = -decomposition.solve(rhs);
    }
    return step.allFinite() && step.squaredNorm() > 0;
  }

  const Model& model_;
  std::vector<ContactId> ids_;
  Workspace& workspace_;
  Eigen::MatrixXd rows_;
  Eigen::VectorXd residual_;
  Eigen::MatrixXd contact_rows_;
};

}  // namespace

TouchingStatus keep_touching(const Model& model, const TouchingRequest& request, State& state, Workspace& workspace) {
  Touching touching(model, request, workspace);
  State moved = state;
  if (!touching.close(moved.q, request.given_position) ||
      !touching.settle(moved.v, request.given_velocity, request.velocity))
    return TouchingStatus::out_of_reach;
  state = moved;
  return TouchingStatus::touching;
}

TouchingStatus move_touching(const Model& model, const TouchingRequest& request, const State& start, State& state,
                             Workspace& workspace) {
  Eigen::VectorXd way(model.velocities);
  difference(model, start.q, state.q, way);
  const double length = way.cwiseAbs().maxCoeff();
  const int strides = static_cast<int>(
      std::min(std::ceil(length / tolerances::touching_walk_step), tolerances::touching_walk_steps_max));
  if (strides > 1) {
    Touching touching(model, request, workspace);
    Eigen::VectorXd q = start.q;
    bool walked = true;
    for (int k = 1; k < strides && walked; ++k) {
      integrate(model, q, way, 1.0 / strides, q);
      walked = touching.close(q, request.given_position);
    }
    if (walked) {
      State near = state;
      // What is given stands where it was put; the rest begins where the walk led.
      for (std::size_t k = 0; k < model.dofs.size(); ++k) {
        const int coordinate = model.dofs[k].coordinate;
        const bool given = !request.given_position.empty() && request.given_position[k];
        if (coordinate >= 0 && !given) near.q[coordinate] = q[coordinate];
      }
      if (keep_touching(model, request, near, workspace) == TouchingStatus::touching) {
        state = near;
        return TouchingStatus::touching;
      }
    }
  }
  return keep_touching(model, request, state, workspace);
}

}  // namespace routh::internal
