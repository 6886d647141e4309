#include "routh/simulation/mode_flow.h"

#include <cmath>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/load_derivatives.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

double largest(const Eigen::VectorXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

double entry_of(const ContactVector& x, Eigen::Index row) { return row == 0 ? x.n : row == 1 ? x.t1 : x.t2; }

}  // namespace

ModeFlow::ModeFlow(const Model& model)
    : model_(model), workspace_(model), factor_(model), tree_(model), tangents_(contact_rows(model) - 1) {
  hold({});
}

void ModeFlow::hold(std::vector<ModeContact> contacts) {
  held_ = std::move(contacts);
  starts_.clear();
  unknown_count_ = model_.loop_rows;
  for (const ModeContact& each : held_) {
    starts_.push_back(unknown_count_);
    unknown_count_ += each.mode == ContactMode::stick && each.id.pair >= 0 ? 1 + tangents_ : 1;
  }
}

bool ModeFlow::find(const Model& model, const Workspace& workspace, const State& state,
                    std::vector<Contact>& contacts) const {
  contacts.clear();
  for (const ModeContact& each : held_) {
    const std::optional<Contact> found = find_contact(model, workspace, state.q, each.id);
    if (!found) return false;
    contacts.push_back(*found);
  }
  return true;
}

double ModeFlow::kinetic_friction(const Model& model, const Contact& contact) const {
  return contact_friction(model, contact).kinetic_coefficient;
}

// In space the direction of the slip, unless it has hardly begun.
SlipDirection ModeFlow::direction_of(std::size_t index, const Eigen::VectorXd& slip) const {
  const Eigen::Index at = static_cast<Eigen::Index>(index) * (1 + tangents_);
  if (tangents_ == 1 || !(slip.segment(at + 1, tangents_).norm() > tolerances::slip_without_direction))
    return held_[index].direction;
  const Eigen::Vector2d along = slip.segment<2>(at + 1).normalized();
  return {along[0], along[1]};
}

bool ModeFlow::system(const Model& model, const State& state, Workspace& workspace,
                      const std::vector<Contact>& contacts, Eigen::MatrixXd& H, Eigen::MatrixXd& G) const {
  H.setZero(unknown_count_, model.velocities);
  if (model.loop_rows > 0) {
    Eigen::MatrixXd rows(model.loop_rows, model.velocities);
    loop_jacobian(model, workspace, rows);
    H.topRows(model.loop_rows) = rows;
  }
  G = H.transpose();
  Eigen::MatrixXd J(1 + tangents_, model.velocities);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    contact_jacobian(model, workspace, contacts[k], J);
    const Eigen::Index count = (k + 1 < starts_.size() ? starts_[k + 1] : unknown_count_) - starts_[k];
    H.middleRows(starts_[k], count) = J.topRows(count);
    G.middleCols(starts_[k], count) = J.topRows(count).transpose();
    if (!slips(k) || contacts[k].kind == ContactKind::limit) continue;
    const double friction = kinetic_friction(model, contacts[k]);
    G.col(starts_[k]) -= friction * directions_[k].t1 * J.row(1).transpose();
    if (tangents_ == 2) G.col(starts_[k]) -= friction * directions_[k].t2 * J.row(2).transpose();
  }
  (void)state;
  return true;
}

bool ModeFlow::compute(const State& state) {
  if (factor_.factorise(state.q, workspace_) >= 0) return false;
  compute_velocities(model_, state.q, state.v, workspace_);
  if (!find(model_, workspace_, state, contacts_)) return false;
  const Eigen::Index size = 1 + tangents_;
  slip_.resize(size * static_cast<Eigen::Index>(held_.size()));
  directions_.resize(held_.size());
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const ContactVector u = contact_velocity(model_, workspace_, state.v, contacts_[k]);
    const ContactVector belt = surface_velocity(model_, workspace_, contacts_[k], state.time);
    for (Eigen::Index r = 0; r < size; ++r)
      slip_[size * static_cast<Eigen::Index>(k) + r] = entry_of(u, r) - entry_of(belt, r);
    directions_[k] = direction_of(k, slip_);
  }
  if (!system(model_, state, workspace_, contacts_, H_, G_)) return false;
  compute_applied_force(model_, state, workspace_);
  compute_bias(model_, state.q, state.v, workspace_);
  acceleration_ = workspace_.applied - workspace_.force;
  factor_.solve(acceleration_);
  unknowns_.setZero(unknown_count_);
  if (unknown_count_ == 0) return acceleration_.allFinite();
  response_ = G_;
  for (Eigen::Index k = 0; k < unknown_count_; ++k) factor_.solve(response_.col(k));
  decomposition_.setThreshold(tolerances::sensitivity_rank);
  decomposition_.compute(H_ * response_);
  Eigen::VectorXd drift = Eigen::VectorXd::Zero(unknown_count_);
  if (model_.loop_rows > 0) loop_drift(model_, workspace_, drift.head(model_.loop_rows));
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const ContactVector lacks = contact_drift(model_, workspace_, state.v, contacts_[k]);
    const ContactVector belt = surface_acceleration(model_, workspace_, contacts_[k], state.time);
    const Eigen::Index count = (k + 1 < starts_.size() ? starts_[k + 1] : unknown_count_) - starts_[k];
    for (Eigen::Index r = 0; r < count; ++r) drift[starts_[k] + r] = entry_of(lacks, r) - entry_of(belt, r);
  }
  unknowns_ = -decomposition_.solve(H_ * acceleration_ + drift);
  acceleration_ += response_ * unknowns_;
  return acceleration_.allFinite();
}

