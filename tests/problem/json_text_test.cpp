// JSON as text, against nlohmann's writer and reader.
#include "routh/problem/json_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/random_problems.h"

namespace {

using namespace routh;
using Reference = nlohmann::ordered_json;

std::vector<double> doubles() {
  std::vector<double> values = {0.0,
                                -0.0,
                                1,
                                -1,
                                0.1,
                                1e15,
                                1e16,
                                123456.0,
                                1e-4,
                                1e-5,
                                1e21,
                                1e300,
                                5e-324,
                                2.2250738585072014e-308,
                                std::numeric_limits<double>::max()};
  testing_support::Random random(2206);
  for (int k = 0; k < testing_support::scaled(20000, 1000); ++k) {
    const double any = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.uniform(-1070, 1020)));
    values.push_back(any);
    values.push_back(std::round(random.uniform(-1e6, 1e6)) / 1000);
  }
  return values;
}

TEST(JsonText, NumbersOfDocumentsAreThoseOfTheReference) {
  for (const double value : doubles()) {
    EXPECT_EQ(JsonText(value).text(), Reference(value).dump());
    EXPECT_EQ(json_number(value).text(), Reference(value == 0 ? 0.0 : value).dump());
  }
  for (const double value : {NAN, INFINITY, -INFINITY}) EXPECT_EQ(JsonText(value).text(), "null");
}

TEST(JsonText, NumbersOfStreamsReadBackExactly) {
  for (const double value : doubles()) {
    std::string text;
    append_number(text, value);
    const double back = Reference::parse(text).get<double>();
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)) << text;
  }
}

// Every byte, alone and among others; what is no UTF-8 is replaced.
TEST(JsonText, TextsReadBack) {
  std::string all;
  for (int byte = 1; byte < 128; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(JsonText(text).text(), Reference(text).dump()) << byte;
    all += text;
  }
  all += "ä ⁺ 😀\xE2\x80\xA8";
  all += '\0';
  EXPECT_EQ(JsonText(all).text(), Reference(all).dump());
  std::string appended;
  append_text(appended, all);
  EXPECT_EQ(Reference::parse(appended).get<std::string>(), all);
  for (const std::string broken : {"\xFF", "a\x80z", "\xC3"})
    EXPECT_EQ(JsonText(broken).text(), Reference(broken).dump(-1, ' ', false, Reference::error_handler_t::replace));
}

TEST(JsonText, ListsAndObjects) {
  JsonText json = JsonText::object({{"schema", 1}, {"on", true}, {"none", nullptr}, {"word", "a\n\"b\""}});
  json.add("empty", JsonText::list());
  json.add("names", std::vector<std::string>{"x", "y"});
  json.add("rows", std::vector<std::vector<double>>{{1, 2.5}, {}});
  json.add("inner", JsonText::object({{"count", 12345678901234ull}, {"list", JsonText::list({1, "two", 3.0})}}));
  json.add_members("\"raw\":[null]");
  const Reference expected = {{"schema", 1},
                              {"on", true},
                              {"none", nullptr},
                              {"word", "a\n\"b\""},
                              {"empty", Reference::array()},
                              {"names", {"x", "y"}},
                              {"rows", {{1.0, 2.5}, Reference::array()}},
                              {"inner", {{"count", 12345678901234ull}, {"list", {1, "two", 3.0}}}},
                              {"raw", {nullptr}}};
  EXPECT_EQ(json.text(), expected.dump());
}

}  // namespace
