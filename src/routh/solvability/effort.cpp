// The cone program by least distance. In x = (√price e, √ε λ), λ in units of its contact, the equations leave a
// subspace, the inequalities a polyhedron in it (cones in space by the planes that touch them, added where a cone is
// left), and least_distance its point nearest to x₀. The forces have no price of their own: x₀ follows the forces found
// (the proximal point method [Rockafellar 1976]), which with a small ε ends in a few rounds.
#include "routh/solvability/effort.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "routh/base/error.h"
#include "routh/math/dense_qr.h"
#include "routh/math/least_distance.h"
#include "routh/solvability/single_contact.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_efforts(const EffortProblem& problem, std::size_t aims) {
  const Eigen::Index rows = problem.contacts.count() * problem.contacts.rows(), efforts = problem.efforts();
  const auto fail = [](const std::string& what, const std::string& remedy) {
    throw InputError(Location{}, "efforts on contacts: " + what, remedy);
  };
  if (static_cast<int>(aims) != problem.contacts.count())
    fail(fmt::format("{} aims for {} contacts", aims, problem.contacts.count()), "give one for each contact");
  if (problem.contacts.inertia.rows() != rows || problem.contacts.inertia.cols() != rows ||
      problem.contacts.free_acceleration.size() != rows || problem.contacts.velocity.size() != rows)
    fail("D, f and the velocity do not fit the number of contacts", "each contact has 2 rows in the plane, 3 in space");
  if (problem.response.rows() != rows)
    fail(fmt::format("the response has {} rows, the contacts {}", problem.response.rows(), rows), "R = J M⁻¹ S");
  if (problem.lower.size() != efforts || problem.upper.size() != efforts || problem.price.size() != efforts)
    fail("limits and prices do not fit the number of efforts", "give one of each for each column of the response");
  if (!problem.response.allFinite() || !problem.contacts.inertia.allFinite() ||
      !problem.contacts.free_acceleration.allFinite() || !problem.contacts.velocity.allFinite())
    fail("a number is not finite", "check D, f, the velocity and the response");
  for (Eigen::Index k = 0; k < efforts; ++k) {
    if (!(problem.lower[k] <= problem.upper[k]) || problem.lower[k] == infinity || problem.upper[k] == -infinity)
      fail(fmt::format("limits {} to {} of effort {}", problem.lower[k], problem.upper[k], k + 1),
           "the lower must not exceed the upper");
    if (!(problem.price[k] > 0) || !std::isfinite(problem.price[k]))
      fail(fmt::format("price {} of effort {}", problem.price[k], k + 1), "prices are greater than 0 and finite");
  }
  if (!(problem.normal_force >= 0) || !std::isfinite(problem.normal_force))
    fail(fmt::format("least normal force {}", problem.normal_force), "must be finite and not negative");
  if (!(problem.reserve >= 0 && problem.reserve < 1))
    fail(fmt::format("reserve {} of friction", problem.reserve), "must lie in [0, 1)");
}

Eigen::VectorXd slip_direction(const ModesProblem& contacts, int contact) {
  const int row = contact * contacts.rows();
  const Eigen::VectorXd slip = contacts.velocity.segment(row + 1, contacts.rows() - 1);
  if (slip.isZero(0)) return {};
  return slip.stableNormalized();
}

double finite_friction(double coefficient) { return std::min(coefficient, widest_friction); }

// The program of one set of aims, scaled; solved for any target.
class Program {
 public:
  Program(const EffortProblem& in, std::span<const ContactAim> aims) : in_(in), aims_(aims) {
    scale();
    collect_forces();
    collect_equations();
    collect_inequalities();
  }

  // The point nearest to `target` among those that fulfil the aims.
  EffortAnswer nearest(const Eigen::VectorXd& target) {
    if (!consistent_) return {};
    const Eigen::Index efforts = in_.efforts(), forces = forces_.cols();
    Eigen::VectorXd centre(efforts + forces);
    centre << target.cwiseProduct(effort_unit_), Eigen::VectorXd::Zero(forces);
    Eigen::VectorXd start, x;
    for (int round = 0; round < tolerances::effort_rounds_max; ++round) {
      const Eigen::VectorXd begin = offset_ + null_ * (null_.transpose() * centre);
      const LeastDistance found = least_distance(matrix_ * null_, bound_ - matrix_ * begin, start);
      if (!found.exists) return {};
      start = found.active;
      const Eigen::VectorXd next = begin + null_ * found.point;
      const double moved = round == 0 ? infinity : (next - x).head(efforts).norm();
      x = next;
      const bool cut = add_cuts(x);
      if (!cut && moved <= tolerances::effort_settled * (1 + x.norm())) return answer(x);
      centre.tail(forces) = x.tail(forces);
    }
    return settled(x) ? answer(x) : EffortAnswer{};
  }

