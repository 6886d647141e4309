// Inertias that no body can have, as design programs write them.
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "routh/model/tolerances.h"
#include "routh/robot/robot_reading.h"

namespace routh::internal {

std::optional<MendedInertia> mended_inertia(const Symmetric3& inertia) {
  Eigen::Matrix3d matrix;
  matrix << inertia.xx, inertia.xy, inertia.xz, inertia.xy, inertia.yy, inertia.yz, inertia.xz, inertia.yz, inertia.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  const Eigen::Vector3d found = solver.eigenvalues();
  const double allowed = tolerances::inertia_relative * found.cwiseAbs().sum();
  if (!(found(0) < -allowed) && !(found(2) > found(0) + found(1) + allowed)) return std::nullopt;
  // Negative moments are raised to zero, then the two smaller ones until they reach the largest.
  Eigen::Vector3d moments = found.cwiseMax(0.0);
  const double lack = std::max(moments(2) - moments(0) - moments(1), 0.0);
  moments(0) += lack / 2;
  moments(1) += lack / 2;
  const Eigen::Matrix3d mended = solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
  return MendedInertia{{mended(0, 0), mended(1, 1), mended(2, 2), mended(1, 0), mended(2, 0), mended(2, 1)},
                       {found(0), found(1), found(2)},
                       {moments(0), moments(1), moments(2)}};
}

}  // namespace routh::internal
