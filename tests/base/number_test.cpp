#include "routh/base/number.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <string>

namespace routh {
namespace {

TEST(Number, ReadsDecimalForms) {
  const std::pair<const char*, double> forms[] = {
      {"0", 0},
      {"-0", 0},
      {"0.5", 0.5},
      {"-3", -3},
      {"+2", 2},
      {".5", 0.5},
      {"5.", 5},
      {"1e3", 1000},
      {"1E-3", 1e-3},
      {"-2.5e+2", -250},
      {"0e0", 0},
      {"0.0", 0},
      {"4.9e-324", 5e-324},
      {"2e-310", 2e-310},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"0.1", 0.1},
      {"123456789012345678901234567890", 123456789012345678901234567890.0},
  };
  for (const auto& [text, value] : forms) {
    const ParsedNumber parsed = parse_number(text);
    EXPECT_EQ(parsed.fault, NumberFault::none) << text;
    EXPECT_EQ(parsed.value, value) << text;
    EXPECT_FALSE(std::signbit(parsed.value) && parsed.value == 0) << text;
  }
}

TEST(Number, SaysWhyATokenIsNone) {
  const std::pair<const char*, NumberFault> forms[] = {
      {"", NumberFault::not_a_number},     {"-", NumberFault::not_a_number},     {".", NumberFault::not_a_number},
      {"1e", NumberFault::not_a_number},   {"1.5m", NumberFault::not_a_number},  {"1 2", NumberFault::not_a_number},
      {"--1", NumberFault::not_a_number},  {"+-1", NumberFault::not_a_number},   {"1_000", NumberFault::not_a_number},
      {" 1", NumberFault::not_a_number},   {"1,2,3", NumberFault::not_a_number}, {"abc", NumberFault::not_a_number},
      {"1,5", NumberFault::decimal_comma}, {"-1,5", NumberFault::decimal_comma}, {"010", NumberFault::leading_zero},
      {"-007", NumberFault::leading_zero}, {"00.5", NumberFault::leading_zero},  {"0x10", NumberFault::hexadecimal},
      {"0XfF", NumberFault::hexadecimal},  {"nan", NumberFault::not_finite},     {".NaN", NumberFault::not_finite},
      {"-inf", NumberFault::not_finite},   {"+.Inf", NumberFault::not_finite},   {"Infinity", NumberFault::not_finite},
      {"1e999", NumberFault::too_large},   {"-1e309", NumberFault::too_large},   {"1e-999", NumberFault::too_small},
      {"-1e-330", NumberFault::too_small},
  };
  for (const auto& [text, fault] : forms) {
    EXPECT_EQ(parse_number(text).fault, fault) << text;
    EXPECT_EQ(parse_number(text).value, 0) << text;
  }
}

TEST(Number, TellsTheSideOfARangeFaultWithoutAnExponent) {
  EXPECT_EQ(parse_number("1" + std::string(400, '0')).fault, NumberFault::too_large);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1").fault, NumberFault::too_small);
}

TEST(Number, KnowsTheNumbersOfJson) {
  for (const char* text : {"0", "-0", "1.5", "-2e-3", "1E+5", "0.0"}) EXPECT_TRUE(is_json_number(text)) << text;
  for (const char* text : {"", "+1", ".5", "5.", "-.5", "5.e3", "010", "1e999", "inf", "x", "0x1"})
    EXPECT_FALSE(is_json_number(text)) << text;
}

class CommaPoint : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Number, DoesNotDependOnTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name)) break;  // where the machine has one
  EXPECT_EQ(parse_number("1234.5").value, 1234.5);
  EXPECT_EQ(parse_number("1,5").fault, NumberFault::decimal_comma);
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace routh
