// What the tests of contact_modes share: the definition as a test of its own, random problems, bodies on a plane.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "routh/solvability/contact_modes.h"
#include "support/random_problems.h"

namespace contact_modes_testing {

using routh::ContactMode;
using routh::Dimension;
using routh::ModesProblem;
using routh::ModesReport;
using routh::ModesSolution;
using routh::ModesStatus;
using testing_support::Random;

constexpr double pi = std::numbers::pi;

inline Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (double& x : m.reshaped()) x = random.normal();
  return m;
}

inline std::string describe(const ModesProblem& p) {
  std::string text =
      fmt::format("{} contacts, {} rows each; D (row by row), f, velocity, friction\n", p.count(), p.rows());
  for (Eigen::Index i = 0; i < p.inertia.rows(); ++i) {
    for (Eigen::Index j = 0; j < p.inertia.cols(); ++j) text += fmt::format("{:.17g} ", p.inertia(i, j));
    text += fmt::format("   {:.17g}   {:.17g}\n", p.free_acceleration[i], p.velocity[i]);
  }
  for (const routh::Friction& f : p.friction)
    text += fmt::format("{:.17g} {:.17g}\n", f.static_coefficient, f.kinetic_coefficient);
  return text;
}

// ---- the definition, contact by contact, on the numbers as given ----

inline testing::AssertionResult obeys(const ModesProblem& p, const ModesSolution& s) {
  if (!s.force.allFinite() || !s.acceleration.allFinite()) return testing::AssertionFailure() << "not finite";
  const double force_size = std::max(s.force.cwiseAbs().maxCoeff(), 1e-300);
  const double size = p.free_acceleration.cwiseAbs().maxCoeff() + p.inertia.cwiseAbs().maxCoeff() * force_size;
  const double ta = 1e-8 * size, tf = 1e-8 * std::max(force_size, size / p.inertia.diagonal().maxCoeff());
  if ((p.inertia * s.force + p.free_acceleration - s.acceleration).cwiseAbs().maxCoeff() > ta)
    return testing::AssertionFailure() << "acceleration does not follow from the force";
  for (int c = 0; c < p.count(); ++c) {
    const int r = p.rows() * c, tangents = p.rows() - 1;
    const std::size_t k = static_cast<std::size_t>(c);
    const double mu_s = p.friction[k].static_coefficient, mu_k = p.friction[k].kinetic_coefficient;
    const Eigen::VectorXd vt = p.velocity.segment(r + 1, tangents), at = s.acceleration.segment(r + 1, tangents);
    const Eigen::VectorXd lt = s.force.segment(r + 1, tangents);
    const double ln = s.force[r], an = s.acceleration[r];
    const auto fail = [&] { return testing::AssertionFailure() << "contact " << c << " " << name(s.modes[k]); };
    switch (s.modes[k]) {
      case ContactMode::free:
        if (ln != 0 || lt.norm() != 0 || an < -ta) return fail();
        break;
      case ContactMode::stick:
        if (vt.norm() != 0 || std::abs(an) > ta || at.norm() > ta || ln < -tf ||
            lt.norm() > mu_s * ln + tf * (1 + mu_s))
          return fail();
        break;
      case ContactMode::slip:
        if (std::abs(an) > ta || ln < -tf) return fail();
        if (vt.norm() > 0) {
          if ((lt + mu_k * ln * vt.normalized()).norm() > tf * (1 + mu_k)) return fail();
        } else {
          // λ_t = −μ λ_n σ with σ along v̇_t: as long as the cone, and power at its least.
          if (std::abs(lt.norm() - mu_k * ln) > tf * (1 + mu_k)) return fail();
          if ((at * mu_k * ln + at.norm() * lt).norm() > (tf * (1 + mu_k)) * at.norm() + mu_k * ta * std::abs(ln) * 10)
            return fail();
        }
        break;
    }
  }
  return testing::AssertionSuccess();
}

inline bool same(const Eigen::VectorXd& x, const Eigen::VectorXd& y, double tolerance = 1e-6) {
  return (x - y).cwiseAbs().maxCoeff() <= tolerance * (1 + x.cwiseAbs().maxCoeff());
}