ContactVector ModeFlow::force(std::size_t index) const { return force_change(index, unknowns_); }

ContactVector ModeFlow::force_change(std::size_t index, const Eigen::VectorXd& unknowns) const {
  const Eigen::Index at = starts_[index];
  if (contacts_[index].kind == ContactKind::limit) return {unknowns[at], 0, 0};
  if (!slips(index)) return {unknowns[at], unknowns[at + 1], tangents_ == 2 ? unknowns[at + 2] : 0};
  const double rub = -kinetic_friction(model_, contacts_[index]) * unknowns[at];
  return {unknowns[at], rub * directions_[index].t1, rub * directions_[index].t2};
}

ContactVector ModeFlow::velocity(std::size_t index) const {
  const Eigen::Index at = (1 + tangents_) * static_cast<Eigen::Index>(index);
  return {slip_[at], slip_[at + 1], tangents_ == 2 ? slip_[at + 2] : 0};
}

ModeFlow::ContactPart ModeFlow::contact_part(const Model& model, Workspace& workspace, const State& state,
                                             const std::vector<SlipDirection>& directions) const {
  const Eigen::Index size = 1 + tangents_;
  ContactPart part;
  part.force.setZero(model.velocities);
  part.rows.setZero(unknown_count_);
  part.slip.setZero(size * static_cast<Eigen::Index>(held_.size()));
  if (held_.empty()) return part;
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  if (!find(model, workspace, state, contacts)) {
    part.force.setConstant(std::numeric_limits<double>::quiet_NaN());  // seen by `differentiate`
    return part;
  }
  Eigen::MatrixXd J(size, model.velocities);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    contact_jacobian(model, workspace, contacts[k], J);
    const ContactVector belt = surface_velocity(model, workspace, contacts[k], state.time);
    const ContactVector change = contact_acceleration(model, workspace, contacts[k], J, state, acceleration_);
    const Eigen::Index count = (k + 1 < starts_.size() ? starts_[k + 1] : unknown_count_) - starts_[k];
    for (Eigen::Index r = 0; r < count; ++r) part.rows[starts_[k] + r] = entry_of(change, r);
    const Eigen::VectorXd speed = J * state.v;
    for (Eigen::Index r = 0; r < size; ++r)
      part.slip[size * static_cast<Eigen::Index>(k) + r] = speed[r] - entry_of(belt, r);
    const double load = unknowns_[starts_[k]];
    part.force += load * J.row(0).transpose();
    if (count > 1) {
      for (Eigen::Index r = 1; r < count; ++r) part.force += unknowns_[starts_[k] + r] * J.row(r).transpose();
    } else if (contacts[k].kind == ContactKind::surfaces) {
      const double rub = -kinetic_friction(model, contacts[k]) * load;
      part.force += rub * directions[k].t1 * J.row(1).transpose();
      if (tangents_ == 2) part.force += rub * directions[k].t2 * J.row(2).transpose();
    }
  }
  return part;
}

ModeFlow::Residual ModeFlow::residual(const Model& model, Workspace& workspace, const State& state) const {
  ContactPart part = contact_part(model, workspace, state, directions_);
  compute_velocities(model, state.q, state.v, workspace);
  compute_applied_force(model, state, workspace);
  const Eigen::VectorXd applied = workspace.applied;
  compute_inverse_dynamics(model, state.q, state.v, acceleration_, workspace);
  Residual out{workspace.force - applied - part.force, std::move(part.rows), std::move(part.slip)};
  if (model.loop_rows > 0) {
    compute_velocities(model, state.q, state.v, workspace);
    Eigen::MatrixXd rows(model.loop_rows, model.velocities);
    loop_jacobian(model, workspace, rows);
    Eigen::VectorXd drift(model.loop_rows);
    loop_drift(model, workspace, drift);
    out.motion -= rows.transpose() * unknowns_.head(model.loop_rows);
    out.rows.head(model.loop_rows) = rows * acceleration_ + drift;
  }
  return out;
}

