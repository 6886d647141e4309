// Scenes diagnosed: Liu's arm against its equations written out by hand, Peiret's rod, advice on postures by checking
// it.
#include "routh/scene/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "routh/scene/diagnosis_writer.h"
#include "routh/scene/map_source.h"
#include "samples.h"
#include "solvability/sliding_machines.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::Random;
using testing_support::repository;
using testing_support::scaled;

ContactId only_contact(const Scene& scene) {
  Workspace workspace(scene.model);
  return find_touches(scene.model, scene.state, scene.touch, workspace).touches.at(0).contact.id;
}

SceneDiagnosis diagnose_file(const Scene& scene, bool search = true) {
  Workspace workspace(scene.model);
  DiagnosisOptions options;
  options.search_postures = search;
  return diagnose_scene(scene.model, scene.state, scene.touch, options, workspace);
}

// [Liu 2007, section 4], with the corrections of papers/liu-2007.
TEST(SceneDiagnosis, SingularPointsOfLiusArm) {
  const Scene scene = read_scene_file(repository("papers/liu-2007/arm.yaml"));
  const SceneDiagnosis diagnosis = diagnose_file(scene);
  ASSERT_EQ(diagnosis.contacts.size(), 1u);
  ASSERT_TRUE(diagnosis.contacts[0].flow.has_value());
  const SlipFlowReport& flow = *diagnosis.contacts[0].flow;
  ASSERT_EQ(flow.points.size(), 2u);
  EXPECT_NEAR(flow.points[0].x, 0.6819, 5e-5);
  EXPECT_NEAR(flow.points[0].rate, -1.006, 5e-4);
  EXPECT_EQ(flow.points[0].kind, SingularKind::unstable_node);
  EXPECT_NEAR(flow.points[0].eigenvalues[0].real(), 1.273, 5e-4);
  EXPECT_NEAR(flow.points[0].eigenvalues[1].real(), 1.964, 5e-4);
  EXPECT_NEAR(flow.points[1].x, 0.744, 5e-4);
  EXPECT_EQ(flow.points[1].kind, SingularKind::saddle);
  EXPECT_FALSE(flow.points[0].entered_from_slip || flow.points[1].entered_from_slip);
}

// M q̈ + R = W of [Liu 2007, section 3] with R's second entry corrected, and the torques of case 4.
TEST(SceneDiagnosis, LiusArmInCase4) {
  const Scene scene = read_scene_file(repository("examples/liu_arm.yaml"));
  const SceneDiagnosis diagnosis = diagnose_file(scene);
  ASSERT_EQ(diagnosis.contacts.size(), 1u);
  const ContactDiagnosis& d = diagnosis.contacts[0].diagnosis;
  EXPECT_EQ(d.verdict, ContactVerdict::jams);
  EXPECT_EQ(d.cone_verdict, ConeVerdict::wedging);
  EXPECT_NEAR(d.sliding.A, -0.0167, 5e-5);  // as printed
  EXPECT_NEAR(d.sliding.B, -2.914, 5e-4);   // as follows from the paper's own equations
  EXPECT_NEAR(d.slip.direction.t1, 1, 0);   // the belt runs to −t
  ASSERT_TRUE(d.has_impact);
  EXPECT_NEAR(d.impact.relative_velocity.t1, 0, 1e-14);  // leaves with the belt's speed
  EXPECT_GT(d.impact.relative_velocity.n, 0);
  // A = 0 at 0.6819 and 0.744 [Liu 2007, section 4], and so the advice.
  ASSERT_GE(diagnosis.contacts[0].changes.size(), 2u);
  const PostureChange& nearest = diagnosis.contacts[0].changes[0];
  EXPECT_EQ(nearest.dof, 0);
  EXPECT_NEAR(nearest.value, 0.6819, 5e-5);
  EXPECT_NEAR(nearest.threshold, 0.5, 1e-9);
}

struct Drive {
  double stiffness, relaxed, damping1, damping2;
};