inline bool lists(const ModesReport& report, const Eigen::VectorXd& acceleration) {
  return std::any_of(report.solutions.begin(), report.solutions.end(),
                     [&](const ModesSolution& s) { return same(s.acceleration, acceleration); });
}

// Both lists hold the same accelerations, and everything reported obeys the definition.
inline void expect_same_list(const ModesProblem& p, const ModesReport& report,
                             const std::vector<Eigen::VectorXd>& expected) {
  for (const ModesSolution& s : report.solutions) EXPECT_TRUE(obeys(p, s)) << describe(p);
  EXPECT_EQ(report.solutions.size(), expected.size()) << describe(p);
  for (const Eigen::VectorXd& a : expected) EXPECT_TRUE(lists(report, a)) << a.transpose() << "\n" << describe(p);
}

// ---- random problems ----

inline ModesProblem random_problem(Random& random, Dimension dimension, int count, double slip_chance) {
  ModesProblem p;
  p.dimension = dimension;
  p.friction.resize(static_cast<std::size_t>(count));
  const int size = count * p.rows();
  const Eigen::MatrixXd root = random_matrix(random, size, size + 2);
  p.inertia = root * root.transpose() / size;
  p.free_acceleration = random_matrix(random, size, 1);
  p.velocity = Eigen::VectorXd::Zero(size);
  for (int c = 0; c < count; ++c) {
    if (random.chance(0.6)) p.free_acceleration[c * p.rows()] = -std::abs(p.free_acceleration[c * p.rows()]);
    const double mu = random.uniform(0, 1.5);
    p.friction[static_cast<std::size_t>(c)] = {mu, mu};
    if (random.chance(slip_chance))
      for (int k = 1; k < p.rows(); ++k) p.velocity[c * p.rows() + k] = random.normal();
  }
  return p;
}

inline ModesProblem body_on_plane(double mass, const Eigen::Matrix3d& inertia,
                                  const std::vector<Eigen::Vector3d>& points, const Eigen::Matrix<double, 6, 1>& load) {
  ModesProblem p;
  p.dimension = Dimension::spatial;
  const Eigen::Index n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd jacobian(3 * n, 6);
  Eigen::Matrix3d frame;  // rows n, t1, t2
  frame << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Vector3d& r = points[static_cast<std::size_t>(i)];
    Eigen::Matrix3d cross;
    cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    jacobian.block<3, 3>(3 * i, 0) = frame;
    jacobian.block<3, 3>(3 * i, 3) = -frame * cross;
  }
  Eigen::Matrix<double, 6, 6> mass_matrix = Eigen::Matrix<double, 6, 6>::Zero();
  mass_matrix.topLeftCorner<3, 3>().diagonal().setConstant(mass);
  mass_matrix.bottomRightCorner<3, 3>() = inertia;
  const Eigen::Matrix<double, 6, 6> inverse = mass_matrix.inverse();
  p.inertia = jacobian * inverse * jacobian.transpose();
  p.free_acceleration = jacobian * inverse * load;
  p.velocity = Eigen::VectorXd::Zero(3 * n);
  return p;
}

inline ModesProblem random_body(Random& random, int count) {
  std::vector<Eigen::Vector3d> points;
  for (int c = 0; c < count; ++c)
    points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1),
                        random.chance(0.5) ? -0.7 : random.uniform(-1, 0));
  Eigen::Matrix<double, 6, 1> load = random_matrix(random, 6, 1);
  load[2] -= 2;
  const Eigen::Vector3d inertia(random.uniform(0.2, 0.5), random.uniform(0.2, 0.5), random.uniform(0.2, 0.6));
  ModesProblem p = body_on_plane(random.uniform(0.5, 2), inertia.asDiagonal(), points, load);
  p.friction.resize(static_cast<std::size_t>(count));
  for (routh::Friction& f : p.friction) f.static_coefficient = f.kinetic_coefficient = random.uniform(0.1, 1.2);
  return p;
}

}  // namespace contact_modes_testing
