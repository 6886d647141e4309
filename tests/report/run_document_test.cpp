// The document of a run against closed forms: where bodies are, gaps, slip, energies in every bit, paths of impacts.
#include "routh/report/run_document.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "decode.h"
#include "routh/base/error.h"
#include "routh/record/run_file.h"
#include "routh/scene/scene.h"

namespace {

using namespace testing_support;
using routh::RunData;

const char* const pendulum = R"(
routh: 1
name: NAME
dimension: planar
gravity: [0, -9.81]
bodies:
  upper: {mass: 1, com: [0, -0.5], inertia: 0.1, joint: {kind: revolute, at: [0.25, 2]}}
  lower:
    mass: 2
    com: [0, -0.75]
    inertia: 0.2
    joint: {kind: revolute, parent: upper, at: [0, -1], limits: [-1, 1]}
    shapes: {tip: {kind: sphere, radius: 0.125, at: [0, -1.5]}, side: {kind: capsule, radius: 0.1, length: 1}}
world: {shapes: {floor: {kind: half_space}}}
contacts: {exclude: [[side, floor]]}
state: {position: {upper: 0.3, lower: -0.2}}
)";

// A ball of radius 0.1 that is thrown along a rough floor.
const char* const ball = R"(
routh: 1
name: ball
dimension: planar
gravity: [0, -9.81]
surfaces: {s: {friction: 0.2, restitution: 0.5}}
bodies:
  ball: {mass: 2, inertia: 0.008, joint: {kind: planar}, shapes: {ball: {kind: sphere, radius: 0.1, surface: s}}}
world: {shapes: {floor: {kind: half_space}}}
state: {position: {ball: [0, 0.6, 0]}, velocity: {ball: [3, 0, 0]}}
)";

std::string with_name(std::string text, const std::string& name) {
  return text.replace(text.find("NAME"), 4, Json(name).dump());
}

// What a run of this scene is called; without samples.
RunData run_of(const std::string& text) {
  const routh::Scene scene = routh::read_scene_text(text, "test.yaml");
  RunData run;
  run.info.scene_text = text;
  run.info.scene_name = scene.model.name;
  run.info.scene_path = "test.yaml";
  run.info.dimension = scene.model.dimension;
  for (int k = 0; k < scene.model.coordinates; ++k) {
    run.info.coordinate_names.push_back(routh::coordinate_name(scene.model, k));
    run.info.coordinate_units.emplace_back("rad");
  }
  for (int k = 0; k < scene.model.velocities; ++k) {
    run.info.velocity_names.push_back(routh::dof_name(scene.model, k));
    run.info.velocity_units.emplace_back("rad/s");
  }
  return run;
}

RunData simulated(const std::string& text, double until, double interval) {
  RunData run = run_of(text);
  const routh::Scene scene = routh::read_scene_text(text, "test.yaml");
  routh::Simulator simulator(scene.model, scene.state, {});
  simulator.on_sample(interval, 0, [&](const routh::Sample& sample) { run.samples.push_back(sample); });
  run.outcome.status = simulator.advance(until);
  run.outcome.time = simulator.state().time;
  run.outcome.energy = simulator.energy();
  run.events = simulator.events();
  const auto add = [&](routh::ContactId id, const std::string& name) {
    for (const routh::RunContact& contact : run.contacts)
      if (contact.id == id) return;
    run.contacts.push_back({id, name});
  };
  for (const routh::Event& event : run.events)
    for (const routh::EventContact& contact : event.contacts) add(contact.id, contact.name);
  return run;
}

