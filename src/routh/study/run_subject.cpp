#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "routh/study/run_quantity.h"
#include "routh/study/scene_subject.h"

namespace routh::internal {

Fault fault_of(SimulationStatus status) {
  switch (status) {
    case SimulationStatus::ready:
    case SimulationStatus::user_stop:
    case SimulationStatus::stopped:
      return Fault::none;
    case SimulationStatus::overlapping:
      return Fault::overlapping;
    case SimulationStatus::step_underflow:
      return Fault::step_underflow;
    case SimulationStatus::non_finite:
      return Fault::non_finite;
    case SimulationStatus::singular:
      return Fault::singular;
    case SimulationStatus::unsolved_modes:
      return Fault::unsolved_modes;
    case SimulationStatus::unsolved_impact:
      return Fault::unsolved_impact;
    case SimulationStatus::event_limit:
      return Fault::event_limit;
    case SimulationStatus::step_limit:
      return Fault::step_limit;
  }
  return Fault::none;
}

namespace {

using Kind = RunQuantity::Kind;
using When = RunQuantity::When;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct RunPlan {
  SceneMaker maker;
  RunRequest request;
  std::vector<RunQuantity> quantities;
  bool extremes = false;
};

// What happened in a run, as far as it can be asked for.
struct RunTally {
  std::array<long, event_kind_count> count = {};
  std::array<double, event_kind_count> first, last;
  double impulse = 0;

  RunTally() {
    first.fill(missing);
    last.fill(missing);
  }
  void add(const Event& event) {
    const auto kind = static_cast<std::size_t>(event.kind);
    if (count[kind]++ == 0) first[kind] = event.time;
    last[kind] = event.time;
    for (const EventContact& contact : event.contacts) impulse = std::max(impulse, contact.impulse.n);
  }
};

double state_value(const RunQuantity& quantity, const State& state, const EnergyAccount& energy) {
  switch (quantity.kind) {
    case Kind::position:
      return state.q[quantity.index];
    case Kind::velocity:
      return state.v[quantity.index];
    case Kind::energy:
      return energy_entry(energy, quantity.index);
    default:
      return missing;
  }
}

double event_value(const RunQuantity& quantity, const RunTally& tally) {
  const auto kind = static_cast<std::size_t>(quantity.index);
  switch (quantity.kind) {
    case Kind::event_count:
      return static_cast<double>(tally.count[kind]);
    case Kind::event_first:
      return tally.first[kind];
    case Kind::event_last:
      return tally.last[kind];
    case Kind::all_events: {
      long all = 0;
      for (const long each : tally.count) all += each;
      return static_cast<double>(all);
    }
    case Kind::impulse:
      return tally.impulse;
    case Kind::time:
    case Kind::position:
    case Kind::velocity:
    case Kind::energy:
      return missing;
  }
  return missing;
}

bool of_state(Kind kind) { return kind == Kind::position || kind == Kind::velocity || kind == Kind::energy; }

std::string ends_too_soon(double until, double start) {
  return fmt::format("the run would end at {} s and begin at {} s", until, start);
}

class RunRunner : public SampleRunner {
 public:
  explicit RunRunner(const RunPlan& plan) : plan_(plan), builder_(plan.maker) {}

  Fault run(std::span<const double> parameters, std::span<double> quantities, std::string& reason) override {
    if (!builder_.build(parameters, reason)) return Fault::refused;
    RunTally tally;
    std::fill(quantities.begin(), quantities.end(), missing);
    const State& start = builder_.state();
    if (!(plan_.request.until > start.time)) {
      reason = ends_too_soon(plan_.request.until, start.time);
      return Fault::refused;
    }
    Simulator simulator(builder_.model(), start, plan_.request.options);
    simulator.on_event([&](const Event& event) { tally.add(event); });
    if (plan_.extremes)
      simulator.on_sample(plan_.request.interval, start.time,
                          [&](const Sample& sample) { widen(sample.state, sample.energy, quantities); });
    if (stop()) simulator.interrupt_by([this] { return stop()->load(std::memory_order_relaxed); });
    const SimulationStatus status = simulator.advance(plan_.request.until);
    if (const Fault fault = fault_of(status); fault != Fault::none) {
      reason = simulator.message();
      return fault;
    }
    const EnergyAccount energy = simulator.energy();
    widen(simulator.state(), energy, quantities);
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      const RunQuantity& quantity = plan_.quantities[k];
      if (quantity.kind == Kind::time)
        quantities[k] = simulator.state().time;
      else if (!of_state(quantity.kind))
        quantities[k] = event_value(quantity, tally);
      else if (quantity.when == When::end)
        quantities[k] = state_value(quantity, simulator.state(), energy);
    }
    return Fault::none;
  }

 private:
  void widen(const State& state, const EnergyAccount& energy, std::span<double> quantities) const {
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      const RunQuantity& quantity = plan_.quantities[k];
      if (!of_state(quantity.kind) || quantity.when == When::end) continue;
      const double value = state_value(quantity, state, energy);
      double& extreme = quantities[k];
      const bool further = quantity.when == When::least ? value < extreme : value > extreme;
      if (!(extreme == extreme) || further) extreme = value;
    }
  }

  const RunPlan& plan_;
  SceneMaker::Builder builder_;
};

class RunSubject : public StudySubject {
 public:
  RunSubject(Scene scene, const RunRequest& request) : plan_{SceneMaker(std::move(scene)), request, {}, false} {}

  void add_parameter(const StudyPath& path) override { plan_.maker.add_parameter(path); }
  std::optional<Refusal> try_values(std::span<const GivenValue> values) const override {
    if (auto refusal = plan_.maker.try_values(values)) return refusal;
    double start = plan_.maker.draft().state.time;
    for (const GivenValue& each : values)
      if (each.path.is({"state", "time"})) start = each.value;
    if (plan_.request.until > start) return std::nullopt;
    return Refusal{ends_too_soon(plan_.request.until, start), "give the section `run` a later `until`"};
  }
  void set_parameters(std::span<const GivenValue> values) override { plan_.maker.set_parameters(values); }
  QuantityRef find_quantity(const StudyPath& path) override {
    const RunQuantity found = find_run_quantity(path, plan_.maker.model());
    plan_.extremes = plan_.extremes || (of_state(found.kind) && found.when != When::end);
    return {place_of(found, plan_.quantities), {}, false};
  }
  std::unique_ptr<SampleRunner> make_runner() const override { return std::make_unique<RunRunner>(plan_); }
  std::size_t quantity_count() const override { return plan_.quantities.size(); }
  std::uint64_t block_size() const override { return 4; }

 private:
  RunPlan plan_;
};

}  // namespace

std::unique_ptr<StudySubject> run_subject(Scene scene, const RunRequest& request) {
  return std::make_unique<RunSubject>(std::move(scene), request);
}

}  // namespace routh::internal
