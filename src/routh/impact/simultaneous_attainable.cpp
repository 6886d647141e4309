// The departure velocities that acting contacts can have together.
#include <cmath>

#include "routh/impact/simultaneous_set.h"
#include "routh/impact/tolerances.h"

namespace routh::internal {

namespace {

bool acts(const ActingSet& set, Eigen::Index j) { return set.normal[static_cast<std::size_t>(j)] != 0; }

bool strikes(const SimultaneousRows& rows, Eigen::Index j) {
  return rows.role[static_cast<std::size_t>(j)] == ContactRole::strikes;
}

bool twins(const SimultaneousRows& rows, Eigen::Index i, Eigen::Index j) {
  return std::abs(rows.restitution[i] - rows.restitution[j]) <= tolerances::same_row &&
         (rows.normal.col(i) - rows.normal.col(j)).norm() <= tolerances::same_row;
}

// The rows that hold exactly: resting contacts that act, and the tangents of those that stick.
Eigen::MatrixXd exact_columns(const SimultaneousRows& rows, const ActingSet& set) {
  std::vector<Eigen::Index> resting;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j)
    if (acts(set, j) && rows.role[static_cast<std::size_t>(j)] == ContactRole::rests) resting.push_back(j);
  const Eigen::MatrixXd sticking = sticking_columns(rows, set);
  Eigen::MatrixXd all(rows.size(), static_cast<Eigen::Index>(resting.size()) + sticking.cols());
  all << rows.normal(Eigen::all, resting), sticking;
  return all;
}

// Each striking contact that acts, with the first of its twins in its place.
struct Representatives {
  std::vector<Eigen::Index> distinct;
  std::vector<Eigen::Index> member;  // contact
  std::vector<Eigen::Index> place;   // of its representative in `distinct`
};

Representatives merge_twins(const SimultaneousRows& rows, const ActingSet& set) {
  Representatives merged;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j) {
    if (!acts(set, j) || !strikes(rows, j)) continue;
    std::size_t place = 0;
    while (place < merged.distinct.size() && !twins(rows, merged.distinct[place], j)) ++place;
    if (place == merged.distinct.size()) merged.distinct.push_back(j);
    merged.member.push_back(j);
    merged.place.push_back(static_cast<Eigen::Index>(place));
  }
  return merged;
}

// The orthogonal projection of g onto {Xᵀy}, which is (46) of [Aghili 2019] for the striking rows alone. Where that
// would press a contact together (its own restitution against that of others), the nearest with Xᵀy ≥ 0. With an
// orthonormal basis U of {Xᵀy} and φ = U c this is the projection of Uᵀg onto the cone U c ≥ 0: what is left of it
// after its projection onto the polar cone, {−Uᵀv, v ≥ 0}.
Eigen::VectorXd nearest_departure(const Eigen::MatrixXd& x, const Eigen::VectorXd& g) {
  Eigen::MatrixXd u = orthonormal_basis(x.transpose());
  for (Eigen::Index j = 0; j < u.rows(); ++j)
    if (u.row(j).norm() <= tolerances::simultaneous_rank)
      u.row(j).setZero();  // or its rounding would be taken for a direction
  const Eigen::VectorXd c = u.transpose() * g;
  const Eigen::VectorXd projected = u * c;
  if (projected.minCoeff() >= -tolerances::simultaneous_equal) return projected;
  return u * (c + u.transpose() * nonnegative_fit(-u.transpose(), c));
}

}  // namespace

Eigen::MatrixXd sticking_columns(const SimultaneousRows& rows, const ActingSet& set) {
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j)
    if (set.tangential[static_cast<std::size_t>(j)] != 0)
      for (int k = 0; k < rows.tangents; ++k) chosen.push_back(j * rows.tangents + k);
  return rows.tangential(Eigen::all, chosen);
}

Eigen::VectorXd attainable_departure(const SimultaneousRows& rows, const ActingSet& set) {
  Eigen::VectorXd g = rows.wanted;
  const Representatives merged = merge_twins(rows, set);
  if (merged.distinct.empty()) return g;
  const Eigen::MatrixXd x =
      project_off(orthonormal_basis(exact_columns(rows, set)), rows.normal(Eigen::all, merged.distinct));
  const Eigen::VectorXd wanted = rows.wanted(merged.distinct);
  const Eigen::VectorXd attained = nearest_departure(x, wanted);
  // Rules that can be met are met as stated, free of the rounding of the fit.
  if ((attained - wanted).cwiseAbs().maxCoeff() <= tolerances::simultaneous_equal) return g;
  for (std::size_t k = 0; k < merged.member.size(); ++k) g[merged.member[k]] = attained[merged.place[k]];
  return g;
}

}  // namespace routh::internal
