// Frictional contact problems for tests: random machines, bodies resting on points, and the laws written out once more.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "routh/contacts/friction_contact.h"
#include "support/random_problems.h"

namespace contact_problems {

using routh::Dimension;
using routh::FrictionContactProblem;
using testing_support::Random;

inline constexpr double infinite = std::numeric_limits<double>::infinity();

struct Machine {
  FrictionContactProblem problem;
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd masses;
  Eigen::VectorXd velocity;  // generalised, so that v = J q̇ is a motion the machine can have

  double kinetic_energy() const { return 0.5 * velocity.cwiseProduct(masses).dot(velocity); }
};

inline void finish(Machine& m, int contacts) {
  const Eigen::MatrixXd d = m.jacobian * m.masses.cwiseInverse().asDiagonal() * m.jacobian.transpose();
  m.problem.inertia = Eigen::MatrixXd(0.5 * (d + d.transpose()));
  m.problem.velocity = m.jacobian * m.velocity;
  m.problem.friction.resize(static_cast<std::size_t>(contacts));
}

// Rows of independent normal numbers: redundant where there are fewer degrees of freedom, some contacts doubled.
inline Machine random_machine(Random& random, int contacts, Dimension dimension, double mass_ratio) {
  Machine m;
  m.problem.dimension = dimension;
  const int d = m.problem.rows_per_contact(), bilateral = random.chance(0.3) ? random.below(4) : 0;
  const int dof = 1 + random.below(std::max(2, 3 * d * contacts / 2));
  m.jacobian.resize(d * contacts + bilateral, dof);
  for (double& x : m.jacobian.reshaped()) x = random.normal();
  if (random.chance(0.2))
    for (int i = 1; i < contacts; ++i)
      if (random.chance(0.4)) m.jacobian.middleRows(d * i, d) = m.jacobian.middleRows(d * (i - 1), d).eval();
  m.masses.resize(dof);
  m.velocity.resize(dof);
  for (double& x : m.masses) x = std::pow(mass_ratio, random.uniform());
  for (double& x : m.velocity) x = random.normal();
  finish(m, contacts);
  for (double& mu : m.problem.friction) mu = random.chance(0.1) ? 0 : random.uniform(0, 1.5);
  return m;
}

// A body of unit mass and inertia that touches the ground at points.
inline Machine body_on_points(const std::vector<Eigen::Vector3d>& points, double friction,
                              const Eigen::VectorXd& velocity) {
  Machine m;
  const int n = static_cast<int>(points.size());
  m.jacobian.resize(3 * n, 6);
  for (int i = 0; i < n; ++i) {
    const Eigen::Vector3d axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int r = 0; r < 3; ++r) {
      m.jacobian.row(3 * i + r).head<3>() = axes[r];
      m.jacobian.row(3 * i + r).tail<3>() = points[static_cast<std::size_t>(i)].cross(axes[r]);
    }
  }
  m.masses = Eigen::VectorXd::Ones(6);
  m.velocity = velocity;
  finish(m, n);
  std::fill(m.problem.friction.begin(), m.problem.friction.end(), friction);
  return m;
}

// D with eigenvalues over ten powers of ten, in directions that have nothing to do with the contacts.
inline Machine stiff_machine(Random& random, int contacts, Dimension dimension) {
  Machine m;
  m.problem.dimension = dimension;
  const int rows = m.problem.rows_per_contact() * contacts;
  const Eigen::MatrixXd any = Eigen::MatrixXd::NullaryExpr(rows, rows, [&] { return random.normal(); });
  m.jacobian = any.householderQr().householderQ();
  m.masses.resize(rows);
  for (int r = 0; r < rows; ++r) m.masses[r] = std::pow(10, 10.0 * r / (rows - 1));
  m.velocity = Eigen::VectorXd::NullaryExpr(rows, [&] { return random.normal(); });
  m.velocity.array() /= m.masses.array().sqrt();  // the same energy in each direction
  finish(m, contacts);
  return m;
}

