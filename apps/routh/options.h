// What several commands have in common.
#pragma once

#include <stdexcept>

namespace routh {

enum class OutputFormat { table, json };
enum class Verbosity { normal, quiet };  // quiet: only results and errors

// A request that cannot be meant: a name that does not exist, options that exclude each other.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A question without an answer: ExitCode::no_answer.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace routh
