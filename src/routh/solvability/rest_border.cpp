#include "routh/solvability/rest_border.h"

#include <cmath>

#include "routh/math/dense_qr.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

class BorderSystem {
 public:
  BorderSystem(const RestForces& forces, const RestQuestion& question, double outside)
      : forces_(forces), scaled_(forces.scaled()), question_(question) {
    const RestForces::Fit fit = forces.nearest(question.friction(outside), question.load(outside));
    if (fit.shortfall == 0 || fit.force.size() == 0) return;
    const Eigen::VectorXd u = fit.motion.normalized(), w = forces.factor() * u;
    std::vector<double> start{outside};
    for (const double each : u) start.push_back(each);
    const double most = fit.force.lpNorm<Eigen::Infinity>();
    for (int c = 0; c < scaled_.count; ++c) {
      const double normal = fit.force[scaled_.row(c)];
      if (!(normal > tolerances::border_bears * most)) continue;
      const bool pivots = w.segment(scaled_.row(c), scaled_.rows).norm() <= tolerances::border_pivots;
      parts_.push_back({c, pivots});
      start.push_back(normal);
      for (int k = 1; pivots && k < scaled_.rows; ++k) start.push_back(fit.force[scaled_.row(c) + k]);
    }
    unknowns_ = Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size()));
  }

  bool empty() const { return parts_.empty(); }
  const Eigen::VectorXd& start() const { return unknowns_; }

  Eigen::VectorXd residual(const Eigen::VectorXd& z) const {
    const Eigen::Index rank = forces_.rank();
    const Eigen::VectorXd friction = question_.friction(z[0]), u = z.segment(1, rank), w = forces_.factor() * u;
    Eigen::VectorXd force = Eigen::VectorXd::Zero(w.size()), out(z.size());
    Eigen::Index from = 1 + rank, to = rank;
    for (const Part& part : parts_) {
      const int row = scaled_.row(part.contact);
      if (part.pivots) {
        force.segment(row, scaled_.rows) = z.segment(from, scaled_.rows);
        out.segment(to, scaled_.rows) = w.segment(row, scaled_.rows);
        from += scaled_.rows;
        to += scaled_.rows;
        continue;
      }
      const double mu = friction[part.contact];
      const auto slip = w.segment(row + 1, scaled_.rows - 1);
      force[row] = z[from];
      if (mu > 0) force.segment(row + 1, scaled_.rows - 1) = -mu * z[from] * slip.stableNormalized();
      out[to++] = w[row] - mu * slip.norm();
      ++from;
    }
    out.head(rank) = forces_.factor().transpose() * force + forces_.demand() + question_.load(z[0]);
    out[to] = u.squaredNorm() - 1;
    return out;
  }

  // Whether forces and motion are those of a border.
  bool admissible(const Eigen::VectorXd& z) const {
    const Eigen::VectorXd friction = question_.friction(z[0]);
    const double slack = tolerances::border_residual * (1 + z.lpNorm<Eigen::Infinity>());
    Eigen::Index from = 1 + forces_.rank();
    for (const Part& part : parts_) {
      if (!(z[from] >= -slack)) return false;
      if (part.pivots && !(z.segment(from + 1, scaled_.rows - 1).norm() <= friction[part.contact] * z[from] + slack))
        return false;
      from += part.pivots ? scaled_.rows : 1;
    }
    return true;
  }

 private:
  struct Part {
    int contact;
    bool pivots;
  };

  const RestForces& forces_;
  const mode_search::ScaledProblem& scaled_;
  const RestQuestion& question_;
  std::vector<Part> parts_;
  Eigen::VectorXd unknowns_;  // x, u, forces
};

// Steps with differences for slopes: each gains at least as many digits as these have.
Eigen::VectorXd border_step(const BorderSystem& system, const Eigen::VectorXd& z, const Eigen::VectorXd& residual) {
  Eigen::MatrixXd slopes(residual.size(), z.size());
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    const double step = tolerances::border_difference * (1 + std::abs(z[k]));
    Eigen::VectorXd beside = z;
    beside[k] += step;
    slopes.col(k) = (system.residual(beside) - residual) / step;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(tolerances::unit_column_rank);
  factor.compute(slopes);
  return -factor.solve(residual);
}

}  // namespace

std::optional<double> exact_border(const RestForces& forces, const RestQuestion& question, double near,
                                   double outside) {
  const BorderSystem system(forces, question, outside);
  if (system.empty()) return std::nullopt;
  Eigen::VectorXd z = system.start();
  for (int k = 0; k < tolerances::border_steps_max; ++k) {
    const Eigen::VectorXd residual = system.residual(z);
    const double size = 1 + z.tail(z.size() - 1).lpNorm<Eigen::Infinity>();
    if (!residual.allFinite()) return std::nullopt;
    if (residual.lpNorm<Eigen::Infinity>() <= tolerances::border_residual * size) {
      const bool close = std::abs(z[0] - near) <= tolerances::border_agreement * (std::abs(near) + std::abs(outside));
      return close && system.admissible(z) ? std::optional(z[0]) : std::nullopt;
    }
    z += border_step(system, z, residual);
  }
  return std::nullopt;
}

}  // namespace routh::internal
