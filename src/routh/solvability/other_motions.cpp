#include "routh/solvability/other_motions.h"

#include <algorithm>
#include <limits>

#include "routh/math/bracket.h"
#include "routh/math/least_distance.h"
#include "routh/solvability/motion_starts.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

using mode_search::Candidate;
using mode_search::Combination;
using mode_search::ScaledProblem;

// Which modes of the first contacts some motion of the machine can have.
class Kinematics {
 public:
  explicit Kinematics(const ScaledProblem& problem) : problem_(problem) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(tolerances::unit_column_rank);
    qr.compute(problem.inertia);
    range_ = Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
  }

  bool possible(const Combination& combination, int contacts) const {
    Eigen::MatrixXd held(0, range_.cols()), moving = held;
    const auto add = [](Eigen::MatrixXd& rows, const Eigen::RowVectorXd& row) {
      rows.conservativeResize(rows.rows() + 1, row.size());
      rows.bottomRows(1) = row;
    };
    for (int c = 0; c < contacts; ++c) {
      const int row = problem_.row(c);
      const ContactMode mode = combination.mode(c);
      add(mode == ContactMode::free ? moving : held, range_.row(row));
      if (mode == ContactMode::stick) add(held, range_.row(row + 1));
      if (mode == ContactMode::slip) add(moving, combination.sigma(c)[0] * range_.row(row + 1));
    }
    const Eigen::MatrixXd free = null_space(held);
    const Eigen::MatrixXd demands = moving * free;
    // A row that cannot move cannot open or slip.
    for (Eigen::Index i = 0; i < demands.rows(); ++i)
      if (demands.row(i).norm() <= tolerances::unit_column_rank * std::max(1.0, moving.row(i).norm())) return false;
    if (demands.rows() == 0) return true;
    return least_distance(demands, Eigen::VectorXd::Ones(demands.rows())).exists;
  }

 private:
  Eigen::MatrixXd null_space(const Eigen::MatrixXd& rows) const {
    const Eigen::Index size = range_.cols();
    if (rows.rows() == 0) return Eigen::MatrixXd::Identity(size, size);
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(tolerances::unit_column_rank);
    qr.compute(rows.transpose());
    return Eigen::MatrixXd(qr.householderQ()).rightCols(size - qr.rank());
  }

  const ScaledProblem& problem_;
  Eigen::MatrixXd range_;
};

bool rests(const Combination& combination) {
  return std::all_of(combination.modes.begin(), combination.modes.end(),
                     [](ContactMode mode) { return mode == ContactMode::stick; });
}

// Contact after contact; nothing where there are too many.
std::optional<std::vector<Combination>> possible_combinations(const ScaledProblem& problem) {
  const Kinematics kinematics(problem);
  std::vector<Combination> all{mode_search::all_free(problem)};
  const std::pair<ContactMode, Eigen::Vector2d> choices[] = {{ContactMode::free, Eigen::Vector2d::UnitX()},
                                                             {ContactMode::stick, Eigen::Vector2d::UnitX()},
                                                             {ContactMode::slip, Eigen::Vector2d::UnitX()},
                                                             {ContactMode::slip, -Eigen::Vector2d::UnitX()}};
  for (int c = 0; c < problem.count; ++c) {
    std::vector<Combination> longer;
    for (const Combination& combination : all)
      for (const auto& [mode, direction] : choices) {
        Combination next = combination;
        set_mode(problem, next, c, mode, direction);
        if (kinematics.possible(next, c + 1)) longer.push_back(std::move(next));
      }
    if (longer.size() > tolerances::motion_combinations_max) return std::nullopt;
    all = std::move(longer);
  }
  std::erase_if(all, rests);
  return all;
}

double greatest(const std::vector<Friction>& friction) {
  double most = 0;
  for (const Friction& f : friction) most = std::max(most, f.static_coefficient);
  return most;
}

}  // namespace

OtherMotions::OtherMotions(const ModesProblem& problem) : given_(problem) {
  given_.velocity.setZero();
  problem_ = mode_search::scale_problem(given_);
  if (problem_.dimension == Dimension::spatial) {
    searched_ = problem_.count > enumerated_spatial;
    return;
  }
  std::optional<std::vector<Combination>> all = possible_combinations(problem_);
  known_ = all.has_value();
  if (all) possible_ = std::move(*all);
}

