#include "routh/play/session.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "routh/contact/contact_problem.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/dynamics.h"
#include "routh/model/scales.h"
#include "routh/play/tolerances.h"
#include "routh/report/event_writer.h"
#include "routh/report/kinds.h"
#include "routh/solvability/diagnosis_words.h"

namespace routh::internal {

namespace {

// Of the events that happened between two looks the page shows at most so many.
constexpr std::size_t most_events = 100;

// 1/trace(J M⁻¹Jᵀ): at most the mass that the point has in its lightest direction, loops left out, which only add to
// it.
double lightest_mass(const Model& model, const State& state, const Handle& handle, Workspace& workspace) {
  compute_mass_matrix(model, state.q, workspace);
  Jacobian3 J(3, model.velocities);
  compute_point_jacobian(model, state.q, handle.body, handle.at, workspace, J);
  const Eigen::LLT<Eigen::MatrixXd> factor(workspace.mass_matrix);
  const double inverse = (J * factor.solve(J.transpose())).trace();
  return inverse > 0 && std::isfinite(inverse) ? 1 / inverse : 0;
}

}  // namespace

PlaySession::Machine::Machine(const PlayStart& start, Model made, const State& state)
    : model(std::move(made)), placed(model), simulator(model, state, start.options) {}

PlaySession::PlaySession(std::string start, std::function<double()> clock)
    : text_(std::move(start)), start_(start_from_json(text_)), start_state_(start_.state), clock_(std::move(clock)) {
  put(start_, build_model(start_.description), start_state_);
}

void PlaySession::put(const PlayStart& start, Model model, const State& state) {
  if (state.q.size() != model.coordinates || state.v.size() != model.velocities)
    throw InputError({}, "the state has not the coordinates of the machine");
  machine_ = std::make_unique<Machine>(start, std::move(model), state);
  const Scales scales = compute_scales(machine_->model);
  mass_ = scales.mass;
  length_ = scales.length;
  time_ = scales.time;
  pushed_ = false;
  machine_->simulator.on_event([this](const Event& event) {
    ++event_count_;
    if (events_.size() == most_events) events_.erase(events_.begin());
    events_.push_back(event);
  });
}

void PlaySession::reset() {
  release();
  pokes_.clear();
  events_.clear();
  event_count_ = 0;
  put(start_, build_model(start_.description), start_state_);
}

void PlaySession::set(const std::string& changes) {
  std::string text = changed_start(text_, changes);
  PlayStart start = start_from_json(text);
  Model model = build_model(start.description);
  const bool moved = start.state.q != start_.state.q || start.state.v != start_.state.v;
  State begin = start_state_;
  if (moved) {
    begin = start.state;
    Workspace workspace(model);
    normalise(model, begin.q);
    if (!model.loops.empty() && !assemble(model, begin, workspace).closed)
      throw InputError({}, "the loops cannot be closed in this posture");
  }
  const State state = moved ? begin : machine_->simulator.state();
  put(start, std::move(model), state);
  if (moved) {
    release();
    pokes_.clear();
  }
  text_ = std::move(text);
  start_ = std::move(start);
  start_state_ = begin;
}

void PlaySession::grab(const Handle& handle) {
  const State& state = machine_->simulator.state();
  const double mass = lightest_mass(model(), state, handle, machine_->placed.workspace());
  const double frequency = tolerances::hand_frequency / time_;
  stiffness_ = mass * frequency * frequency;
  damping_ = 2 * mass * frequency;
  interval_ = tolerances::hand_interval / frequency;
  hand_ = handle;
  machine_->placed.place(state);
  hand_place_ = machine_->placed.pose(handle.body) * handle.at;
}

void PlaySession::poke(const Handle& handle, const Vector3& impulse) {
  const double duration = tolerances::poke_duration * time_;
  pokes_.push_back({handle, (1 / duration) * impulse, machine_->simulator.state().time + duration});
}

bool PlaySession::find_force(Eigen::VectorXd& force) {
  const State& state = machine_->simulator.state();
  std::erase_if(pokes_, [&](const Poke& poke) { return poke.end <= state.time; });
  if (!hand_ && pokes_.empty()) return false;
  PlacedMachine& placed = machine_->placed;
  if (!placed.place(state)) return false;
  force.setZero(model().velocities);
  const auto add = [&](const Handle& handle, const auto& push_at) {
    const Vector3 point = placed.pose(handle.body) * handle.at;
    add_point_force(model(), placed.workspace(), handle.body, point, {push_at(point), {}}, force);
  };
  if (hand_)
    add(*hand_, [&](const Vector3& point) {
      const Vector3 velocity = point_velocity(model(), placed.workspace(), hand_->body, point);
      return stiffness_ * (hand_place_ - point) - damping_ * velocity;
    });
  for (const Poke& poke : pokes_) add(poke.handle, [&](const Vector3&) { return poke.force; });
  return true;
}

SimulationStatus PlaySession::advance(double until, double seconds, Stop stop) {
  Simulator& simulator = machine_->simulator;
  const double deadline = clock_() + seconds;
  const long events = event_count_;
  simulator.interrupt_by([&] { return clock_() >= deadline || (stop == Stop::after_event && event_count_ > events); });
  SimulationStatus status = SimulationStatus::ready;
  Eigen::VectorXd force;
  while (simulator.state().time < until) {
    double next = until;
    if (find_force(force)) {
      simulator.set_force(force);
      pushed_ = true;
      if (hand_) next = std::min(next, simulator.state().time + interval_);
      for (const Poke& poke : pokes_) next = std::min(next, poke.end);
    } else if (pushed_) {
      simulator.set_force(Eigen::VectorXd::Zero(model().velocities));
      pushed_ = false;
    }
    status = simulator.advance(next);
    if (status != SimulationStatus::ready) break;
  }
  simulator.interrupt_by({});
  return status;
}

std::span<const double> PlaySession::frame() {
  Simulator& simulator = machine_->simulator;
  const State& state = simulator.state();
  const EnergyAccount energy = simulator.energy();
  const SimulationStatistics& statistics = simulator.statistics();
  const auto active = simulator.active();
  frame_ = {state.time,
            static_cast<double>(index_of(simulator.status())),
            static_cast<double>(event_count_),
            energy.kinetic,
            energy.potential,
            energy.dissipated,
            energy.supplied,
            energy.corrected,
            statistics.steps_gained + statistics.steps_lost,
            energy.initial,
            static_cast<double>(model().bodies.size()),
            static_cast<double>(active.size()),
            static_cast<double>(state.q.size()),
            static_cast<double>(state.v.size())};
  PlacedMachine& placed = machine_->placed;
  const bool drawn = placed.place(state);
  const auto append = [&](std::initializer_list<double> values) {
    frame_.insert(frame_.end(), values.begin(), values.end());
  };
  for (int body = 0; body < static_cast<int>(model().bodies.size()); ++body) {
    const Pose pose = drawn ? placed.pose(body) : Pose();
    const Quaternion turn = quaternion_from_matrix(pose.rotation);
    append({pose.position.x, pose.position.y, pose.position.z, turn.w, turn.x, turn.y, turn.z});
  }
  for (const ActiveContact& each : active) {
    const Contact& contact = each.contact;
    const bool surfaces = contact.kind == ContactKind::surfaces;
    const Vector3 point = drawn ? placed.shown_at(contact) : contact.point;
    const Vector3 normal = surfaces ? contact.normal : Vector3(), tangent = surfaces ? contact.tangent1 : Vector3();
    const Friction friction = surfaces ? contact_friction(model(), contact) : Friction();
    append({point.x, point.y, point.z, normal.x, normal.y, normal.z, tangent.x, tangent.y, tangent.z, each.force.n,
            each.force.t1, each.force.t2, static_cast<double>(index_of(each.mode)),
            each.mode == ContactMode::slip ? friction.kinetic_coefficient : friction.static_coefficient});
  }
  frame_.insert(frame_.end(), state.q.begin(), state.q.end());
  frame_.insert(frame_.end(), state.v.begin(), state.v.end());
  return frame_;
}

long long PlaySession::row_of(const EventContact& contact) {
  const auto found = std::find(rows_.begin(), rows_.end(), contact.id);
  if (found != rows_.end()) return found - rows_.begin();
  rows_.push_back(contact.id);
  row_names_.push_back(contact.name);
  return static_cast<long long>(rows_.size()) - 1;
}

std::string PlaySession::take_events() {
  const EventContext context{[this](const EventContact& contact) { return row_of(contact); }, [] { return ""; }};
  JsonWriter json;
  json.begin_object();
  json.list("events", events_, [&](const Event& event) { write_event(event, 0, machine_->placed, context, json); });
  json.texts("contacts", row_names_);
  json.end_object();
  events_.clear();
  return json.result();
}

std::string PlaySession::verdicts() {
  Simulator& simulator = machine_->simulator;
  JsonWriter json;
  json.begin_object();
  json.begin_list("verdicts");
  ContactProblemBuilder builder(model());
  Workspace& workspace = machine_->placed.workspace();
  const bool usable = builder.prepare_forces(model(), simulator.state(), workspace) < 0;
  for (const ActiveContact& each : simulator.active()) {
    if (!usable) break;
    const AccelerationProblem problem = builder.force_problem(model(), workspace, each.contact);
    const Law law = start_.options.law.value_or(contact_law(model(), each.contact));
    const ContactDiagnosis diagnosis = diagnose(problem, FreeAcceleration::given, law);
    json.begin_object();
    json.text("contact", contact_name(model(), each.contact));
    json.text("verdict", name(diagnosis.verdict));
    json.text("tone", tone(diagnosis.verdict));
    json.texts("sentences", diagnosis_sentences(diagnosis, {}));
    json.end_object();
  }
  json.end_list();
  json.end_object();
  return json.result();
}

}  // namespace routh::internal
