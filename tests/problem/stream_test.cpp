#include "routh/problem/stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "problem/samples.h"
#include "routh/problem/reader.h"
#include "routh/problem/writer.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using nlohmann::json;
using testing_support::content;
using testing_support::planar_with;
using testing_support::sample_paths;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporary() { return File(std::tmpfile(), &std::fclose); }

struct Streamed {
  StreamReport report;
  std::vector<std::string> lines;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  std::string line;
  while (std::getline(stream, line)) lines.push_back(line);
  return lines;
}

Streamed run(const std::string& input, const StreamOptions& options = {}) {
  const File in = temporary(), out = temporary();
  std::fwrite(input.data(), 1, input.size(), in.get());
  std::fflush(in.get());
  lseek(fileno(in.get()), 0, SEEK_SET);
  const std::atomic<bool> stop = false;
  Streamed streamed;
  streamed.report = stream_problems(fileno(in.get()), fileno(out.get()), options, stop);
  lseek(fileno(out.get()), 0, SEEK_SET);
  std::string text;
  char chunk[4096];
  for (ssize_t count; (count = read(fileno(out.get()), chunk, sizeof chunk)) > 0;)
    text.append(chunk, static_cast<std::size_t>(count));
  streamed.lines = split(text);
  return streamed;
}

// A file as one line.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Both ways through one line; `quick` says whether the quick reader took it.
void expect_agreement(const std::string& text, bool quick) {
  std::string padded = text;
  padded.append(FastReader::padding, '\x5d');
  const std::string_view line = std::string_view(padded).substr(0, text.size());
  LineSolver solver(std::nullopt);
  std::string first, second;
  const Outcome a = solver.solve(line, 3, first);
  const Outcome b = solver.solve_strictly(line, 3, second);
  EXPECT_EQ(a, b) << text;
  EXPECT_EQ(first, second) << text;
  FastReader reader;
  ProblemFile file;
  EXPECT_EQ(reader.read(line, file), quick) << text;
}

TEST(ProblemStream, AnswersLineByLineInOrder) {
  const std::string good = planar_with("law", "\"energetic\"");
  const Streamed s = run(good + "\n\n  \t\r\n" + planar_with("id", "2") + "\r\n{\n" + planar_with("friction", "-1") +
                         "\n" + planar_with("id", "\"last\""));
  ASSERT_EQ(s.lines.size(), 5u);
  EXPECT_EQ(s.report.problems, 5);
  EXPECT_EQ(s.report.bad_lines, 2);
  EXPECT_EQ(s.report.worst, Outcome::invalid);
  EXPECT_EQ(json::parse(s.lines[0])["law"], "energetic");
  EXPECT_EQ(json::parse(s.lines[1])["id"], 2);
  EXPECT_EQ(json::parse(s.lines[1])["results"].size(), 5u);
  const json open = json::parse(s.lines[2]);
  EXPECT_EQ(open["line"], 5);
  EXPECT_EQ(open["error"]["column"], 1);
  EXPECT_TRUE(open["error"]["message"].is_string() && open["error"]["remedy"].is_string());
  const json negative = json::parse(s.lines[3]);
  EXPECT_EQ(negative["line"], 6);
  EXPECT_EQ(negative["error"]["column"], planar_with("friction", "-1").find("-1,\"rest") + 1);
  EXPECT_EQ(json::parse(s.lines[4])["id"], "last");
}

TEST(ProblemStream, TheWorstOutcomeCounts) {
  const std::string undefined =
      "{\"delassus\":[[1.6,1.2],[1.2,3.4]],\"contact_velocity\":[0,2],\"friction\":1.6,\"restitution\":0.5,"
      "\"pressed\":true,\"law\":\"newton\"}\n";
  const std::string good = planar_with("law", "\"newton\"") + "\n";
  EXPECT_EQ(run(good).report.worst, Outcome::answered);
  EXPECT_EQ(run(good + undefined + good).report.worst, Outcome::no_answer);
  EXPECT_EQ(run(undefined + "x\n" + good).report.worst, Outcome::invalid);
  EXPECT_EQ(run("").report.worst, Outcome::answered);
  EXPECT_TRUE(run("\n\n").lines.empty());
}

TEST(ProblemStream, TheLawOfTheOptionsIsForLinesThatNameNone) {
  StreamOptions options;
  options.law = Law::poisson;
  const Streamed s = run(planar_with("law", "\"newton\"") + "\n" + planar_with("friction", "1") + "\n", options);
  EXPECT_EQ(json::parse(s.lines[0])["law"], "newton");
  EXPECT_EQ(json::parse(s.lines[1])["law"], "poisson");
}

