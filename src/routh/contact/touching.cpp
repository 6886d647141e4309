#include "routh/contact/touching.h"

#include <algorithm>
#include <cmath>

#include "routh/dynamics/loops.h"
#include "routh/math/dense_qr.h"

namespace routh::internal {

namespace {

// Steps are cut to this [rad] or [m], so that the posture found is on the branch it was sought from.
constexpr double longest_step = 0.3;
constexpr int most_steps = 100;
// Of a walk.
constexpr double stride = 0.25;
constexpr double closed = 1e-12;

class Touching {
 public:
  Touching(const Model& model, ContactId id, Workspace& workspace)
      : model_(model),
        id_(id),
        workspace_(workspace),
        rows_(model.loop_rows + 1, model.velocities),
        residual_(model.loop_rows + 1),
        contact_rows_(contact_rows(model), model.velocities) {}

  bool close(Eigen::VectorXd& q, const std::vector<bool>& given) {
    if (!look(q)) return false;
    Eigen::VectorXd step(model_.velocities), trial(q.size());
    double error = residual_.norm();
    for (int k = 0; k < most_steps && error > 0; ++k) {
      if (!solve(given, residual_, step)) return false;
      double factor = std::min(1.0, longest_step / step.cwiseAbs().maxCoeff());
      double next = error;
      // Closed already: a full step may still gain digits, shorter ones would only stir the rounding.
      const int most_halvings = error <= closed * (1 + q.cwiseAbs().maxCoeff()) ? 1 : 30;
      for (int halving = 0; halving < most_halvings; ++halving, factor /= 2) {
        integrate(model_, q, step, factor, trial);
        if (look(trial) && (next = residual_.norm()) < error) break;
        next = error;
      }
      if (!(next < error)) break;
      q = trial;
      error = next;
    }
    return error <= closed * (1 + q.cwiseAbs().maxCoeff()) && look(q);
  }

  // After `close`, at its posture.
  bool settle(Eigen::VectorXd& v, const std::vector<bool>& given, TouchingVelocity wanted) {
    Eigen::VectorXd step(model_.velocities);
    if (wanted == TouchingVelocity::kept) rows_.row(0).setZero();
    const Eigen::VectorXd rate = rows_ * v;
    const double scale = rows_.cwiseAbs().maxCoeff() * v.cwiseAbs().maxCoeff();
    if (rate.cwiseAbs().maxCoeff() <= 1e-15 * scale) return true;
    if (!solve(given, rate, step)) return false;
    v += step;
    return (rows_ * v).cwiseAbs().maxCoeff() <= closed * rows_.cwiseAbs().maxCoeff() * (1 + v.cwiseAbs().maxCoeff());
  }

 private:
  // Gap, loops and their rows at a posture; false when the features of the contact do not face each other there.
  bool look(const Eigen::VectorXd& q) {
    compute_kinematics(model_, q, workspace_);
    const std::optional<Contact> contact = find_contact(model_, workspace_, q, id_);
    if (!contact) return false;
    contact_jacobian(model_, workspace_, *contact, contact_rows_);
    rows_.row(0) = contact_rows_.row(0);
    residual_[0] = contact->gap;
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
      decomposition.setThreshold(1e-10);
      decomposition.compute(movable);
      step = -decomposition.solve(rhs);
    }
    return step.allFinite() && step.squaredNorm() > 0;
  }

  const Model& model_;
  ContactId id_;
  Workspace& workspace_;
  Eigen::MatrixXd rows_;
  Eigen::VectorXd residual_;
  Eigen::MatrixXd contact_rows_;
};

}  // namespace

TouchingStatus keep_touching(const Model& model, const TouchingRequest& request, State& state, Workspace& workspace) {
  Touching touching(model, request.contact, workspace);
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
  const int strides = static_cast<int>(std::min(std::ceil(length / stride), 1000.0));
  if (strides > 1) {
    Touching touching(model, request.contact, workspace);
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