 private:
  int rows() const { return in_.contacts.rows(); }
  bool stays(int contact) const { return aims_[static_cast<std::size_t>(contact)] == ContactAim::stay; }

  // Contacts by their own D, efforts such that their responses are of order one in the metric of the prices, and all
  // by the largest acceleration there is.
  void scale() {
    const ModesProblem& contacts = in_.contacts;
    const Eigen::Index size = contacts.inertia.rows();
    contact_scale_ = Eigen::VectorXd::Ones(size);
    for (int c = 0; c < contacts.count(); ++c) {
      const double most = contacts.inertia.diagonal().segment(c * rows(), rows()).maxCoeff();
      if (most > 0) contact_scale_.segment(c * rows(), rows()).setConstant(1 / std::sqrt(most));
    }
    Eigen::VectorXd root = in_.price.cwiseSqrt();
    const Eigen::RowVectorXd per_price =
        (contact_scale_.asDiagonal() * in_.response * root.cwiseInverse().asDiagonal()).colwise().norm();
    const double strength = per_price.size() > 0 ? per_price.maxCoeff() : 0;
    // What is so dear that rounding would hide what it does counts as less dear: it is as good as unused either way.
    const double least = tolerances::effort_response_share * strength;
    for (Eigen::Index k = 0; k < root.size(); ++k)
      if (per_price[k] > 0 && per_price[k] < least) root[k] *= per_price[k] / least;
    double largest = contact_scale_.cwiseProduct(contacts.free_acceleration).lpNorm<Eigen::Infinity>();
    largest = std::max(largest, in_.normal_force / contact_scale_.maxCoeff());
    unit_ = largest > 0 ? largest : 1;
    effort_unit_ = root * ((strength > 0 ? strength : 1) / unit_);
  }

  // Unknown forces: a column for each of them, as forces at the contacts.
  void collect_forces() {
    std::vector<Eigen::VectorXd> columns;
    const Eigen::Index size = in_.contacts.inertia.rows();
    normal_column_.assign(static_cast<std::size_t>(in_.contacts.count()), -1);
    for (int c = 0; c < in_.contacts.count(); ++c) {
      if (!stays(c)) continue;
      const int row = c * rows();
      const double force_unit = unit_ * contact_scale_[row] / tolerances::effort_force_weight;
      normal_column_[static_cast<std::size_t>(c)] = static_cast<Eigen::Index>(columns.size());
      const Eigen::VectorXd slip = slip_direction(in_.contacts, c);
      columns.emplace_back(Eigen::VectorXd::Zero(size));
      columns.back()[row] = force_unit;
      if (slip.size() > 0) {
        const double friction = in_.contacts.friction[static_cast<std::size_t>(c)].kinetic_coefficient;
        columns.back().segment(row + 1, rows() - 1) = -finite_friction(friction) * force_unit * slip;
        continue;
      }
      for (int k = 1; k < rows(); ++k) {
        columns.emplace_back(Eigen::VectorXd::Zero(size));
        columns.back()[row + k] = force_unit;
      }
    }
    forces_.resize(size, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) forces_.col(static_cast<Eigen::Index>(k)) = columns[k];
  }

  bool slips(int contact) const { return slip_direction(in_.contacts, contact).size() > 0; }

  // Scaled accelerations of the contacts, as a matrix on x and a constant.
  void collect_equations() {
    const Eigen::Index size = in_.contacts.inertia.rows(), efforts = in_.efforts();
    response_.resize(size, efforts + forces_.cols());
    response_.leftCols(efforts) = in_.response * effort_unit_.cwiseInverse().asDiagonal();
    response_.rightCols(forces_.cols()) = in_.contacts.inertia * forces_;
    response_ = contact_scale_.asDiagonal() * response_ / unit_;
    free_ = contact_scale_.cwiseProduct(in_.contacts.free_acceleration) / unit_;
    std::vector<Eigen::Index> fixed;
    for (int c = 0; c < in_.contacts.count(); ++c) {
      if (!stays(c)) continue;
      for (int k = 0; k < (slips(c) ? 1 : rows()); ++k) fixed.push_back(c * rows() + k);
    }
    const Eigen::Index unknowns = response_.cols();
    offset_ = Eigen::VectorXd::Zero(unknowns);
    null_ = Eigen::MatrixXd::Identity(unknowns, unknowns);
    if (fixed.empty() || unknowns == 0) {
      consistent_ = fixed.empty() || free_(fixed).isZero(0);
      return;
    }
    const Eigen::MatrixXd equations = response_(fixed, Eigen::all);
    const Eigen::VectorXd demand = -free_(fixed);
    // Eᵀ P = Q [R; 0]: the last columns of Q are the space that the equations leave.
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(tolerances::unit_column_rank);
    qr.compute(equations.transpose());
    const Eigen::Index rank = qr.rank();
    const Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(unknowns, unknowns);
    null_ = q.rightCols(unknowns - rank);
    Eigen::VectorXd y = qr.colsPermutation().transpose() * demand;
    y.conservativeResize(rank);
    qr.matrixQR().topLeftCorner(rank, rank).transpose().triangularView<Eigen::Lower>().solveInPlace(y);
    offset_ = q.leftCols(rank) * y;
    consistent_ = (equations * offset_ - demand).lpNorm<Eigen::Infinity>() <= tolerances::mode_answer_relative;
  }

