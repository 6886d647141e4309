// One impact with other numbers, as the page asks it.
#include "routh/play/impact_question.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "routh/problem/reader.h"
#include "routh/scene/scene.h"
#include "routh/scene/strikes.h"

namespace routh::internal {
namespace {

using Json = nlohmann::json;

// A strike of Kane's pendulum [Aghili]: a machine, with friction at rest above that in slip.
constexpr const char* kane = R"({"mass_matrix": [[16, 5.908846518073248], [5.908846518073248, 4]],
  "jacobian": [[0.6840402866513374, 1], [1.8793852415718169, 1.7320508075688774]], "velocity": [-0.1, -0.2],
  "friction": {"static": 0.51, "kinetic": 0.5}, "restitution": 0.7, "surface_velocity": [0, 0.05]})";

TEST(ImpactQuestion, GoesThroughJsonToTheBit) {
  const ImpactQuestion question = question_of(read_problem_text(kane, "kane.json"), Load::pressed);
  const std::string text = question_json(question);
  const ImpactQuestion again = question_from_json(text);
  EXPECT_EQ(question_json(again), text);
  EXPECT_EQ(again.mass_matrix, question.mass_matrix);
  EXPECT_EQ(again.jacobian[1][0], 1.8793852415718169);
  EXPECT_EQ(again.surface.friction.static_coefficient, 0.51);
  EXPECT_EQ(again.pressed, 1);
  EXPECT_THROW(question_from_json("{\"velocity\": 3}"), InputError);
  EXPECT_THROW(question_from_json("["), InputError);
}

TEST(ImpactQuestion, AnswersByEveryLawAndRefusesWhatBreaksARule) {
  const Json question = Json::parse(question_json(question_of(read_problem_text(kane, "kane.json"), Load::unknown)));
  const Json answer = Json::parse(impact_answer(question.dump()));
  EXPECT_EQ(answer["data"]["results"].size(), law_count);
  EXPECT_FALSE(answer["paths"].empty());
  for (const Json& law : answer["data"]["results"]) {
    // Dissipation is what the kinetic energy ½ q̇ᵀMq̇ lost, the belt's work apart.
    const double v[2] = {law["velocity"][0], law["velocity"][1]}, before[2] = {-0.1, -0.2};
    const auto kinetic = [](const double* w) {
      return 0.5 * (16 * w[0] * w[0] + 2 * 5.908846518073248 * w[0] * w[1] + 4 * w[1] * w[1]);
    };
    EXPECT_NEAR(law["energy"]["change"].get<double>(), kinetic(v) - kinetic(before), 1e-12);
  }
  Json wrong = question;
  wrong["surface"]["friction"]["static"] = 0.1;
  EXPECT_THROW(impact_answer(wrong.dump()), InputError);
  wrong = question;
  wrong["velocity"].erase(0);
  EXPECT_THROW(impact_answer(wrong.dump()), InputError);
}

// The matrices of a scene give what the scene gives; other numbers what the scene with these numbers gives.
TEST(ImpactQuestion, OfASceneAgreesWithTheScene) {
  const auto scene_with = [](const std::string& friction) {
    return read_scene_text(
        "routh: 1\nsurfaces:\n  steel: {friction: " + friction +
            ", restitution: 0.6}\n"
            "bodies:\n  ball:\n    mass: 2\n    inertia: [0.01, 0.02, 0.03]\n    joint: {kind: free}\n"
            "    shapes: {skin: {kind: sphere, radius: 0.1, at: [0.02, 0.01, 0], surface: steel}}\n"
            "world:\n  shapes:\n    floor: {kind: half_space, surface: steel, belt: {velocity: [0.4, 0, 0]}}\n"
            "state:\n  position: {ball: [0, 0, 0.1, 1, 0, 0, 0]}\n  velocity: {ball: [1, 0.3, -2, 3, -1, 2]}\n",
        "ball.yaml");
  };
  const Scene scene = scene_with("0.3"), rough = scene_with("0.9");
  const auto strike_of = [](const Scene& of) {
    Workspace workspace(of.model);
    SceneAnswer answer = solve_strikes(of.model, of.state, of.touch, {}, workspace);
    return answer.strikes.at(0);
  };
  const StrikeAnswer strike = strike_of(scene), other = strike_of(rough);
  Workspace workspace(scene.model);
  ImpactQuestion question =
      *question_of(scene.model, scene.state, strike.contact, strike.answer.problem, std::nullopt, workspace);
  const auto expect_same = [&](const StrikeAnswer& expected) {
    const Json laws = Json::parse(impact_answer(question_json(question)))["data"]["results"];
    ASSERT_EQ(laws.size(), static_cast<std::size_t>(expected.answer.count));
    for (std::size_t k = 0; k < laws.size(); ++k) {
      const Eigen::VectorXd& v = expected.answer.laws[k].velocity;
      for (Eigen::Index i = 0; i < v.size(); ++i)
        EXPECT_NEAR(laws[k]["velocity"][static_cast<std::size_t>(i)].get<double>(), v[i], 1e-10) << k << ", " << i;
    }
  };
  expect_same(strike);
  question.surface.friction = {0.9, 0.9};
  expect_same(other);
}

}  // namespace
}  // namespace routh::internal
