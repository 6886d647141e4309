// The two scenes by hand, for engines that take a machine's equations: M v̇ = force, gaps, and the rows of a contact.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "simulation.h"

namespace bench {

using PlanarVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using PlanarSquare = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
using PlanarRows = Eigen::Matrix<double, 2, Eigen::Dynamic, 0, 2, 3>;  // normal, tangent

// The machines by hand, so that the engine does not pay for anyone's general dynamics.
struct PlanarMachine {
  StrikeScene scene;

  int contacts() const { return scene == StrikeScene::rod ? 2 : 1; }

  // M and the force h in M v̇ = h.
  void dynamics(const PlanarVector& q, const PlanarVector& v, PlanarSquare& mass, PlanarVector& force) const {
    if (scene == StrikeScene::rod) {
      mass = Eigen::Vector3d(1, 1, rod_inertia).asDiagonal();
      force = Eigen::Vector3d(0, -gravity, 0);
      return;
    }
    const double own = link * link / 4 + link_inertia, half = link * link / 2;
    const double both = half * std::cos(q[1]), turn = half * std::sin(q[1]);
    mass.resize(2, 2);
    mass << 2 * own + link * link + 2 * both, own + both, own + both, own;
    const double lower = -gravity * link / 2 * std::sin(q[0] + q[1]);
    force.resize(2);
    force << turn * (2 * v[0] * v[1] + v[1] * v[1]) - 1.5 * gravity * link * std::sin(q[0]) + lower,
        -turn * v[0] * v[0] + lower;
  }

  double gap(const PlanarVector& q, int contact) const {
    if (scene == StrikeScene::rod) return q[1] + sign(contact) * rod_half * std::sin(q[2]) - rod_radius;
    return pivot_height - link * (std::cos(q[0]) + std::cos(q[0] + q[1])) - tip_radius;
  }

  PlanarRows rows(const PlanarVector& q, int contact) const {
    PlanarRows J(2, q.size());
    if (scene == StrikeScene::rod) {
      const double x = sign(contact) * rod_half * std::cos(q[2]), y = sign(contact) * rod_half * std::sin(q[2]);
      J << 0, 1, x, 1, 0, rod_radius - y;
      return J;
    }
    const double upper = q[0], lower = q[0] + q[1];
    J << link * (std::sin(upper) + std::sin(lower)), link * std::sin(lower),
        link * (std::cos(upper) + std::cos(lower)) + tip_radius, link * std::cos(lower) + tip_radius;
    return J;
  }

  static double sign(int contact) { return contact == 0 ? 1 : -1; }
};

}  // namespace bench