  void add_row(const Eigen::RowVectorXd& row, double bound) {
    matrix_.conservativeResize(matrix_.rows() + 1, row.size());
    matrix_.bottomRows(1) = row;
    bound_.conservativeResize(bound_.size() + 1);
    bound_[bound_.size() - 1] = bound;
  }

  void collect_inequalities() {
    const Eigen::Index efforts = in_.efforts(), unknowns = response_.cols();
    matrix_.resize(0, unknowns);
    for (Eigen::Index k = 0; k < efforts; ++k) {
      const Eigen::RowVectorXd unit = Eigen::RowVectorXd::Unit(unknowns, k);
      if (std::isfinite(in_.lower[k])) add_row(unit, in_.lower[k] * effort_unit_[k]);
      if (std::isfinite(in_.upper[k])) add_row(-unit, -in_.upper[k] * effort_unit_[k]);
    }
    for (int c = 0; c < in_.contacts.count(); ++c) {
      const int row = c * rows();
      if (!stays(c)) {
        const double least = in_.contacts.inertia(row, row) * in_.normal_force;
        add_row(response_.row(row), contact_scale_[row] * least / unit_ - free_[row]);
        continue;
      }
      const Eigen::Index normal = efforts + normal_column_[static_cast<std::size_t>(c)];
      add_row(Eigen::RowVectorXd::Unit(unknowns, normal), in_.normal_force / forces_(row, normal - efforts));
      if (slips(c)) continue;
      const double mu = static_friction(c);
      for (int k = 1; k < rows(); ++k)
        for (const double side : {1.0, -1.0}) {
          Eigen::RowVectorXd plane = mu * Eigen::RowVectorXd::Unit(unknowns, normal);
          plane[normal + k] = side;
          add_row(plane, 0);
        }
    }
  }

  double static_friction(int contact) const {
    const double mu = in_.contacts.friction[static_cast<std::size_t>(contact)].static_coefficient;
    return finite_friction(mu) * (1 - in_.reserve);
  }

  // By how much x leaves the cone of a contact that must stick, and the direction of its friction.
  std::optional<Eigen::VectorXd> outside(const Eigen::VectorXd& x, int contact, double slack) const {
    if (rows() < 3 || !stays(contact) || slips(contact)) return std::nullopt;
    const Eigen::Index normal = in_.efforts() + normal_column_[static_cast<std::size_t>(contact)];
    const Eigen::VectorXd tangent = x.segment(normal + 1, 2);
    const double mu = static_friction(contact), excess = tangent.norm() - mu * x[normal];
    if (excess <= slack * (1 + mu) * x.norm()) return std::nullopt;
    return tangent.stableNormalized();
  }

  bool settled(const Eigen::VectorXd& x) const {
    for (int c = 0; c < in_.contacts.count(); ++c)
      if (outside(x, c, tolerances::mode_answer_relative)) return false;
    return true;
  }

  bool add_cuts(const Eigen::VectorXd& x) {
    bool any = false;
    for (int c = 0; c < in_.contacts.count(); ++c) {
      const std::optional<Eigen::VectorXd> direction = outside(x, c, tolerances::effort_cone_relative);
      if (!direction) continue;
      any = true;
      const Eigen::Index normal = in_.efforts() + normal_column_[static_cast<std::size_t>(c)];
      Eigen::RowVectorXd plane = static_friction(c) * Eigen::RowVectorXd::Unit(x.size(), normal);
      plane.segment(normal + 1, 2) = -direction->transpose();
      add_row(plane, 0);
    }
    return any;
  }