TEST(ProblemStream, ALineThatIsTooLongIsRefusedAndTheRestIsRead) {
  const std::string good = planar_with("law", "\"newton\"");
  for (const std::size_t length : {(std::size_t{1} << 20) + 1, std::size_t{5} << 20}) {
    const Streamed s = run(good + "\n" + std::string(length, '[') + "\n" + good + "\n" + std::string(length, ' '));
    ASSERT_EQ(s.lines.size(), 4u);
    EXPECT_EQ(json::parse(s.lines[0])["law"], "newton");
    EXPECT_EQ(json::parse(s.lines[1])["line"], 2);
    EXPECT_NE(s.lines[1].find("longer than 1048576 bytes"), std::string::npos);
    EXPECT_TRUE(json::parse(s.lines[1])["error"]["column"].is_null());
    EXPECT_EQ(s.lines[2], s.lines[0]);
    EXPECT_EQ(json::parse(s.lines[3])["line"], 4);
  }
  std::string padded = planar_with("law", "\"newton\"");
  padded.append((std::size_t{1} << 20) - padded.size(), ' ');
  const Streamed s = run(padded + "\n" + good);
  ASSERT_EQ(s.lines.size(), 2u);
  EXPECT_EQ(s.lines[0], s.lines[1]);
}

TEST(ProblemStream, LinesAcrossBufferEndsAreWhole) {
  std::string input;
  const int count = 20000;
  for (int i = 0; i < count; ++i) input += planar_with("id", std::to_string(i)) + "\n";
  StreamOptions options;
  options.law = Law::energetic;
  const Streamed s = run(input, options);
  ASSERT_EQ(s.lines.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(s.report.worst, Outcome::answered);
  const std::string tail = s.lines[0].substr(s.lines[0].find("\"law\""));
  for (int i = 0; i < count; ++i) {
    const std::string& line = s.lines[static_cast<std::size_t>(i)];
    ASSERT_EQ(line, "{\"schema\":1,\"id\":" + std::to_string(i) + "," + tail);
  }
}

TEST(ProblemStream, TheSameAnswerAsForAFile) {
  for (const std::string& path : sample_paths("good")) {
    if (!path.ends_with(".json")) continue;
    const ProblemFile file = read_problem_file(path);
    ProblemSolver solver;
    ProblemAnswer answer;
    solver.solve(file, answer);
    std::string expected;
    append_answer(expected, file, answer);
    const Streamed s = run(one_line(content(path)));
    ASSERT_EQ(s.lines.size(), 1u);
    EXPECT_EQ(s.lines[0], expected) << path;
  }
}

TEST(FastReader, AgreesWithTheStrictReaderOnSamples) {
  for (const char* folder : {"good", "bad"})
    for (const std::string& path : sample_paths(folder)) {
      const std::string text = one_line(content(path));
      std::string first, second;
      std::string padded = text + std::string(FastReader::padding, '}');
      LineSolver solver(std::nullopt);
      const std::string_view line = std::string_view(padded).substr(0, text.size());
      EXPECT_EQ(solver.solve(line, 1, first), solver.solve_strictly(line, 1, second)) << path;
      EXPECT_EQ(first, second) << path;
    }
}

TEST(FastReader, TakesCommonLinesAndLeavesTheRest) {
  for (const char* taken : {"0.5", "1e-3", "-0", "{\"static\": 0.6 , \"kinetic\":0.5}", "\"inf\"",
                            "{\"kinetic\":1,\"static\":\"inf\"}", "4.9e-324", ".5", "+1"})
    expect_agreement(planar_with("friction", taken), true);
  for (const char* left : {"inf", "\"0.5\"", "1e-999", "1e999", "01", "0x1", "{\"static\":1}", "[1]", "null", "true",
                           "{\"static\":1,\"static\":1,\"kinetic\":1}", "{\"static\":1,\"kinetic\":1,\"x\":1}", "-1",
                           "1 2", "1\"a\"", "{\"static\":0.5,\"kinetic\":0.6}"}) {
    expect_agreement(planar_with("friction", left), false);
  }
  for (const char* taken : {"1", "{\"normal\":0.5}", "{\"tangential\":-0.5,\"normal\":1}", "{\"alpha\":0.1}"})
    expect_agreement(planar_with("restitution", taken), true);
  for (const char* left : {"2", "{\"tangential\":1}", "{\"normal\":1,\"alpha\":1}", "{\"table\":[[0,1]]}", "{}"})
    expect_agreement(planar_with("restitution", left), false);
  for (const char* taken : {"\"newton\"", "\"unified\""}) expect_agreement(planar_with("law", taken), true);
  for (const char* left : {"newton", "\"Newton\"", "1", "\"new\\u0074on\""})
    expect_agreement(planar_with("law", left), false);
  for (const char* taken : {"1", "\"a b\"", "-1.5e3", "\"\""}) expect_agreement(planar_with("id", taken), true);
  for (const char* left :
       {"null", "[1]", "1e999", "\"\\u00e9\"", "\"\xc3\xa9\"", "\"\\ud83d\\ude00\"", "\"\xc2\x9b\"", "\"\\ud83d\""})
    expect_agreement(planar_with("id", left), false);
}

TEST(FastReader, LeavesBrokenJson) {
  const std::string good = planar_with("law", "\"newton\"");
  expect_agreement(good, true);
  expect_agreement(" \t" + good + " \t", true);
  expect_agreement(good + "\r", false);
  for (const char* tail : {"x", "}", "{}", ",", "]", "1", "\"", " null"}) expect_agreement(good + tail, false);
  for (std::size_t size = 0; size < good.size(); ++size) expect_agreement(good.substr(0, size), false);
  for (std::size_t at = 0; at < good.size(); ++at) {  // with any one byte missing both still say the same
    std::string text = good;
    text.erase(at, 1);
    std::string padded = text + std::string(FastReader::padding, ' ');
    LineSolver solver(std::nullopt);
    std::string first, second;
    solver.solve(std::string_view(padded).substr(0, text.size()), 1, first);
    solver.solve_strictly(std::string_view(padded).substr(0, text.size()), 1, second);
    EXPECT_EQ(first, second) << text;
  }
}

TEST(FastReader, AgreesOnRandomProblems) {
  testing_support::Random random(20250714);
  for (int i = 0; i < 300; ++i) {
    const bool planar = random.chance(0.5);
    const ImpactProblem p = planar ? testing_support::random_planar(random) : testing_support::random_spatial(random);
    const ContactInertia& d = p.inertia;
    json problem;
    if (planar) {
      problem["delassus"] = {{d.a, d.c1}, {d.c1, d.b11}};
      problem["contact_velocity"] = {p.velocity.n, p.velocity.t1};
    } else {
      problem["delassus"] = {{d.a, d.c1, d.c2}, {d.c1, d.b11, d.b12}, {d.c2, d.b12, d.b22}};
      problem["contact_velocity"] = {p.velocity.n, p.velocity.t1, p.velocity.t2};
    }
    problem["friction"] = {{"static", p.friction.static_coefficient}, {"kinetic", p.friction.kinetic_coefficient}};
    problem["restitution"] = p.restitution.normal;
    expect_agreement(problem.dump(), true);
  }
}

TEST(ProblemStream, StopsWhenTold) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const File out = temporary();
  const std::string line = planar_with("law", "\"newton\"") + "\n";
  ASSERT_EQ(write(ends[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
  const std::atomic<bool> stop = true;
  const StreamReport report = stream_problems(ends[0], fileno(out.get()), {}, stop);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.problems, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST(ProblemStream, HoldsAConversation) {
  int to[2], from[2];
  ASSERT_EQ(pipe(to), 0);
  ASSERT_EQ(pipe(from), 0);
  const std::atomic<bool> stop = false;
  std::thread server([&] { stream_problems(to[0], from[1], {}, stop); });
  const std::string line = planar_with("law", "\"newton\"") + "\n";
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(write(to[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    std::string answer;
    while (answer.empty() || answer.back() != '\n') {
      char byte;
      ASSERT_EQ(read(from[0], &byte, 1), 1);
      answer += byte;
    }
    EXPECT_EQ(json::parse(answer)["law"], "newton");
  }
  close(to[1]);
  server.join();
  for (const int end : {to[0], from[0], from[1]}) close(end);
}

TEST(ProblemStream, FailuresOfTheSurroundingsAreReported) {
  const std::atomic<bool> stop = false;
  const File out = temporary();
  EXPECT_THROW(stream_problems(-1, fileno(out.get()), {}, stop), RuntimeFailure);  // closed input
  const std::string line = planar_with("law", "\"newton\"") + "\n";
  const auto write_to = [&](int output) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    close(ends[1]);
    EXPECT_THROW(stream_problems(ends[0], output, {}, stop), RuntimeFailure);
    close(ends[0]);
  };
  write_to(-1);
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  write_to(full);
  close(full);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  write_to(ends[1]);
  std::signal(SIGPIPE, before);
  close(ends[1]);
}

}  // namespace
}  // namespace routh
