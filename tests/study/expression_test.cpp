#include "routh/study/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "support/random_problems.h"

namespace routh {
namespace {

constexpr std::string_view modes[] = {"none", "sliding", "stick"};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Quantities a, b (numbers), yes (a condition), mode (a name), gone (missing), v[1], q.'left knee'.
QuantityRef find(const StudyPath& path) {
  if (path.text == "a") return {0, {}, false};
  if (path.text == "b") return {1, {}, false};
  if (path.text == "yes") return {2, {}, true};
  if (path.text == "mode") return {3, modes, false};
  if (path.text == "gone") return {4, {}, false};
  if (path.text == "v[1]") return {5, {}, false};
  if (path.size() == 2 && path[0].is("q") && path[1].is("left knee")) return {6, {}, false};
  throw InputError(path.where, "unknown");
}
const double slots[] = {3, -2, 1, 2, nan, 10, 20};

Expression compile(std::string_view text) { return Expression::compile(text, {"study", 4, 10}, find); }
double value(std::string_view text) { return compile(text).evaluate(slots); }

// Column of the refusal; 0: none.
int refused_at(std::string_view text) {
  try {
    compile(text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 4);
    return error.where().column;
  }
  return 0;
}

TEST(Expression, Arithmetic) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("7 - 2 - 1"), 4);
  EXPECT_EQ(value("8 / 4 / 2"), 1);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("-2 ^ 2"), -4);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("a*b - -a"), -3);
  EXPECT_EQ(value("1.5e1+.5"), 15.5);
  EXPECT_EQ(value("v[1] + q.'left knee'"), 30);
  EXPECT_EQ(value("pi"), std::numbers::pi);
}

TEST(Expression, Conditions) {
  EXPECT_EQ(value("a > b and not (a == b)"), 1);
  EXPECT_EQ(value("a < b or yes"), 1);
  EXPECT_EQ(value("a >= 3"), 1);
  EXPECT_EQ(value("a != 3"), 0);
  EXPECT_EQ(value("mode == stick"), 1);
  EXPECT_EQ(value("mode != sliding and a <= 3"), 1);
  EXPECT_TRUE(compile("a > 1").is_condition());
  EXPECT_TRUE(compile("yes").is_condition());
  EXPECT_TRUE(compile("if(yes, a > 1, false)").is_condition());
  EXPECT_FALSE(compile("a > 1 + 0 * b and true").is_condition() == false);
  EXPECT_FALSE(compile("(a > 1) * 2").is_condition());
  EXPECT_EQ(compile("mode").words().size(), 3u);
}

TEST(Expression, Functions) {
  EXPECT_EQ(value("min(a, b, -7) + max(1, 2)"), -5);
  EXPECT_EQ(value("hypot(3, 4)"), 5);
  EXPECT_EQ(value("hypot(2, 3, 6)"), 7);
  EXPECT_EQ(value("abs(b) + sqrt(16) + sign(b) + floor(1.7) + ceil(1.2) + round(2.5)"), 2 + 4 - 1 + 1 + 2 + 3);
  EXPECT_DOUBLE_EQ(value("exp(log(5)) + sin(1)^2 + cos(1)^2 + tan(atan(2)) + asin(sin(0.3)) + acos(cos(0.2))"),
                   5 + 1 + 2 + 0.3 + 0.2);
  EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1, -1));
  EXPECT_EQ(value("if(a > 0, 10, 20)"), 10);
  EXPECT_EQ(value("if(false, 1/0, 4)"), 4);
}

TEST(Expression, WhatIsMissingStaysMissing) {
  for (const char* text :
       {"gone", "gone > 0", "not (gone > 0)", "min(gone, 1)", "max(1, gone)", "gone ^ 0", "1 ^ gone", "yes or gone > 1",
        "if(gone > 0, 1, 2)", "sign(gone)", "hypot(1/0, gone)", "0/0", "sqrt(-1)"})
    EXPECT_TRUE(std::isnan(value(text))) << text;
  EXPECT_EQ(value("defined(gone)"), 0);
  EXPECT_EQ(value("defined(mode) and defined(a)"), 1);
  EXPECT_EQ(value("if(defined(gone), gone, -1)"), -1);
}

TEST(Expression, RefusesWithPlace) {
  EXPECT_EQ(refused_at(""), 10);
  EXPECT_EQ(refused_at("a +"), 13);
  EXPECT_EQ(refused_at("a + * b"), 14);
  EXPECT_EQ(refused_at("(a"), 12);
  EXPECT_EQ(refused_at("a b"), 12);
  EXPECT_EQ(refused_at("a = 3"), 12);
  EXPECT_EQ(refused_at("1 < a < 3"), 17);
  EXPECT_EQ(refused_at("mode + 1"), 15);
  EXPECT_EQ(refused_at("mode < stick"), 15);
  EXPECT_EQ(refused_at("mode == slipping"), 18);
  EXPECT_EQ(refused_at("sqrtt(2)"), 10);
  EXPECT_EQ(refused_at("sqrt(2, 3)"), 10);
  EXPECT_EQ(refused_at("min(2)"), 10);
  EXPECT_EQ(refused_at("a + unknown"), 14);
  EXPECT_EQ(refused_at("0x10"), 10);
  EXPECT_EQ(refused_at("1e999"), 10);
  EXPECT_EQ(refused_at("a; b"), 11);
  EXPECT_EQ(refused_at("v[1"), 12);
  EXPECT_GT(refused_at(std::string(5000, '1')), 0);
  std::string nested(70, '('), signs(200, '-');
  nested += '1';
  nested.append(70, ')');
  signs += '1';
  EXPECT_GT(refused_at(nested), 0);
  EXPECT_GT(refused_at(signs), 0);
}

// A random tree, as text with all its brackets and as a value computed while it grows.
struct Grown {
  std::string text;
  double value;
};

Grown grow(testing_support::Random& random, int depth) {
  if (depth == 0 || random.chance(0.2)) {
    if (random.chance(0.5)) return {"a", 3};
    const int number = random.below(9) + 1;
    return {std::to_string(number), static_cast<double>(number)};
  }
  const Grown left = grow(random, depth - 1), right = grow(random, depth - 1);
  switch (random.below(6)) {
    case 0:
      return {"(" + left.text + " + " + right.text + ")", left.value + right.value};
    case 1:
      return {"(" + left.text + "-" + right.text + ")", left.value - right.value};
    case 2:
      return {"(" + left.text + " *" + right.text + ")", left.value * right.value};
    case 3:
      return {"max(" + left.text + "," + right.text + ")", std::max(left.value, right.value)};
    case 4:
      return {"(-" + left.text + ")", -left.value};
    default:
      return {"(" + left.text + "<" + right.text + ")", left.value < right.value ? 1.0 : 0.0};
  }
}

TEST(Expression, RandomTrees) {
  testing_support::Random random(3);
  for (int k = 0; k < testing_support::scaled(2000, 100); ++k) {
    const Grown grown = grow(random, 5);
    EXPECT_EQ(value(grown.text), grown.value) << grown.text;
  }
}

// Nothing that is typed crashes it.
TEST(Expression, RandomTexts) {
  testing_support::Random random(4);
  const std::string letters = "ab()+-*/^<>=!., 0123e[]'minotrdefy";
  for (int k = 0; k < testing_support::scaled(20000, 1000); ++k) {
    std::string text;
    for (int n = random.below(30); n > 0; --n)
      text += letters[static_cast<std::size_t>(random.below(int(letters.size())))];
    try {
      compile(text).evaluate(slots);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace routh
