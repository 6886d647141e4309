// What several commands have in common.
#pragma once

#include <stdexcept>

namespace routh {

// How a command ends. The numbers are a promise to scripts.
enum class ExitCode {
  ok = 0,
  runtime_failure = 1,  // a file that cannot be read or written, a full disk
  usage = 2,
  invalid_input = 3,
  no_answer =
      4,         // a law without an answer or an iteration that gave up; with --strict also an answer that gains energy
  mismatch = 5,  // a regenerated number differs from the printed one, or two runs differ
  interrupted = 130,
};

// The paragraph that ends every help text.
inline constexpr const char* exit_code_help =
    "Exit codes: 0 done, 1 cannot read or write, 2 wrong command line, 3 invalid\n"
    "input, 4 no answer, 5 compared numbers differ, 130 interrupted.";

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
