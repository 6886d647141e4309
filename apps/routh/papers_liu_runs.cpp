// Runs of [Liu 2007, cases 4 to 6] and what is said about them in words.
#include "papers_liu_runs.h"

#include <fmt/format.h>

#include <cmath>

namespace routh {

namespace {

constexpr double sample_interval = 0.005;  // [s]
constexpr double case_6_end = 20;          // of what is told in words [s]; the run itself is longer

bool is_strike(const Event& event) {
  return event.kind == EventKind::impact || event.kind == EventKind::tangential_impact;
}

// The speed of the tip by the angles from the vertical; links of 1 m.
LiuPoint point_at(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const double theta1 = q[0], theta2 = q[0] + q[1], rate1 = v[0], rate2 = v[0] + v[1];
  LiuPoint out;
  out.time = time;
  out.theta1 = theta1;
  out.rate1 = rate1;
  out.tangential = std::cos(theta1) * rate1 + std::cos(theta2) * rate2;
  out.normal = std::sin(theta1) * rate1 + std::sin(theta2) * rate2;
  return out;
}

// Follows the motion: collects its points and knows, from event to event, whether the tip is in the air.
class Recorder {
 public:
  explicit Recorder(LiuRun& run) : run_(run) {}

  void take(const Sample& sample) {
    if (sample.active.empty()) {
      now_ = LiuStretch::air;
    } else {
      now_ = sample.active.front().mode == ContactMode::stick ? LiuStretch::stick : LiuStretch::slip;
    }
    add(point_at(sample.state.time, sample.state.q, sample.state.v), now_);
    if (now_ != LiuStretch::stick) return;
    const ContactVector& force = sample.active.front().force;
    const double demand = std::abs(force.t1) / force.n;
    if (!(demand > run_.largest_demand) || sample.state.time > case_6_end) return;
    run_.largest_demand = demand;
    run_.demand_time = sample.state.time;
  }

  void take(const Event& event) {
    add(point_at(event.time, event.position, event.velocity_before), now_);
    if (is_strike(event)) add(point_at(event.time, event.position, event.velocity_after), LiuStretch::jump);
    // A contact that an impact closes says so by the event that follows.
    now_ = event.kind == EventKind::slip    ? LiuStretch::slip
           : event.kind == EventKind::stick ? LiuStretch::stick
                                            : LiuStretch::air;
    run_.events.push_back(event);
  }

 private:
  void add(LiuPoint point, LiuStretch before) {
    point.before = before;
    run_.points.push_back(point);
  }

