#include "routh/problem/reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "problem/samples.h"
#include "routh/problem/answer.h"

namespace routh {
namespace {

using testing_support::content;
using testing_support::planar_with;
using testing_support::problems_folder;
using testing_support::sample_paths;

// The message of the InputError that reading and solving throws; empty when there is none.
std::string refusal(const std::string& text, const std::string& name = "f") {
  try {
    ProblemSolver solver;
    ProblemAnswer answer;
    solver.solve(read_problem_text(text, name), answer);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ProblemReader, EveryBadFileIsRefusedAtItsPlace) {
  std::istringstream list(content(problems_folder("bad/expected.txt")));
  std::map<std::string, int> seen;
  std::string line;
  while (std::getline(list, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string file, place, part;
    words >> file >> place >> std::ws;
    std::getline(words, part);
    ++seen[file];
    const std::string message = refusal(content(problems_folder("bad/" + file)), file);
    EXPECT_EQ(message.substr(0, message.find(" error:")), file + ":" + place + ":") << message;
    EXPECT_NE(message.find(part), std::string::npos) << file << ": " << message;
  }
  for (const std::string& path : sample_paths("bad")) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    if (name == "expected.txt") continue;
    EXPECT_EQ(seen[name], 1) << name << " is not in expected.txt";
  }
}

TEST(ProblemReader, EveryGoodFileIsAccepted) {
  for (const std::string& path : sample_paths("good")) EXPECT_EQ(refusal(content(path), path), "");
  EXPECT_GE(sample_paths("good").size(), 10u);
}

TEST(ProblemReader, ReadsAMachine) {
  const ProblemFile file = read_problem_file(problems_folder("good/loop.json"));
  EXPECT_TRUE(file.is_machine());
  EXPECT_EQ(file.dimension(), Dimension::spatial);
  EXPECT_EQ(file.mass_matrix.rows, 4);
  EXPECT_EQ(file.mass_matrix(1, 2), 0.2);
  EXPECT_EQ(file.jacobian(2, 3), 0.4);
  EXPECT_EQ(file.bilateral.rows, 2);
  EXPECT_EQ(file.external_impulse, (std::vector<double>{0.1, 0, -0.2, 0.05}));
  EXPECT_FALSE(file.law.has_value());
  EXPECT_EQ(file.where(Field::jacobian).line, 2);
}

TEST(ProblemReader, ReadsEveryFormOfFriction) {
  const auto friction = [](const std::string& value) {
    return read_problem_text(planar_with("friction", value), "f").friction;
  };
  EXPECT_EQ(friction("0.25").static_coefficient, 0.25);
  EXPECT_EQ(friction("0.25").kinetic_coefficient, 0.25);
  EXPECT_EQ(friction("{\"static\":0.5,\"kinetic\":0.25}").static_coefficient, 0.5);
  EXPECT_EQ(friction("{\"static\":0.5,\"kinetic\":0.25}").kinetic_coefficient, 0.25);
  for (const char* text : {"inf", "\"inf\"", ".inf", "{\"static\":\"inf\",\"kinetic\":\"inf\"}"})
    EXPECT_TRUE(std::isinf(friction(text).kinetic_coefficient)) << text;
  EXPECT_EQ(friction("{static: inf, kinetic: 0.25}").kinetic_coefficient, 0.25);
}

TEST(ProblemReader, ReadsEveryFormOfRestitution) {
  const auto read = [](const std::string& value) { return read_problem_text(planar_with("restitution", value), "f"); };
  EXPECT_EQ(read("1").restitution.normal, 1);
  EXPECT_EQ(read("{normal: 0.5, tangential: -1}").restitution.tangential, -1);
  const ProblemFile linear = read("{damping: 30, stiffness: 200, tangential: 0.5}");
  EXPECT_EQ(linear.restitution.kind, RestitutionKind::linear);
  EXPECT_DOUBLE_EQ(linear.restitution.alpha, 0.1);  // 2·30/(3·200)
  EXPECT_EQ(linear.restitution.tangential, 0.5);
  EXPECT_EQ(read("{alpha: 0.25}").restitution.alpha, 0.25);
  const ProblemFile table = read("{table: [[0, 0.9], [1.5, 0.5]]}");
  ASSERT_EQ(table.make_restitution().table.size(), 2u);
  EXPECT_EQ(table.make_restitution().table[1].speed, 1.5);
  EXPECT_EQ(table.make_restitution().table[1].coefficient, 0.5);
}

TEST(ProblemReader, AContactEntryReplacesTheTopLevel) {
  const ProblemFile file = read_problem_text(
      "{mass_matrix: [[2]], jacobian: [[1], [1], [1]], velocity: [-1], friction: 0.1, restitution: 0.2,"
      " contacts: [{friction: 0.3, jacobian: [[2], [0]]}]}",
      "f");
  EXPECT_EQ(file.friction.static_coefficient, 0.3);
  EXPECT_EQ(file.restitution.normal, 0.2);
  EXPECT_EQ(file.jacobian.rows, 2);
  EXPECT_EQ(file.jacobian(0, 0), 2);
}

TEST(ProblemReader, EchoesTheIdAsItWasWritten) {
  const auto id = [](const std::string& value) { return read_problem_text(planar_with("id", value), "f"); };
  EXPECT_EQ(id("12345678901234567890").id, "12345678901234567890");
  EXPECT_EQ(id("12345678901234567890").id_kind, IdKind::number);
  EXPECT_EQ(id("\"12\"").id_kind, IdKind::text);
  EXPECT_EQ(id("abc").id_kind, IdKind::text);
  EXPECT_EQ(id("1e999").id_kind, IdKind::text);
  EXPECT_EQ(id("+1").id_kind, IdKind::text);
}

TEST(ProblemReader, ForgivesRoundingInSymmetricMatricesOnly) {
  const ProblemFile file = read_problem_text(planar_with("delassus", "[[1, 0.2], [0.2000000001, 3]]"), "f");
  EXPECT_EQ(file.delassus(0, 1), file.delassus(1, 0));
  EXPECT_NE(refusal(planar_with("delassus", "[[1, 0.2], [0.20000001, 3]]")), "");
  EXPECT_EQ(refusal(planar_with("delassus", "[[1e-150, 2e-151], [2e-151, 3e-150]]")), "");
  EXPECT_EQ(refusal(planar_with("delassus", "[[1e150, 2e149], [2e149, 3e150]]")), "");
}

TEST(ProblemReader, CapsTheNumberOfCoordinates) {
  std::string row = "[1";
  for (int i = 0; i < max_coordinates; ++i) row += ",1";
  row += "]";
  const std::string text = "{mass_matrix: [[1]], velocity: [1], friction: 1, restitution: 1, jacobian: [" + row + "]}";
  EXPECT_NE(refusal(text).find("at most 1000"), std::string::npos);
}

TEST(ProblemReader, ReadingAnewForgetsWhatWasThere) {
  ProblemFile file = read_problem_file(problems_folder("good/loop.json"));
  read_problem(Document::from_file(problems_folder("good/table.yaml")), file);
  EXPECT_FALSE(file.is_machine());
  EXPECT_TRUE(file.velocity.empty());
  EXPECT_EQ(file.law, Law::poisson);
  read_problem(Document::from_file(problems_folder("good/separating.json")), file);
  EXPECT_TRUE(file.table.empty());
  EXPECT_FALSE(file.law.has_value());
  EXPECT_EQ(file.restitution.kind, RestitutionKind::constant);
}

// JSON cut off anywhere is refused. In block style a cut between lines can leave a complete problem: then everything
// that a problem needs is there.
TEST(ProblemReader, RefusesTruncations) {
  for (const std::string& path : sample_paths("good")) {
    std::string text = content(path);
    while (text.back() == '\n') text.pop_back();
    for (std::size_t size = 0; size < text.size(); ++size) {
      const std::string prefix = text.substr(0, size);
      if (!refusal(prefix, path).empty()) continue;
      EXPECT_FALSE(path.ends_with(".json")) << path << " cut to " << size << " bytes";
      EXPECT_NE(prefix.find("friction:"), std::string::npos) << path << " cut to " << size << " bytes";
      EXPECT_NE(prefix.find("restitution:"), std::string::npos) << path << " cut to " << size << " bytes";
      EXPECT_NE(prefix.find("velocity:"), std::string::npos) << path << " cut to " << size << " bytes";
    }
  }
}

}  // namespace
}  // namespace routh