// f = J M⁻¹(W − R) + S of the arm with joints at absolute angles.
ContactVector free_acceleration(double t1, double t2, double w1, double w2, const Drive& drive) {
  constexpr double g = 9.8;
  const double c = std::cos(t1 - t2), s = std::sin(t1 - t2);
  const double tau1 = -drive.damping1 * w1;
  const double tau2 = drive.stiffness * ((t1 - t2) - drive.relaxed) + drive.damping2 * (w1 - w2);
  const double r1 = tau1 - tau2 - 1.5 * g * std::sin(t1) - 0.5 * s * w2 * w2;
  const double r2 = tau2 - 0.5 * g * std::sin(t2) + 0.5 * s * w1 * w1;
  const double determinant = 4.0 / 9 - c * c / 4;
  const double a1 = (r1 / 3 - r2 * c / 2) / determinant, a2 = (4 * r2 / 3 - r1 * c / 2) / determinant;
  return {std::sin(t1) * a1 + std::sin(t2) * a2 + std::cos(t1) * w1 * w1 + std::cos(t2) * w2 * w2,
          std::cos(t1) * a1 + std::cos(t2) * a2 - std::sin(t1) * w1 * w1 - std::sin(t2) * w2 * w2, 0};
}

TEST(SceneDiagnosis, FreeAccelerationOfTheArmWhereverItTouches) {
  const Scene scene = read_scene_file(repository("examples/liu_arm.yaml"));
  const Drive drive{150, 0.2531770881801476, 2, 2};
  ContactProblemBuilder builder(scene.model);
  Workspace workspace(scene.model);
  const ContactId id = only_contact(scene);
  Random random(441);
  for (int k = 0; k < scaled(200, 20); ++k) {
    const double t1 = random.uniform(-0.84, 0.84), w1 = random.normal();
    const double t2 = (random.chance(0.5) ? 1 : -1) * std::acos(5.0 / 3 - std::cos(t1));
    // The tip stays on the belt: v_n = 0. (Where it does not, the tangential entry depends on which point between the
    // surfaces is meant.)
    const double w2 = -w1 * std::sin(t1) / std::sin(t2);
    State state = scene.state;
    state.q << t1, t2 - t1;
    state.v << w1, w2 - w1;
    ASSERT_LT(builder.prepare_forces(scene.model, state, workspace), 0);
    const std::optional<Contact> contact = find_contact(scene.model, workspace, state.q, id);
    ASSERT_TRUE(contact.has_value());
    const AccelerationProblem problem = builder.force_problem(scene.model, workspace, *contact);
    const ContactVector f = free_acceleration(t1, t2, w1, w2, drive);
    const double size = 1 + std::abs(f.n) + std::abs(f.t1);
    EXPECT_NEAR(problem.free_acceleration.n, f.n, 1e-11 * size);
    EXPECT_NEAR(problem.free_acceleration.t1, f.t1, 1e-11 * size);
    EXPECT_NEAR(problem.contact.surface_velocity.t1, -0.4, 1e-15);
  }
}

// The same verdicts as Liu's Figures 3, 5 and 6, point by point.
TEST(SceneDiagnosis, MapsOfTheArm) {
  const Scene scene = read_scene_file(repository("papers/liu-2007/arm.yaml"));
  SceneMapBase base;
  base.model = &scene.model;
  base.state = scene.state;
  base.contact = only_contact(scene);
  base.adjust = {false, true};
  const std::vector<MapVariable> variables = map_variables(scene.model);
  const auto variable = [&](const std::string& name) -> const MapVariable& {
    for (const MapVariable& each : variables)
      if (each.name == name) return each;
    ADD_FAILURE() << name;
    return variables[0];
  };
  SceneContact contact(base);
  Random random(442);
  int met[slip_mode_count] = {};
  for (int k = 0; k < scaled(4000, 800); ++k) {
    const double theta = random.uniform(-0.85, 0.85), rate = random.uniform(-4, 4), mu = random.uniform(0.3, 1.5);
    const MapSetting settings[] = {
        {&variable("position.upper"), theta}, {&variable("velocity.upper"), rate}, {&variable("friction"), mu}};
    const std::optional<AccelerationProblem> problem = contact.at(settings);
    const std::optional<sliding::State> expected = sliding::Arm{mu}.at(theta, rate);
    ASSERT_EQ(problem.has_value(), expected.has_value()) << theta;
    if (!expected || std::abs(expected->A) < 1e-6 || std::abs(expected->B) < 1e-6) continue;
    const std::optional<SlipFlowValue> flow = contact.flow(0, *problem);
    ASSERT_TRUE(flow.has_value());
    EXPECT_NEAR(flow->A, expected->A, 1e-8 * (1 + std::abs(expected->A)));
    EXPECT_NEAR(flow->B, expected->B, 1e-8 * (1 + std::abs(expected->B)));
    EXPECT_NEAR(flow->gain, expected->gain, 1e-8 * (1 + std::abs(expected->gain)));
    EXPECT_NEAR(flow->rest, expected->rest, 1e-8 * (1 + std::abs(expected->rest)));
    const int mode = expected->A > 0 ? (expected->B > 0 ? 0 : 1) : (expected->B > 0 ? 2 : 3);
    EXPECT_EQ(read_quantity(MapQuantity::slip_mode, *problem, FreeAcceleration::given, Law::energetic).kind, mode);
    ++met[mode];
  }
  for (const int count : met) EXPECT_GT(count, 3);
}

