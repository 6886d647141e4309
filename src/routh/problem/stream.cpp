#include "routh/problem/stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "routh/problem/reader.h"
#include "routh/problem/several_contacts.h"
#include "routh/problem/writer.h"

namespace routh::internal {

namespace {

[[noreturn]] void fail(const char* verb, int code) {
  throw RuntimeFailure(fmt::format("cannot {} the stream: {}", verb, std::generic_category().message(code)));
}

void write_all(int output, std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(output, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("write", errno);
    done += static_cast<std::size_t>(count);
  }
  text.clear();
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

class Stream {
 public:
  Stream(int output, std::size_t max_line, const SolveLine& solve, const std::atomic<bool>& stop)
      : output_(output), max_line_(max_line), solve_(solve), stop_(stop) {
    buffer_.resize(chunk + FastReader::padding);
    out_.reserve(2 * flush_at);
  }

  StreamReport run(int input) {
    while (!stop_.load(std::memory_order_relaxed)) {
      write_all(output_, out_);
      if (!read_more(input)) break;
      take_lines();
    }
    report_.interrupted = stop_.load(std::memory_order_relaxed);
    if (!report_.interrupted && (begin_ < end_ || skipping_)) finish_line({buffer_.data() + begin_, end_ - begin_});
    write_all(output_, out_);
    return report_;
  }

 private:
  static constexpr std::size_t chunk = std::size_t{1} << 18;
  static constexpr std::size_t flush_at = std::size_t{1} << 18;

  // Makes room and reads once; false at the end of the input or when stopped.
  bool read_more(int input) {
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      scanned_ -= begin_;
      begin_ = 0;
    }
    if (buffer_.size() - FastReader::padding - end_ < chunk / 2) buffer_.resize(2 * buffer_.size());
    while (true) {
      const ssize_t count = ::read(input, buffer_.data() + end_, buffer_.size() - FastReader::padding - end_);
      if (count > 0) end_ += static_cast<std::size_t>(count);
      if (count >= 0) return count > 0;
      if (errno != EINTR) fail("read", errno);
      if (stop_.load(std::memory_order_relaxed)) return false;
    }
  }

  void take_lines() {
    while (!stop_.load(std::memory_order_relaxed)) {
      const void* found = std::memchr(buffer_.data() + scanned_, '\n', end_ - scanned_);
      if (!found) break;
      const auto line_end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
      finish_line({buffer_.data() + begin_, line_end - begin_});
      begin_ = scanned_ = line_end + 1;
      if (out_.size() >= flush_at) write_all(output_, out_);
    }
    if (stop_.load(std::memory_order_relaxed)) return;
    scanned_ = end_;
    if (end_ - begin_ > max_line_) {  // forget what is here, and the rest until the line ends
      skipping_ = true;
      begin_ = scanned_ = end_ = 0;
    }
  }

  void finish_line(std::string_view line) {
    ++line_number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool too_long = skipping_ || line.size() > max_line_;
    skipping_ = false;
    if (!too_long && is_blank(line)) return;
    const Outcome outcome = too_long ? refuse_length() : solve_(line, line_number_, out_);
    ++report_.problems;
    if (outcome == Outcome::invalid) ++report_.bad_lines;
    report_.worst = worse(report_.worst, outcome);
    out_ += '\n';
  }

  Outcome refuse_length() {
    append_error(out_, line_number_,
                 InputError({}, fmt::format("the line is longer than {} bytes", max_line_),
                            "write the problem to a file of its own"));
    return Outcome::invalid;
  }

  int output_;
  std::size_t max_line_;
  const SolveLine& solve_;
  const std::atomic<bool>& stop_;
  StreamReport report_;
  std::vector<char> buffer_;
  std::string out_;
  std::size_t begin_ = 0, scanned_ = 0, end_ = 0;  // the unfinished line, how far it was searched, end of what was read
  long long line_number_ = 0;
  bool skipping_ = false;  // inside a line that is too long
};

}  // namespace

LineSolver::~LineSolver() = default;

Outcome LineSolver::solve(std::string_view line, long long number, std::string& out) {
  if (!reader_.read(line, file_)) return solve_strictly(line, number, out);
  try {
    solver_.solve(file_, answer_, law_);
  } catch (const InputError&) {
    return solve_strictly(line, number, out);  // which knows the column
  }
  append_answer(out, file_, answer_);
  return answer_.outcome();
}

Outcome LineSolver::solve_strictly(std::string_view line, long long number, std::string& out) {
  const std::size_t start = out.size();
  try {
    TextLimits limits;
    limits.max_nodes = std::size_t{1} << 19;
    read_problem(Document::from_text(std::string(line), "", limits), file_);
    if (!file_.contacts.empty()) {
      if (!file_.law) file_.law = law_;
      if (!file_.rule) file_.rule = rule_;
      const SimultaneousAnswers answers = solve_several(file_);
      append_several(out, file_, answers);
      return answers.outcome();
    }
    solver_.solve(file_, answer_, law_);
    append_answer(out, file_, answer_);
    return answer_.outcome();
  } catch (const InputError& error) {
    out.resize(start);
    append_error(out, number, error);
    return Outcome::invalid;
  }
}

StreamReport stream_problems(int input, int output, const StreamOptions& options, const std::atomic<bool>& stop) {
  LineSolver solver(options.law, options.rule);
  const auto solve = [&](std::string_view line, long long number, std::string& out) {
    return solver.solve(line, number, out);
  };
  return stream_lines(input, output, options.max_line, solve, stop);
}

StreamReport stream_lines(int input, int output, std::size_t max_line, const SolveLine& solve,
                          const std::atomic<bool>& stop) {
  return Stream(output, max_line, solve, stop).run(input);
}

}  // namespace routh::internal
