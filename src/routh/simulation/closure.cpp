#include "routh/simulation/closure.h"

#include <algorithm>
#include <cmath>

#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

Closure::Closure(const Model& model, double tolerance, const FaultInjection& faults)
    : factor_(model),
      velocity_{std::min(tolerances::row_share_tolerances * std::max(tolerance, SimulationOptions{}.tolerance),
                         tolerances::row_share_most),
                0,
                {},
                {},
                {}},
      loop_rows_(model.loop_rows, model.velocities),
      phi_(model.loop_rows),
      half_(model.velocities),
      faults_(faults) {}

template <class Change>
void Closure::apply(const Model& model, State& state, Workspace& workspace, ClosureReport& report,
                    const Change& change) {
  const double before = total_energy(model, state, workspace);
  change();
  faults_.at(FaultPlace::projection, state.v);
  report.energy.corrected += total_energy(model, state, workspace) - before - report.energy.supplied;
}

// Just enough: sums over spare entries would round by what was closed before, and a resumed run not like the whole one.
void Closure::make_room(Room& room, int rows) {
  if (rows == room.rows || rows == 0) return;
  room.rows = rows;
  room.space = std::make_unique<ColumnSpace>(static_cast<int>(half_.size()), rows, room.tolerance);
  room.columns.resize(half_.size(), rows);
  room.right.resize(rows);
}

// half_ ← the least velocity, in the sense of kinetic energy, with columnsᵀ · velocity = right.
bool Closure::solve(const Eigen::VectorXd& q, Workspace& workspace, Room& room, int rows) {
  if (factor_.factorise(q, workspace) >= 0) return false;
  room.space->clear();
  double longest = 0;
  for (int k = 0; k < rows; ++k) {
    factor_.half_solve(room.columns.col(k));
    longest = std::max(longest, room.columns.col(k).squaredNorm());
  }
  for (int k = 0; k < rows; ++k) {
    if (room.columns.col(k).squaredNorm() < tolerances::least_mobility * longest) room.columns.col(k).setZero();
    room.space->add(room.columns.col(k));
  }
  room.space->finish();
  room.space->least_squares(room.right.head(rows), half_);
  if (!belts_.isZero(0)) room.space->least_norm(half_, impulse_.head(rows));
  size_ = half_.norm() * std::sqrt(longest);
  factor_.finish_solve(half_);
  return half_.allFinite();
}

// Residuals and rows of the position; false when a contact is lost.
bool Closure::step_position(const Model& model, std::span<const ClosedContact> contacts, const State& state,
                            Workspace& workspace) {
  compute_kinematics(model, state.q, workspace);
  gap_ = loop_ = 0;
  int row = 0;
  if (model.loop_rows > 0) {
    loop_residual(model, workspace, state.q, phi_);
    loop_jacobian(model, workspace, loop_rows_);
    for (; row < model.loop_rows; ++row) {
      position_.columns.col(row) = loop_rows_.row(row).transpose();
      position_.right[row] = -phi_[row];
      loop_ = std::max(loop_, std::abs(phi_[row]));
    }
  }
  found_.clear();
  for (const ClosedContact& each : contacts) {
    const auto contact = find_contact(model, workspace, state.q, each.id);
    if (!contact) return false;
    found_.push_back(*contact);
  }
  contact_rows_.compute_jacobian(model, workspace, found_);
  for (Eigen::Index normal = 0; const Contact& contact : found_) {
    position_.columns.col(row) = contact_rows_.jacobian.row(normal).transpose();
    position_.right[row++] = -contact.gap;
    gap_ = std::max(gap_, std::abs(contact.gap));
    normal += contact_rows(model);
  }
  return true;
}

ClosureReport Closure::close(const Model& model, std::span<const ClosedContact> contacts, State& state,
                             Workspace& workspace, double fastest) {
  ClosureReport report = close_position(model, contacts, state, workspace);
  ClosureReport velocity = close_velocity(model, contacts, state, workspace, fastest);
  report.speed = velocity.speed;
  report.energy += velocity.energy;
  report.turned = std::move(velocity.turned);
  return report;
}

