// The scenes of examples/ are what their comments say, and large scenes load quickly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <sstream>

#include "routh/contact/contact.h"
#include "routh/dynamics/dynamics.h"
#include "scene/samples.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using std::numbers::pi;
using testing_support::Random;
using testing_support::repository;

Scene example(const std::string& name) { return read_scene_file(repository("examples/" + name)); }

TEST(SceneExamples, KaneHasTheMatricesOfTheProblemFile) {
  const Scene scene = example("kane.yaml");
  ASSERT_EQ(scene.model.velocities, 2);
  Workspace workspace(scene.model);
  compute_mass_matrix(scene.model, scene.state.q, workspace);
  // In absolute angles M = [4 m l²/3, m l² cos 10°/2; ·, m l²/3]; T maps relative rates to absolute ones.
  const double m = 3, l = 2, coupling = m * l * l * std::cos(pi / 18) / 2;
  Eigen::Matrix2d M, T;
  M << 4 * m * l * l / 3, coupling, coupling, m * l * l / 3;
  T << 1, 0, 1, 1;
  EXPECT_TRUE(workspace.mass_matrix.isApprox(T.transpose() * M * T, 1e-14)) << workspace.mass_matrix;
  compute_velocities(scene.model, scene.state.q, scene.state.v, workspace);
  const Vector3 tip = body_pose(scene.model, workspace, *scene.model.find_body("lower")) * Vector3{0, -2, 0};
  const Vector3 v = point_velocity(scene.model, workspace, *scene.model.find_body("lower"), tip);
  // Jacobian of the tip: 2 sin 20°, 2 sin 30° up and 2 cos 20°, 2 cos 30° to the right, for the rates −0.1 and −0.2.
  EXPECT_NEAR(v.y, -0.1 * 2 * std::sin(pi / 9) - 0.2 * 2 * std::sin(pi / 6), 1e-15);
  EXPECT_NEAR(v.x, -0.1 * 2 * std::cos(pi / 9) - 0.2 * 2 * std::cos(pi / 6), 1e-15);
}

// The indented block of the documentation that begins with `routh: 1`.
std::string documented_scene() {
  std::istringstream lines(testing_support::content(repository("docs/scene-file.md")));
  std::string line, text;
  while (std::getline(lines, line))
    if (line.starts_with("    ") && (!text.empty() || line == "    routh: 1"))
      text += line.substr(4) + "\n";
    else if (!text.empty())
      break;
  return text;
}

TEST(SceneExamples, TheDocumentationShowsKane) {
  const Scene shown = read_scene_text(documented_scene(), "scene-file.md"), scene = example("kane.yaml");
  EXPECT_EQ(shown.model.name, scene.model.name);
  EXPECT_EQ(shown.state.q, scene.state.q);
  EXPECT_EQ(shown.state.v, scene.state.v);
  Workspace a(shown.model), b(scene.model);
  compute_mass_matrix(shown.model, shown.state.q, a);
  compute_mass_matrix(scene.model, scene.state.q, b);
  EXPECT_EQ(a.mass_matrix, b.mass_matrix);
  const SurfaceProperties& pair = shown.model.pairs.at(0).properties;
  EXPECT_EQ(pair.friction.static_coefficient, scene.model.pairs.at(0).properties.friction.static_coefficient);
  EXPECT_EQ(pair.restitution.normal, scene.model.pairs.at(0).properties.restitution.normal);
}

struct Expected {
  const char* file;
  int velocities;
  std::vector<std::pair<std::string, TouchKind>> touches;  // by the names of the shapes
};

TEST(SceneExamples, TouchWhereTheyShould) {
  const Expected table[] = {
      {"billiards.yaml", 12, {{"white_ball table", TouchKind::resting}, {"red_ball table", TouchKind::resting}}},
      {"kane.yaml", 2, {{"tip floor", TouchKind::approaching}}},
      {"liu_arm.yaml", 2, {{"tip belt", TouchKind::resting}}},
      {"four_bar.yaml", 3, {{"nose stop", TouchKind::approaching}}},
      {"two_bodies.yaml", 12, {{"crate ball", TouchKind::approaching}}},
      {"walker.yaml", 4, {{"stance_foot slope", TouchKind::resting}, {"swing_foot slope", TouchKind::approaching}}},
      {"quadruped.yaml", 18, {{"fl_foot floor", TouchKind::approaching}}},
      {"quadruped_stand.yaml", 18, {}},
      {"compass_walker.yaml",
       4,
       {{"right0 right_foot", TouchKind::separating}, {"left1 left_foot", TouchKind::resting}}},
      {"door_wedge.yaml", 4, {{"ramp floor", TouchKind::resting}, {"heel floor", TouchKind::resting}}},
      {"newton_cradle.yaml", 5, {}},
      {"painleve_rod.yaml", 3, {{"tip floor", TouchKind::resting}}},
      {"rattleback.yaml", 6, {{"stone table", TouchKind::resting}}},
      {"rimless_wheel.yaml", 3, {{"spoke0 slope", TouchKind::resting}, {"spoke7 slope", TouchKind::separating}}},
      {"rocking_block.yaml", 3, {{"block ground", TouchKind::resting}}},
      {"slider_crank.yaml", 3, {}},
      {"superball.yaml", 3, {}},
      {"woodpecker.yaml", 3, {}},
  };
  EXPECT_EQ(std::size(table), testing_support::paths_in("examples", ".yaml").size());
  for (const Expected& expected : table) {
    SCOPED_TRACE(expected.file);
    const Scene scene = example(expected.file);
    EXPECT_EQ(scene.model.velocities, expected.velocities);
    EXPECT_TRUE(scene.warnings.empty());
    Workspace workspace(scene.model);
    const TouchReport report = find_touches(scene.model, scene.state, scene.touch, workspace);
    EXPECT_TRUE(report.overlaps.empty());
    std::vector<std::pair<std::string, TouchKind>> found;
    for (const Touch& touch : report.touches) {
      const Contact& contact = touch.contact;
      EXPECT_LE(std::abs(contact.gap), 1e-12);
      ASSERT_EQ(contact.kind, ContactKind::surfaces);
      const auto [first, second] = std::minmax(contact.shape_a, contact.shape_b);
      found.emplace_back(scene.model.shapes[first].name + " " + scene.model.shapes[second].name, touch.kind);
    }
    EXPECT_EQ(found, expected.touches);
  }
}

