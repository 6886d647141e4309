#include "routh/study/study.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "study/run_study.h"
#include "support/random_problems.h"

namespace routh {
namespace {

using testing_support::run_study;
using testing_support::scaled;

const std::string ball = R"(
study: 1
problem: {delassus: [[1, 0], [0, 1]], contact_velocity: [-2, 0.5], friction: 0, restitution: 0.5}
)";

// A smooth ball of unit mass leaves with e times its speed and loses ½ (1 − e²) v².
TEST(Study, SmoothBallOnAGrid) {
  const Study study = read_study_text(ball + R"(
vary: {restitution: {from: 0, to: 1, count: 5}}
sampling: {method: grid}
measure:
  up: contact_velocity.n
  lost: {value: -energy.change, reduce: [mean, {quantiles: [0, 0.5, 1]}, {histogram: {from: 0, to: 2, bins: 2}}]}
  rests: contact_velocity.n == 0
  how: mode
  slip: before.contact_velocity.t1 - contact_velocity.t1
  same: contact_velocity.n - 2 * sample.restitution + sample.index
)",
                                      "study.yaml");
  const StudyResult result = run_study(study);
  ASSERT_EQ(result.samples, 5u);
  EXPECT_EQ(result.failed(), 0u);
  EXPECT_DOUBLE_EQ(result.measures[0].moments.mean, 1);
  EXPECT_EQ(result.measures[0].moments.high, 2);
  EXPECT_EQ(result.measures[0].moments.high_index, 4u);
  const double e2 = (0 + 0.0625 + 0.25 + 0.5625 + 1) / 5;
  EXPECT_DOUBLE_EQ(result.measures[1].moments.mean, 2 * (1 - e2));
  EXPECT_DOUBLE_EQ(*result.measures[1].quantiles[1].value, 1.5);
  EXPECT_EQ(result.measures[1].bins, (std::vector<std::uint64_t>{0, 2, 3, 0}));
  EXPECT_EQ(result.measures[2].moments.nonzero, 1u);
  EXPECT_EQ(result.measures[4].moments.high, 0);
  EXPECT_DOUBLE_EQ(result.measures[5].moments.mean, 2);
}

// The shares of two laws: what one law says must not leak into another.
TEST(Study, LawsSideBySide) {
  const Study study = read_study_text(R"(
study: 1
law: poisson
problem:
  mass_matrix: [[16, 5.908846518073248], [5.908846518073248, 4]]
  jacobian: [[0.6840402866513374, 1], [1.8793852415718169, 1.7320508075688774]]
  velocity: [-0.1, -0.2]
  friction: 0.5
  restitution: 0.7
vary: {friction: [0.5]}
sampling: {method: grid}
measure: {mine: energy.change, poisson: poisson.energy.change, newton: newton.energy.change, v: 'velocity[1]',
  before: before.energy, gains: newton.warnings.energy_gain}
)",
                                      "study.yaml");
  const StudyResult result = run_study(study);
  const auto value = [&](std::size_t m) { return result.measures[m].moments.mean; };
  EXPECT_EQ(value(0), value(1));
  EXPECT_NE(value(0), value(2));
  EXPECT_NEAR(value(4), 0.5 * (0.16 + 2 * 0.02 * 5.908846518073248 + 0.16), 1e-12);
}

TEST(Study, RefusesWithPlace) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read_study_text(text, "s.yaml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string rest = "vary: {friction: {from: 0, to: 1}}\nsampling: {method: sobol, samples: 10}\n";
  const std::string measure = "measure: {loss: energy.change}\n";
  EXPECT_EQ(refusal(ball + rest + measure), "accepted");
  const auto contains = [&](const std::string& text, const char* place, const char* word) {
    const std::string found = refusal(text);
    EXPECT_EQ(found.rfind(place, 0), 0u) << found;
    EXPECT_NE(found.find(word), std::string::npos) << found;
  };
  contains(ball + rest + "measrue: {loss: energy.change}\n", "s.yaml:6:1", "measure");
  contains(ball + rest, "s.yaml", "'measure'");
  contains(ball + rest + measure + "table: maybe\n", "s.yaml:7:8", "true");
  contains(ball + rest + "measure: {loss: energy.chnge}\n", "s.yaml:6:17", "energy.change");
  contains(ball + rest + "measure: {loss: 1 + }\n", "s.yaml:6", "missing");
  contains(ball + rest + "measure: {loss: {value: mode, reduce: mean}}\n", "s.yaml:6:39", "counts");
  contains(ball + rest + "measure: {loss: {value: phases, reduce: [median]}}\n", "s.yaml:6:42", "mean");
  contains(ball + rest + "measure: {loss: {value: phases, reduce: [{quantiles: [2]}]}}\n", "s.yaml:6:55", "[0, 1]");
  contains(ball + rest + "measure: {loss: 'velocity[0]'}\n", "s.yaml:6", "machine");
  contains(ball + "vary: {frction: {from: 0, to: 1}}\nsampling: {method: sobol, samples: 10}\n" + measure, "s.yaml:4:8",
           "friction");
  contains(ball + "vary: {friction: {from: 0, too: 1}}\nsampling: {method: sobol, samples: 10}\n" + measure,
           "s.yaml:4:28", "to");
  contains(ball + "vary: {friction: 3}\nsampling: {method: sobol, samples: 10}\n" + measure, "s.yaml:4:18", "set");
  contains(ball + "vary: {friction: {from: 0, to: 1}}\nsampling: {method: random, samples: 10}\n" + measure, "s.yaml:5",
           "seed");
  contains(ball + "vary: {friction: {from: 0, to: 1}}\nsampling: {method: grid}\n" + measure, "s.yaml:4", "count");
  contains(ball + "vary: {friction: {from: -1, to: 1, scale: log}}\nsampling: {method: sobol, samples: 2}\n" + measure,
           "s.yaml:4:25", "positive");
  contains(ball + "vary: {'contact_velocity[2]': {from: 0, to: 1}}\nsampling: {method: sobol, samples: 2}\n" + measure,
           "s.yaml:4:8", "0 to 1");
  contains("study: 2\n", "s.yaml:1:8", "version");
  contains("study: 1\nstudy: 1\n", "s.yaml:2:1", "study");
  contains("study: 1\nproblem: nowhere.json\n" + rest + measure, "s.yaml:2:10", "nowhere.json");
}

