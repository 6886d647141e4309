#include "routh/solvability/rest_forces.h"

#include <algorithm>
#include <cmath>

#include "routh/math/least_distance.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

// The forces that the fit may use, one for each column: edges of the cones.
class Edges {
 public:
  Edges(const mode_search::ScaledProblem& problem, const Eigen::MatrixXd& factor, const Eigen::VectorXd& friction)
      : problem_(problem), factor_(factor), friction_(friction) {
    for (int c = 0; c < problem.count; ++c) {
      const double mu = friction[c];
      if (mu == 0 || std::isinf(mu)) add(c, 1, Eigen::Vector2d::Zero());
      if (mu == 0) continue;
      for (int axis = 0; axis < problem.rows - 1; ++axis)
        for (const double side : {1.0, -1.0}) add_edge(c, side * Eigen::Vector2d::Unit(axis));
    }
    permanent_ = columns_.size();
  }

  // Adds the edges that would shorten u most, and those in whose direction friction acts already: the sum of several
  // edges of a cone lies inside it, and outwards there is more. False: nothing would shorten u.
  bool refine(const Eigen::VectorXd& u, const Eigen::VectorXd& coefficients) {
    if (problem_.dimension == Dimension::planar) return false;
    const Eigen::VectorXd w = factor_ * u;
    const Eigen::VectorXd sums = force(coefficients);
    std::vector<std::pair<int, Eigen::Vector2d>> missing;
    bool improves = false;
    for (int c = 0; c < problem_.count; ++c) {
      const double mu = friction_[c];
      if (mu == 0 || std::isinf(mu)) continue;
      const Eigen::Vector2d slip = problem_.tangent(w, c), friction = problem_.tangent(sums, c);
      if (!(w[problem_.row(c)] - mu * slip.norm() < -tolerances::rest_edge_relative * (1 + mu) * u.norm())) continue;
      improves = true;
      missing.emplace_back(c, -slip.normalized());
      if (friction.norm() > 0) missing.emplace_back(c, friction.normalized());
    }
    start_ = coefficients;
    if (static_cast<int>(forces_.size()) > tolerances::rest_edges_per_contact * problem_.count)
      drop_unused(coefficients);
    for (const auto& [contact, direction] : missing) add_edge(contact, direction);
    return improves;
  }

  Eigen::MatrixXd columns() const {
    Eigen::MatrixXd all(factor_.cols(), static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t k = 0; k < columns_.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = columns_[k];
    return all;
  }

  // The forces at the contacts.
  Eigen::VectorXd force(const Eigen::VectorXd& coefficients) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(factor_.rows());
    for (std::size_t k = 0; k < forces_.size(); ++k)
      sum.segment(problem_.row(forces_[k].contact), problem_.rows) +=
          coefficients[static_cast<Eigen::Index>(k)] * forces_[k].force.head(problem_.rows);
    return sum;
  }

  // The coefficients of the edges that were not dropped.
  const Eigen::VectorXd& start() const { return start_; }

 private:
  void add(int contact, double normal, const Eigen::Vector2d& tangent) {
    const int row = problem_.row(contact);
    Eigen::VectorXd column = normal * factor_.row(row).transpose();
    for (int k = 1; k < problem_.rows; ++k) column += tangent[k - 1] * factor_.row(row + k).transpose();
    columns_.push_back(std::move(column));
    forces_.push_back({contact, {normal, tangent.x(), tangent.y()}});
  }

  void add_edge(int contact, const Eigen::Vector2d& direction) {
    const double mu = friction_[contact];
    if (std::isinf(mu)) return add(contact, 0, direction);
    // Of about unit length, whatever the friction.
    const double unit = std::max(1.0, mu);
    add(contact, 1 / unit, mu / unit * direction);
  }

  void drop_unused(const Eigen::VectorXd& coefficients) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const double value = coefficients[static_cast<Eigen::Index>(k)];
      if (k >= permanent_ && !(value > 0)) continue;
      start_[static_cast<Eigen::Index>(kept)] = value;
      if (kept != k) {
        columns_[kept] = std::move(columns_[k]);
        forces_[kept] = forces_[k];
      }
      ++kept;
    }
    columns_.resize(kept);
    forces_.resize(kept);
    start_.conservativeResize(static_cast<Eigen::Index>(kept));
  }

  struct Edge {
    int contact = 0;
    Eigen::Vector3d force;  // normal, tangential
  };

  const mode_search::ScaledProblem& problem_;
  const Eigen::MatrixXd& factor_;
  const Eigen::VectorXd& friction_;
  std::vector<Eigen::VectorXd> columns_;  // Λᵀ of each force
  std::vector<Edge> forces_;
  std::size_t permanent_ = 0;
  Eigen::VectorXd start_;
};

}  // namespace