TEST(RunDocument, PosesAreForwardKinematics) {
  RunData run = run_of(with_name(pendulum, "pendulum"));
  for (int k = 0; k < 50; ++k) {
    routh::Sample sample;
    sample.state = {Eigen::Vector2d(0.3 + 0.2 * k, -0.2 - 0.31 * k), Eigen::Vector2d(1, 2), 0.1 * k};
    run.samples.push_back(sample);
  }
  const Json json = Json::parse(routh::run_document(run));
  EXPECT_EQ(json.at("dimension"), "planar");
  EXPECT_EQ(json.at("gravity"), (Json{0, -9.81, 0}));
  const std::vector<float> poses = unpack<float>(json.at("samples").at("poses"), "f32");
  ASSERT_EQ(poses.size(), 50u * 21);
  for (std::size_t k = 0; k < 50; ++k) {
    const float* row = &poses[21 * k];
    const double a = 0.3 + 0.2 * static_cast<double>(k), b = a - 0.2 - 0.31 * static_cast<double>(k);
    const double expected[3][3] = {{0, 0, 0}, {0.25, 2, a}, {0.25 + std::sin(a), 2 - std::cos(a), b}};
    for (std::size_t body = 0; body < 3; ++body) {
      EXPECT_NEAR(row[7 * body], expected[body][0], 1e-6);
      EXPECT_NEAR(row[7 * body + 1], expected[body][1], 1e-6);
      EXPECT_EQ(row[7 * body + 2], 0);
      const double w = row[7 * body + 3], z = row[7 * body + 6];
      EXPECT_NEAR(std::cos(expected[body][2]), w * w - z * z, 1e-5);
      EXPECT_NEAR(std::sin(expected[body][2]), 2 * w * z, 1e-5);
      EXPECT_EQ(row[7 * body + 4], 0);
      EXPECT_EQ(row[7 * body + 5], 0);
      // Turning on does not jump from q to −q.
      const float* before = k > 0 ? row - 21 : row;
      EXPECT_GT(w * static_cast<double>(before[7 * body + 3]) + z * static_cast<double>(before[7 * body + 6]), 0.5);
    }
  }
  // The capsule runs along y in the scene and along x in the page.
  const Json& capsule = json.at("shapes").at(1);
  EXPECT_EQ(capsule.at("kind"), "capsule");
  const double w = capsule.at("rotation").at(0), z = capsule.at("rotation").at(3);
  EXPECT_NEAR(std::abs(2 * w * z), 1, 1e-12);
  EXPECT_EQ(json.at("joints").size(), 2u);
  // From the first joint to the second.
  EXPECT_EQ(json.at("bones").at(0), (Json{{"body", 1}, {"from", {0, 0, 0}}, {"to", {0, -1, 0}}}));
}

TEST(RunDocument, HostileNamesAreInert) {
  const std::string name = "</script><script>alert(1)</script>&\xE2\x80\xA8";
  RunData run = run_of(with_name(pendulum, name));
  run.samples.emplace_back().state = {Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 0), 0};
  run.contacts.push_back({{0, 0}, name});
  run.info.coordinate_names[0] = name + "\xFF";
  run.outcome.message = name;
  run.events.emplace_back().label = name;
  const std::string text = routh::run_document(run);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xA8"), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("title"), name);
  EXPECT_EQ(json.at("contacts").at(0).at("name"), name);
  EXPECT_EQ(json.at("events").at(0).at("label"), name);
  EXPECT_EQ(json.at("samples").at("position").at("names").at(0), name + "\xEF\xBF\xBD");
}

TEST(RunDocument, ABallBouncesAndItsPathsAreThoseOfTheLaw) {
  const RunData run = simulated(ball, 1.5, 0.01);
  const Json json = Json::parse(routh::run_document(run));
  const Json& samples = json.at("samples");
  const std::size_t count = run.samples.size();
  EXPECT_EQ(samples.at("count"), count);
  EXPECT_EQ(samples.at("of"), count);

  const auto kinetic = unpack<double>(samples.at("energy").at("kinetic"), "f64");
  const auto potential = unpack<double>(samples.at("energy").at("potential"), "f64");
  const auto dissipated = unpack<double>(samples.at("energy").at("dissipated"), "f64");
  const auto time = unpack<double>(samples.at("time"), "f64");
  const auto gap = unpack<float>(json.at("contact_samples").at("gap"), "f32");
  ASSERT_EQ(gap.size(), count);
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(time[k], run.samples[k].state.time);
    EXPECT_EQ(kinetic[k], run.samples[k].energy.kinetic);
    EXPECT_EQ(potential[k], run.samples[k].energy.potential);
    EXPECT_EQ(dissipated[k], run.samples[k].energy.dissipated);
    EXPECT_NEAR(kinetic[k] + potential[k] + dissipated[k], samples.at("energy").at("initial").get<double>(), 1e-8);
    EXPECT_NEAR(gap[k], run.samples[k].state.q[1] - 0.1, 1e-6);
  }

  // The first strike, by Coulomb and Newton (c = 0: all laws agree): I_n = m (1 + e) √(2 g h). Slip
  // of 3 m/s stops at I_t = 2/7 · 2 kg · 3 m/s, less than friction could give.
  const Json& event = json.at("events").at(0);
  const double strike_time = std::sqrt(2 * 0.5 / 9.81), speed = 9.81 * strike_time;
  EXPECT_NEAR(event.at("time"), strike_time, 1e-9);
  EXPECT_EQ(event.at("kind"), "impact");
  EXPECT_EQ(event.at("law"), "energetic");
  // Its own two samples, the second after it.
  const auto after = event.at("sample").get<std::size_t>();
  EXPECT_EQ(time[after], event.at("time"));
  EXPECT_EQ(time[after - 1], event.at("time"));
  EXPECT_LT(run.samples[after - 1].state.v[1], 0);
  EXPECT_GT(run.samples[after].state.v[1], 0);
  const Json& contact = event.at("contacts").at(0);
  EXPECT_NEAR(contact.at("impulse").at(0), 2 * 1.5 * speed, 1e-5);
  EXPECT_NEAR(contact.at("impulse").at(1), -12.0 / 7, 1e-6);
  EXPECT_NEAR(contact.at("point").at(0), 3 * strike_time, 1e-6);
  EXPECT_NEAR(contact.at("point").at(1), 0, 1e-6);
  EXPECT_EQ(contact.at("normal"), (Json{0, 1, 0}));
  const Json& path = contact.at("path");
  EXPECT_NEAR(path.at("velocity").front().at(0), -speed, 1e-5);
  EXPECT_NEAR(path.at("velocity").back().at(0), 0.5 * speed, 1e-5);
  EXPECT_EQ(path.at("impulse").front(), 0);
  EXPECT_NEAR(path.at("impulse").back(), 2 * 1.5 * speed, 1e-5);
  EXPECT_EQ(path.at("phases").front().at("kind"), "slip");
  EXPECT_EQ(path.at("phases").back().at("kind"), "stick");
  EXPECT_TRUE(json.at("warnings").empty()) << json.at("warnings");
}

