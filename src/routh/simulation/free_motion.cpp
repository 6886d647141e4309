#include "routh/simulation/free_motion.h"

#include <cmath>

namespace routh::internal {

namespace {

// [Dormand and Prince 1980]: nodes, coefficients by stage, and the difference of the two solutions. The last stage is
// the solution of order 5 itself.
constexpr double node[] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double coefficient[7][6] = {{},
                                      {1.0 / 5},
                                      {3.0 / 40, 9.0 / 40},
                                      {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double defect[] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

}  // namespace

FreeMotion::FreeMotion(const Model& model) : workspace_(model), dynamics_(model), trial_(rest_state(model)) {
  position_rates_.fill(Eigen::VectorXd::Zero(model.coordinates));
  velocity_rates_.fill(Eigen::VectorXd::Zero(model.velocities));
}

bool FreeMotion::step(const Model& model, const State& from, double h, State& to) {
  for (int k = 0; k < stages; ++k) {
    trial_.q = from.q;
    trial_.v = from.v;
    trial_.time = from.time + node[k] * h;
    for (int j = 0; j < k; ++j) {
      trial_.q += h * coefficient[k][j] * position_rates_[static_cast<std::size_t>(j)];
      trial_.v += h * coefficient[k][j] * velocity_rates_[static_cast<std::size_t>(j)];
    }
    if (k == stages - 1) to = trial_;
    const Eigen::VectorXd* const rate = acceleration(model, trial_);
    if (!rate) return false;
    coordinate_rates(model, trial_.q, trial_.v, position_rates_[static_cast<std::size_t>(k)]);
    velocity_rates_[static_cast<std::size_t>(k)] = *rate;
  }
  for (int k = 0; k < stages; ++k) {
    position_rates_[static_cast<std::size_t>(k)] *= h * defect[k];
    velocity_rates_[static_cast<std::size_t>(k)] *= h * defect[k];
  }
  normalise(model, to.q);
  return to.q.allFinite() && to.v.allFinite();
}

double FreeMotion::error(const State& from, const State& to, double tolerance) const {
  Eigen::VectorXd q = position_rates_[0], v = velocity_rates_[0];
  for (std::size_t k = 1; k < stages; ++k) {
    q += position_rates_[k];
    v += velocity_rates_[k];
  }
  const double q_scale = 1 + std::max(from.q.cwiseAbs().maxCoeff(), to.q.cwiseAbs().maxCoeff());
  const double v_scale = 1 + std::max(from.v.cwiseAbs().maxCoeff(), to.v.cwiseAbs().maxCoeff());
  return std::max(q.cwiseAbs().maxCoeff() / q_scale, v.cwiseAbs().maxCoeff() / v_scale) / tolerance;
}

const Eigen::VectorXd* FreeMotion::acceleration(const Model& model, const State& state) {
  const ConstrainedMotion& motion = dynamics_.compute(model, state, workspace_);
  return motion.singular_dof >= 0 || !motion.acceleration.allFinite() ? nullptr : &motion.acceleration;
}

}  // namespace routh::internal
