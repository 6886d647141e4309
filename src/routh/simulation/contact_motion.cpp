#include "routh/simulation/contact_motion.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/march/run_rule.h"
#include "routh/math/column_space.h"
#include "routh/math/dense_qr.h"
#include "routh/math/gram_factor.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

// Nothing that acts needs to know where bodies are.
bool moves_freely(const Model& model) { return model.loop_rows == 0 && model.springs.empty() && model.forces.empty(); }

}  // namespace

// The system for the forces, sized when the modes change.
struct ContactMotion::Solver {
  std::vector<Eigen::Index> rows;  // of D, that are held
  Eigen::MatrixXd directions;      // unknown → force: columns of G
  Eigen::MatrixXd matrix;          // H D G, scaled
  Eigen::VectorXd right, unknown, scale, half;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  Eigen::LLT<Eigen::MatrixXd> cholesky;
  std::unique_ptr<GramFactor> gram;    // made when rows first depend on one another
  std::unique_ptr<ColumnSpace> space;  // made when they first do so beyond what D shows
  bool frictional = false;             // some contact slips with friction
};

ContactMotion::ContactMotion(const Model& model)
    : dynamics_(model), rows_(contact_rows(model)), acceleration_(Eigen::VectorXd::Zero(model.velocities)) {
  hold({});
}
ContactMotion::~ContactMotion() = default;
ContactMotion::ContactMotion(ContactMotion&&) noexcept = default;

void ContactMotion::hold(std::vector<HeldContact> contacts) {
  if (solver_ && held_.empty() && contacts.empty()) return;
  computed_ = false;
  held_ = std::move(contacts);
  contacts_.assign(held_.size(), Contact{});
  const Eigen::Index size = rows_ * static_cast<Eigen::Index>(held_.size());
  for (Eigen::VectorXd* const each : {&velocity_, &force_}) each->setZero(size);
  system_.resize(acceleration_.size(), size);
  if (!solver_) solver_ = std::make_unique<Solver>();
  const std::size_t rows_before = solver_->rows.size();
  solver_->rows.clear();
  solver_->frictional = false;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Eigen::Index first = rows_ * static_cast<Eigen::Index>(i);
    const bool limit = held_[i].id.pair < 0;
    const Eigen::Index count = held_[i].mode == ContactMode::stick && !limit ? rows_ : 1;
    for (Eigen::Index r = 0; r < count; ++r) solver_->rows.push_back(first + r);
    solver_->frictional |= held_[i].mode == ContactMode::slip && held_[i].friction.kinetic_coefficient > 0;
  }
  if (solver_->rows.size() != rows_before) {
    solver_->gram.reset();
    solver_->space.reset();
  }
  const auto held_rows = static_cast<Eigen::Index>(solver_->rows.size());
  solver_->directions.setZero(size, held_rows);
  for (Eigen::Index k = 0; k < held_rows; ++k) solver_->directions(solver_->rows[static_cast<std::size_t>(k)], k) = 1;
  solver_->matrix.resize(held_rows, held_rows);
  for (Eigen::VectorXd* const each : {&solver_->right, &solver_->unknown, &solver_->scale}) each->setZero(held_rows);
  solver_->half.setZero(acceleration_.size());
}

// A capsule that rolls over the border of its side and its end touches with other features at the same place: that is
// the same contact still.
const Contact* ContactMotion::find_held(const Model& model, const Eigen::VectorXd& q, const Workspace& workspace,
                                        std::size_t index) {
  const ContactId id = held_[index].id;
  if (const Contact* const found = finder_.find(model, workspace, q, id)) return found;
  const Contact& last = contacts_[index];
  const auto of_pair = [&](const auto& each) { return each.id.pair == id.pair; };
  if (!of_pair(last) || finder_.of_pair().size() != 1 || std::count_if(held_.begin(), held_.end(), of_pair) > 1)
    return nullptr;  // of several, as on the rim of a disc that lies flat, none is the other
  const Contact& now = finder_.of_pair().front();
  const bool same = of_pair(now) &&
                    std::abs(now.gap) < tolerances::same_contact_distance * tolerances::same_contact_distance &&
                    dot(now.normal, last.normal) > 1 - tolerances::same_contact_turn &&
                    norm(now.point - last.point) < tolerances::same_contact_distance;
  return same ? &now : nullptr;
}