TEST(RunDocument, SlipOfABallThatSlides) {
  std::string text = ball;
  text.replace(text.find("[0, 0.6, 0]"), 11, "[0, 0.1, 0]");
  const RunData run = simulated(text, 0.2, 0.01);
  const Json json = Json::parse(routh::run_document(run));
  const Json& rows = json.at("contact_samples");
  const auto slip = unpack<float>(rows.at("slip_speed"), "f32");
  const auto force = unpack<float>(rows.at("normal_force"), "f32");
  const auto first = unpack<std::int32_t>(rows.at("first"), "i32");
  const auto mode = unpack<std::uint8_t>(rows.at("mode"), "u8");
  const auto tangential = unpack<float>(rows.at("force"), "f32");
  ASSERT_EQ(first.size(), run.samples.size() + 1);
  // A ball that slides with friction μ: its contact point loses 7/2 μ g for a solid ball; this one has I = 0.4 m r².
  for (std::size_t k = 1; k < run.samples.size(); ++k) {
    const double expected = 3 - 3.5 * 0.2 * 9.81 * run.samples[k].state.time;
    EXPECT_NEAR(slip[k], expected, 1e-5);
    EXPECT_NEAR(force[k], 2 * 9.81, 1e-5);
    ASSERT_EQ(first[k + 1] - first[k], 1);
    const auto row = static_cast<std::size_t>(first[k]);
    EXPECT_EQ(mode[row], 2);
    EXPECT_NEAR(tangential[3 * row + 1], -0.2 * 2 * 9.81, 1e-5);
  }
}

TEST(RunDocument, APathThatWasNotRecordedIsNotMadeUp) {
  RunData run = simulated(ball, 0.5, 0.1);
  ASSERT_FALSE(run.events.empty());
  run.events[0].contacts[0].phases.clear();
  const Json json = Json::parse(routh::run_document(run));
  const Json& contact = json.at("events").at(0).at("contacts").at(0);
  EXPECT_TRUE(contact.at("path").is_null());
  EXPECT_NE(contact.at("no_path").get<std::string>().find("not recorded"), std::string::npos);
  ASSERT_EQ(json.at("warnings").size(), 1u);
  EXPECT_NE(json.at("warnings").at(0).get<std::string>().find("1 impact were not recorded"), std::string::npos)
      << json.at("warnings");
}

// A law without phases jumps: the line from before to after is its path.
TEST(RunDocument, ALawWithoutPhasesHasAStraightPath) {
  RunData run = simulated(ball, 0.5, 0.1);
  ASSERT_FALSE(run.events.empty());
  run.events[0].law = routh::Law::unified;
  run.events[0].contacts[0].phases.clear();
  const Json json = Json::parse(routh::run_document(run));
  const Json& path = json.at("events").at(0).at("contacts").at(0).at("path");
  ASSERT_EQ(path.at("velocity").size(), 2u);
  EXPECT_EQ(path.at("impulse").at(0), 0);
  EXPECT_TRUE(path.at("phases").empty());
}

