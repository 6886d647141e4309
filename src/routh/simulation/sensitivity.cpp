#include "routh/simulation/sensitivity_follower.h"

#include <algorithm>
#include <cmath>

#include "routh/dynamics/dynamics.h"

namespace routh::internal {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Of a turning with the angular velocity ω in the body's axes, δω = δ̇ + ω × δ.
template <class X, class D>
void turn(const Model& model, const Eigen::VectorXd& v, const X& x, D& dx) {
  for (const Link& link : model.links) {
    if (link.kind != LinkKind::ball && link.kind != LinkKind::floating) continue;
    const int i = link.kind == LinkKind::ball ? link.v : link.v + 3;
    const Eigen::Vector3d w = v.segment<3>(i);
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      const Eigen::Vector3d d = x.col(c).template segment<3>(i);
      dx(i, c) -= w[1] * d[2] - w[2] * d[1];
      dx(i + 1, c) -= w[2] * d[0] - w[0] * d[2];
      dx(i + 2, c) -= w[0] * d[1] - w[1] * d[0];
    }
  }
}

}  // namespace

SensitivityFollower::SensitivityFollower(const Model& model, double until, const SimulationOptions& options,
                                         const std::vector<RunParameter>& parameters, StartTangents tangents)
    : model_(model),
      until_(until),
      options_(options),
      workspace_(model),
      before_(model),
      after_(model),
      start_columns_(tangents == StartTangents::all ? 2 * model.velocities : 0),
      n_(model.velocities) {
  for (const RunParameter& each : parameters) families_.emplace_back(each);
  columns_ = start_columns_ + static_cast<Eigen::Index>(families_.size());
}

RunSensitivity SensitivityFollower::run(const State& start, const std::function<bool()>& interrupt) {
  std::vector<Event> happened;
  Simulator simulator(model_, start, options_);
  simulator.on_event([&](const Event& event) { happened.push_back(event); });
  bool asked_to_stop = false;
  simulator.interrupt_by([&] {
    asked_to_stop = interrupt && interrupt();
    return asked_to_stop || !happened.empty();
  });
  begin(start, simulator, happened);
  happened.clear();
  for (;;) {
    const SimulationStatus status = simulator.advance(until_);
    if (!happened.empty() && out_.exists) {
      carry(happened.front().time);
      cross(happened, simulator);
    }
    happened.clear();
    if (status == SimulationStatus::stopped && !asked_to_stop) continue;
    out_.status = status;
    break;
  }
  out_.state = simulator.state();
  if (out_.status != SimulationStatus::ready) {
    out_.message = simulator.message();
    lose(SensitivityDoubt::not_followed, out_.state.time, "the run did not reach its end");
  }
  if (out_.exists) carry(until_);
  finish();
  return std::move(out_);
}

// Motion, then the columns.
bool SensitivityFollower::operator()(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dy) {
  State state;
  state.q = y.head(model_.coordinates);
  normalise(model_, state.q);
  state.v = y.segment(model_.coordinates, n_);
  state.time = t;
  if (!before_.compute(state)) return false;
  coordinate_rates(model_, y.head(model_.coordinates), state.v, dy.head(model_.coordinates));
  dy.segment(model_.coordinates, n_) = before_.acceleration();
  if (columns_ == 0) return true;
  if (!before_.differentiate(state)) return false;
  const Eigen::Index first = model_.coordinates + n_;
  const Eigen::Map<const Eigen::MatrixXd> x(y.data() + first, 2 * n_, columns_);
  Eigen::Map<Eigen::MatrixXd> dx(dy.data() + first, 2 * n_, columns_);
  dx.topRows(n_) = x.bottomRows(n_);
  turn(model_, state.v, x, dx);
  dx.bottomRows(n_) =
      before_.acceleration_by_position() * x.topRows(n_) + before_.acceleration_by_velocity() * x.bottomRows(n_);
  for (std::size_t k = 0; k < families_.size(); ++k)
    if (families_[k].changes_model())
      dx.col(start_columns_ + static_cast<Eigen::Index>(k)).tail(n_) +=
          before_.respond(change_with(k, before_, state)).acceleration;
  return true;
}