// In space the friction of a slip turns with it: −μ λ_n δσ with δσ = (1 − σσᵀ) δu_t/|u_t|.
void ModeFlow::add_turned_friction(const Eigen::MatrixXd& slip, Eigen::MatrixXd& right) const {
  if (tangents_ == 1) return;
  Eigen::MatrixXd J(3, model_.velocities);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const Eigen::Index at = 3 * static_cast<Eigen::Index>(k) + 1;
    const Eigen::Vector2d u = slip_.segment<2>(at);
    if (!slips(k) || contacts_[k].kind == ContactKind::limit || !(u.norm() > tolerances::slip_without_direction))
      continue;
    contact_jacobian(model_, workspace_, contacts_[k], J);
    const Eigen::Vector2d across(-u[1] / u.norm(), u[0] / u.norm());
    const double rub = -kinetic_friction(model_, contacts_[k]) * unknowns_[starts_[k]] / u.norm();
    const Eigen::VectorXd along = J.row(1).transpose() * across[0] + J.row(2).transpose() * across[1];
    right += rub * along * (across[0] * slip.row(at) + across[1] * slip.row(at + 1));
  }
}

// M δa − Gᵀ δy = motion, H δa = rows
void ModeFlow::solve(const Eigen::MatrixXd& motion, const Eigen::MatrixXd& rows, Derivative& out) const {
  out.acceleration = motion;
  for (Eigen::Index c = 0; c < motion.cols(); ++c) factor_.solve(out.acceleration.col(c));
  out.unknowns.setZero(unknown_count_, motion.cols());
  if (unknown_count_ == 0) return;
  out.unknowns = decomposition_.solve(rows - H_ * out.acceleration);
  out.acceleration += response_ * out.unknowns;
}

bool ModeFlow::differentiate(const State& state) {
  const Eigen::Index n = model_.velocities, slips = slip_.size();
  compute_velocities(model_, state.q, state.v, workspace_);
  tree_.set_motion(model_, state.v, acceleration_, workspace_);
  tree_.compute(model_, workspace_);
  RowMatrix motion_q = -tree_.by_position, motion_v = -tree_.by_velocity;
  add_applied_derivatives(model_, state, workspace_, tree_, motion_q, motion_v);
  Eigen::MatrixXd rows_q = Eigen::MatrixXd::Zero(unknown_count_, n), rows_v = rows_q;
  if (model_.loop_rows > 0) {
    RowMatrix rows(model_.loop_rows, 2 * n);
    add_loop_derivatives(model_, workspace_, tree_, unknowns_.head(model_.loop_rows), motion_q, rows);
    rows_q.topRows(model_.loop_rows) = -rows.leftCols(n);
    rows_v.topRows(model_.loop_rows) = -rows.rightCols(n);
  }
  Eigen::MatrixXd right_q = motion_q, right_v = motion_v;
  by_q_.slip.setZero(slips, n);
  by_v_.slip.setZero(slips, n);
  if (!held_.empty()) {
    const ContactPart base = contact_part(model_, workspace_, state, directions_);
    const double force = 1 + largest(base.force), rows = 1 + largest(base.rows), slip = 1 + largest(base.slip);
    State moved = state;
    Eigen::VectorXd all(n + unknown_count_ + slips);
    steps_.resize(static_cast<std::size_t>(n), tolerances::sensitivity_step);
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::VectorXd change = smooth_difference(
          [&](double step) -> Eigen::VectorXd {
            integrate(model_, state.q, Eigen::VectorXd::Unit(n, j), step, moved.q);
            const ContactPart part = contact_part(model_, workspace_, moved, directions_);
            all << part.force / force, part.rows / rows, part.slip / slip;
            return all;
          },
          steps_[static_cast<std::size_t>(j)]);
      right_q.col(j) += force * change.head(n);
      rows_q.col(j) -= rows * change.segment(n, unknown_count_);
      by_q_.slip.col(j) = slip * change.tail(slips);
    }
    // Rows are quadratic in q̇, velocities linear.
    moved = state;
    for (Eigen::Index j = 0; j < n; ++j) {
      moved.v[j] = state.v[j] + 1;
      const ContactPart a = contact_part(model_, workspace_, moved, directions_);
      moved.v[j] = state.v[j] - 1;
      const ContactPart b = contact_part(model_, workspace_, moved, directions_);
      moved.v[j] = state.v[j];
      rows_v.col(j) -= 0.5 * (a.rows - b.rows);
      by_v_.slip.col(j) = 0.5 * (a.slip - b.slip);
    }
    compute_velocities(model_, state.q, state.v, workspace_);
    add_turned_friction(by_q_.slip, right_q);
    add_turned_friction(by_v_.slip, right_v);
  }
  if (!right_q.allFinite() || !right_v.allFinite()) return false;
  solve(right_q, rows_q, by_q_);
  solve(right_v, rows_v, by_v_);
  return true;
}

