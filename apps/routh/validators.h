// Checks of the arguments of options, for CLI11; what they say ends in a remedy.
#pragma once

#include <CLI/CLI.hpp>
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

}  // namespace routh