TEST(SceneDiagnosis, PeiretsRodWedgesAndCoheres) {
  const Scene pressed = read_scene_file(repository("papers/peiret-2017/wedging.yaml"));
  const SceneDiagnosis wedging = diagnose_file(pressed);
  ASSERT_EQ(wedging.contacts.size(), 1u);
  EXPECT_EQ(wedging.contacts[0].diagnosis.verdict, ContactVerdict::jams);
  EXPECT_EQ(wedging.contacts[0].diagnosis.cone_verdict, ConeVerdict::wedging);
  EXPECT_NEAR(wedging.contacts[0].diagnosis.bounds.jamming_friction, 5.0 / 3, 1e-12);
  EXPECT_NEAR(wedging.contacts[0].diagnosis.sliding.B, -9.81, 1e-12);
  const Scene pulled = read_scene_file(repository("papers/peiret-2017/cohesion.yaml"));
  const SceneDiagnosis cohesion = diagnose_file(pulled);
  ASSERT_EQ(cohesion.contacts.size(), 1u);
  EXPECT_EQ(cohesion.contacts[0].diagnosis.verdict, ContactVerdict::false_cohesion);
  EXPECT_EQ(cohesion.contacts[0].diagnosis.cone_verdict, ConeVerdict::false_cohesion);
  // The rod stands free of the paradox where a/|c| = 2: (1 + 3 cos²θ) = 6 sinθ cosθ, tan θ = 3 ± √5.
  bool low = false, high = false;
  for (const PostureChange& change : wedging.contacts[0].changes) {
    if (change.dof != 2) continue;
    low = low || std::abs(std::tan(change.value) - (3 - std::sqrt(5.0))) < 1e-6;
    high = high || std::abs(std::tan(change.value) - (3 + std::sqrt(5.0))) < 1e-6;
  }
  EXPECT_TRUE(low);
  EXPECT_TRUE(high);
}

// θ1 = θ2: D of the arm is singular, and an answer or a status is given, never NaN.
TEST(SceneDiagnosis, AlignedArmIsAnswered) {
  Scene scene = read_scene_file(repository("papers/liu-2007/arm.yaml"));
  const double theta = std::acos(5.0 / 6);
  for (const double offset : {0.0, 1e-14, 1e-12, -1e-12, 1e-9, 1e-6}) {
    scene.state.q << theta + offset, -2 * offset;
    for (const double rate : {0.0, -1.0, 1.0}) {
      scene.state.v << rate, -2 * rate;
      const SceneDiagnosis diagnosis = diagnose_file(scene, false);
      ASSERT_EQ(diagnosis.contacts.size(), 1u);
      const auto json = nlohmann::json::parse(diagnosis_json(scene, diagnosis));
      const ContactDiagnosis& d = diagnosis.contacts[0].diagnosis;
      EXPECT_TRUE(std::isfinite(d.sliding.A) && std::isfinite(d.sliding.B) && !std::isnan(d.bounds.stick_friction));
      EXPECT_FALSE(std::isnan(d.rest.friction_demand));
      // μ0* = √(4l² − H²)/H: 0.6633 [Liu 2007, eq. 19; printed 0.633].
      EXPECT_NEAR(d.bounds.jamming_friction, std::sqrt(4 - 25.0 / 9) * 0.6, 1e-5);
    }
  }
}

bool says(const std::vector<std::string>& sentences, const std::string& words) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
}