void ContactMotion::follow_tangents(std::size_t index, const Contact& now) {
  constexpr double same = 0.9;  // cosine: a normal turns by less between two looks, tangents jump by more
  const Contact& last = contacts_[index];
  if (rows_ == 3 && last.id.pair == now.id.pair && last.id.pair >= 0 && dot(last.tangent1, now.tangent1) < same) {
    SlipDirection& it = change(index).direction;
    const Vector3 along = it.t1 * last.tangent1 + it.t2 * last.tangent2;
    it = slip_of({0, dot(along, now.tangent1), dot(along, now.tangent2)}).direction;
  }
  contacts_[index] = now;
}

bool ContactMotion::follow_features(const Model& model, const State& state, Workspace& workspace) {
  if (held_.empty()) return false;
  compute_kinematics(model, state.q, workspace);
  finder_.forget();
  bool any = false;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Contact* const found = find_held(model, state.q, workspace, i);
    if (!found || found->id == held_[i].id) continue;
    change(i).id = found->id;
    any = true;
  }
  return any;
}

MotionFault ContactMotion::prepare(const Model& model, const State& state, const Eigen::VectorXd& force,
                                   Workspace& workspace) {
  singular_dof_ = -1;
  computed_ = redundant_ = false;
  jam_ = 1;
  if (held_.empty() && moves_freely(model)) {
    compute_applied_force(model, state, workspace);
    if (force.size() > 0) workspace.applied += force;
    compute_forward_dynamics(model, state.q, state.v, workspace.applied, workspace);
    acceleration_ = workspace.acceleration;
    return acceleration_.allFinite() ? MotionFault::none : MotionFault::non_finite;
  }
  const auto wanted = held_.empty() ? ConstrainedDynamics::Wanted::motion : ConstrainedDynamics::Wanted::response;
  const ConstrainedMotion& motion = force.size() > 0 ? dynamics_.compute(model, state, force, workspace, wanted)
                                                     : dynamics_.compute(model, state, workspace, wanted);
  singular_dof_ = motion.singular_dof;
  if (singular_dof_ >= 0) return MotionFault::singular;
  acceleration_ = motion.acceleration;
  if (!acceleration_.allFinite()) return MotionFault::non_finite;
  if (held_.empty()) return MotionFault::none;
  finder_.forget();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Contact* const found = find_held(model, state.q, workspace, i);
    if (!found) {
      lost_ = held_[i].id;
      return MotionFault::lost_contact;
    }
    follow_tangents(i, *found);
  }
  system_.assemble(model, workspace, state, contacts_, dynamics_, acceleration_);
  velocity_ = system_.velocity - system_.surface_velocity;
  forget_immovable();
  return MotionFault::none;
}

// Along the axle of a wheel whose frame was written with a few digits a contact moves by next to nothing; to hold it
// there would take forces beyond all measure.
void ContactMotion::forget_immovable() {
  const double least = tolerances::least_mobility * system_.inertia.diagonal().maxCoeff();
  for (Eigen::Index k = 0; k < system_.inertia.rows(); ++k) {
    if (!(system_.inertia(k, k) < least)) continue;
    system_.half.col(k).setZero();
    system_.inertia.row(k).setZero();
    system_.inertia.col(k).setZero();
    system_.free_acceleration[k] = 0;
  }
}

MotionFault ContactMotion::compute(const Model& model, const State& state, const Eigen::VectorXd& force,
                                   Workspace& workspace) {
  if (computed_ && state.time == at_.time && state.q == at_.q && state.v == at_.v && force.size() == at_force_.size() &&
      force == at_force_) {
    compute_velocities(model, state.q, state.v, workspace);
    return MotionFault::none;
  }
  const MotionFault fault = solve(model, state, force, workspace);
  computed_ = fault == MotionFault::none;
  if (computed_) {
    at_ = state;
    at_force_ = force;
  }
  return fault;
}

