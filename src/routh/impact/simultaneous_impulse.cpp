// How the impulse is shared among contacts that depend on one another.

#include "routh/impact/simultaneous_set.h"
#include "routh/impact/tolerances.h"
#include "routh/math/dense_qr.h"
#include "routh/math/least_distance.h"

namespace routh::internal {

namespace {

struct SharedColumns {
  std::vector<Eigen::Index> normal;      // contacts whose normals are the first columns
  std::vector<Eigen::Index> tangential;  // columns of `rows.tangential` that follow
  Eigen::MatrixXd columns;
  Eigen::VectorXd least;  // multipliers of least norm
  Eigen::MatrixXd null;   // orthonormal basis of the multipliers without effect
};

SharedColumns collect(const SimultaneousRows& rows, const ActingState& state) {
  SharedColumns shared;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    if (state.set.normal[k] != 0) shared.normal.push_back(j);
    if (state.set.tangential[k] != 0)
      for (int t = 0; t < rows.tangents; ++t) shared.tangential.push_back(j * rows.tangents + t);
  }
  const auto normals = static_cast<Eigen::Index>(shared.normal.size());
  const auto tangents = static_cast<Eigen::Index>(shared.tangential.size());
  shared.columns.resize(rows.size(), normals + tangents);
  shared.columns << rows.normal(Eigen::all, shared.normal), rows.tangential(Eigen::all, shared.tangential);
  return shared;
}

// X Π = Q [T 0; 0 0] Z: X v = 0 for v = Π Zᵀ (0, w).
void factorise(const Eigen::VectorXd& impulse, SharedColumns& shared) {
  const Eigen::Index count = shared.columns.cols();
  shared.least = Eigen::VectorXd::Zero(count);
  shared.null = Eigen::MatrixXd::Identity(count, count);
  if (shared.columns.isZero(0)) return;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(tolerances::simultaneous_rank);
  factor.compute(shared.columns);
  shared.least = factor.solve(impulse);
  const Eigen::Index free = count - factor.rank();
  shared.null = factor.colsPermutation() * factor.matrixZ().transpose().rightCols(free).eval();
}

// The multipliers λ + N ν of least norm with non-negative normals; N ⟂ λ makes ν of least norm too. False where
// rounding leaves none.
bool make_nonnegative(SharedColumns& shared) {
  const auto normals = static_cast<Eigen::Index>(shared.normal.size());
  if (normals == 0 || shared.least.head(normals).minCoeff() >= -tolerances::simultaneous_equal) return true;
  std::vector<Eigen::Index> movable;
  for (Eigen::Index j = 0; j < normals; ++j)
    if (shared.null.row(j).norm() > tolerances::unique_multiplier_row) movable.push_back(j);
  const Eigen::MatrixXd a = shared.null(movable, Eigen::all);
  const Eigen::VectorXd b = -shared.least(movable);
  const LeastDistance nearest = least_distance(a, b);
  if (!nearest.exists) return false;
  shared.least += shared.null * nearest.point;
  return shared.least.head(normals).minCoeff() >= -tolerances::simultaneous_violation;
}

}  // namespace

void share_impulse(const SimultaneousRows& rows, const Eigen::VectorXd& support, ActingState& state) {
  SharedColumns shared = collect(rows, state);
  const auto normals = static_cast<Eigen::Index>(shared.normal.size());
  factorise(state.impulse, shared);
  state.normal = Eigen::VectorXd::Zero(rows.contacts());
  state.tangential = Eigen::VectorXd::Zero(rows.tangential.cols());
  if (make_nonnegative(shared)) {
    state.normal(shared.normal) = shared.least.head(normals).cwiseMax(0.0);
    state.tangential(shared.tangential) = shared.least.tail(shared.least.size() - normals);
  } else {
    state.normal = support;
    if (!shared.tangential.empty()) {
      const Eigen::MatrixXd sticking = rows.tangential(Eigen::all, shared.tangential);
      const Eigen::VectorXd rest = state.impulse - rows.normal * support;
      const Eigen::VectorXd held = sticking.completeOrthogonalDecomposition().solve(rest);
      state.tangential(shared.tangential) = held;
    }
  }
  state.normal_unique.assign(static_cast<std::size_t>(rows.contacts()), 1);
  state.tangential_unique = state.normal_unique;
  for (Eigen::Index i = 0; i < shared.columns.cols(); ++i) {
    if (shared.null.cols() == 0 || shared.null.row(i).norm() <= tolerances::unique_multiplier_row) continue;
    if (i < normals)
      state.normal_unique[static_cast<std::size_t>(shared.normal[static_cast<std::size_t>(i)])] = 0;
    else
      state.tangential_unique[static_cast<std::size_t>(shared.tangential[static_cast<std::size_t>(i - normals)] /
                                                       rows.tangents)] = 0;
  }
}

}  // namespace routh::internal
