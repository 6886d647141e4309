#include "validators.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "output.h"
#include "routh/base/error.h"
#include "routh/base/number.h"
#include "routh/impact/result.h"

namespace routh {

namespace {

CLI::Validator number_that(const std::function<bool(double)>& fits, const std::string& rule) {
  return CLI::Validator(
      [fits, rule](const std::string& given) -> std::string {
        const ParsedNumber parsed = parse_number(given);
        if (parsed.fault == NumberFault::none && fits(parsed.value)) return {};
        return fmt::format("'{}' must be {}", printable(given), rule);
      },
      "");
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words, const std::string& what) {
  return CLI::Validator(
      [words, what](const std::string& given) -> std::string {
        if (std::find(words.begin(), words.end(), given) != words.end()) return {};
        return fmt::format("unknown {} '{}': use {}{}", what, printable(given), fmt::join(words, ", "),
                           did_you_mean(given, words));
      },
      "", fmt::format("{}", fmt::join(words, " ")));
}

CLI::Validator finite_number() {
  return number_that([](double) { return true; }, "a finite number");
}

CLI::Validator positive_number() {
  return number_that([](double x) { return x > 0; }, "a positive number");
}

CLI::Validator non_negative_number() {
  return number_that([](double x) { return x >= 0; }, "zero or a positive number");
}

CLI::Validator number_in(double low, double high) {
  return number_that([low, high](double x) { return x >= low && x <= high; },
                     fmt::format("a number in [{:g}, {:g}]", low, high));
}

std::vector<std::string> law_words() {
  std::vector<std::string> words;
  for (const Law law : all_laws) words.emplace_back(name(law));
  return words;
}

}  // namespace routh
