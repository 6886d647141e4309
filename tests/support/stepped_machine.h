// The contact problems of a limp robot, step after step of a millisecond: many points of a few bodies on the ground,
// far more rows than degrees of freedom. A floating base and limbs with generalised coordinates of their own;
// Jacobians, loads and velocities drift slowly.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "routh/contacts/friction_contact.h"
#include "support/random_problems.h"

namespace testing_support {

class SteppedMachine {
 public:
  SteppedMachine(Random& random, int contacts, int freedoms) : inverse_mass_(freedoms), velocity_(freedoms) {
    const int bodies = std::clamp(contacts / 4, 1, 6), limbs = freedoms - 6;
    const auto normal = [&random] { return random.normal(); };
    for (double& x : inverse_mass_) x = std::pow(10, random.uniform(-2, 1));
    for (double& x : velocity_) x = 0.1 * random.normal();
    load_ = 10 * Eigen::MatrixXd::NullaryExpr(freedoms, 2, normal);
    for (int b = 0; b < bodies; ++b) {
      Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(6, freedoms), drift = jacobian;
      jacobian.leftCols<6>().setIdentity();
      drift.leftCols<6>() = Eigen::MatrixXd::NullaryExpr(6, 6, normal);
      for (int j = b * limbs / bodies; j < (b + 1) * limbs / bodies; ++j) {
        jacobian.col(6 + j) = Eigen::VectorXd::NullaryExpr(6, normal);
        drift.col(6 + j) = Eigen::VectorXd::NullaryExpr(6, normal);
      }
      jacobian_.push_back(jacobian);
      drift_.push_back(drift);
    }
    for (int i = 0; i < contacts; ++i) points_.emplace_back(0.3 * random.normal(), 0.3 * random.normal(), -0.05);
    problem_.friction.assign(static_cast<std::size_t>(contacts), 0.6);
    rows_.resize(3 * contacts, freedoms);
  }

  const routh::FrictionContactProblem& next() {
    const double step = 1e-3, time = step * steps_++;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
      const auto b = static_cast<std::size_t>(i) % jacobian_.size();
      const Eigen::MatrixXd body = jacobian_[b] + 0.3 * std::sin((2 + static_cast<double>(b)) * time) * drift_[b];
      const Eigen::Vector3d axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
      for (int r = 0; r < 3; ++r)
        rows_.row(3 * i + r) = axes[r].transpose() * body.topRows<3>() +
                               points_[static_cast<std::size_t>(i)].cross(axes[r]).transpose() * body.bottomRows<3>();
    }
    velocity_ = 0.999 * velocity_ + step * (std::sin(4 * time) * load_.col(0) + std::cos(7 * time) * load_.col(1));
    velocity_[2] -= 9.81 * step;
    const Eigen::MatrixXd d = rows_ * inverse_mass_.asDiagonal() * rows_.transpose();
    problem_.inertia = Eigen::MatrixXd(0.5 * (d + d.transpose()));
    problem_.velocity = rows_ * velocity_;
    return problem_;
  }
  void take(const Eigen::VectorXd& impulse) { velocity_ += inverse_mass_.asDiagonal() * (rows_.transpose() * impulse); }

 private:
  Eigen::VectorXd inverse_mass_, velocity_;
  Eigen::MatrixXd load_, rows_;
  std::vector<Eigen::MatrixXd> jacobian_, drift_;
  std::vector<Eigen::Vector3d> points_;
  routh::FrictionContactProblem problem_;
  int steps_ = 0;
};

}  // namespace testing_support
