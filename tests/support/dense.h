// One impact in plain dense matrices, for tests that check formulas by inverting D.
#pragma once

#include <Eigen/Dense>

#include "routh/impact/problem.h"
#include "support/random_problems.h"

namespace testing_support {

Eigen::Vector3d vec(const routh::ContactVector& v);
Eigen::Matrix3d delassus(const routh::ImpactProblem& problem);
// E = diag(e_n, e_t, e_t), constant restitution.
Eigen::Matrix3d restitution_matrix(const routh::ImpactProblem& problem);
// −G(I + E)v [Aghili 2020, eq. 11a].
Eigen::Vector3d sticking_impulse(const routh::ImpactProblem& problem);

// A random spatial impact whose D can be inverted (least eigenvalue 1e-3), three in ten with e_t.
routh::ImpactProblem random_invertible(Random& random);

}  // namespace testing_support