MotionFault ContactMotion::solve(const Model& model, const State& state, const Eigen::VectorXd& force,
                                 Workspace& workspace) {
  slip_power_ = surface_power_ = 0;
  const MotionFault fault = prepare(model, state, force, workspace);
  if (fault != MotionFault::none || held_.empty()) return fault;
  if (!solve_modes(system_.free_acceleration)) return MotionFault::jammed;
  solver_->half.noalias() = system_.half.lazyProduct(force_);
  dynamics_.factor().finish_solve(solver_->half);
  acceleration_ += solver_->half;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Eigen::Index first = rows_ * static_cast<Eigen::Index>(i);
    const auto lambda = force_.segment(first, rows_);
    // What sticks slips by rounding only.
    if (held_[i].mode == ContactMode::slip)
      slip_power_ -= lambda.tail(rows_ - 1).dot(velocity_.segment(first + 1, rows_ - 1));
    surface_power_ += lambda.dot(system_.surface_velocity.segment(first, rows_));
  }
  return acceleration_.allFinite() ? MotionFault::none : MotionFault::non_finite;
}

bool ContactMotion::solve_modes(const Eigen::VectorXd& rate) {
  return solver_->frictional ? solve_with_friction(rate) : solve_symmetric(rate);
}

// The common case: rows that do not depend on one another, by far. False when they might.
bool ContactMotion::solve_independent(const Eigen::VectorXd& rate) {
  Solver& s = *solver_;
  const auto count = static_cast<Eigen::Index>(s.rows.size());
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index row = s.rows[static_cast<std::size_t>(k)];
    s.scale[k] = scale_of(row);
    s.right[k] = -s.scale[k] * rate[row];
    for (Eigen::Index j = 0; j <= k; ++j)
      s.matrix(k, j) = s.scale[k] * s.scale[j] * system_.inertia(row, s.rows[static_cast<std::size_t>(j)]);
    if (immovable(row)) s.matrix(k, k) = 1;
  }
  s.cholesky.compute(s.matrix);
  if (s.cholesky.info() != Eigen::Success ||
      !(s.cholesky.matrixLLT().diagonal().minCoeff() > tolerances::pivot_independent))
    return false;
  s.unknown = s.right;
  s.cholesky.solveInPlace(s.unknown);
  force_.setZero();
  for (Eigen::Index k = 0; k < count; ++k) force_[s.rows[static_cast<std::size_t>(k)]] = s.scale[k] * s.unknown[k];
  return true;
}

// Whether two bodies hold each other by more rows than they have relative motions.
bool ContactMotion::must_depend() const {
  const std::size_t motions = rows_ == 3 ? 6 : 3;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    std::size_t held = 0;
    for (const Eigen::Index row : solver_->rows) {
      const Contact& other = contacts_[static_cast<std::size_t>(row / rows_)];
      held += !immovable(row) && other.body_a == contacts_[i].body_a && other.body_b == contacts_[i].body_b;
    }
    if (held > motions) return true;
  }
  return false;
}

// Rows that depend on one another by far, as those of a foot that stands on four corners do. False when it is not clear
// which.
bool ContactMotion::solve_dependent(const Eigen::VectorXd& rate) {
  Solver& s = *solver_;
  const auto count = static_cast<Eigen::Index>(s.rows.size());
  if (!s.gram) s.gram = std::make_unique<GramFactor>(static_cast<int>(count));
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index row = s.rows[static_cast<std::size_t>(k)];
    s.right[k] = -rate[row];
    for (Eigen::Index j = 0; j <= k; ++j) s.matrix(k, j) = system_.inertia(row, s.rows[static_cast<std::size_t>(j)]);
    if (immovable(row)) s.matrix(k, k) = 1;
  }
  if (!s.gram->compute(s.matrix)) return false;
  redundant_ = s.gram->rank() < static_cast<int>(count);
  s.gram->solve(s.right, s.unknown);
  force_.setZero();
  for (Eigen::Index k = 0; k < count; ++k) force_[s.rows[static_cast<std::size_t>(k)]] = s.unknown[k];
  return true;
}