  EffortAnswer answer(const Eigen::VectorXd& x) const {
    EffortAnswer out;
    out.exists = true;
    out.effort = x.head(in_.efforts()).cwiseQuotient(effort_unit_).cwiseMax(in_.lower).cwiseMin(in_.upper);
    out.cost = out.effort.cwiseProduct(in_.price.cwiseSqrt()).norm();
    out.force = forces_ * x.tail(forces_.cols());
    out.acceleration = in_.contacts.inertia * out.force + in_.contacts.free_acceleration + in_.response * out.effort;
    return out;
  }

  const EffortProblem& in_;
  std::span<const ContactAim> aims_;
  double unit_ = 1;
  Eigen::VectorXd contact_scale_, effort_unit_;
  Eigen::MatrixXd forces_;
  std::vector<Eigen::Index> normal_column_;  // of each contact that stays, in `forces_`
  Eigen::MatrixXd response_, null_, matrix_;
  Eigen::VectorXd free_, offset_, bound_;
  bool consistent_ = true;
};

EffortProblem alone(const EffortProblem& problem, Eigen::Index effort) {
  EffortProblem one = problem;
  one.response = problem.response.col(effort);
  one.lower = problem.lower.segment(effort, 1);
  one.upper = problem.upper.segment(effort, 1);
  one.price = Eigen::VectorXd::Ones(1);
  return one;
}

// One end of a range: what is nearest to a target beyond it. `unit`: of the effort.
double range_end(Program& program, double inside, double step) {
  for (double reach = step; std::abs(reach) <= tolerances::rest_load_max * std::abs(step);
       reach *= tolerances::effort_reach_growth) {
    const double target = inside + reach;
    const EffortAnswer found = program.nearest(Eigen::VectorXd::Constant(1, target));
    if (!found.exists) return inside;
    if (std::abs(found.effort[0] - target) > tolerances::effort_reached * std::abs(reach)) return found.effort[0];
  }
  return step > 0 ? infinity : -infinity;
}

}  // namespace

EffortAnswer least_effort(const EffortProblem& problem, std::span<const ContactAim> aims) {
  check_efforts(problem, aims.size());
  return Program(problem, aims).nearest(Eigen::VectorXd::Zero(problem.efforts()));
}

EffortChoice least_effort_of_any(const EffortProblem& problem) {
  const int count = problem.contacts.count();
  EffortChoice best;
  if (count > enumerated_aims) return best;
  std::vector<ContactAim> aims(static_cast<std::size_t>(count));
  for (unsigned mask = 0; mask < (1u << static_cast<unsigned>(count)); ++mask) {
    for (std::size_t c = 0; c < aims.size(); ++c) aims[c] = (mask >> c) & 1u ? ContactAim::open : ContactAim::stay;
    EffortAnswer found = least_effort(problem, aims);
    if (found.exists && (!best.answer.exists || found.cost < best.answer.cost)) best = {std::move(found), aims};
  }
  return best;
}

EffortRange effort_range(const EffortProblem& problem, std::span<const ContactAim> aims, Eigen::Index effort) {
  check_efforts(problem, aims.size());
  const EffortProblem one = alone(problem, effort);
  Program program(one, aims);
  const EffortAnswer nearest = program.nearest(Eigen::VectorXd::Zero(1));
  if (!nearest.exists) return {};
  const double from = nearest.effort[0];
  // As much as moves the contacts like everything that acts on them; it is only where the search begins.
  const double strength = one.response.norm();
  if (strength == 0) return {true, one.lower[0], one.upper[0]};
  const double free = std::max(one.contacts.free_acceleration.norm(), one.normal_force * one.contacts.inertia.norm());
  const double step = (free > 0 ? free : 1) / strength;
  return {true, range_end(program, from, -step), range_end(program, from, step)};
}

bool effort_fulfils(const EffortProblem& problem, std::span<const ContactAim> aims, const Eigen::VectorXd& effort) {
  EffortProblem fixed = problem;
  fixed.contacts = with_effort(problem, effort);
  fixed.response.resize(problem.response.rows(), 0);
  fixed.lower.resize(0);
  fixed.upper.resize(0);
  fixed.price.resize(0);
  const bool within =
      (effort.array() >= problem.lower.array()).all() && (effort.array() <= problem.upper.array()).all();
  return within && least_effort(fixed, aims).exists;
}

ModesProblem with_effort(const EffortProblem& problem, const Eigen::VectorXd& effort) {
  if (effort.size() != problem.efforts())
    throw InputError(Location{}, fmt::format("{} efforts were given, there are {}", effort.size(), problem.efforts()),
                     "give one for each column of the response");
  ModesProblem moved = problem.contacts;
  moved.free_acceleration += problem.response * effort;
  return moved;
}

}  // namespace routh
