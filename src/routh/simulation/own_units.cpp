#include "routh/simulation/own_units.h"

#include <cmath>

#include "routh/simulation/tolerances.h"

namespace routh::internal {

namespace {

void scale(ContactVector& v, double by) { v = {by * v.n, by * v.t1, by * v.t2}; }
void scale(Vector3& v, double by) { v = by * v; }
template <class... Numbers>
void scale_all(double by, Numbers&... numbers) {
  ((numbers *= by), ...);
}

}  // namespace

OwnUnits::OwnUnits(const Model& model, const Units& units)
    : model_(model),
      units_(units),
      q_(Eigen::VectorXd::Ones(model.coordinates)),
      v_(model.velocities),
      force_(model.velocities) {
  for (int k = 0; k < model.velocities; ++k) {
    const double length = is_angular(model, k) ? 1 : units.length;
    v_[k] = length / units.time;
    force_[k] = units.energy() / length;
    const int coordinate = model.dofs[static_cast<std::size_t>(k)].coordinate;
    if (coordinate >= 0) q_[coordinate] = length;
  }
}

double OwnUnits::time(Way way, double value) const {
  return std::abs(value) == tolerances::never ? value : value * by(way, units_.time);
}

double OwnUnits::length_of(ContactId id) const {
  return kind_of(id) == ContactKind::limit && is_angular(model_, -1 - id.pair) ? 1 : units_.length;
}

void OwnUnits::convert_velocity(Way way, Eigen::VectorXd& v) const {
  if (v.size() == v_.size()) v = way == Way::in ? v.cwiseQuotient(v_).eval() : v.cwiseProduct(v_).eval();
}

void OwnUnits::convert_acceleration(Way way, Eigen::VectorXd& a) const {
  convert_velocity(way, a);
  a *= by(way, 1 / units_.time);
}

void OwnUnits::convert_force(Way way, Eigen::VectorXd& force) const {
  if (force.size() != force_.size()) return;
  force = way == Way::in ? force.cwiseQuotient(force_).eval() : force.cwiseProduct(force_).eval();
}

void OwnUnits::convert_velocity(Way way, ContactId id, ContactVector& v) const {
  scale(v, by(way, length_of(id) / units_.time));
}

void OwnUnits::convert_impulse(Way way, ContactId id, ContactVector& p) const {
  scale(p, by(way, units_.energy() / length_of(id) * units_.time));
}

void OwnUnits::convert(Way way, State& state) const {
  state.time = time(way, state.time);
  if (state.q.size() == q_.size())
    state.q = way == Way::in ? state.q.cwiseQuotient(q_).eval() : state.q.cwiseProduct(q_).eval();
  convert_velocity(way, state.v);
}

void OwnUnits::convert(Way way, SimulationOptions& options) const {
  options.step = time(way, options.step);
  if (options.resolution) options.resolution = time(way, *options.resolution);
  options.max_step = time(way, options.max_step);
  options.touch *= by(way, units_.length);
}

void OwnUnits::convert(Way way, ActiveContact& active) const {
  Contact& contact = active.contact;
  contact.gap *= by(way, length_of(contact.id));
  for (Vector3* const point : {&contact.point_a, &contact.point_b, &contact.point})
    scale(*point, by(way, units_.length));
  scale(active.force, by(way, units_.energy() / length_of(contact.id)));
}

void OwnUnits::convert(Way way, EnergyAccount& it) const {
  auto& [kinetic, potential, dissipated, supplied, corrected, gained, initial] = it;
  scale_all(by(way, units_.energy()), kinetic, potential, dissipated, supplied, corrected, gained, initial);
}

void OwnUnits::convert(Way way, Sample& sample) const {
  convert(way, sample.state);
  convert(way, sample.energy);
  for (ActiveContact& each : sample.active) convert(way, each);
}

// Gaps of angles count as the way at the machine's unit of length.
void OwnUnits::convert(Way way, SimulationStatistics& it) const {
  scale_all(by(way, units_.length), it.largest_gap, it.largest_loop);
  it.crowd_time *= by(way, units_.time);
  scale_all(by(way, units_.energy()), it.steps_gained, it.steps_lost, it.crowd_energy);
}

void OwnUnits::convert(Way way, Event& event) const {
  event.time = time(way, event.time);
  event.duration = time(way, event.duration);
  convert_velocity(way, event.velocity_before);
  convert_velocity(way, event.velocity_after);
  if (event.position.size() == q_.size())
    event.position = way == Way::in ? event.position.cwiseQuotient(q_).eval() : event.position.cwiseProduct(q_).eval();
  EnergyLedger& energy = event.energy;
  scale_all(by(way, units_.energy()), energy.normal_work, energy.tangential_work, energy.supplied, energy.change);
  event.error_bound *=
      by(way, (event.contacts.empty() ? units_.length : length_of(event.contacts.front().id)) / units_.time);
  for (EventContact& each : event.contacts) {
    convert_velocity(way, each.id, each.velocity_before);
    convert_velocity(way, each.id, each.velocity_after);
    convert_impulse(way, each.id, each.impulse);
    const double impulse = by(way, units_.energy() / length_of(each.id) * units_.time);
    for (Phase& phase : each.phases) {
      phase.normal_impulse *= impulse;
      convert_velocity(way, each.id, phase.velocity);
    }
    for (PathPoint& point : each.path) {
      point.normal_impulse *= impulse;
      convert_velocity(way, each.id, point.velocity);
    }
  }
}

// Members are named one by one, so that a new one does not compile before it is thought of here.
void OwnUnits::convert(Way way, Checkpoint& it) const {
  auto& [state, step, accounts, closed, released, bounces, pending, implicit, stiff_count, initial_energy, gained,
         calm_until, burst_start, resolve_time, in_burst, resolves, events, steps, blows, origin, count, acceleration,
         crowd] = it;
  const double energy = by(way, units_.energy());
  convert(way, state);
  accounts *= energy;
  scale_all(energy, initial_energy, gained);
  for (double* const moment : {&step, &calm_until, &burst_start, &resolve_time, &origin}) *moment = time(way, *moment);
  convert_acceleration(way, acceleration);
  for (auto& [id, mode, direction_t1, direction_t2, beginning, force] : closed)
    scale(force, by(way, units_.energy() / length_of(id)));
  for (auto& [id, times, speeds] : bounces) {
    for (double& each : times) each = time(way, each);
    for (double& each : speeds) each *= by(way, length_of(id) / units_.time);
  }
  for (auto& [moment, id, error_bound, warnings] : pending) {
    moment = time(way, moment);
    error_bound *= by(way, length_of(id) / units_.time);
  }
  auto& [under_way, begin, calm_since, wait, followed_since, tangential_work, dissipated, supplied, crowd_energy,
         crowd_time, last_dissipated, stretch_begin, stretch_steps, stretch_time, velocity, shares, recent] = crowd;
  for (double* const moment : {&begin, &calm_since, &wait, &followed_since, &crowd_time, &stretch_begin, &stretch_time})
    *moment = time(way, *moment);
  scale_all(energy, tangential_work, dissipated, supplied, crowd_energy, last_dissipated);
  convert_velocity(way, velocity);
  for (auto& [id, impulse] : shares) convert_impulse(way, id, impulse);
  for (auto& [moment, id] : recent) moment = time(way, moment);
}

}  // namespace routh::internal
