// The force of a combination of modes. Where K is singular, forces are λ₀ + F z with λ₀ of least norm and F the null
// forces, and z is the point nearest to the origin that keeps the inequalities:
//   λ_n ≥ 0;  sticking |λ_t| ≤ μ_s λ_n;  v̇_n ≥ 0 of a free contact;  σᵀv̇_t ≥ 0 where slip begins.
// In space the cone of a sticking contact is approached from outside: μ_s λ_n − dᵀλ_t ≥ 0 for more and more directions
// d, each the direction in which the last point left the cone.

#include "routh/math/least_distance.h"
#include "routh/solvability/mode_system.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal::mode_search {

namespace {

class Inequalities {
 public:
  Inequalities(const ScaledProblem& problem, const Eigen::VectorXd& force, const Eigen::MatrixXd& freedom)
      : problem_(problem),
        force_(force),
        freedom_(freedom),
        slack_(tolerances::mode_relaxation_relative * size_of(force, force)) {}

  void keep_normal(int contact) { add(Eigen::VectorXd::Unit(force_.size(), problem_.row(contact)), 0); }

  void keep_cone(int contact, const Eigen::Vector2d& d) {
    Eigen::VectorXd form = Eigen::VectorXd::Zero(force_.size());
    form[problem_.row(contact)] = problem_.static_friction(contact);
    for (int k = 1; k < problem_.rows; ++k) form[problem_.row(contact) + k] = -d[k - 1];
    add(form, 0);
  }

  void keep_acceleration(int contact, double normal, const Eigen::Vector2d& tangential) {
    const int row = problem_.row(contact);
    Eigen::VectorXd form = normal * problem_.inertia.row(row).transpose();
    double constant = normal * problem_.free_acceleration[row];
    for (int k = 1; k < problem_.rows; ++k) {
      form += tangential[k - 1] * problem_.inertia.row(row + k).transpose();
      constant += tangential[k - 1] * problem_.free_acceleration[row + k];
    }
    add(form, constant);
  }

  // `start`: `active` of the last answer, before rows were added.
  LeastDistance solve(const Eigen::VectorXd& start) const {
    const Eigen::Index count = static_cast<Eigen::Index>(bounds_.size());
    Eigen::MatrixXd a(count, freedom_.cols());
    Eigen::VectorXd b(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      a.row(i) = rows_[static_cast<std::size_t>(i)];
      b[i] = bounds_[static_cast<std::size_t>(i)];
    }
    return least_distance(a, b, start);
  }

 private:
  // formᵀ(λ₀ + F z) + constant ≥ 0. What z cannot change is left to the final test.
  void add(const Eigen::VectorXd& form, double constant) {
    const Eigen::RowVectorXd row = form.transpose() * freedom_;
    if (row.norm() <= tolerances::unit_column_rank * form.norm()) return;
    rows_.push_back(row);
    bounds_.push_back(-form.dot(force_) - constant - slack_ * form.norm());
  }

