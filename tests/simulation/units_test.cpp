// The same machine written down in other units has the same run: its bits where the units are powers of two, its
// motion to the tolerance where they are not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "routh/model/scales.h"
#include "simulation/trial.h"
#include "support/other_units.h"

namespace {

using namespace routh;
using testing_support::example;
using testing_support::in_units;
using testing_support::OtherUnits;

struct Example {
  const char* file;
  double until;      // [s]
  double unchaotic;  // [s]: until then rounding grows by less than a factor of 1e6
  EngineKind engine = EngineKind::automatic;
};

std::ostream& operator<<(std::ostream& out, const Example& it) { return out << it.file << " by " << name(it.engine); }

// All that a run tells, each number divided by its unit.
struct Told {
  std::vector<double> numbers;
  std::vector<int> kinds;

  void add(double value, double unit) { numbers.push_back(value / unit); }
  void add(const Model& model, const Eigen::VectorXd& v, const OtherUnits& units) {
    for (int k = 0; k < model.velocities; ++k) add(v[k], (is_angular(model, k) ? 1 : units.length) / units.time);
  }
  // Positions in the entries that are lengths.
  void add(const Model& model, const State& state, const OtherUnits& units) {
    const State one = in_units(model, {Eigen::VectorXd::Ones(model.coordinates), state.v, 1}, units);
    add(state.time, units.time);
    for (int i = 0; i < model.coordinates; ++i) add(state.q[i], one.q[i]);
    add(model, state.v, units);
  }
};

Told tell(const Model& model, const State& start, const SimulationOptions& options, const OtherUnits& units,
          double until) {
  Told told;
  Simulator simulator(model, start, options);
  // Not at the ends of pieces, where rounding of the interval would decide which piece a sample belongs to.
  simulator.on_sample(0.057 * until, 0, [&](const Sample& sample) {
    told.add(model, sample.state, units);
    for (const double energy : {sample.energy.kinetic, sample.energy.potential, sample.energy.dissipated,
                                sample.energy.supplied, sample.energy.corrected})
      told.add(energy, units.torque());
    for (const ActiveContact& each : sample.active) {
      const bool angle = kind_of(each.contact.id) == ContactKind::limit && is_angular(model, each.contact.dof);
      told.add(each.contact.gap, angle ? 1 : units.length);
      told.add(each.force.n, angle ? units.torque() : units.force());
      told.add(each.force.t1, units.force());
    }
  });
  simulator.on_event([&](const Event& event) {
    told.kinds.push_back(static_cast<int>(event.kind));
    told.add(event.time, units.time);
    told.add(event.energy.change, units.torque());
    told.add(model, event.velocity_after, units);
    for (const EventContact& each : event.contacts) {
      const bool angle = kind_of(each.id) == ContactKind::limit && is_angular(model, -1 - each.id.pair);
      told.add(each.impulse.n, angle ? units.torque() * units.time : units.impulse());
      told.add(each.velocity_before.n, (angle ? 1 : units.length) / units.time);
    }
  });
  for (int piece = 1; piece <= 4; ++piece)
    EXPECT_EQ(simulator.advance(0.25 * piece * until), SimulationStatus::ready) << simulator.message();
  told.add(model, simulator.state(), units);
  // A run that goes on from a checkpoint has the numbers of the whole one.
  Simulator resumed(model, simulator.checkpoint(), options);
  resumed.advance(simulator.state().time);
  told.add(model, resumed.state(), units);
  return told;
}

class InOtherUnits : public testing::TestWithParam<Example> {
 protected:
  static Told in(const OtherUnits& units, double until) {
    const Scene scene = example(GetParam().file);
    SimulationOptions options = simulation_options(scene.simulation, scene.touch);
    options.engine = GetParam().engine;
    const Model model = build_model(in_units(scene.draft.description, units));
    return tell(model, in_units(scene.model, scene.state, units), in_units(options, units), units, until * units.time);
  }
};

TEST_P(InOtherUnits, SameBitsScaled) {
  const double until = GetParam().until;
  const Told plain = in({}, until);
  ASSERT_GT(plain.numbers.size(), 50u);
  for (const OtherUnits& units :
       {OtherUnits{4, 1, 1}, {1, 4, 1}, {1, 1, 4}, {1024, 0.0625, 256}, {0.25, 4096, 1. / 64}}) {
    const Told other = in(units, until);
    SCOPED_TRACE(fmt::format("length {} mass {} time {}", units.length, units.mass, units.time));
    ASSERT_EQ(plain.kinds, other.kinds);
    ASSERT_EQ(plain.numbers, other.numbers);
  }
}

// Metres and seconds to millimetres and milliseconds, kilograms to pounds. Until rounding has grown to more.
TEST_P(InOtherUnits, SameMotionInAnyUnits) {
  const double until = GetParam().unchaotic;
  const Told plain = in({}, until);
  for (const OtherUnits& units : {OtherUnits{1000, 1, 1}, {1, 1, 1000}, {1, 2.20462, 1}}) {
    const Told other = in(units, until);
    SCOPED_TRACE(fmt::format("length {} mass {} time {}", units.length, units.mass, units.time));
    ASSERT_EQ(plain.kinds, other.kinds);
    ASSERT_EQ(plain.numbers.size(), other.numbers.size());
    double apart = 0;
    for (std::size_t k = 0; k < plain.numbers.size(); ++k)
      apart = std::max(apart, std::abs(plain.numbers[k] - other.numbers[k]) / (1 + std::abs(plain.numbers[k])));
    EXPECT_LT(apart, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Units, InOtherUnits,
                         testing::Values(Example{"rocking_block.yaml", 1.0, 1.0}, Example{"superball.yaml", 0.7, 0.7},
                                         Example{"woodpecker.yaml", 0.4, 0.4}, Example{"newton_cradle.yaml", 1.0, 1.0},
                                         Example{"liu_arm.yaml", 0.2, 0.2}, Example{"painleve_rod.yaml", 0.3, 0.3},
                                         Example{"rattleback.yaml", 0.2, 0.2}, Example{"slider_crank.yaml", 0.2, 0.2},
                                         Example{"rimless_wheel.yaml", 0.5, 0.5}, Example{"walker.yaml", 0.3, 0.3},
                                         Example{"billiards.yaml", 0.5, 0.5},
                                         Example{"billiards.yaml", 0.2, 0.2, EngineKind::stepping},
                                         Example{"quadruped.yaml", 0.2, 0.05},
                                         Example{"quadruped.yaml", 0.1, 0.02, EngineKind::stepping}));

}  // namespace
