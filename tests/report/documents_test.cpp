#include "routh/report/documents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "decode.h"
#include "routh/march/simultaneous_rule.h"
#include "support/kane.h"
#include "support/random_problems.h"

namespace {

using namespace testing_support;

TEST(Documents, ImpactHasTheWaysOfTheLaws) {
  const routh::ImpactProblem problem = Kane().problem(0.7);
  routh::ProblemAnswer answer;
  answer.problem = problem;
  for (const routh::Law law : routh::all_laws) answer.laws[answer.count++].result = routh::solve_impact(problem, law);
  const std::vector<routh::LawPath> paths = routh::law_paths(answer, 2);
  const std::string text =
      routh::impact_document({"<i>Kane</i>", {"careful & slow"}}, "{\"name\": \"</script>\"}\n", paths);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("routh"), 1);
  EXPECT_EQ(json.at("kind"), "impact");
  EXPECT_EQ(json.at("title"), "<i>Kane</i>");
  EXPECT_EQ(json.at("warnings"), Json{"careful & slow"});
  EXPECT_EQ(json.at("data").at("name"), "</script>");
  ASSERT_EQ(json.at("paths").size(), 5u);
  for (const Json& path : json.at("paths")) {
    EXPECT_EQ(path.at("contact"), 2);
    ASSERT_EQ(path.at("velocity").size(), path.at("impulse").size());
    // Every law begins where the pendulum strikes: J q̇ of the paper.
    EXPECT_NEAR(path.at("velocity").front().at(0), static_cast<double>(Kane().contact_velocity[0]), 1e-6);
    EXPECT_NEAR(path.at("velocity").front().at(1), static_cast<double>(Kane().contact_velocity[1]), 1e-6);
  }
  // Newton's law ends at −e v_n.
  EXPECT_EQ(json.at("paths").at(2).at("law"), "newton");
  EXPECT_NEAR(json.at("paths").at(2).at("velocity").back().at(0),
              -0.7 * static_cast<double>(Kane().contact_velocity[0]), 1e-6);
}

// What the page is told of the kinds of an impact is what the library says of them.
TEST(Documents, AnImpactDescribesItsKinds) {
  const Json kinds = Json::parse(routh::impact_document({.title = "t"}, "{}", {})).at("kinds");
  for (const Json& status : kinds.at("status")) {
    const auto found = status.at("name").get<std::string>();
    const bool answers = found == "ok" || found == "no_impact" || found == "locked";
    EXPECT_EQ(status.at("category"), found == "ok" ? "good" : answers ? "plain" : "bad") << found;
  }
  EXPECT_EQ(kinds.at("status").size(), 9u);
  EXPECT_EQ(kinds.at("status").at(2).at("sentence"), "this law has no answer for this problem");
  EXPECT_EQ(kinds.at("impact_mode").size(), 8u);
  EXPECT_EQ(kinds.at("impact_mode").at(6).at("label"), "slip reverses in restitution");
  EXPECT_EQ(kinds.at("impact_mode").at(6).at("label_in_space"), "slip restarts in restitution");
  EXPECT_EQ(kinds.at("phase").size(), 4u);
  EXPECT_TRUE(kinds.at("role").at(0).at("remark").is_null());
  EXPECT_EQ(kinds.at("rule").size(), routh::count_of<routh::SimultaneousRule>);
  std::set<std::string> answers;
  for (const Json& answer : kinds.at("answer")) answers.insert(answer.at("name").get<std::string>());
  EXPECT_EQ(answers, (std::set<std::string>{"run", "smooth", "sticking", "together", "energetic", "poisson"}));
}

TEST(Documents, ConesAreDTimesTheForces) {
  Random random(9102);
  for (const routh::Dimension dimension : {routh::Dimension::planar, routh::Dimension::spatial}) {
    routh::AccelerationProblem problem;
    problem.contact.inertia = dimension == routh::Dimension::planar
                                  ? routh::planar_inertia(2, 0.5, 3)
                                  : routh::spatial_inertia(2, 0.5, -0.25, 3, 0.125, 4);
    problem.contact.friction = {0.6, 0.5};
    const routh::ContactDiagnosis diagnosis = routh::diagnose(problem, routh::FreeAcceleration::unknown);
    const Json json = Json::parse(routh::diagnosis_document({.title = "t"}, "{}", {{&diagnosis, {"It holds."}}}));
    EXPECT_EQ(json.at("verdicts"), (Json{{{"tone", "plain"}, {"sentences", {"It holds."}}}}));
    const Json& cone = json.at("cones").at(0);
    const std::size_t size = dimension == routh::Dimension::planar ? 2 : 3;
    ASSERT_EQ(cone.at("delassus").size(), size);
    ASSERT_EQ(cone.at("force_rays").size(), size == 2 ? 2u : 48u);
    EXPECT_EQ(cone.at("friction"), 0.5);
    for (std::size_t ray = 0; ray < cone.at("force_rays").size(); ++ray) {
      const Json& force = cone.at("force_rays").at(ray);
      EXPECT_EQ(force.at(0), 1);
      EXPECT_NEAR(std::hypot(force.at(1).get<double>(), force.at(2).get<double>()), 0.5, 1e-12);
      for (std::size_t i = 0; i < size; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < size; ++k)
          sum += cone.at("delassus").at(i).at(k).get<double>() * force.at(k).get<double>();
        EXPECT_NEAR(cone.at("velocity_rays").at(ray).at(i), sum, 1e-12);
      }
    }
  }
}

TEST(Documents, InfiniteFrictionHasNoCone) {
  routh::AccelerationProblem problem;
  problem.contact.inertia = routh::planar_inertia(2, 0.5, 3);
  problem.contact.friction = {INFINITY, INFINITY};
  const routh::ContactDiagnosis diagnosis = routh::diagnose(problem, routh::FreeAcceleration::unknown);
  EXPECT_TRUE(Json::parse(routh::diagnosis_document({.title = "t"}, "{}", {{&diagnosis, {}}})).at("cones").empty());
}

TEST(Documents, AMapAndItsFigure) {
  const std::string svg = "<svg onload=\"alert(1)\"><title>&amp;</title></svg>";
  const std::string map = routh::map_document({.title = "m"}, "{\"x\": 1}", {{"#77aadd", ""}, "A", "1/kg"}, svg);
  EXPECT_EQ(map.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(map).at("figure"), svg);
  EXPECT_EQ(Json::parse(map).at("data").at("x"), 1);
  EXPECT_EQ(Json::parse(map).at("colours"), (Json{"#77aadd", ""}));
  EXPECT_EQ(Json::parse(map).at("number"), "A");
}

}  // namespace