// D̃ = Λ Λᵀ by Cholesky's method with pivots; what is left of a diagonal below a bound is rounding.
RestForces::RestForces(const ModesProblem& problem) : problem_(mode_search::scale_problem(problem)) {
  const Eigen::MatrixXd& d = problem_.inertia;
  const Eigen::Index size = d.rows();
  factor_.resize(size, size);
  Eigen::VectorXd left = d.diagonal();
  Eigen::Index rank = 0;
  for (; rank < size; ++rank) {
    Eigen::Index pivot = 0;
    if (!(left.maxCoeff(&pivot) > tolerances::rest_rank)) break;
    auto column = factor_.col(rank);
    // D of bare problems may be slightly unsymmetric.
    column = 0.5 * (d.col(pivot) + d.row(pivot).transpose());
    for (Eigen::Index j = 0; j < rank; ++j) column -= factor_(pivot, j) * factor_.col(j);
    column /= std::sqrt(left[pivot]);
    left -= column.cwiseAbs2();
    left[pivot] = 0;
    pivots_.push_back(pivot);
  }
  factor_.conservativeResize(size, rank);
  for (std::size_t k = 0; k < pivots_.size(); ++k)
    for (Eigen::Index j = static_cast<Eigen::Index>(k) + 1; j < rank; ++j) factor_(pivots_[k], j) = 0;
  p_ = solve(problem_.free_acceleration);
  reachable_ = size == 0 || (factor_ * p_ - problem_.free_acceleration).lpNorm<Eigen::Infinity>() <=
                                tolerances::mode_answer_relative;
}

// The rows of the pivots are triangular.
Eigen::VectorXd RestForces::solve(const Eigen::VectorXd& scaled) const {
  Eigen::VectorXd x(factor_.cols());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const Eigen::Index row = pivots_[static_cast<std::size_t>(k)];
    x[k] = (scaled[row] - factor_.row(row).head(k).dot(x.head(k))) / factor_(row, k);
  }
  return x;
}

Eigen::VectorXd RestForces::load_of(const Eigen::VectorXd& acceleration) const {
  Eigen::VectorXd scaled = acceleration / problem_.unit;
  for (int c = 0; c < problem_.count; ++c) scaled.segment(problem_.row(c), problem_.rows) *= problem_.scale[c];
  return solve(scaled);
}

RestForces::Fit RestForces::fit(const Eigen::VectorXd& friction, const Eigen::VectorXd& load,
                                const Eigen::VectorXd* free) const {
  Fit best;
  const Eigen::VectorXd demand = -(p_ + load);
  const double size = p_.norm() + load.norm();  // their sum may be rounding
  if (demand.isZero(0)) return best;            // nothing to hold
  Edges edges(problem_, factor_, friction);
  const Eigen::Index extra = free ? 2 : 0;
  Eigen::VectorXd start;
  for (int round = 0; round < tolerances::rest_rounds_max; ++round) {
    const Eigen::MatrixXd forces = edges.columns();
    Eigen::MatrixXd columns(rank(), forces.cols() + extra);
    columns.rightCols(forces.cols()) = forces;
    if (free) columns.leftCols(2) << *free, -*free;
    const NonnegativeFit found = nonnegative_least_squares(columns, demand, start);
    const Eigen::VectorXd& u = best.motion = -found.residual;
    best.force = edges.force(found.coefficients.tail(forces.cols()));
    best.shortfall = u.norm();
    if (free) best.multiple = found.coefficients[0] - found.coefficients[1];
    const double rounding =
        tolerances::rest_shortfall * size + tolerances::rest_shortfall_of_force * found.coefficients.norm();
    if (best.shortfall <= rounding) {
      best.shortfall = 0;
      return best;
    }
    if (!edges.refine(u, found.coefficients.tail(forces.cols()))) return best;
    start.resize(extra + edges.start().size());
    start << found.coefficients.head(extra), edges.start();
  }
  return best;
}

double RestForces::shortfall(const Eigen::VectorXd& friction, const Eigen::VectorXd& load) const {
  return fit(friction, load, nullptr).shortfall;
}

double RestForces::best_multiple(const Eigen::VectorXd& friction, const Eigen::VectorXd& load) const {
  return fit(friction, Eigen::VectorXd::Zero(rank()), &load).multiple;
}

bool RestForces::holds_any_load(const Eigen::VectorXd& friction) const {
  for (int axis = 0; axis < rank(); ++axis)
    for (const double side : {1.0, -1.0})
      if (shortfall(friction, side * Eigen::VectorXd::Unit(rank(), axis) - p_) > 0) return false;
  return true;
}

}  // namespace routh::internal
