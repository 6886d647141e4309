#include "routh/dynamics/constrained.h"

#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/loop_frames.h"
#include "routh/dynamics/mass_factor.h"
#include "routh/dynamics/tolerances.h"
#include "routh/math/column_space.h"
#include "routh/math/dense_qr.h"

namespace routh {

ConstrainedDynamics::ConstrainedDynamics(const Model& model)
    : factor_(make_hidden<MassFactor>(model)),
      loops_(make_hidden<ColumnSpace>(model.velocities, model.loop_rows, tolerances::loop_rank_relative)),
      motion_{Eigen::VectorXd::Zero(model.velocities), Eigen::VectorXd::Zero(model.loop_rows)},
      rows_(model.loop_rows, model.velocities),
      drift_(model.loop_rows),
      free_(model.velocities),
      column_(model.velocities) {}

const ConstrainedMotion& ConstrainedDynamics::compute(const Model& model, const State& state, Workspace& workspace,
                                                      Wanted wanted) {
  compute_velocities(model, state.q, state.v, workspace);
  compute_applied_force(model, state, workspace);
  return move(model, state, workspace, wanted);
}

const ConstrainedMotion& ConstrainedDynamics::compute(const Model& model, const State& state, const ConstVector& force,
                                                      Workspace& workspace, Wanted wanted) {
  compute_velocities(model, state.q, state.v, workspace);
  compute_applied_force(model, state, workspace);
  workspace.applied += force;
  return move(model, state, workspace, wanted);
}

int ConstrainedDynamics::factorise(const Model& model, const ConstVector& q, Workspace& workspace) {
  const int singular = factor_->factorise(q, workspace);
  if (singular >= 0 || model.loop_rows == 0) return singular;
  loop_jacobian(model, workspace, rows_);
  forget_faint_rows(model, tolerances::loop_rank_relative, rows_);
  loops_->clear();
  for (int r = 0; r < model.loop_rows; ++r) {
    column_ = rows_.row(r).transpose();
    factor_->half_solve(column_);
    loops_->add(column_);
  }
  loops_->finish();
  return -1;
}

void ConstrainedDynamics::close_velocity(VectorView v) {
  if (rows_.rows() == 0) return;
  drift_.noalias() = -rows_ * v;
  loops_->least_squares(drift_, column_);
  factor_->finish_solve(column_);
  v += column_;
}

const ConstrainedMotion& ConstrainedDynamics::move(const Model& model, const State& state, Workspace& workspace,
                                                   Wanted wanted) {
  motion_.singular_dof = -1;
  if (model.loop_rows == 0 && wanted == Wanted::motion) {
    compute_forward_dynamics(model, state.q, state.v, workspace.applied, workspace);
    motion_.acceleration = workspace.acceleration;
    return motion_;
  }
  motion_.singular_dof = factorise(model, state.q, workspace);
  if (motion_.singular_dof >= 0) return motion_;
  compute_bias(model, state.q, state.v, workspace);
  if (model.loop_rows == 0) {
    motion_.acceleration = workspace.applied - workspace.force;
    factor_->solve(motion_.acceleration);
    return motion_;
  }
  loop_drift(model, workspace, drift_);
  motion_.rank = loops_->rank();
  // y = L q̈ = (1 − QQᵀ) r + y_c with Xᵀ y_c = −Ȧ q̇; then X λ = y − r.
  free_ = workspace.applied - workspace.force;
  factor_->half_solve(free_);
  drift_ = -drift_;
  loops_->least_squares(drift_, column_);
  motion_.acceleration = free_;
  loops_->project_off(motion_.acceleration);
  motion_.acceleration += column_;
  free_ = motion_.acceleration - free_;
  loops_->least_norm(free_, motion_.multipliers);
  factor_->finish_solve(motion_.acceleration);
  return motion_;
}

namespace {

// The size of the machine, as far as its loops see it.
double loop_size(const Model& model, const Workspace& workspace) {
  double size = 0;
  for (const Loop& loop : model.loops) {
    size = std::max({size, loop.distance, std::abs(loop.constant)});
    if (loop.kind == LoopKind::coupling) continue;
    for (const Vector3& p : {body_pose(model, workspace, loop.body_a) * loop.at_a.position,
                             body_pose(model, workspace, loop.body_b) * loop.at_b.position})
      size = std::max(size, norm(p));
  }
  return size > 0 ? size : 1;
}

class Assembly {
 public:
  Assembly(const Model& model, Workspace& workspace)
      : model_(model),
        workspace_(workspace),
        phi_(model.loop_rows),
        rows_(model.loop_rows, model.velocities),
        step_(model.velocities),
        trial_(model.coordinates) {}

