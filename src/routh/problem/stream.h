// JSON Lines in, JSON Lines out: one problem a line, one object a line in the same order.
//
// Blank lines are skipped and give no output. A line that cannot be used gives an error object in its place and the
// stream goes on. What has been answered is written before the stream waits for more input, so that another program can
// hold a conversation with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "routh/problem/answer.h"
#include "routh/problem/fast_reader.h"

namespace routh::internal {

struct StreamOptions {
  std::optional<Law> law;                // for lines that name none; absent: all laws
  std::optional<SimultaneousRule> rule;  // for lines of several contacts that name none; absent: simultaneous
  std::size_t max_line = std::size_t{1} << 20;
};

struct StreamReport {
  Outcome worst = Outcome::answered;
  long long problems = 0;    // lines that were not blank
  long long bad_lines = 0;   // of which this many gave an error object
  bool interrupted = false;  // `stop` was raised
};

// Reads the file descriptor `input` to its end and writes to `output`. `stop` is looked at before each line and after
// each interrupted read; an interrupting signal should be installed without SA_RESTART so that a waiting read returns.
// Throws RuntimeFailure when reading or writing fails; ignore SIGPIPE to be told of a closed pipe that way.
StreamReport stream_problems(int input, int output, const StreamOptions& options, const std::atomic<bool>& stop);

// One line, its number, and where its object goes, without the line break. FastReader::padding readable bytes follow
// the line.
using SolveLine = std::function<Outcome(std::string_view line, long long number, std::string& out)>;
// The same with whatever solves a line; longer ones than `max_line` are refused.
StreamReport stream_lines(int input, int output, std::size_t max_line, const SolveLine& solve,
                          const std::atomic<bool>& stop);

// One line into one object, without the line break: what the stream does with each line.
class LineSolver {
 public:
  explicit LineSolver(std::optional<Law> law, std::optional<SimultaneousRule> rule = std::nullopt)
      : law_(law), rule_(rule) {}
  ~LineSolver();
  LineSolver(const LineSolver&) = delete;
  LineSolver& operator=(const LineSolver&) = delete;

  // `line` must be followed by FastReader::padding readable bytes.
  Outcome solve(std::string_view line, long long number, std::string& out);
  // The same by the strict reader alone.
  Outcome solve_strictly(std::string_view line, long long number, std::string& out);

 private:
  std::optional<Law> law_;
  std::optional<SimultaneousRule> rule_;
  FastReader reader_;
  ProblemFile file_;
  ProblemSolver solver_;
  ProblemAnswer answer_;
};

}  // namespace routh::internal