bool ContactMotion::solve_symmetric(const Eigen::VectorXd& rate) {
  if ((!must_depend() && solve_independent(rate)) || solve_dependent(rate)) return true;
  Solver& s = *solver_;
  if (!s.space)
    s.space = std::make_unique<ColumnSpace>(static_cast<int>(acceleration_.size()), static_cast<int>(s.rows.size()));
  s.space->clear();
  for (std::size_t k = 0; k < s.rows.size(); ++k) {
    s.space->add(system_.half.col(s.rows[k]));
    s.right[static_cast<Eigen::Index>(k)] = -rate[s.rows[k]];
  }
  s.space->finish();
  const auto fixed = std::count_if(s.rows.begin(), s.rows.end(), [&](Eigen::Index row) { return immovable(row); });
  redundant_ = s.space->rank() + fixed < static_cast<std::ptrdiff_t>(s.rows.size());
  s.space->least_squares(s.right, s.half);
  s.space->least_norm(s.half, s.unknown);
  force_.setZero();
  for (std::size_t k = 0; k < s.rows.size(); ++k) force_[s.rows[k]] = s.unknown[static_cast<Eigen::Index>(k)];
  return true;
}

// In space the direction follows the slip. Through a halt it keeps its sense, so that the motion stays smooth there and
// the halt can be located; and the last of the slip, whose direction is that of rounding, counts less than the
// direction known from the step before.
SlipDirection ContactMotion::slip_direction(std::size_t index) const {
  const HeldContact& it = held_[index];
  if (rows_ == 2 || it.beginning) return it.direction;
  const Eigen::Index first = rows_ * static_cast<Eigen::Index>(index);
  const double v1 = velocity_[first + 1], v2 = velocity_[first + 2];
  const double sign = v1 * it.direction.t1 + v2 * it.direction.t2 < 0 ? -1 : 1;
  return slip_of({0, sign * v1 + tolerances::slip_faint * it.direction.t1,
                  sign * v2 + tolerances::slip_faint * it.direction.t2})
      .direction;
}

bool ContactMotion::solve_with_friction(const Eigen::VectorXd& rate) {
  Solver& s = *solver_;
  const auto count = static_cast<Eigen::Index>(s.rows.size());
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index row = s.rows[static_cast<std::size_t>(k)];
    s.scale[k] = scale_of(row);
    if (row % rows_ != 0) continue;
    const auto contact = static_cast<std::size_t>(row / rows_);
    if (held_[contact].mode != ContactMode::slip) continue;
    const SlipDirection sigma = slip_direction(contact);
    s.directions(row + 1, k) = -held_[contact].friction.kinetic_coefficient * sigma.t1;
    if (rows_ == 3) s.directions(row + 2, k) = -held_[contact].friction.kinetic_coefficient * sigma.t2;
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index row = s.rows[static_cast<std::size_t>(k)];
    for (Eigen::Index j = 0; j < count; ++j)
      s.matrix(k, j) = s.scale[k] * s.scale[j] * system_.inertia.row(row).dot(s.directions.col(j));
    if (immovable(row)) s.matrix(k, k) = 1;
    s.right[k] = -s.scale[k] * rate[row];
  }
  if (count == 1) {
    jam_ = s.matrix(0, 0);
    if (!(jam_ > 0)) return false;
    s.unknown[0] = s.right[0] / jam_;
  } else {
    s.decomposition.setThreshold(tolerances::rank_relative);
    s.decomposition.compute(s.matrix);
    redundant_ = s.decomposition.rank() < count;
    if (!redundant_) jam_ = s.matrix.determinant();
    if (!(jam_ > 0)) return false;
    s.unknown = s.decomposition.solve(s.right);
  }
  s.unknown = s.unknown.cwiseProduct(s.scale);
  force_.noalias() = s.directions.lazyProduct(s.unknown);
  return true;
}

// By D: contacts that do not act on one another are strangers.
std::vector<std::vector<std::size_t>> ContactMotion::coupled_groups() const {
  return internal::coupled_groups(system_.inertia, rows_);
}