  // Gauss–Newton with steps of least norm, halved while they do not help. True when all loops are closed.
  bool close(Eigen::VectorXd& q, const std::vector<bool>& given, int& iterations) {
    double error = residual(q);
    const double tolerance = tolerances::assembly_residual_relative * loop_size(model_, workspace_);
    for (int count = 0; count < tolerances::assembly_steps_max && error > 0; ++count, ++iterations) {
      if (!solve(given, phi_)) return false;
      double factor = 1;
      double next = error;
      for (int halving = 0; halving < tolerances::assembly_halvings_max; ++halving, factor /= 2) {
        integrate(model_, q, step_, factor, trial_);
        next = residual(trial_);
        if (next < error) break;
      }
      if (!(next < error)) {
        residual(q);
        break;
      }
      q = trial_;
      error = next;
    }
    return error <= tolerances::assembly_residual_factor * tolerance && aligned();
  }

  // Takes A v out of v; true when nothing of it is left.
  bool settle(const Eigen::VectorXd& q, Eigen::VectorXd& v, const std::vector<bool>& given) {
    residual(q);
    loop_jacobian(model_, workspace_, rows_);
    phi_ = rows_ * v;
    const double scale = rows_.cwiseAbs().rowwise().sum().maxCoeff() * v.cwiseAbs().maxCoeff();
    if (phi_.cwiseAbs().maxCoeff() <= tolerances::assembly_rate_relative * scale) return true;
    if (!solve(given, phi_)) return false;
    const Eigen::VectorXd settled = v + step_;
    if ((rows_ * settled).cwiseAbs().maxCoeff() > tolerances::assembly_rate_left_relative * scale) return false;
    v = settled;
    return true;
  }

  // ‖φ(q)‖, leaving φ in place.
  double residual(const Eigen::VectorXd& q) {
    compute_kinematics(model_, q, workspace_);
    loop_residual(model_, workspace_, q, phi_);
    return phi_.norm();
  }

  std::vector<double> by_loop() const {
    std::vector<double> values;
    for (const Loop& loop : model_.loops)
      values.push_back(
          loop_aligned(model_, workspace_, loop) ? phi_.segment(loop.row, loop.row_count).cwiseAbs().maxCoeff() : 2.0);
    return values;
  }

 private:
  bool aligned() const {
    return std::all_of(model_.loops.begin(), model_.loops.end(),
                       [&](const Loop& loop) { return loop_aligned(model_, workspace_, loop); });
  }

  // The least step along degrees of freedom that were not given with A step = −rhs.
  bool solve(const std::vector<bool>& given, const Eigen::VectorXd& rhs) {
    loop_jacobian(model_, workspace_, rows_);
    Eigen::MatrixXd movable = rows_;
    for (std::size_t k = 0; k < given.size(); ++k)
      if (given[k]) movable.col(static_cast<Eigen::Index>(k)).setZero();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
    decomposition.setThreshold(tolerances::assembly_rank_relative);
    decomposition.compute(movable);
    step_ = -decomposition.solve(rhs);
    return step_.allFinite();
  }

  const Model& model_;
  Workspace& workspace_;
  Eigen::VectorXd phi_;
  Eigen::MatrixXd rows_;
  Eigen::VectorXd step_, trial_;
};

}  // namespace

AssemblyReport assemble(const Model& model, State& state, Workspace& workspace, const AssemblyOptions& options) {
  AssemblyReport report;
  if (model.loop_rows == 0) return report;
  Assembly assembly(model, workspace);
  State closed = state;
  normalise(model, closed.q);
  report.closed = assembly.close(closed.q, options.given_position, report.iterations);
  if (!report.closed && !options.given_position.empty()) {
    closed.q = state.q;
    normalise(model, closed.q);
    report.closed = assembly.close(closed.q, {}, report.iterations);
  }
  report.loop_residuals = assembly.by_loop();
  report.residual = *std::max_element(report.loop_residuals.begin(), report.loop_residuals.end());
  if (!report.closed) return report;
  report.moved = (closed.q - state.q).cwiseAbs().maxCoeff();
  if (!assembly.settle(closed.q, closed.v, options.given_velocity)) assembly.settle(closed.q, closed.v, {});
  state = closed;
  return report;
}

}  // namespace routh