ModeFlow::Residual SensitivityFollower::change_with(std::size_t family, const ModeFlow& flow, const State& state) {
  return families_[family].derivative(
      [&](const Model& model, Workspace& workspace, const State&) { return flow.residual(model, workspace, state); });
}

void SensitivityFollower::note(SensitivityDoubt doubt, double time, std::string text) {
  const auto same = [&](const SensitivityNote& each) { return each.doubt == doubt && each.text == text; };
  if (std::none_of(out_.notes.begin(), out_.notes.end(), same)) out_.notes.push_back({doubt, time, std::move(text)});
}

void SensitivityFollower::lose(SensitivityDoubt doubt, double time, std::string text) {
  note(doubt, time, std::move(text));
  if (!out_.exists) return;
  out_.exists = false;
  out_.lost = time;
}

std::vector<ModeContact> SensitivityFollower::held_by(const Simulator& simulator) {
  std::vector<ModeContact> held;
  for (const ActiveContact& each : simulator.active()) held.push_back({each.contact.id, each.mode, each.direction});
  return held;
}

void SensitivityFollower::begin(const State& start, const Simulator& simulator, const std::vector<Event>& happened) {
  state_ = simulator.state();
  x_.setZero(2 * n_, columns_);
  if (start_columns_ > 0) x_.leftCols(start_columns_).setIdentity();
  for (std::size_t k = 0; k < families_.size(); ++k)
    x_.col(start_columns_ + static_cast<Eigen::Index>(k)) =
        families_[k].derivative([&](const Model&, Workspace&, const State& other) {
          Eigen::VectorXd column(2 * n_);
          Eigen::VectorXd moved(n_);
          difference(model_, start.q, other.q, moved);
          column << moved, other.v - start.v;
          return column;
        });
  last_change_.setZero(columns_);
  last_time_ = state_.time;
  out_.validity.setConstant(columns_, never);
  before_.hold(held_by(simulator));
  if (simulator.status() != SimulationStatus::ready) return;
  if (std::any_of(happened.begin(), happened.end(), strikes)) return strike_at_start(start, happened);
  if (before_.held().empty() && model_.loop_rows == 0) return;
  if (!before_.held().empty())
    note(SensitivityDoubt::start_in_contact, state_.time,
         "the run begins with closed contacts: the start varies along them");
  keep_closed();
}

// Variations of a state on its constraints: least changes of q and q̇ that leave gaps and loops closed.
void SensitivityFollower::keep_closed() {
  if (!before_.compute(state_) || !before_.differentiate(state_)) return;
  before_.project(state_, x_.topRows(n_), x_.bottomRows(n_));
}

void SensitivityFollower::carry(double to) {
  double t = state_.time;
  if (!(to > t) || n_ == 0) return;
  // In space friction turns ever faster as a slip comes to its halt.
  const bool turns = model_.dimension == Dimension::spatial &&
                     std::any_of(before_.held().begin(), before_.held().end(),
                                 [](const ModeContact& each) { return each.mode == ContactMode::slip; });
  const double end = turns ? std::max(t, to - tolerances::before_halt) : to;
  const Eigen::Index first = model_.coordinates + n_;
  Eigen::VectorXd y(first + 2 * n_ * columns_);
  y.head(model_.coordinates) = state_.q;
  y.segment(model_.coordinates, n_) = state_.v;
  Eigen::Map<Eigen::MatrixXd>(y.data() + first, 2 * n_, columns_) = x_;
  DormandPrince8 stepper(y.size());
  OdeTolerance tolerance;
  tolerance.relative = tolerances::sensitivity_tolerance_relative;
  tolerance.floor = Eigen::VectorXd::Ones(y.size());
  for (Eigen::Index c = 0; c < columns_; ++c)
    tolerance.floor.segment(first + 2 * n_ * c, 2 * n_).setConstant(std::max(1.0, x_.col(c).cwiseAbs().maxCoeff()));
  double h = std::min(end - t, tolerances::sensitivity_first_step);
  while (t < end) {
    h = std::min(h, end - t);
    if (end - t < 1.01 * h) h = end - t;
    const OdeStepResult result = stepper.step(*this, t, y, h, tolerance);
    if (++steps_ > tolerances::sensitivity_steps_max ||
        (result.status != OdeStepStatus::good && result.next < tolerances::sensitivity_step_least)) {
      return lose(SensitivityDoubt::not_followed, t, "the variational equations could not be integrated");
    }
    if (result.status == OdeStepStatus::good) {
      t = t + h == end || end - t <= h ? end : t + h;
      y = stepper.result();
      Eigen::VectorXd q = y.head(model_.coordinates);
      normalise(model_, q);
      y.head(model_.coordinates) = q;
      stepper.reset();
    }
    h = result.next;
  }
  state_.q = y.head(model_.coordinates);
  state_.v = y.segment(model_.coordinates, n_);
  state_.time = to;
  x_ = Eigen::Map<Eigen::MatrixXd>(y.data() + first, 2 * n_, columns_);
}

