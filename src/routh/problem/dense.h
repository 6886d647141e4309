// Tables and lists of numbers in problem files, seen as matrices and vectors: nothing is copied.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "routh/problem/problem_file.h"

namespace routh::internal {

inline auto dense(const NumberTable& table) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(table.values.data(), table.rows, table.columns);
}

inline auto dense(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace routh::internal
