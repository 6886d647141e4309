#include "support/dense.h"

namespace testing_support {

Eigen::Vector3d vec(const routh::ContactVector& v) { return {v.n, v.t1, v.t2}; }

Eigen::Matrix3d delassus(const routh::ImpactProblem& problem) {
  const auto& d = problem.inertia;
  Eigen::Matrix3d m;
  m << d.a, d.c1, d.c2, d.c1, d.b11, d.b12, d.c2, d.b12, d.b22;
  return m;
}

Eigen::Matrix3d restitution_matrix(const routh::ImpactProblem& problem) {
  const routh::Restitution& e = problem.restitution;
  return Eigen::Vector3d(e.normal, e.tangential, e.tangential).asDiagonal();
}

Eigen::Vector3d sticking_impulse(const routh::ImpactProblem& problem) {
  const Eigen::Matrix3d factor = Eigen::Matrix3d::Identity() + restitution_matrix(problem);
  return -delassus(problem).ldlt().solve(factor * vec(problem.velocity));
}

routh::ImpactProblem random_invertible(Random& random) {
  routh::ImpactProblem p;
  do {
    p = random_spatial(random, random.chance(0.5) ? Family::gram : Family::coupled);
  } while (Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(delassus(p)).eigenvalues()(0) < 1e-3);
  if (random.chance(0.3)) p.restitution.tangential = random.uniform(-0.9, 0.9);
  return p;
}

}  // namespace testing_support