  const ScaledProblem& problem_;
  const Eigen::VectorXd& force_;
  const Eigen::MatrixXd& freedom_;
  double slack_;
  std::vector<Eigen::RowVectorXd> rows_;
  std::vector<double> bounds_;
};

Inequalities first_inequalities(const ScaledProblem& problem, const Combination& combination,
                                const Eigen::VectorXd& force, const Eigen::MatrixXd& freedom) {
  Inequalities inequalities(problem, force, freedom);
  const bool planar = problem.dimension == Dimension::planar;
  for (int c = 0; c < problem.count; ++c) {
    switch (combination.mode(c)) {
      case ContactMode::free:
        inequalities.keep_acceleration(c, 1, Eigen::Vector2d::Zero());
        break;
      case ContactMode::stick:
        inequalities.keep_normal(c);
        // A cone of some width starts with the cut where the least force is outside.
        if (!planar && problem.static_friction(c) > 0) break;
        for (const double side : {1.0, -1.0}) {
          inequalities.keep_cone(c, side * Eigen::Vector2d::UnitX());
          if (!planar) inequalities.keep_cone(c, side * Eigen::Vector2d::UnitY());
        }
        break;
      case ContactMode::slip:
        inequalities.keep_normal(c);
        if (!problem.slips(c) && problem.kinetic_friction(c) > 0)
          inequalities.keep_acceleration(c, 0, combination.sigma(c));
        break;
    }
  }
  return inequalities;
}

// Cuts off the point where it is outside a cone. False: it is inside all of them.
bool cut_cones(const ScaledProblem& problem, const Combination& combination, const Eigen::VectorXd& force,
               Inequalities& inequalities) {
  const double tolerance = tolerances::mode_cut_relative * size_of(force, force);
  bool cut = false;
  if (problem.dimension == Dimension::planar) return cut;
  for (int c = 0; c < problem.count; ++c) {
    if (combination.mode(c) != ContactMode::stick) continue;
    const Eigen::Vector2d friction = problem.tangent(force, c);
    const double mu = problem.static_friction(c), length = friction.norm();
    if (length <= mu * force[problem.row(c)] + tolerance * (1 + mu)) continue;
    inequalities.keep_cone(c, friction / length);
    cut = true;
  }
  return cut;
}

// Forces that pull within rounding do not pull.
void clean(const ScaledProblem& problem, Candidate& candidate) {
  for (int c = 0; c < problem.count; ++c) {
    const int row = problem.row(c);
    if (candidate.force[row] < 0) candidate.force.segment(row, problem.rows).setZero();
  }
}

bool accept(const ScaledProblem& problem, Candidate& candidate, const Eigen::VectorXd& force) {
  candidate.force = force;
  candidate.acceleration = problem.inertia * force + problem.free_acceleration;
  if (!holds(problem, candidate)) return false;
  Candidate cleaned = candidate;
  clean(problem, cleaned);
  cleaned.acceleration = problem.inertia * cleaned.force + problem.free_acceleration;
  if (holds(problem, cleaned)) candidate = cleaned;
  return true;
}

// Whether a free contact closes whatever force of the set acts: then nothing needs to be searched.
bool closes_anyway(const ScaledProblem& problem, const Candidate& candidate, const Eigen::MatrixXd& freedom) {
  const double tolerance = tolerances::mode_answer_relative * size_of(candidate.force, candidate.acceleration);
  for (int c = 0; c < problem.count; ++c) {
    const int row = problem.row(c);
    if (candidate.combination.mode(c) != ContactMode::free || candidate.acceleration[row] >= -tolerance) continue;
    if ((problem.inertia.row(row) * freedom).norm() <= tolerances::unit_column_rank * freedom.norm()) return true;
  }
  return false;
}

}  // namespace

Eigen::MatrixXd judge_uniqueness(const ScaledProblem& problem, const ModeSystem& system, Candidate& candidate) {
  candidate.force_unique = system.freedom() == 0;
  if (candidate.force_unique) return {};
  const Eigen::MatrixXd freedom = system.null_forces();
  candidate.acceleration_unique =
      (problem.inertia * freedom).norm() <= tolerances::mode_answer_relative * freedom.norm();
  return freedom;
}

std::optional<Candidate> allowed_force(const ScaledProblem& problem, const Combination& combination) {
  const ModeSystem system(problem, combination);
  Candidate candidate;
  candidate.combination = combination;
  const Eigen::MatrixXd freedom = judge_uniqueness(problem, system, candidate);
  const Eigen::VectorXd least = system.least_force(freedom);
  if (!least.allFinite() || !system.fulfils(least)) return std::nullopt;
  if (candidate.force_unique) {
    if (accept(problem, candidate, least)) return candidate;
    return std::nullopt;
  }
  if (accept(problem, candidate, least)) return candidate;
  if (closes_anyway(problem, candidate, freedom)) return std::nullopt;
  Inequalities inequalities = first_inequalities(problem, combination, least, freedom);
  cut_cones(problem, combination, least, inequalities);
  LeastDistance nearest;
  for (int round = 0; round < tolerances::cone_cut_rounds_max; ++round) {
    nearest = inequalities.solve(nearest.active);
    if (!nearest.exists) return std::nullopt;
    const Eigen::VectorXd force = least + freedom * nearest.point;
    if (cut_cones(problem, combination, force, inequalities)) continue;
    if (accept(problem, candidate, force)) return candidate;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace routh::internal::mode_search
