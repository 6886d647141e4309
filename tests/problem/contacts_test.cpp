// The files of `routh contacts`: read, solved and written. Residuals are recomputed here from the formula.
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "problem/samples.h"
#include "routh/problem/contacts_answer.h"
#include "routh/problem/siconos_reader.h"
#include "routh/problem/stream.h"
#include "routh/text/gunzip.h"

namespace routh {
namespace {

using nlohmann::json;

std::string contacts_folder(const std::string& name) { return ROUTH_TEST_DATA "/contacts/" + name; }

std::vector<std::string> contacts_samples(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(contacts_folder(folder)))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

ContactsFile good(const std::string& name) { return read_contacts_file(contacts_folder("good/" + name)); }

ContactsAnswer answer_of(const ContactsFile& file) {
  FrictionContactSolver solver;
  return solve_contacts(file, solver);
}

// D as one matrix, block by block by the definition of BlockMatrix.
Eigen::MatrixXd dense_inertia(const FrictionContactProblem& problem) {
  if (const auto* D = std::get_if<Eigen::MatrixXd>(&problem.inertia)) return *D;
  const BlockMatrix& blocks = std::get<BlockMatrix>(problem.inertia);
  const int d = problem.rows_per_contact(), count = static_cast<int>(blocks.row_start.size()) - 1;
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(d * count, d * count);
  for (int r = 0; r < count; ++r)
    for (int k = blocks.row_start[static_cast<std::size_t>(r)]; k < blocks.row_start[static_cast<std::size_t>(r) + 1];
         ++k)
      for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j)
          D(d * r + i, d * blocks.column[static_cast<std::size_t>(k)] + j) =
              blocks.values[static_cast<std::size_t>((k * d + i) * d + j)];
  const auto rows = problem.velocity.size();
  EXPECT_TRUE(D.bottomRows(D.rows() - rows).isZero() && D.rightCols(D.cols() - rows).isZero());
  return D.topLeftCorner(rows, rows);
}

// ‖p − P_K(p − û)‖ / ‖v‖, by the book; finite friction, no slip given.
double residual_of(const FrictionContactProblem& problem, const Eigen::VectorXd& p) {
  Eigen::VectorXd v = problem.velocity;
  if (problem.surface_velocity.size() > 0) v -= problem.surface_velocity;
  const Eigen::VectorXd after = v + dense_inertia(problem) * p;
  const int d = problem.rows_per_contact();
  double sum = after.tail(problem.bilateral_rows()).squaredNorm();
  for (int k = 0; k < problem.contacts(); ++k) {
    const double mu = problem.friction[static_cast<std::size_t>(k)];
    const Eigen::VectorXd u = after.segment(k * d, d), r = p.segment(k * d, d);
    Eigen::VectorXd x = r - u, y = x;
    x[0] = y[0] = x[0] - mu * u.tail(d - 1).norm();
    const double xt = x.tail(d - 1).norm();
    if (mu * xt <= -x[0]) {
      y.setZero();
    } else if (xt > mu * x[0]) {
      y[0] = (x[0] + mu * xt) / (1 + mu * mu);
      y.tail(d - 1) = mu * y[0] / xt * x.tail(d - 1);
    }
    sum += (r - y).squaredNorm();
  }
  return std::sqrt(sum) / v.norm();
}

std::string contacts_refusal(const std::string& path, const std::string& shown) {
  try {
    std::string text = read_text_file(path, 1 << 20);
    answer_of(read_contacts_text(is_gzip(text) ? gunzip(text, shown, 1 << 20) : text, shown));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ContactsFiles, EveryBadFileIsRefusedAtItsPlace) {
  std::istringstream list(read_text_file(contacts_folder("bad/expected.txt"), 1 << 16));
  std::map<std::string, int> seen;
  std::string line;
  while (std::getline(list, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string file, place, part;
    words >> file >> place >> std::ws;
    std::getline(words, part);
    ++seen[file];
    const std::string message = contacts_refusal(contacts_folder("bad/" + file), file);
    const std::string head = place == "-" ? file + ":" : file + ":" + place + ":";
    EXPECT_EQ(message.substr(0, message.find(" error:")), head) << message;
    EXPECT_NE(message.find(part), std::string::npos) << file << ": " << message;
  }
  for (const std::string& name : contacts_samples("bad")) {
    if (name == "expected.txt") continue;
    EXPECT_EQ(seen[name], 1) << name << " is not in expected.txt";
  }
}

// A file may end anywhere but where its own counts say.
TEST(ContactsFiles, EverySiconosFileThatIsCutOffIsRefused) {
  for (const char* name : {"siconos_dense.dat", "siconos_blocks.dat", "siconos_triplets.dat", "siconos_columns.dat"}) {
    const std::string text = read_text_file(contacts_folder(std::string("good/") + name), 1 << 20);
    const std::size_t last = text.find_last_not_of(" \n", text.size() - 1);
    const std::size_t begin_of_last = text.find_last_of(' ', last);
    for (std::size_t size = 1; size <= begin_of_last; size += 3)
      EXPECT_THROW(read_siconos_text(text.substr(0, size), "f"), InputError) << name << " " << size;
    EXPECT_NO_THROW(read_siconos_text(text, "f"));
  }
}

// siconos_*.dat were written by Siconos 4.4 from the matrix of dense.json; its entries have few digits, so that even
// the sparse forms, which print six, hold them exactly.
TEST(ContactsFiles, AllFormsOfOneProblemAreTheSame) {
  const ContactsFile first = good("dense.json");
  const Eigen::MatrixXd D = dense_inertia(first.problem);
  EXPECT_NE(D(0, 4), D(4, 0)) << "W is taken as given";
  for (const char* name : {"blocks.json", "siconos_dense.dat", "siconos_blocks.dat", "siconos_triplets.dat",
                           "siconos_columns.dat", "siconos_older.dat.gz"}) {
    const ContactsFile file = good(name);
    EXPECT_EQ(file.problem.dimension, Dimension::spatial) << name;
    EXPECT_EQ(dense_inertia(file.problem), D) << name;
    EXPECT_EQ(file.problem.velocity, first.problem.velocity) << name;
    EXPECT_EQ(file.problem.friction, (std::vector<double>{0.5, 0.3, 0})) << name;
    const ContactsAnswer answer = answer_of(file);
    EXPECT_EQ(answer.solution.status, ContactsStatus::solved) << name;
    EXPECT_LT(residual_of(first.problem, answer.solution.impulse), 1e-10) << name;
  }
  const ContactsFile rows = good("bilateral.json"), blocks = good("bilateral_blocks.json");
  EXPECT_EQ(rows.problem.bilateral_rows(), 1);
  EXPECT_EQ(dense_inertia(blocks.problem), dense_inertia(rows.problem));
}

TEST(ContactsFiles, EveryGoodFileIsSolvedToItsTolerance) {
  for (const std::string& name : contacts_samples("good")) {
    const ContactsFile file = good(name);
    const ContactsAnswer answer = answer_of(file);
    if (name == "painleve.json") continue;  // below
    EXPECT_EQ(answer.outcome(), Outcome::answered) << name;
    ASSERT_EQ(answer.states.size(), file.problem.friction.size()) << name;
    const bool finite = std::none_of(file.problem.friction.begin(), file.problem.friction.end(),
                                     [](double mu) { return std::isinf(mu); });
    if (finite && file.problem.slip.empty()) {
      EXPECT_LT(residual_of(file.problem, answer.solution.impulse), file.options.tolerance) << name;
    }
    const Eigen::VectorXd after = file.problem.velocity + dense_inertia(file.problem) * answer.solution.impulse;
    Eigen::VectorXd relative = after;
    if (file.problem.surface_velocity.size() > 0) relative -= file.problem.surface_velocity;
    EXPECT_LT((answer.solution.velocity - relative).norm(), 1e-12) << name;
  }
  EXPECT_GE(contacts_samples("good").size(), 10u);
}

// D = J M⁻¹ Jᵀ and v = J q̇ worked out here; what the file says beside them.
TEST(ContactsFiles, ReadsAMachine) {
  const ContactsFile file = good("machine.json");
  Eigen::MatrixXd J(5, 3);
  J << 0, 1, -0.5, 1, 0, 0.25, 0, 1, 0.5, 1, 0, 0.25, 0, 0, 1;
  const Eigen::Vector3d inverse_mass(0.5, 0.5, 2), before(1, -1, 0.2);
  EXPECT_LT((dense_inertia(file.problem) - J * inverse_mass.asDiagonal() * J.transpose()).norm(), 1e-14);
  EXPECT_LT((file.problem.velocity - J * before).norm(), 1e-14);
  EXPECT_EQ(file.problem.bilateral_rows(), 1);
  EXPECT_EQ(file.problem.friction[0], 0.2);
  EXPECT_TRUE(std::isinf(file.problem.friction[1]));
  EXPECT_EQ(file.problem.surface_velocity, (Eigen::VectorXd(5) << 0, 0.1, 0, 0.1, 0).finished());
  EXPECT_EQ(file.start, (std::vector<double>{1, 0, 1, 0, 0}));
  EXPECT_EQ(file.options.tolerance, 1e-9);
  EXPECT_EQ(file.options.iterations, 50);
  EXPECT_EQ(file.options.other_starts, 2);
  EXPECT_TRUE(file.options.least_norm);
  EXPECT_EQ(file.title, "a box on two edges");
  const ContactsAnswer answer = answer_of(file);
  ASSERT_EQ(answer.outcome(), Outcome::answered);
  const Eigen::VectorXd after = before + inverse_mass.asDiagonal() * (J.transpose() * answer.solution.impulse);
  EXPECT_LT((answer.machine_velocity - after).norm(), 1e-13);
  EXPECT_LT((J * after - file.problem.surface_velocity - answer.solution.velocity).norm(), 1e-12);
}

TEST(ContactsFiles, SlipTakesTheKineticCoefficient) {
  const ContactsFile file = good("slip.json");
  EXPECT_EQ(file.problem.friction, (std::vector<double>{0.4, 0.5}));
  EXPECT_EQ(file.problem.slip[0], Eigen::Vector2d(3, 4));
  const ContactsAnswer answer = answer_of(file);
  ASSERT_EQ(answer.outcome(), Outcome::answered);
  const Eigen::VectorXd& p = answer.solution.impulse;
  EXPECT_NEAR(p[1], -0.4 * 0.6 * p[0], 1e-9);
  EXPECT_NEAR(p[2], -0.4 * 0.8 * p[0], 1e-9);
  EXPECT_EQ(answer.states[0], ContactState::slips);
}

// v̇_n = A λ + B with A = 1 − 0.8·2 < 0 and B < 0: no force λ ≥ 0 holds it [Painlevé 1895].
TEST(ContactsFiles, AContradictionIsToldWithItsCertificate) {
  const ContactsFile file = good("painleve.json");
  const ContactsAnswer answer = answer_of(file);
  ASSERT_EQ(answer.solution.status, ContactsStatus::infeasible);
  EXPECT_EQ(answer.outcome(), Outcome::no_answer);
  const Eigen::VectorXd& y = answer.solution.certificate;
  ASSERT_EQ(y.size(), 2);
  EXPECT_GT(y[0], 0);
  EXPECT_LT(y.dot(file.problem.velocity), 0);
  EXPECT_LE(y.dot(dense_inertia(file.problem) * Eigen::Vector2d(1, -0.8)), 1e-12);
  const std::vector<std::string> sentences = contacts_sentences(file, answer);
  ASSERT_FALSE(sentences.empty());
  EXPECT_NE(sentences[0].find("contact 1"), std::string::npos) << sentences[0];
}

TEST(ContactsFiles, JsonHoldsTheAnswer) {
  const ContactsFile file = good("machine.json");
  const ContactsAnswer answer = answer_of(file);
  std::string text;
  append_contacts(text, file, answer);
  const json written = json::parse(text);
  EXPECT_EQ(written["schema"], 1);
  EXPECT_EQ(written["id"], 7);
  EXPECT_EQ(written["status"], "solved");
  EXPECT_EQ(written["residual"].get<double>(), answer.solution.residual);
  EXPECT_EQ(written["tolerance"], 1e-9);
  EXPECT_EQ(written["iterations"], answer.solution.iterations);
  EXPECT_EQ(written["impulse"].size(), 5u);
  EXPECT_EQ(written["velocity"][1].get<double>(), answer.solution.velocity[1]);
  EXPECT_EQ(written["states"].size(), 2u);
  EXPECT_EQ(written["energy"]["change"].get<double>(), answer.solution.energy_change);
  EXPECT_EQ(written["energy"]["supplied"].get<double>(), answer.solution.supplied);
  EXPECT_EQ(written["impulse_unique"], answer.solution.impulse_unique.value());
  EXPECT_EQ(written["machine_velocity"].size(), 3u);
  EXPECT_EQ(written["velocity_unique"], answer.solution.velocity_unique.value());
  for (const char* key : {"other_velocity", "certificate", "cases", "tried"}) EXPECT_TRUE(written.contains(key)) << key;
}

TEST(ContactsFiles, LinesSayTheSameAsFilesAndBadOnesSayWhy) {
  std::string line = read_text_file(contacts_folder("good/machine.json"), 1 << 16);
  std::replace(line.begin(), line.end(), '\n', ' ');
  ContactsLineSolver solver({});
  std::string out, alone;
  EXPECT_EQ(solver.solve(line, 1, out), Outcome::answered);
  const ContactsFile file = good("machine.json");
  append_contacts(alone, file, answer_of(file));
  EXPECT_EQ(out, alone);
  out.clear();
  EXPECT_EQ(solver.solve("{\"friction\": 0.3}", 5, out), Outcome::invalid);
  const json error = json::parse(out);
  EXPECT_EQ(error["line"], 5);
  EXPECT_FALSE(error["error"]["remedy"].get<std::string>().empty());
  EXPECT_FALSE(error.contains("id"));
  for (const char* id : {"7", "\"seven\""}) {
    out.clear();
    EXPECT_EQ(solver.solve(std::string("{\"friction\": 0.3, \"id\": ") + id + "}", 6, out), Outcome::invalid);
    EXPECT_EQ(json::parse(out)["id"].dump(), id);
  }
  out.clear();
  ContactsOverrides strict;
  strict.iterations = 1;
  strict.tolerance = 1e-3;
  EXPECT_EQ(ContactsLineSolver(strict).solve(line, 1, out), Outcome::answered);
  EXPECT_EQ(json::parse(out)["tolerance"], 1e-3);
}

TEST(ContactsFiles, AStartIsAListOrAnAnswer) {
  const std::string path = testing::TempDir() + "routh_start_" + std::to_string(getpid()) + ".json";
  const auto start = [&](const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    std::fputs(text.c_str(), file);
    std::fclose(file);
    return read_start_file(path);
  };
  EXPECT_EQ(start("[1, 2]"), (std::vector<double>{1, 2}));
  EXPECT_EQ(start("{\"schema\": 1, \"impulse\": [3, 4.5]}"), (std::vector<double>{3, 4.5}));
  EXPECT_THROW(start("{\"schema\": 1}"), InputError);
  EXPECT_THROW(start("[1, x]"), InputError);
  std::filesystem::remove(path);
  EXPECT_THROW(read_start_file(path), RuntimeFailure);
}

TEST(Gunzip, BoundsWhatItMakes) {
  const std::string bytes = read_text_file(contacts_folder("good/siconos_older.dat.gz"), 1 << 20);
  ASSERT_TRUE(is_gzip(bytes));
  const std::string text = gunzip(bytes, "f", 1 << 20);
  EXPECT_EQ(text, read_text_file(contacts_folder("good/siconos_dense.dat"), 1 << 20) + "1\n");
  EXPECT_EQ(gunzip(bytes + bytes, "f", 1 << 20), text + text);
  EXPECT_THROW(gunzip(bytes, "f", 100), InputError);
  for (std::size_t size = 2; size < bytes.size(); size += 7)
    EXPECT_THROW(gunzip(bytes.substr(0, size), "f", 1 << 20), InputError) << size;
}

}  // namespace
}  // namespace routh