double OtherMotions::motion_size(const std::vector<Friction>& friction, const Combination& combination) const {
  ScaledProblem problem = problem_;
  problem.friction = friction;
  Combination settled = combination;
  std::optional<Candidate> found;
  if (settle_directions(problem, settled)) found = allowed_force(problem, settled);
  const double size =
      found ? found->acceleration.lpNorm<Eigen::Infinity>() / mode_search::size_of(found->force, found->acceleration)
            : 0;
  if (size > tolerances::motion_least || !searched_) return size;
  return MotionStarts(problem).size_from(combination);  // others may take its place
}

std::vector<Combination> OtherMotions::with(const std::vector<Friction>& friction) const {
  std::vector<Combination> found;
  if (problem_.dimension == Dimension::planar) {
    for (const Combination& combination : possible_)
      if (motion_size(friction, combination) > tolerances::motion_least) found.push_back(combination);
    return found;
  }
  if (searched_) {
    ScaledProblem problem = problem_;
    problem.friction = friction;
    return MotionStarts(problem).all();
  }
  ModesProblem problem = given_;
  problem.friction = friction;
  for (const ModesSolution& solution : examine_modes(problem).solutions) {
    Combination combination = mode_search::all_free(problem_);
    for (int c = 0; c < problem_.count; ++c)
      set_mode(problem_, combination, c, solution.modes[static_cast<std::size_t>(c)],
               problem_.tangent(solution.acceleration, c).stableNormalized());
    if (!rests(combination) && motion_size(friction, combination) > tolerances::motion_least)
      found.push_back(std::move(combination));
  }
  return found;
}

// Towards its end a motion fades in proportion to what is left; where it does not, it ends with its forces.
double OtherMotions::border(double with, double without, const Coefficients& friction,
                            const Combination& combination) const {
  const auto size_at = [&](double s) { return motion_size(friction(s), combination); };
  const auto moves = [&](double s) { return size_at(s) > tolerances::motion_least; };
  const double end = bisect({with, without}, tolerances::motion_bisections, moves).low;
  const double last = size_at(end), step = tolerances::motion_slope_step * (with - without);
  const double slope = (size_at(end + step) - last) / step;  // along s, away from the border
  if (!(last < tolerances::motion_fading) || slope == 0) return end;
  // The place as a parabola of the size, through three sizes, at size zero.
  const double back = last / slope, m1 = size_at(end + back), m2 = size_at(end + 2 * back);
  if (!(back * step > 0) || !(m1 > last) || !(m2 > m1)) return end;
  const double first = back / (m1 - last), second = (back / (m2 - m1) - first) / (m2 - last);
  return end - last * first + last * m1 * second;
}

std::vector<MotionRange> OtherMotions::ranges(const Coefficients& friction, double rest_from) const {
  const bool planar = problem_.dimension == Dimension::planar;
  const double ratio = planar ? tolerances::motion_ratio_planar : tolerances::motion_ratio_spatial;
  const double first =
      !planar && rest_from > 0 ? tolerances::motion_first_share * rest_from : tolerances::motion_friction_first;
  std::vector<MotionRange> found;
  std::vector<Combination> last;
  double before = 0;
  for (double s = 0; greatest(friction(before)) < tolerances::motion_friction_max; s = s == 0 ? first : s * ratio) {
    if (s == 0 && !planar) continue;
    std::vector<Combination> here = with(friction(s));
    if (!here.empty() && last.empty()) {
      double from = before == 0 && s <= rest_from ? 0 : s;
      if (from > 0)
        for (const Combination& combination : here) from = std::min(from, border(s, before, friction, combination));
      if (from < tolerances::motion_least * s) from = 0;
      found.push_back({from, std::numeric_limits<double>::infinity()});
    }
    if (here.empty() && !last.empty()) {
      found.back().to = before;
      for (const Combination& combination : last)
        found.back().to = std::max(found.back().to, border(before, s, friction, combination));
    }
    last = std::move(here);
    before = s;
    // Nothing has friction: all s are the same.
    if (s > tolerances::motion_friction_max * tolerances::motion_friction_max) break;
  }
  return found;
}

}  // namespace routh::internal