void SensitivityFollower::cross(const std::vector<Event>& events, const Simulator& simulator) {
  const double time = events.front().time;
  for (const Event& event : events) {
    if (event.kind == EventKind::crowd)
      return lose(SensitivityDoubt::crowd, event.time - event.duration,
                  "events came in a crowd that was stepped through");
    if (event.kind == EventKind::tangential_impact)
      return lose(SensitivityDoubt::paradox, event.time, "a tangential impact");
    if (event.kind == EventKind::impulse)
      return lose(SensitivityDoubt::not_followed, event.time, "an impulse from outside");
  }
  if (!before_.compute(state_) || !before_.differentiate(state_))
    return lose(SensitivityDoubt::not_followed, time, "the forces before an event");
  after_.hold(held_by(simulator));
  next_ = simulator.state();
  if (!after_.compute(next_)) return lose(SensitivityDoubt::not_followed, time, "the forces after an event");
  std::vector<Event> hits;
  for (const Event& event : events)
    if (strikes(event)) hits.push_back(event);
  changes_ = Eigen::RowVectorXd::Zero(columns_);
  known_ = true;
  if (hits.empty())
    switch_modes(events);
  else
    strike(hits);
  if (!out_.exists) return;
  for (const Event& event : events) keep(event);
  state_ = next_;
  before_.hold(after_.held());
}

void SensitivityFollower::keep(const Event& event) {
  RunSensitivity::EventTime it{event.time, event.kind, changes_, known_};
  if (event.kind == EventKind::profile) it.change.setZero(), it.known = true;
  if (event.kind == EventKind::user) it.change.setZero(), it.known = false;
  if (event.kind == EventKind::zeno && !event.contacts.empty()) {
    const auto found = ends_.find(event.contacts.front().id);
    it.known = found != ends_.end();
    if (it.known) it.change = found->second;
  }
  if (it.known && event.kind != EventKind::zeno) narrow(it.time, it.change);
  out_.events.push_back(std::move(it));
}

// How far each column goes until this event meets the one before.
void SensitivityFollower::narrow(double time, const Eigen::RowVectorXd& change) {
  for (Eigen::Index c = 0; c < columns_; ++c) {
    const double closing = std::abs(change[c] - last_change_[c]);
    const double reach = (time - last_time_) / closing;
    if (reach > 0 && reach < tolerances::validity_most) out_.validity[c] = std::min(out_.validity[c], reach);
  }
  last_change_ = change;
  last_time_ = time;
}

void SensitivityFollower::finish() {
  out_.events.shrink_to_fit();
  narrow(until_, Eigen::RowVectorXd::Zero(columns_));
  for (Eigen::Index c = start_columns_; c < columns_; ++c) {
    const double size = families_[static_cast<std::size_t>(c - start_columns_)].size();
    x_.col(c) /= size;
    out_.validity[c] *= size;
    for (auto& each : out_.events) each.change[c] /= size;
  }
  if (out_.exists && !x_.allFinite())
    lose(SensitivityDoubt::not_followed, until_, "a derivative beyond the range of numbers");
  if (!out_.exists) return;
  out_.position = x_.topRows(n_);
  out_.velocity = x_.bottomRows(n_);
}

}  // namespace routh::internal

namespace routh {

RunSensitivity run_sensitivity(const Model& model, const State& start, double until, const SimulationOptions& options,
                               const std::vector<RunParameter>& parameters, StartTangents tangents,
                               const std::function<bool()>& interrupt) {
  return internal::SensitivityFollower(model, until, options, parameters, tangents).run(start, interrupt);
}

}  // namespace routh