// The points of slip that swerves stand between the ends of the phases, whatever law the surfaces have now.
TEST(RunDocument, ThePathIsTheRecordedOne) {
  RunData run = simulated(ball, 0.5, 0.1);
  routh::EventContact& contact = run.events.at(0).contacts.at(0);
  contact.velocity_before = {-1, 4, 0};
  contact.phases = {{routh::PhaseKind::slip, routh::Stage::compression, 2, 1, 0, {0, 3, 1}},
                    {routh::PhaseKind::stick, routh::Stage::restitution, 3, 0, 0, {0.5, 0, 0}}};
  contact.path = {{0.5, {-0.75, 3.5, 0.25}, routh::Stage::compression}, {2.5, {0.25, 1, 1}, routh::Stage::restitution}};
  const Json json = Json::parse(routh::run_document(run));
  const Json& path = json.at("events").at(0).at("contacts").at(0).at("path");
  EXPECT_EQ(path.at("impulse"), (Json{0, 0.5, 2, 2.5, 3}));
  EXPECT_EQ(path.at("velocity"), (Json{{-1, 4, 0}, {-0.75, 3.5, 0.25}, {0, 3, 1}, {0.25, 1, 1}, {0.5, 0, 0}}));
  EXPECT_EQ(path.at("phases").at(1).at("kind"), "stick");
}

TEST(RunDocument, KindsAreDescribed) {
  RunData run = run_of(with_name(pendulum, "p"));
  run.samples.emplace_back().state = {Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 0), 0};
  run.contacts = {{{0, 0}, "tip at its upper limit"}, {{-2, 1}, "knee"}};
  run.outcome.status = routh::SimulationStatus::singular;
  const Json json = Json::parse(routh::run_document(run));
  // By what the contact is, not by what it is called.
  EXPECT_EQ(json.at("contacts").at(0).at("kind"), "surfaces");
  EXPECT_EQ(json.at("contacts").at(1).at("kind"), "limit");
  const Json& kinds = json.at("kinds");
  EXPECT_EQ(kinds.at("contact").at(1).at("normal_force").at("unit"), "N or N m");
  EXPECT_FALSE(kinds.at("contact").at(1).contains("slip_speed"));
  ASSERT_EQ(kinds.at("event").size(), static_cast<std::size_t>(routh::event_kind_count));
  for (int k = 0; k < routh::event_kind_count; ++k)
    EXPECT_EQ(kinds.at("event").at(static_cast<std::size_t>(k)).at("name"), name(static_cast<routh::EventKind>(k)));
  EXPECT_EQ(kinds.at("event").at(1).at("label"), "tangential impact");
  EXPECT_EQ(kinds.at("event").at(1).at("category"), "impulse");
  // The codes of `contact_samples.mode` are the rows.
  EXPECT_EQ(kinds.at("contact_mode").at(2).at("label"), "slipping");
  EXPECT_EQ(kinds.at("contact_mode").at(2).at("friction"), "kinetic");
  EXPECT_EQ(json.at("outcome").at("tone"), "bad");
  EXPECT_EQ(json.at("outcome").at("ending"), "singular");
}