TEST(SceneExamples, LiuArmRunsAgainstItsBelt) {
  const Scene scene = example("liu_arm.yaml");
  const Shape& belt = scene.model.shapes[*scene.model.find_shape("belt")];
  EXPECT_EQ(belt.belt.x * belt.belt_speed(3), -0.4);
  EXPECT_EQ(scene.model.pairs.at(0).properties.law, Law::poisson);
  // θ₂ = arccos(H/l − cos θ₁) [Liu 2007, eq. 15]; the spring is relaxed there.
  EXPECT_NEAR(scene.state.q[0] + scene.state.q[1], std::acos(5.0 / 3 - std::cos(0.7)), 1e-15);
  EXPECT_EQ(scene.state.q[1], scene.model.dofs[1].properties.rest);
}

// Thirty revolute joints of general placement on a floating base, each with limits, a drive and a shape.
std::string humanoid() {
  Random random(36);
  const auto number = [&](double size) { return random.uniform(-size, size); };
  const auto vector = [&](double size) {
    return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", number(size), number(size), number(size));
  };
  std::string text =
      "routh: 1\nsurfaces:\n  sole: {friction: 0.8, restitution: 0.1}\nbodies:\n  pelvis:\n    mass: 10\n"
      "    inertia: [0.1, 0.1, 0.1]\n    joint: {kind: free}\n";
  std::string state = "state:\n  position:\n    pelvis: [0, 0, 9, 1, 0, 0, 0]\n";
  for (int i = 0; i < 30; ++i) {
    const std::string name = fmt::format("link{}", i);
    const std::string parent = i % 6 == 0 ? "pelvis" : fmt::format("link{}", i - 1);
    text += fmt::format(
        "  {0}:\n    mass: 1.5\n    com: {1}\n    inertia: [0.011, 0.012, 0.013, 0.0001, 0.0002, -0.0001]\n"
        "    joint:\n      kind: revolute\n      parent: {2}\n      axis: {3}\n"
        "      at: {{position: {4}, rotation: {{rpy: {5}}}}}\n"
        "      limits: [-150 deg, 150 deg]\n      damping: 0.1\n      armature: 0.01\n"
        "      drive: {{stiffness: 100, damping: 10, position: {6:.6f}, limit: 200}}\n"
        "    shapes:\n      {0}_shape: {{kind: capsule, radius: 0.05, length: 0.2, surface: sole}}\n",
        name, vector(0.1), parent, vector(1), vector(0.2), vector(1), number(1));
    state += fmt::format("    {}: {:.6f}\n", name, number(0.5));
  }
  return text + "world:\n  shapes:\n    floor: {kind: half_space, surface: sole}\n" + state;
}

// Processor time of the quickest of many calls [s]; other work of the machine only adds to it.
template <class Action>
double quickest(Action&& action) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 50; ++i) {
    const std::clock_t start = std::clock();
    action();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

// Bounds that a slow machine keeps too; where the time goes is said in the module's README.
TEST(SceneExamples, AHumanoidLoadsInMilliseconds) {
  const std::string text = humanoid();
  EXPECT_EQ(read_scene_text(text, "humanoid.yaml").model.velocities, 36);
  const Document document = Document::from_text(text, "humanoid.yaml");
  const double whole = quickest([&] { read_scene_text(text, "humanoid.yaml"); });
  const double ours = quickest([&] { read_scene(document); });
  RecordProperty("microseconds", std::to_string(whole * 1e6));
  RecordProperty("microseconds_after_yaml", std::to_string(ours * 1e6));
#ifdef NDEBUG
  EXPECT_LT(whole, 10e-3);
  EXPECT_LT(ours, 1e-3);
#endif
}

}  // namespace
}  // namespace routh
