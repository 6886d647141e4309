// Options of CLI11 that set values of our own, and checks of their arguments; what those say ends in a remedy.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "routh/base/names.h"

namespace routh {

// The words that a type of argument accepts, with a suggestion for a near miss. Its name is the words, blank-separated:
// completion offers them.
CLI::Validator one_of(const std::vector<std::string>& words, const std::string& what);

// Finite numbers: CLI11 itself lets `nan` pass.
CLI::Validator finite_number();
CLI::Validator positive_number();
CLI::Validator non_negative_number();
CLI::Validator number_in(double low, double high);

std::vector<std::string> law_words();  // in the order in which they are shown
template <NamedEnum E>
std::vector<std::string> words() {
  return {all_names<E>.begin(), all_names<E>.end()};
}

// A flag that sets `target` to `value`.
template <class T>
void add_choice(CLI::App& command, const char* names, T& target, T value, const char* description) {
  command.add_flag_callback(
      names, [&target, value] { target = value; }, description);
}

// An option that takes one of `accepted`, the names of values of E.
template <NamedEnum E>
CLI::Option& add_word(CLI::App& command, const char* flag, std::optional<E>& target,
                      const std::vector<std::string>& accepted, const char* what) {
  return *command
              .add_option_function<std::string>(
                  flag, [&target](const std::string& word) { target = value_named<E>(word); },
                  fmt::format("{}", fmt::join(accepted, ", ")))
              ->check(one_of(accepted, what));
}

}  // namespace routh