TEST(RunDocument, LimitsAndUnknownContactsHaveNoDirection) {
  RunData run = run_of(with_name(pendulum, "p"));
  routh::Sample sample;
  sample.state = {Eigen::Vector2d(0, 1), Eigen::Vector2d(0, 0), 0};
  routh::ActiveContact active;
  active.contact.kind = routh::ContactKind::limit;
  active.contact.id = {-2, 1};
  active.contact.dof = 1;
  active.contact.direction = -1;
  active.force.n = 3;
  sample.active.push_back(active);
  run.samples = {sample, sample};
  run.samples[1].state.q[0] = std::nan("");
  run.contacts = {
      {{-2, 1}, "limit"}, {{77, 0}, "unknown pair"}, {{-9, 0}, "unknown limit"}, {{0, 12345}, "unknown feature"}};
  routh::Event& event = run.events.emplace_back();
  event.position = Eigen::Vector2d(0, 1);
  event.velocity_before = event.velocity_after = Eigen::Vector2d(0, 0);
  for (const routh::RunContact& contact : run.contacts) event.contacts.emplace_back().id = contact.id;
  const Json json = Json::parse(routh::run_document(run));
  const auto point = unpack<float>(json.at("contact_samples").at("point"), "f32");
  const auto normal = unpack<float>(json.at("contact_samples").at("normal"), "f32");
  EXPECT_NEAR(point[0], 0.25, 1e-6);  // the joint
  EXPECT_NEAR(point[1], 1, 1e-6);
  EXPECT_TRUE(std::isnan(normal[0]) && std::isnan(point[3]));
  const auto gap = unpack<float>(json.at("contact_samples").at("gap"), "f32");
  EXPECT_EQ(gap[0], 0);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_TRUE(std::isnan(gap[k]));
  const Json& contacts = json.at("events").at(0).at("contacts");
  EXPECT_NEAR(contacts.at(0).at("point").at(1), 1, 1e-6);
  EXPECT_TRUE(contacts.at(0).at("normal").is_null());
  for (std::size_t k = 1; k < 4; ++k) EXPECT_TRUE(contacts.at(k).at("point").is_null());
  const auto poses = unpack<float>(json.at("samples").at("poses"), "f32");
  EXPECT_TRUE(std::isnan(poses[21 + 7]));
}

TEST(RunDocument, CorrectionsAndShortcutsAreShownFirst) {
  RunData run = simulated(ball, 0.5, 0.1);
  for (std::size_t k = 0; k < run.samples.size(); ++k) run.samples[k].energy.corrected = -0.25 * static_cast<double>(k);
  run.outcome.energy.corrected = -0.25;
  run.outcome.energy.potential -= 0.25;
  run.events[0].warnings = static_cast<std::uint32_t>(routh::Warning::brought_to_rest);
  const Json json = Json::parse(routh::run_document(run));
  const auto corrected = unpack<double>(json.at("samples").at("energy").at("corrected"), "f64");
  ASSERT_EQ(corrected.size(), run.samples.size());
  for (std::size_t k = 0; k < corrected.size(); ++k) EXPECT_EQ(corrected[k], run.samples[k].energy.corrected);
  EXPECT_EQ(json.at("outcome").at("energy").at("corrected"), -0.25);
  EXPECT_NEAR(json.at("outcome").at("energy").at("balance").get<double>(), 0, 1e-9);
  ASSERT_EQ(json.at("warnings").size(), 2u) << json.at("warnings");
  EXPECT_EQ(json.at("warnings").at(0).get<std::string>().find("Corrections took 0.25 J"), 0u) << json.at("warnings");
  EXPECT_EQ(json.at("warnings").at(1).get<std::string>().find("1 event: slow contacts"), 0u) << json.at("warnings");
}

TEST(RunDocument, WarningsComeFromTheRunFirst) {
  RunData run = simulated(ball, 0.5, 1e-5);
  run.outcome.status = routh::SimulationStatus::event_limit;
  run.outcome.energy.gained = 0.5;
  routh::RunReportLimits limits;
  limits.paths = 0;
  const Json json = Json::parse(routh::run_document(run, limits));
  ASSERT_EQ(json.at("warnings").size(), 4u) << json.at("warnings");
  const char* const words[] = {"ended at", "0.5 J", "samples are shown", "left out"};
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NE(json.at("warnings").at(k).get<std::string>().find(words[k]), std::string::npos) << k;
  EXPECT_LE(json.at("samples").at("count").get<std::size_t>(), 4000u);
  EXPECT_EQ(json.at("samples").at("of"), run.samples.size());
}

TEST(RunDocument, ASceneThatDoesNotFitIsRefused) {
  RunData run = run_of(with_name(pendulum, "p"));
  run.info.coordinate_names.pop_back();
  EXPECT_THROW(routh::run_document(run), routh::InputError);
  run = run_of(with_name(pendulum, "p"));
  run.info.scene_text = "routh: 1\nbodies: 3\n";
  EXPECT_THROW(routh::run_document(run), routh::InputError);
  run.info.scene_text.clear();
  EXPECT_THROW(routh::run_document(run), routh::InputError);
}

TEST(RunDocument, NoSamples) {
  const Json json = Json::parse(routh::run_document(run_of(with_name(pendulum, "p"))));
  EXPECT_EQ(json.at("samples").at("count"), 0);
  EXPECT_EQ(json.at("contact_samples").at("first").at("shape"), Json{1});
}

}  // namespace
