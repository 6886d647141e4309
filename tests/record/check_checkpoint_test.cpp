// Checkpoints from a file: what no run wrote is refused field by field, and what passes ends, whatever it says.
#include "routh/record/check_checkpoint.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "random_run.h"
#include "routh/record/run_fields.h"
#include "routh/record/run_info.h"
#include "routh/scene/scene.h"
#include "routh/scene/simulation_settings.h"

namespace {

using namespace routh;
using testing_support::Random;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// A ball that bounces and a block that slides: closed contacts, bounces, quaternions.
constexpr const char* text = R"(routh: 1
surfaces:
  wood: {friction: 0.5, restitution: 0.5}
bodies:
  ball:
    mass: 1
    inertia: [0.01, 0.01, 0.01, 0, 0, 0]
    joint: {kind: free}
    shapes: {ball: {kind: sphere, radius: 0.1, surface: wood}}
  block:
    mass: 1
    inertia: [0.01, 0.01, 0.01, 0, 0, 0]
    joint: {kind: free}
    shapes: {block: {kind: box, size: [0.2, 0.2, 0.2], surface: wood}}
world:
  shapes: {floor: {kind: half_space, surface: wood}}
state:
  position:
    ball: {position: [0, 0, 0.3], rotation: {quaternion: [1, 0, 0, 0]}}
    block: {position: [1, 0, 0.1], rotation: {quaternion: [1, 0, 0, 0]}}
  velocity: {block: [1, 0, 0, 0, 0, 0]}
)";

struct Begun {
  Scene scene;
  SimulationOptions options;
  RunData run;
};

Begun begin(EngineKind engine) {
  Begun out{read_scene_text(text, "test.yaml"), {}, {}};
  out.options.engine = engine;
  Simulator simulator(out.scene.model, out.scene.state, out.options);
  simulator.on_sample(0.1, 0, [&](const Sample& sample) { out.run.samples.push_back(sample); });
  simulator.advance(0.7);
  EXPECT_FALSE(failed(simulator.status())) << simulator.message();
  out.run.events = simulator.events();
  out.run.outcome.time = simulator.state().time;
  out.run.outcome.checkpoint = simulator.checkpoint();
  return out;
}

class CheckpointOf : public testing::TestWithParam<EngineKind> {
 protected:
  std::string fault_with(const std::function<void(Checkpoint&)>& change) {
    RunData run = begun.run;
    change(run.outcome.checkpoint);
    return checkpoint_fault(begun.scene.model, run);
  }
  Begun begun = begin(GetParam());
};

TEST_P(CheckpointOf, ItsOwnRunIsUsed) {
  EXPECT_EQ(fault_with([](Checkpoint&) {}), "");
}

TEST_P(CheckpointOf, EveryNumberIsLookedAt) {
  int changed = 0, seen = 0;
  const auto spoil = [&](const char* name, auto& value) {
    using T = std::remove_reference_t<decltype(value)>;
    if (seen++ != changed || std::is_same_v<T, bool>) return std::string();
    value = std::is_floating_point_v<T> ? static_cast<T>(nan_value) : std::numeric_limits<T>::min();
    return std::string(name);
  };
  for (bool more = true; more; ++changed) {
    seen = 0;
    std::string name;
    const std::string fault = fault_with([&](Checkpoint& c) {
      for_each_number(c, [&](const char* each, auto& value, int) { name += spoil(each, value); });
      for_each_crowd_number(c.crowd, [&](const char* each, auto& value) { name += spoil(each, value); });
    });
    more = changed < seen;
    if (name.empty()) continue;
    EXPECT_NE(fault.find("'" + name + "'"), std::string::npos) << name << ": " << fault;
  }
  EXPECT_GT(changed, 20);
}

TEST_P(CheckpointOf, StrangersAreRefused) {
  const auto refused = [&](const char* words, const std::function<void(Checkpoint&)>& change) {
    const std::string fault = fault_with(change);
    EXPECT_NE(fault.find(words), std::string::npos) << words << ": " << fault;
  };
  for (const ContactId id : {ContactId{2147483647, 0}, ContactId{100, 0}, ContactId{-2147483647 - 1, 0},
                             ContactId{-13, 0}, ContactId{-1, 2}, ContactId{0, -1}}) {
    refused("'closed' names a contact", [&](Checkpoint& c) { c.closed.push_back({id, ContactMode::stick}); });
    refused("'released' names a contact", [&](Checkpoint& c) { c.released.push_back(id); });
    refused("'bounces' names a contact", [&](Checkpoint& c) { c.bounces.push_back({id, {}, {}}); });
    refused("'pending' names a contact", [&](Checkpoint& c) { c.pending.push_back({0, id}); });
    refused("'shares' names a contact", [&](Checkpoint& c) { c.crowd.shares.push_back({id, {}}); });
    refused("'recent' names a contact", [&](Checkpoint& c) { c.crowd.recent.push_back({0, id}); });
  }
  refused("'time'", [](Checkpoint& c) { c.state.time = nan_value; });
  refused("'time'", [](Checkpoint& c) { c.state.time = inf; });
  refused("'time' is later", [](Checkpoint& c) { c.state.time = 1e9; });
  refused("'time' is earlier", [](Checkpoint& c) { c.state.time = -1e9; });
  refused("'position'", [](Checkpoint& c) { c.state.q[1] = nan_value; });
  refused("'position' has", [](Checkpoint& c) { c.state.q.conservativeResize(3); });
  refused("unit quaternion", [](Checkpoint& c) { c.state.q *= 2; });
  refused("'velocity'", [](Checkpoint& c) { c.state.v[1] = inf; });
  refused("'acceleration'", [](Checkpoint& c) { c.acceleration.setZero(1); });
  refused("'accounts'", [](Checkpoint& c) { c.accounts.setConstant(1, nan_value); });
  refused("'crowd'", [](Checkpoint& c) { c.crowd.velocity.setZero(2); });
  refused("'events' is", [](Checkpoint& c) { c.events = 1000000; });
  refused("'pending' has an unknown", [](Checkpoint& c) { c.pending.push_back({0, {0, 0}, 0, 0xFFFFFFFFu}); });
  refused("direction", [](Checkpoint& c) { c.closed.push_back({{0, 0}, ContactMode::slip, nan_value, 0}); });
}

// Through the file, so that the reader is in the way, too.
TEST_P(CheckpointOf, GoesThroughTheFile) {
  const testing_support::Folder folder;
  describe_coordinates(begun.scene.model, begun.run.info);
  RunData run = begun.run;
  run.outcome.checkpoint.closed.push_back({{2147483647, 0}, ContactMode::stick});
  run.outcome.state = run.outcome.checkpoint.state;
  write_run(folder.path("run.h5"), run);
  EXPECT_NE(checkpoint_fault(begun.scene.model, read_run(folder.path("run.h5"))), "");
}

INSTANTIATE_TEST_SUITE_P(Engines, CheckpointOf,
                         testing::Values(EngineKind::events, EngineKind::stepping, EngineKind::automatic),
                         [](const auto& it) { return std::string(name(it.param)); });

}  // namespace
