#include "routh/dynamics/mass_factor.h"

#include <cmath>

namespace routh {

MassFactor::MassFactor(const Model& model) : paths_(model), rows_(paths_.dofs.size()) {}

// From the leaves to the root: row k is scaled by its pivot and taken out of all its ancestors' rows, which are as long
// as the piece of row k they meet.
int MassFactor::compute(const Workspace& workspace) {
  const std::size_t n = paths_.begin.size() - 1;
  const double* const M = workspace.mass_matrix.data();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = paths_.begin[k]; j < paths_.begin[k + 1]; ++j)
      rows_[j] = M[k * n + static_cast<std::size_t>(paths_.dofs[j])];
  for (std::size_t k = n; k-- > 0;) {
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    double* const row = rows_.data() + paths_.begin[k];
    const double pivot = row[last];
    if (!(pivot > 1e-14 * M[k * n + k]) || !std::isfinite(pivot)) return static_cast<int>(k);
    const double root = std::sqrt(pivot), inverse = 1 / root;
    row[last] = root;
    for (std::size_t j = 0; j < last; ++j) row[j] *= inverse;
    for (std::size_t i = 0; i < last; ++i) {
      double* const up = rows_.data() + paths_.begin[static_cast<std::size_t>(path[i])];
      const double amount = row[i];
      for (std::size_t j = 0; j <= i; ++j) up[j] -= amount * row[j];
    }
  }
  return -1;
}

// Lᵀ y = x, from the leaves: row k of L is column k of Lᵀ.
void MassFactor::half_solve(VectorView x) const {
  for (std::size_t k = paths_.begin.size() - 1; k-- > 0;) {
    double& own = x[static_cast<Eigen::Index>(k)];
    if (own == 0) continue;  // a force on one branch leaves the others alone
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = rows_.data() + paths_.begin[k];
    own /= row[last];
    for (std::size_t j = 0; j < last; ++j) x[path[j]] -= row[j] * own;
  }
}

void MassFactor::finish_solve(VectorView x) const {
  for (std::size_t k = 0; k + 1 < paths_.begin.size(); ++k) {
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = rows_.data() + paths_.begin[k];
    double& own = x[static_cast<Eigen::Index>(k)];
    for (std::size_t j = 0; j < last; ++j) own -= row[j] * x[path[j]];
    own /= row[last];
  }
}

void MassFactor::solve(VectorView x) const {
  half_solve(x);
  finish_solve(x);
}

void MassFactor::half_multiply(VectorView x) const {
  for (std::size_t k = 0; k + 1 < paths_.begin.size(); ++k) {
    const std::size_t last = paths_.size(k) - 1;
    const int* const path = paths_.path(k);
    const double* const row = rows_.data() + paths_.begin[k];
    const double own = x[static_cast<Eigen::Index>(k)];
    for (std::size_t j = 0; j < last; ++j) x[path[j]] += row[j] * own;
    x[static_cast<Eigen::Index>(k)] = row[last] * own;
  }
}

}  // namespace routh
