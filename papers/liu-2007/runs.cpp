// Runs of [Liu 2007, cases 4 to 6] and what is said about them in words.
#include "papers/liu-2007/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "papers/tolerances.h"
#include "routh/math/elementary.h"

namespace routh {

namespace {

constexpr double usual_end = 3;    // of a run whose scene names none [s]
constexpr double case_6_end = 20;  // of what is told in words [s]; the run itself is longer

struct CaseName {
  const char* prefix;  // of its values
  const char* file;
  double told_until;  // [s]
};
constexpr CaseName cases[] = {{"c4", "case-4", unlimited},
                              {"c4e0", "case-4-e0", unlimited},
                              {"c5", "case-5", unlimited},
                              {"c6", "case-6", case_6_end},
                              {"c6m", "case-6-mu07", 1.2}};  // its first round

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
  out.tangential = elementary::cos(theta1) * rate1 + elementary::cos(theta2) * rate2;
  out.normal = elementary::sin(theta1) * rate1 + elementary::sin(theta2) * rate2;
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

std::string kind_word(EventKind kind) {
  return kind == EventKind::tangential_impact ? "tangential impact" : std::string(name(kind));
}

}  // namespace

LiuRun run_liu_case(const PaperFiles& files, const std::string& name) {
  LiuRun run;
  run.file = name + ".yaml";
  run.scene = read_paper_scene(files, run.file);
  if (run.scene.model.velocities != 2) throw InputError({run.file}, "the arm must have two joints");
  Simulator simulator(run.scene.model, run.scene.state, simulation_options(run.scene.simulation, run.scene.touch));
  Recorder recorder(run);
  simulator.on_event([&](const Event& event) { recorder.take(event); });
  simulator.on_sample(tolerances::run_sample_interval, 0, [&](const Sample& sample) { recorder.take(sample); });
  run.status = simulator.advance(run.scene.simulation.until.value_or(usual_end));
  Workspace workspace(run.scene.model);
  run.belt = surface_velocity(run.scene.model, workspace, first_contact(run.scene, workspace), 0).t1;
  return run;
}

std::string liu_sequence(const LiuRun& run, double until) {
  if (failed(run.status)) return name(run.status);
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
  options.tolerance = tolerances::told_run_tolerance;
  options.touch = scene.touch.tolerance;
  Simulator simulator(changed.model, changed.state, options);
  if (failed(simulator.advance(duration))) return LiuHold::failed;
  double last = -1;
  for (const Event& event : simulator.events())
    if (is_strike(event) || event.kind == EventKind::detach) last = event.time;
  if (simulator.active().empty() || last > last_second) return LiuHold::bounces;
  if (std::abs(simulator.state().q[0] - scene.state.q[0]) > another_posture) return LiuHold::stays_elsewhere;
  return LiuHold::stays;
}

const LiuRun& LiuRuns::of(const std::string& name) {
  for (const auto& [known, run] : runs_)
    if (known == name) return *run;
  runs_.emplace_back(name, std::make_unique<LiuRun>(run_liu_case(files_, name)));
  return *runs_.back().second;
}

// The tangential impact at the start of case 4: how the tip leaves, and by the jump rule, eqs 23 to 28 with Q22 = a,
// Q12 = c, Q11 = b.
std::optional<OurValue> LiuRuns::first_jump(const std::string& quantity) {
  const LiuRun& run = of("case-4");
  if (run.events.empty() || run.events.front().contacts.empty()) return OurValue{0, "none", {}};
  const ContactVector& after = run.events.front().contacts.front().velocity_after;
  if (quantity == "c4_v_t") return OurValue{run.belt + after.t1, {}, {}};
  if (quantity == "c4_dT") return OurValue{run.events.front().energy.change, {}, {}};
  if (quantity == "c4_belt") return OurValue{run.events.front().energy.supplied, {}, {}};
  if (quantity != "c4_v_n") return std::nullopt;
  ContactProbe probe(run.scene);
  const ImpactProblem contact = probe.at(run.scene.state).contact;
  const double a = contact.inertia.a, c = contact.inertia.c1, b = contact.inertia.b11;
  const double slip = -run.belt, mu = -std::copysign(contact.friction.kinetic_coefficient, slip);
  const double P1 = -slip / (mu * b + c), v1 = (mu * c + a) * P1;
  const double P2 = b * v1 / (c * c - a * b);
  const double P3 = run.events.front().contacts.front().restitution * (P1 + P2);
  return OurValue{after.n, {}, (a - c * c / b) * P3};
}

std::optional<OurValue> LiuRuns::gains(const std::string& quantity) {
  constexpr double dampings[] = {0.1, 0.5, 2, 10, 50};  // as the titles in expected.yaml say [N m s/rad]
  static const char* const words[] = {"bounces", "stays", "stays elsewhere", "fails"};
  double stiffness = 0;
  const char* end = quantity.data() + quantity.size();
  if (quantity.size() < 6 || (quantity[2] != '4' && quantity[2] != '5') || quantity.substr(3, 2) != "_K") return {};
  const auto parsed = std::from_chars(quantity.data() + 5, end, stiffness);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(stiffness >= 0 && stiffness < tolerances::asked_stiffness_max))
    return std::nullopt;
  const Scene& scene = of(quantity[2] == '4' ? "case-4" : "case-5").scene;
  std::vector<std::string> told;
  for (const double damping : dampings)
    told.emplace_back(words[static_cast<std::size_t>(liu_hold(scene, stiffness, damping))]);
  const bool all_alike = std::all_of(told.begin(), told.end(), [&](const std::string& w) { return w == told[0]; });
  return OurValue{0, all_alike ? told[0] : fmt::format("{}", fmt::join(told, ", ")), {}};
}

std::optional<OurValue> LiuRuns::value(const std::string& quantity) {
  if (quantity.starts_with("pd")) return gains(quantity);
  const std::size_t bar = quantity.find('_');
  if (bar == std::string::npos) return std::nullopt;
  const std::string what = quantity.substr(bar + 1);
  const auto found = std::find_if(std::begin(cases), std::end(cases),
                                  [&](const CaseName& entry) { return quantity.substr(0, bar) == entry.prefix; });
  if (found == std::end(cases)) return std::nullopt;
  if (what == "events") return OurValue{0, liu_sequence(of(found->file), found->told_until), {}};
  if (what == "demand") return OurValue{of(found->file).largest_demand, {}, {}};
  if (what == "t_peak") return OurValue{of(found->file).demand_time, {}, {}};
  if (what.size() == 2 && what[0] == 't' && what[1] >= '1' && what[1] <= '9') {
    const std::vector<Event>& events = of(found->file).events;
    const auto index = static_cast<std::size_t>(what[1] - '1');
    return index < events.size() ? OurValue{events[index].time, {}, {}} : OurValue{0, "none", {}};
  }
  return first_jump(quantity);
}

}  // namespace routh
