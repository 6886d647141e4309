#include "routh/problem/answer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>

#include "problem/samples.h"
#include "routh/problem/reader.h"
#include "routh/problem/writer.h"

namespace routh {
namespace {

using nlohmann::json;
using testing_support::content;
using testing_support::planar_with;
using testing_support::problems_folder;
using testing_support::sample_paths;

std::string answer_text(const std::string& text, std::optional<Law> otherwise = std::nullopt) {
  const ProblemFile file = read_problem_text(text, "f");
  ProblemSolver solver;
  ProblemAnswer answer;
  solver.solve(file, answer, otherwise);
  std::string out;
  append_answer(out, file, answer);
  return out;
}

Outcome outcome(const std::string& text) {
  const ProblemFile file = read_problem_text(text, "f");
  ProblemSolver solver;
  ProblemAnswer answer;
  solver.solve(file, answer);
  return answer.outcome();
}

json results_of(const json& answer) { return answer.contains("results") ? answer["results"] : json::array({answer}); }

std::vector<double> numbers(const json& list) { return list.get<std::vector<double>>(); }

TEST(ProblemAnswer, WritesTheMembersOfTheSchema) {
  for (const std::string& path : sample_paths("good")) {
    const json answer = json::parse(answer_text(content(path)));
    EXPECT_EQ(answer["schema"], 1);
    for (const json& result : results_of(answer)) {
      for (const char* key : {"law", "mode", "status", "contact_velocity", "relative_velocity", "impulse",
                              "restitution", "energy", "phases", "critical_friction", "jamming_friction",
                              "restitution_bound", "restitution_bound_any", "warnings"})
        EXPECT_TRUE(result.contains(key)) << path << ": " << key;
      for (const char* key : {"normal_work", "tangential_work", "supplied", "change"})
        EXPECT_TRUE(result["energy"][key].is_number()) << path << ": " << key;
      EXPECT_TRUE(result["energy"]["consistent"].is_boolean());
      EXPECT_TRUE(result["critical_friction"].contains("stick") && result["critical_friction"].contains("impact"));
      for (const json& phase : result["phases"])
        for (const char* key : {"kind", "stage", "normal_impulse", "contact_velocity", "direction"})
          EXPECT_TRUE(phase.contains(key)) << path << ": " << key;
    }
  }
}

TEST(ProblemAnswer, VectorsHaveTheDimensionOfTheContact) {
  const json plane = json::parse(answer_text(planar_with("law", "energetic")));
  const json space = json::parse(answer_text(content(problems_folder("good/spatial.json"))));
  EXPECT_EQ(plane["impulse"].size(), 2u);
  EXPECT_EQ(plane["phases"][0]["contact_velocity"].size(), 2u);
  EXPECT_EQ(plane["phases"][0]["direction"].size(), 1u);
  EXPECT_EQ(space["impulse"].size(), 3u);
  EXPECT_EQ(space["phases"][0]["contact_velocity"].size(), 3u);
  EXPECT_EQ(space["phases"][0]["direction"].size(), 2u);
  EXPECT_FALSE(plane.contains("velocity"));
}

// Momentum of the contact: v⁺ = v⁻ + D i, from the text of the file and the text of the answer alone.
TEST(ProblemAnswer, ContactMomentumBalances) {
  for (const char* name : {"spatial.json", "alpha.json", "viscous.json", "pressed.json"}) {
    const std::string text = content(problems_folder(std::string("good/") + name));
    const json problem = json::parse(text);
    for (const json& result : results_of(json::parse(answer_text(text)))) {
      if (result["status"] != "ok") continue;
      const auto before = numbers(problem["contact_velocity"]);
      const auto after = numbers(result["contact_velocity"]);
      const auto impulse = numbers(result["impulse"]);
      for (std::size_t r = 0; r < before.size(); ++r) {
        double expected = before[r];
        for (std::size_t c = 0; c < before.size(); ++c)
          expected += problem["delassus"][r][c].get<double>() * impulse[c];
        EXPECT_NEAR(after[r], expected, 1e-12) << name << " " << result["law"];
      }
    }
  }
}

// Momentum of the machine: M (q̇⁺ − q̇⁻) = Jᵀ i + A_bᵀλ + i_u, and the loops stay closed.
TEST(ProblemAnswer, MachineMomentumBalances) {
  for (const char* name : {"loop.json", "kane.json"}) {
    const std::string text = content(problems_folder(std::string("good/") + name));
    const json problem = json::parse(text);
    const auto before = numbers(problem["velocity"]);
    const std::size_t n = before.size();
    const bool loop = problem.contains("bilateral");
    for (const json& result : results_of(json::parse(answer_text(text)))) {
      const auto after = numbers(result["velocity"]);
      const auto impulse = numbers(result["impulse"]);
      ASSERT_EQ(after.size(), n);
      ASSERT_EQ(result.contains("loop_impulse"), loop);
      for (std::size_t r = 0; r < n; ++r) {
        double change = 0, given = 0;
        for (std::size_t c = 0; c < n; ++c)
          change += problem["mass_matrix"][r][c].get<double>() * (after[c] - before[c]);
        for (std::size_t k = 0; k < impulse.size(); ++k) given += problem["jacobian"][k][r].get<double>() * impulse[k];
        if (loop) given += result["loop_impulse"][r].get<double>() + problem["external_impulse"][r].get<double>();
        EXPECT_NEAR(change, given, 1e-12) << name << " " << result["law"];
        if (!loop) continue;
        double generalised = 0;
        for (std::size_t k = 0; k < 2; ++k)
          generalised += problem["bilateral"][k][r].get<double>() * result["multipliers"][k].get<double>();
        EXPECT_NEAR(generalised, result["loop_impulse"][r].get<double>(), 1e-12);
      }
      if (!loop) continue;
      EXPECT_NEAR(after[0] + after[1] - after[3], 0, 1e-12);
    }
  }
}

TEST(ProblemAnswer, ReproducesThePrintedImpulseOfKanesExample) {
  const json answer = json::parse(answer_text(content(problems_folder("good/kane.json")), Law::classical));
  EXPECT_EQ(answer["law"], "classical");
  EXPECT_NEAR(answer["impulse"][0].get<double>(), 5.4995, 5e-5);
  EXPECT_FALSE(answer["energy"]["consistent"]);
  EXPECT_EQ(answer["warnings"][0]["code"], "energy_gain");
  EXPECT_TRUE(answer["warnings"][0]["message"].is_string());
}

TEST(ProblemAnswer, AMovingSurfaceIsSubtracted) {
  const json answer = json::parse(answer_text(content(problems_folder("good/belt.yaml")), Law::energetic));
  EXPECT_DOUBLE_EQ(answer["contact_velocity"][1].get<double>() - answer["relative_velocity"][1].get<double>(), 1.5);
  EXPECT_GT(answer["impulse"][1].get<double>(), 0);  // the belt drags the body along
  EXPECT_GT(answer["energy"]["supplied"].get<double>(), 0);
  EXPECT_EQ(answer["id"], "belt");
}

TEST(ProblemAnswer, WhatIsInfiniteIsNullWithAReason) {
  const json answer = json::parse(answer_text(planar_with("delassus", "[[1,0],[0,3]]"), Law::energetic));
  EXPECT_TRUE(answer["jamming_friction"].is_null());
  EXPECT_TRUE(answer["reasons"]["jamming_friction"].is_string());
  EXPECT_EQ(answer["reasons"].size(), 1u);
  EXPECT_FALSE(json::parse(answer_text(planar_with("law", "newton"))).contains("reasons"));
}

TEST(ProblemAnswer, ExitCodesFollowTheStatus) {
  EXPECT_EQ(exit_code(Outcome::answered), 0);
  EXPECT_EQ(exit_code(Outcome::no_answer), 4);
  EXPECT_EQ(exit_code(Outcome::invalid), 3);
  for (const ImpactStatus status : {ImpactStatus::ok, ImpactStatus::no_impact, ImpactStatus::locked})
    EXPECT_EQ(outcome_of(status), Outcome::answered) << name(status);
  for (const ImpactStatus status : {ImpactStatus::no_solution, ImpactStatus::undefined, ImpactStatus::not_converged,
                                    ImpactStatus::ill_conditioned, ImpactStatus::overflow})
    EXPECT_EQ(outcome_of(status), Outcome::no_answer) << name(status);
  EXPECT_EQ(outcome_of(ImpactStatus::invalid), Outcome::invalid);
}

// Newton's law has no answer for an impact that begins with v_n = 0: a failure when it is asked for, news when all are.
TEST(ProblemAnswer, OnlyALawThatWasAskedForCanFail) {
  std::string pressed = content(problems_folder("good/pressed.json"));
  EXPECT_EQ(outcome(pressed), Outcome::answered);
  const std::size_t at = pressed.find("energetic");
  EXPECT_EQ(outcome(std::string(pressed).replace(at, 9, "newton")), Outcome::no_answer);
  const std::string all = std::string(pressed).replace(pressed.find(", \"law\""), std::string::npos, "}");
  EXPECT_EQ(outcome(all), Outcome::answered);
  const json answer = json::parse(answer_text(all));
  ASSERT_EQ(answer["results"].size(), 5u);
  EXPECT_EQ(answer["results"][2]["law"], "newton");
  EXPECT_EQ(answer["results"][2]["status"], "undefined");
  EXPECT_TRUE(answer["results"][2].contains("explanation"));
  EXPECT_EQ(answer["results"][2]["contact_velocity"], json::array({0, 2}));
}

TEST(ProblemAnswer, HugeAndTinyProblemsStayFinite) {
  for (const char* v : {"[-1e150,1e150]", "[-1e-150,1e-150]", "[-1e308,1e308]", "[-4.9e-324,0]", "[-1e-308,1e300]"})
    for (const char* d : {"[[1,0.2],[0.2,3]]", "[[1e-300,0],[0,1e-300]]", "[[1e300,0],[0,1e300]]", "[[1,0],[0,0]]"}) {
      const std::string text = planar_with("contact_velocity", v);
      const std::string both = std::string(text).replace(text.find("[[1,0.2],[0.2,3]]"), 17, d);
      for (const json& result : results_of(json::parse(answer_text(both)))) {
        for (const char* key : {"contact_velocity", "relative_velocity", "impulse"})
          for (const json& number : result[key]) EXPECT_TRUE(number.is_number()) << both << result;
        EXPECT_TRUE(result["energy"]["change"].is_number()) << both << result;
      }
    }
}

TEST(ProblemAnswer, AMachineBeyondTheRangeOfDoubleSaysSo) {
  const json answer = json::parse(answer_text(
      "{mass_matrix: [[1, 0], [0, 1]], jacobian: [[1, 0], [0, 0]], velocity: [-1, 0], external_impulse: [0, 1e200],"
      " friction: 0.5, restitution: 0.5, law: energetic}"));
  EXPECT_EQ(answer["status"], "overflow");  // the energy that the impulse brings in
  EXPECT_EQ(numbers(answer["velocity"]), (std::vector<double>{-1, 0}));
  EXPECT_EQ(numbers(answer["impulse"]), (std::vector<double>{0, 0}));
}

TEST(ProblemWriter, NumbersReadBackAsTheSameBits) {
  for (const double value : {0.1, 1.0 / 3, 1e-7, 1e21, -2.5, 5e-324, 1.7976931348623157e308, 123456789.0}) {
    std::string text;
    append_number(text, value);
    EXPECT_EQ(json::parse(text).get<double>(), value) << text;
  }
  const auto written = [](double value) {
    std::string text;
    append_number(text, value);
    return text;
  };
  EXPECT_EQ(written(-0.0), "0");
  EXPECT_EQ(written(0.5), "0.5");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(std::nan("")), "null");
}

class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(ProblemWriter, DoesNotDependOnTheLocale) {
  const std::string expected = answer_text(planar_with("law", "energetic"));
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  const std::string found = answer_text(planar_with("law", "energetic"));
  std::locale::global(before);
  EXPECT_EQ(found, expected);
}

TEST(ProblemWriter, EscapesTexts) {
  std::string text;
  append_text(text, std::string_view("a\"b\\c\n\x1b\x7f\0\u00e9", 11));
  EXPECT_EQ(text, "\"a\\\"b\\\\c\\u000a\\u001b\\u007f\\u0000\u00e9\"");
}

}  // namespace
}  // namespace routh