// Contacts between bodies that float, or with the ground, anywhere and in any direction; masses over so many powers of
// ten.
inline Machine free_bodies(Random& random, int contacts, double powers) {
  Machine m;
  const int bodies = 1 + random.below(contacts);
  const auto normal = [&] { return random.normal(); };
  m.jacobian = Eigen::MatrixXd::Zero(3 * contacts, 6 * bodies);
  for (int i = 0; i < contacts; ++i) {
    const Eigen::Matrix3d axes = Eigen::Matrix3d::NullaryExpr(normal).householderQr().householderQ();
    const int one = random.below(bodies), other = random.below(bodies + 1);
    for (const int side : {0, 1}) {
      const int body = side == 0 ? one : other;
      if (side == 1 && (other == one || other == bodies)) continue;  // the ground
      const double sign = side == 0 ? 1 : -1;
      const Eigen::Vector3d arm = 0.5 * Eigen::Vector3d::NullaryExpr(normal);
      for (int r = 0; r < 3; ++r) {
        m.jacobian.row(3 * i + r).segment<3>(6 * body) = sign * axes.row(r);
        m.jacobian.row(3 * i + r).segment<3>(6 * body + 3) = sign * arm.cross(axes.row(r).transpose());
      }
    }
  }
  m.masses.resize(6 * bodies);
  for (int body = 0; body < bodies; ++body) {
    const double mass = std::pow(10, random.uniform(0, powers));
    m.masses.segment<6>(6 * body) << mass, mass, mass, 0.2 * mass, 0.2 * mass, 0.2 * mass;
  }
  m.velocity = Eigen::VectorXd::NullaryExpr(6 * bodies, normal);
  finish(m, contacts);
  return m;
}

// Boxes upon each other, four contacts between two: mass ratios of up to 10⁶ in any order.
inline Machine tower(Random& random, int boxes) {
  Machine m;
  m.jacobian = Eigen::MatrixXd::Zero(12 * boxes, 6 * boxes);
  const Eigen::Vector3d axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  for (int box = 0; box < boxes; ++box)
    for (int corner = 0; corner < 4; ++corner)
      for (const int side : {0, 1}) {
        const int body = box - side;
        if (body < 0) continue;
        const double sign = side == 0 ? 1 : -1;
        const Eigen::Vector3d arm(corner < 2 ? 0.5 : -0.5, corner % 2 == 0 ? 0.5 : -0.5, -0.5 * sign);
        for (int r = 0; r < 3; ++r) {
          const int row = 12 * box + 3 * corner + r;
          m.jacobian.row(row).segment<3>(6 * body) = sign * axes[r];
          m.jacobian.row(row).segment<3>(6 * body + 3) = sign * arm.cross(axes[r]);
        }
      }
  m.masses.resize(6 * boxes);
  m.velocity = 0.1 * Eigen::VectorXd::NullaryExpr(6 * boxes, [&] { return random.normal(); });
  for (int box = 0; box < boxes; ++box) {
    const double mass = std::pow(10, random.uniform(0, 6));
    m.masses.segment<6>(6 * box) << mass, mass, mass, 0.2 * mass, 0.2 * mass, 0.2 * mass;
    m.velocity[6 * box + 2] -= 1;
  }
  finish(m, 4 * boxes);
  return m;
}

inline double any_friction(Random& random) {
  const double kind = random.uniform();
  if (kind < 0.15) return 0;
  if (kind < 0.55) return random.uniform(0, 1.5);
  return kind < 0.85 ? std::pow(10, random.uniform(0, 3)) : infinite;
}

inline const Eigen::MatrixXd& dense(const FrictionContactProblem& p) { return std::get<Eigen::MatrixXd>(p.inertia); }

// The largest violation of the laws as they are written in a textbook, of the largest velocity or scaled impulse.
inline double violation(const FrictionContactProblem& p, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd v = p.velocity + dense(p) * impulse;
  if (p.surface_velocity.size() > 0) v -= p.surface_velocity;
  const int d = p.rows_per_contact();
  double worst = 0, size = v.cwiseAbs().maxCoeff() + p.velocity.cwiseAbs().maxCoeff();
  for (int i = 0; i < p.contacts(); ++i) {
    const double mu = p.friction[static_cast<std::size_t>(i)];
    const double mobility = dense(p).diagonal().segment(d * i, d).mean();
    const double pn = mobility * impulse[d * i], vn = v[d * i];
    const Eigen::VectorXd pt = mobility * impulse.segment(d * i + 1, d - 1), vt = v.segment(d * i + 1, d - 1);
    worst = std::max({worst, -pn, -vn, std::min(pn, vn), pt.norm() - mu * pn});
    size = std::max({size, pn, pt.norm()});
    if (vt.norm() > 1e-7 * size) {  // slides: friction opposes slip, in full
      worst = std::max(worst, (pt + mu * pn * vt / vt.norm()).norm() * std::min(1.0, vt.norm() / size));
    }
  }
  for (Eigen::Index r = d * p.contacts(); r < v.size(); ++r) worst = std::max(worst, std::abs(v[r]));
  return worst / size;
}

}  // namespace contact_problems