ClosureReport Closure::close_position(const Model& model, std::span<const ClosedContact> contacts, State& state,
                                      Workspace& workspace) {
  const int rows = model.loop_rows + static_cast<int>(contacts.size());
  ClosureReport report;
  if (rows == 0) return report;
  make_room(position_, rows);
  belts_.setZero(0);
  trial_ = state.q;
  State moved = state;
  double before = 0;
  for (int count = 0; count < 8; ++count) {
    if (!step_position(model, contacts, moved, workspace)) {
      report.closed = false;
      break;
    }
    const double now = std::max(gap_, loop_);
    if (count == 0) {
      report.gap = gap_;
      report.loop = loop_;
    } else if (!(now < before)) {
      if (now > std::max(tolerances::cancelled, 0.5 * std::max(report.gap, report.loop))) report.closed = false;
      if (now > before) moved.q = trial_;
      break;
    }
    if (now <= tolerances::closed_enough) break;
    before = now;
    trial_ = moved.q;
    if (!solve(moved.q, workspace, position_, rows)) {
      report.closed = false;
      break;
    }
    integrate(model, moved.q, half_, 1, moved.q);
  }
  if (report.closed && state.q != moved.q) apply(model, state, workspace, report, [&] { state.q = moved.q; });
  return report;
}

ClosureReport Closure::close_velocity(const Model& model, std::span<const ClosedContact> contacts, State& state,
                                      Workspace& workspace, double fastest) {
  ClosureReport report;
  const int tangents = contact_rows(model) - 1;
  make_room(velocity_, model.loop_rows + (1 + tangents) * static_cast<int>(contacts.size()));
  compute_kinematics(model, state.q, workspace);
  int row = 0;
  belts_.setZero(velocity_.rows);
  impulse_.setZero(velocity_.rows);
  const auto forbid = [&](const Eigen::Ref<const Eigen::VectorXd>& direction, double rate, double speed) {
    velocity_.columns.col(row) = direction;
    velocity_.right[row] = speed - rate;
    belts_[row] = speed;
    report.speed = std::max(report.speed, std::abs(velocity_.right[row]));
    ++row;
  };
  if (model.loop_rows > 0) loop_jacobian(model, workspace, loop_rows_);
  for (int r = 0; r < model.loop_rows; ++r) {
    half_ = loop_rows_.row(r);
    forbid(half_, half_.dot(state.v), 0);
  }
  found_.clear();
  modes_.clear();
  for (const ClosedContact& each : contacts) {
    const auto contact = find_contact(model, workspace, state.q, each.id);
    if (!contact) continue;
    found_.push_back(*contact);
    modes_.push_back(each.mode);
  }
  ContactRows& rows = contact_rows_;
  rows.compute_jacobian(model, workspace, found_);
  rows.compute_velocities(model, workspace, state, found_);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Eigen::Index first = (1 + tangents) * static_cast<Eigen::Index>(i);
    forbid(rows.half.col(first), rows.velocity[first], 0);
    if (std::abs(velocity_.right[row - 1]) > fastest) report.turned.push_back(found_[i].id);
    if (modes_[i] != ContactMode::stick || found_[i].kind == ContactKind::limit) continue;
    for (Eigen::Index k = first + 1; k <= first + tangents; ++k)
      forbid(rows.half.col(k), rows.velocity[k], rows.surface_velocity[k]);
  }
  report.closed = report.turned.empty();
  if (row == 0 || report.speed == 0 || !report.closed) return report;
  if (!solve(state.q, workspace, velocity_, row)) {
    report.closed = false;
    return report;
  }
  // Rows that depend on the others but for next to nothing, as of a contact about which the rest of the machine turns:
  // to take out what is left there would stop the turn.
  if (report.speed < tolerances::unseen_speed && tolerances::halting_mobility * size_ > report.speed) return report;
  report.energy.supplied = impulse_.head(row).dot(belts_.head(row));
  apply(model, state, workspace, report, [&] { state.v += half_; });
  return report;
}

}  // namespace routh::internal