ModeFlow::Response ModeFlow::respond(const Residual& change) const {
  Eigen::MatrixXd right = -change.motion;
  add_turned_friction(change.slip, right);
  Derivative out;
  solve(right, -change.rows, out);
  return {out.acceleration, out.unknowns, change.slip};
}

ModeFlow::Response ModeFlow::respond(const Eigen::VectorXd& dq, const Eigen::VectorXd& dv) const {
  return {by_q_.acceleration * dq + by_v_.acceleration * dv, by_q_.unknowns * dq + by_v_.unknowns * dv,
          by_q_.slip * dq + by_v_.slip * dv};
}

// H δq = 0, and δ(H q̇) = 0 of the contacts and loops: H δv + (∂(H q̇)/∂q) δq = 0.
void ModeFlow::project(const State& state, Eigen::Ref<Eigen::MatrixXd> dq, Eigen::Ref<Eigen::MatrixXd> dv) const {
  if (unknown_count_ == 0) return;
  // Of contacts the normal alone holds positions.
  Eigen::MatrixXd rows = H_;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index r = 0; r < model_.loop_rows; ++r) kept.push_back(r);
  for (const Eigen::Index start : starts_) kept.push_back(start);
  Eigen::MatrixXd closed(static_cast<Eigen::Index>(kept.size()), rows.cols());
  for (std::size_t k = 0; k < kept.size(); ++k) closed.row(static_cast<Eigen::Index>(k)) = rows.row(kept[k]);
  const auto take_out = [&](const Eigen::MatrixXd& H, const Eigen::MatrixXd& wanted, Eigen::Ref<Eigen::MatrixXd> x) {
    Eigen::MatrixXd response = H.transpose();
    for (Eigen::Index k = 0; k < response.cols(); ++k) factor_.solve(response.col(k));
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
    decomposition.setThreshold(tolerances::sensitivity_rank);
    decomposition.compute(H * response);
    x += response * decomposition.solve(wanted - H * x);
  };
  take_out(closed, Eigen::MatrixXd::Zero(closed.rows(), dq.cols()), dq);
  // ∂(H q̇)/∂q along each column, by differences of fourth order.
  const double h = tolerances::sensitivity_step;
  Eigen::MatrixXd wanted(unknown_count_, dq.cols());
  Eigen::MatrixXd moved_H, moved_G;
  std::vector<Contact> contacts;
  for (Eigen::Index c = 0; c < dq.cols(); ++c) {
    const double size = dq.col(c).cwiseAbs().maxCoeff();
    wanted.col(c).setZero();
    if (!(size > 0)) continue;
    const auto at = [&](double step) -> Eigen::VectorXd {
      State moved = state;
      integrate(model_, state.q, dq.col(c), step / size, moved.q);
      compute_velocities(model_, moved.q, state.v, workspace_);
      if (!find(model_, workspace_, moved, contacts)) return Eigen::VectorXd::Zero(unknown_count_);
      system(model_, moved, workspace_, contacts, moved_H, moved_G);
      return moved_H * state.v;
    };
    wanted.col(c) = -size * fourth_order<Eigen::VectorXd>(at(h), at(-h), at(2 * h), at(-2 * h), h);
  }
  take_out(H_, wanted, dv);
}

// v + M⁻¹ Gᵀ y with H (v + M⁻¹ Gᵀ y) = v_s. Directions of slip are those of the last `compute`.
bool ModeFlow::close_velocity(const State& state, Eigen::VectorXd& v, Workspace& workspace, const Model& model) const {
  if (unknown_count_ == 0) return true;
  MassFactor factor(model);
  if (factor.factorise(state.q, workspace) >= 0) return false;
  compute_velocities(model, state.q, state.v, workspace);
  std::vector<Contact> contacts;
  if (!find(model, workspace, state, contacts)) return false;
  Eigen::MatrixXd H, G;
  system(model, state, workspace, contacts, H, G);
  Eigen::VectorXd wanted = -(H * v);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactVector belt = surface_velocity(model, workspace, contacts[k], state.time);
    const Eigen::Index count = (k + 1 < starts_.size() ? starts_[k + 1] : unknown_count_) - starts_[k];
    for (Eigen::Index r = 0; r < count; ++r) wanted[starts_[k] + r] += entry_of(belt, r);
  }
  for (Eigen::Index k = 0; k < G.cols(); ++k) factor.solve(G.col(k));
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(tolerances::sensitivity_rank);
  decomposition.compute(H * G);
  v += G * decomposition.solve(wanted);
  return v.allFinite();
}

}  // namespace routh::internal