const std::string rough = R"(
study: 1
problem: {delassus: [[1.6, 1.2, 0.1], [1.2, 3.4, 0.3], [0.1, 0.3, 2]], contact_velocity: [-0.5, 2, 1],
  friction: 0.3, restitution: 0.5}
vary:
  friction: {from: -0.05, to: 1}
  restitution: {from: 0, to: 1}
  contact_velocity[1]: {mean: 0, std: 2}
measure:
  lost: {value: -energy.change, reduce: [mean, std, min, max, {quantiles: [0.1, 0.5, 0.9]}]}
  how: mode
  jam: {value: jamming_friction, reduce: [mean, {histogram: {from: 0, to: 2, bins: 7}}]}
  textbook: {value: classical.energy.change > 0}
)";

// A twentieth of the samples has negative friction: refused, counted, and no other value changes.
TEST(Study, TheSameBitsForAnyNumberOfThreads) {
  const int count = scaled(100000, 70000);  // above the limit of exact quantiles
  for (const char* method : {"random", "latin_hypercube", "sobol"}) {
    const Study study = read_study_text(
        rough + "sampling: {method: " + method + ", samples: " + std::to_string(count) + ", seed: 3}\n", "s.yaml");
    const StudyResult one = run_study(study, 1);
    EXPECT_NEAR(static_cast<double>(one.failed()) / count, 0.05 / 1.05, 0.005);
    EXPECT_EQ(one.faults[static_cast<std::size_t>(Fault::refused)], one.failed());
    EXPECT_EQ(one.failures.size(), max_failures);
    EXPECT_NE(one.failures[0].reason.find("friction"), std::string::npos);
    const std::string text = study_json(study, one);
    EXPECT_EQ(text, study_json(study, run_study(study, 2)));
    EXPECT_EQ(text, study_json(study, run_study(study, 5)));
  }
}

// Portions of any size, joined in any order, give what whole blocks in order give.
TEST(Study, PortionsInAnyOrder) {
  const Study study = read_study_text(rough + "sampling: {method: random, samples: 70000, seed: 9}\n", "s.yaml");
  StudyKeeper keeper(study, {});
  StudyWorker worker(study);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts = {{5, 3}, {0, 1}, {8, 10}, {1, 4}};
  ASSERT_EQ(study.blocks(), 18u);
  for (const auto& [first, blocks] : parts) keeper.add(portion_from_bytes(to_bytes(worker.compute(first, blocks))));
  ASSERT_TRUE(keeper.totals().complete());
  EXPECT_EQ(study_json(study, keeper.totals().result()), study_json(study, run_study(study, 2)));
}

TEST(Study, CheckpointGoesOnWithTheSameBits) {
  const std::string output = testing::TempDir() + "routh_study_test_" + std::to_string(getpid());
  for (const char* samples : {"9000", "70000"}) {
    const Study study = read_study_text(
        rough + "table: true\nsampling: {method: random, seed: 9, samples: " + samples + "}\n", "s.yaml");
    std::string expected;
    for (const std::uint64_t cut : {0u, 1u, 2u}) {
      {
        StudyKeeper keeper(study, {output, StudyStart::anew, 1e9});
        StudyWorker worker(study);
        for (std::uint64_t b = 0; b < cut; ++b) keeper.add(worker.compute(b, 1));
        keeper.save();
        keeper.add(worker.compute(cut, 1));  // after the checkpoint: lost, and its rows are dropped
      }
      EXPECT_THROW(StudyKeeper(study, {output, StudyStart::fresh, 1e9}), CheckpointStands);
      StudyKeeper keeper(study, {output, StudyStart::resume, 1e9});
      EXPECT_EQ(keeper.resumed_samples(), cut * study.block_size());
      EXPECT_EQ(sweep(study, keeper, {}), SweepEnd::complete);
      EXPECT_EQ(keeper.rows()->rows(), study.samples());
      std::string found = study_json(study, keeper.totals().result());
      keeper.rows()->read([&](std::span<const double> some) {
        found.append(reinterpret_cast<const char*>(some.data()), some.size_bytes());
      });
      keeper.remove_files();
      if (expected.empty()) expected = found;
      EXPECT_EQ(found, expected);
    }
  }
  const Study other = read_study_text(rough + "sampling: {method: random, samples: 70000, seed: 8}\n", "s.yaml");
  { StudyKeeper keeper(other, {output, StudyStart::anew, 1e9}); }
  const Study study = read_study_text(rough + "sampling: {method: random, samples: 70000, seed: 9}\n", "s.yaml");
  EXPECT_THROW(StudyKeeper(study, {output, StudyStart::resume, 1e9}), InputError);
  StudyKeeper(other, {output, StudyStart::resume, 1e9}).remove_files();
}

}  // namespace
}  // namespace routh