// The statics of these scenes stand in the scenes and, derived, in solvability/hold_verdict_test.
TEST(SceneDiagnosis, SlideJammedAtTwoPoints) {
  const Scene scene = read_scene_file(repository("tests/data/scenes/statics/two_point_jam.yaml"));
  const SceneDiagnosis diagnosis = diagnose_file(scene);
  ASSERT_TRUE(diagnosis.hold.has_value());
  EXPECT_EQ(diagnosis.hold->verdict, HoldVerdict::must_hold);
  EXPECT_NEAR(1.2 * diagnosis.hold->factor.rest_from, 1, 1e-9);
  EXPECT_NEAR(1.2 * diagnosis.hold->factor.only_rest_from().value_or(0), 20.0 / 19, 1e-9);
  const std::vector<std::string> sentences = hold_sentences(scene.model, diagnosis);
  ASSERT_FALSE(sentences.empty());
  EXPECT_EQ(sentences[0].find("Must hold"), 0u) << sentences[0];
  EXPECT_TRUE(says(sentences, "above friction 1 (now 1.2)"));
  EXPECT_TRUE(says(sentences, "nothing else is above 1.053"));
  EXPECT_TRUE(says(sentences, "To free it: lower friction below 1"));
  const auto json = nlohmann::json::parse(diagnosis_json(scene, diagnosis))["together"]["hold"];
  EXPECT_EQ(json["verdict"], "must hold");
  EXPECT_NEAR(json["factor"]["rest_from"].get<double>(), 1 / 1.2, 1e-9);
  EXPECT_EQ(json["factor"]["attained"], false);
  EXPECT_NEAR(json["factor"]["motions"][0][1].get<double>(), 20 / 19.0 / 1.2, 1e-9);
  EXPECT_EQ(json["contacts"].size(), 2u);
}

TEST(SceneDiagnosis, DrawerBetweenTwoGuides) {
  const Scene scene = read_scene_file(repository("tests/data/scenes/statics/drawer.yaml"));
  const SceneDiagnosis diagnosis = diagnose_file(scene);
  ASSERT_TRUE(diagnosis.hold.has_value());
  EXPECT_EQ(diagnosis.hold->verdict, HoldVerdict::can_hold);
  EXPECT_EQ(diagnosis.hold->factor.rest_from, 0);
  EXPECT_NEAR(0.4 * diagnosis.hold->factor.only_rest_from().value_or(0), 4.0 / 3, 1e-9);
  const std::vector<std::string> sentences = hold_sentences(scene.model, diagnosis);
  EXPECT_TRUE(says(sentences, "Can hold, but need not"));
  EXPECT_TRUE(says(sentences, "every friction, however small"));
  EXPECT_TRUE(says(sentences, "nothing else is above friction 1.333"));
}

// 2 μ tan θ = 1 − μ² is also the posture from which the ladder stands; a push down at its foot's side and a torque
// against the fall are loads that matter.
TEST(SceneDiagnosis, LadderAgainstAWall) {
  const Scene scene = read_scene_file(repository("tests/data/scenes/statics/ladder.yaml"));
  const SceneDiagnosis diagnosis = diagnose_file(scene);
  ASSERT_TRUE(diagnosis.hold.has_value());
  EXPECT_EQ(diagnosis.hold->verdict, HoldVerdict::must_hold);
  EXPECT_NEAR(0.4 * diagnosis.hold->factor.rest_from, std::tan(std::acos(-1.0) / 4 - 0.5), 1e-9);
  const auto found = std::find_if(diagnosis.rest_postures.begin(), diagnosis.rest_postures.end(),
                                  [](const RestPosture& posture) { return posture.dof == 2; });
  ASSERT_NE(found, diagnosis.rest_postures.end());
  EXPECT_NEAR(found->value, std::atan(1.05), 1e-9);
  EXPECT_TRUE(says(hold_sentences(scene.model, diagnosis), "ladder.angle below 0.8098 rad"));
  Scene flat = scene;
  flat.state.q << -std::cos(0.7), std::sin(0.7), 0.7;
  const SceneDiagnosis falls = diagnose_file(flat);
  EXPECT_EQ(falls.hold->verdict, HoldVerdict::slides);
  EXPECT_TRUE(says(hold_sentences(scene.model, falls), "To hold it: raise friction to"));
  EXPECT_TRUE(says(hold_sentences(scene.model, falls), "ladder.angle above 0.8098 rad"));
}

TEST(SceneDiagnosis, JsonHasWhatTheTableHas) {
  const Scene scene = read_scene_file(repository("examples/quadruped.yaml"));
  Workspace workspace(scene.model);
  const SceneDiagnosis diagnosis = diagnose_scene(scene.model, scene.state, scene.touch, {}, workspace);
  const auto json = nlohmann::json::parse(diagnosis_json(scene, diagnosis));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["contacts"].size(), diagnosis.contacts.size());
  for (const auto& contact : json["contacts"]) {
    EXPECT_TRUE(contact.contains("verdict"));
    EXPECT_TRUE(contact["thresholds"].contains("jamming_friction"));
  }
}

}  // namespace
}  // namespace routh