  LiuRun& run_;
  LiuStretch now_ = LiuStretch::air;
};

void check(SimulationStatus status, const std::string& name, const Simulator& simulator) {
  if (failed(status)) throw RuntimeFailure(fmt::format("{}: {}", name, simulator.message()));
}

std::string kind_word(EventKind kind) {
  return kind == EventKind::tangential_impact ? "tangential impact" : std::string(name(kind));
}

}  // namespace

LiuRun run_liu_case(const PaperFiles& files, const std::string& name) {
  LiuRun run;
  run.file = name + ".yaml";
  run.scene = read_paper_scene(files, run.file);
  SimulationOptions options;
  options.touch = run.scene.touch.tolerance;
  Simulator simulator(run.scene.model, run.scene.state, options);
  Recorder recorder(run);
  simulator.on_event([&](const Event& event) { recorder.take(event); });
  simulator.on_sample(sample_interval, 0, [&](const Sample& sample) { recorder.take(sample); });
  check(simulator.advance(run.scene.simulation.until.value_or(3)), name, simulator);
  // At rest, the first contact sees the belt pass by.
  Workspace workspace(run.scene.model);
  const TouchReport touch = find_touches(run.scene.model, run.scene.state, run.scene.touch, workspace);
  if (touch.touches.empty()) throw InputError({run.file}, "nothing touches in this scene");
  run.belt = surface_velocity(run.scene.model, workspace, touch.touches.front().contact, 0).t1;
  return run;
}

std::string liu_sequence(const LiuRun& run, double until) {
  std::vector<std::string> words;
  std::vector<EventKind> kinds;
  for (const Event& event : run.events)
    if (event.time <= until) kinds.push_back(event.kind);
  // From here on nothing but impacts: at least three of them, or they are told one by one.
  std::size_t bounces = kinds.size();
  while (bounces > 0 && kinds[bounces - 1] == EventKind::impact) --bounces;
  if (kinds.size() - bounces < 3) bounces = kinds.size();
  for (std::size_t k = 0; k < bounces; ++k) {
    const bool reverses = k > 0 && kinds[k] == EventKind::slip && kinds[k - 1] == EventKind::slip;
    words.push_back(reverses ? "reverse" : kind_word(kinds[k]));
  }
  if (bounces < kinds.size()) words.emplace_back("bounces");
  // Closed by an impact, and not opened again.
  std::size_t last = kinds.size();
  while (last > 0 && (kinds[last - 1] == EventKind::slip || kinds[last - 1] == EventKind::stick)) --last;
  if (last > 0 && last < kinds.size() && kinds[last - 1] == EventKind::impact) {
    words.resize(last);
    words.emplace_back("stays");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

LiuHold liu_hold(const Scene& scene, double stiffness, double damping) {
  constexpr double duration = 6, last_second = duration - 1, another_posture = 0.3;  // [s], [s], [rad]
  Scene changed = scene;
  changed.model.dofs[0].properties.damping = damping;
  changed.model.dofs[1].properties.damping = damping;
  changed.model.dofs[1].properties.stiffness = stiffness;
  SimulationOptions options;
  options.tolerance = 1e-8;
  options.touch = scene.touch.tolerance;
  Simulator simulator(changed.model, changed.state, options);
  check(simulator.advance(duration), fmt::format("K = {}, C = {}", stiffness, damping), simulator);
  double last = -1;
  for (const Event& event : simulator.events())
    if (is_strike(event) || event.kind == EventKind::detach) last = event.time;
  if (simulator.active().empty() || last > last_second) return LiuHold::bounces;
  if (std::abs(simulator.state().q[0] - scene.state.q[0]) > another_posture) return LiuHold::stays_elsewhere;
  return last < 0 ? LiuHold::never_leaves : LiuHold::stays;
}

const LiuRun& LiuRuns::of(const std::string& name) {
  for (const auto& [known, run] : runs_)
    if (known == name) return *run;
  runs_.emplace_back(name, std::make_unique<LiuRun>(run_liu_case(files_, name)));
  return *runs_.back().second;
}

std::optional<OurValue> LiuRuns::value(const std::string& quantity) {
  const auto told = [&](const std::string& name, double until = 1e300) {
    return OurValue{0, liu_sequence(of(name), until), {}};
  };
  if (quantity == "c4_events") return told("case-4");
  if (quantity == "c4e0_events") return told("case-4-e0");
  if (quantity == "c5_events") return told("case-5");
  if (quantity == "c6_events") return told("case-6", case_6_end);
  if (quantity == "c6_mu07") {
    // The first round of a motion that repeats itself.
    const LiuRun& run = of("case-6-mu07");
    return OurValue{0, liu_sequence(run, run.events.size() > 3 ? run.events[3].time : 0), {}};
  }
  if (quantity == "c4_v_t") {
    const LiuRun& run = of("case-4");
    if (run.events.empty() || run.events.front().contacts.empty()) return std::nullopt;
    return OurValue{run.belt + run.events.front().contacts.front().velocity_after.t1, {}, {}};
  }
  if (quantity == "c5_impacts") {
    double count = 0;
    for (const Event& event : of("case-5").events) count += is_strike(event) ? 1 : 0;
    return OurValue{count, {}, {}};
  }
  return std::nullopt;
}

}  // namespace routh