std::vector<std::vector<std::size_t>> ContactMotion::redundant_groups() {
  if (!redundant_) return {};
  std::vector<std::vector<std::size_t>> groups = coupled_groups();
  if (groups.size() == 1) return groups;
  Solver& s = *solver_;
  std::erase_if(groups, [&](const std::vector<std::size_t>& group) {
    std::vector<Eigen::Index> of;  // positions in s.rows
    for (std::size_t k = 0; k < s.rows.size(); ++k)
      if (!immovable(s.rows[k]) &&
          std::binary_search(group.begin(), group.end(), static_cast<std::size_t>(s.rows[k] / rows_)))
        of.push_back(static_cast<Eigen::Index>(k));
    const auto count = static_cast<Eigen::Index>(of.size());
    Eigen::MatrixXd part(count, count);
    for (Eigen::Index a = 0; a < count; ++a)
      for (Eigen::Index b = 0; b < count; ++b) {
        const Eigen::Index k = of[static_cast<std::size_t>(a)], j = of[static_cast<std::size_t>(b)];
        const Eigen::Index row = s.rows[static_cast<std::size_t>(k)], other = s.rows[static_cast<std::size_t>(j)];
        part(a, b) = scale_of(row) * scale_of(other) * system_.inertia.row(row).dot(s.directions.col(j));
      }
    s.decomposition.setThreshold(tolerances::rank_relative);
    s.decomposition.compute(part);
    return s.decomposition.rank() == count;
  });
  return groups;
}

ModesProblem ContactMotion::modes_problem(Dimension dimension, const std::vector<std::size_t>& group) const {
  const auto row_of = [&](std::size_t i) { return rows_ * static_cast<Eigen::Index>(i); };
  const Eigen::Index size = row_of(group.size());
  ModesProblem problem;
  problem.dimension = dimension;
  problem.inertia.resize(size, size);
  problem.free_acceleration.resize(size);
  problem.velocity.setZero(size);
  for (std::size_t a = 0; a < group.size(); ++a) {
    for (std::size_t b = 0; b < group.size(); ++b)
      problem.inertia.block(row_of(a), row_of(b), rows_, rows_) =
          system_.inertia.block(row_of(group[a]), row_of(group[b]), rows_, rows_);
    problem.free_acceleration.segment(row_of(a), rows_) = system_.free_acceleration.segment(row_of(group[a]), rows_);
  }
  return problem;
}

double ContactMotion::slip_mobility(std::size_t index) {
  Solver& s = *solver_;
  const Eigen::Index first = rows_ * static_cast<Eigen::Index>(index) + 1, count = rows_ - 1;
  const auto held = static_cast<Eigen::Index>(s.rows.size());
  Eigen::MatrixXd closed(held, held), coupled(held, count);
  for (Eigen::Index k = 0; k < held; ++k) {
    const Eigen::Index row = s.rows[static_cast<std::size_t>(k)];
    coupled.row(k) = system_.inertia.row(row).segment(first, count);
    for (Eigen::Index j = 0; j < held; ++j) closed(k, j) = system_.inertia(row, s.rows[static_cast<std::size_t>(j)]);
  }
  s.decomposition.setThreshold(tolerances::rank_relative);
  s.decomposition.compute(closed);
  const Eigen::MatrixXd alone = system_.inertia.block(first, first, count, count);
  const Eigen::MatrixXd left = alone - coupled.transpose() * s.decomposition.solve(coupled);
  const Eigen::VectorXd slip = velocity_.segment(first, count);
  // What it takes to halt it, in terms of energy.
  const auto effort = [&](const Eigen::MatrixXd& mobility) {
    const Eigen::LDLT<Eigen::MatrixXd> factor(mobility);
    return slip.dot(factor.solve(slip));
  };
  const double with_all = effort(left);
  return with_all > 0 ? effort(alone) / with_all : 1;
}

bool ContactMotion::close(Eigen::VectorXd& impulse) {
  computed_ = false;
  const bool solved = solve_modes(velocity_);
  impulse = force_;
  return solved && impulse.allFinite();
}

void ContactMotion::respond(const Eigen::VectorXd& impulse, Eigen::VectorXd& jump) {
  jump.noalias() = system_.half.lazyProduct(impulse);
  dynamics_.factor().finish_solve(jump);
}

}  // namespace routh::internal
