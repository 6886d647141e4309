// A sweep that another thread stops, and goes on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "study/run_study.h"

namespace routh {
namespace {

using testing_support::run_study;

Study rough_study() {
  return read_study_text(R"(
study: 1
problem: {delassus: [[1.6, 1.2], [1.2, 3.4]], contact_velocity: [-0.5, 2], friction: 0.3, restitution: 0.5}
vary: {friction: {from: 0, to: 1}, restitution: {from: 0, to: 1}}
sampling: {method: random, samples: 100000, seed: 1}
measure:
  lost: {value: -energy.change, reduce: [mean, std, {quantiles: [0.1, 0.9]}]}
  mode: mode
table: true
)",
                         "study.yaml");
}

// Whatever the moment, the parts give the bits of the whole; the table has each row once.
TEST(Sweep, StoppedByAnotherThreadAndGoneOn) {
  const Study study = rough_study();
  const std::string whole = study_json(study, run_study(study, 2));
  StudyKeeper keeper(study, {});
  int stops = 0;
  for (int round = 0; round < 1000 && !keeper.totals().complete(); ++round) {
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> seen{0};
    std::atomic<bool> over{false};
    const std::uint64_t begin = keeper.totals().samples();
    std::thread other([&] {
      while (!over && seen <= begin) std::this_thread::yield();
      stop = true;
    });
    SweepOptions options;
    options.threads = 1 + round % 3;
    options.stop = &stop;
    options.progress = [&](const StudyTotals& totals) { seen = totals.samples(); };
    const SweepEnd end = sweep(study, keeper, options);
    over = true;
    other.join();
    EXPECT_EQ(end == SweepEnd::complete, keeper.totals().complete());
    stops += end == SweepEnd::stopped ? 1 : 0;
  }
  EXPECT_GT(stops, 0);
  EXPECT_EQ(study_json(study, keeper.totals().result()), whole);
  EXPECT_EQ(keeper.rows()->rows(), study.samples());
}

// One at a time, also within a program; a file that was left behind is no lock.
TEST(FileLock, HoldsOneAtATime) {
  const std::string path = testing::TempDir() + "routh_lock_test_" + std::to_string(getpid());
  // What holds something was no lock, and stays; the empty file of a killed program hinders nobody. No link is
  // followed.
  std::ofstream(path) << "a diary";
  EXPECT_THROW(FileLock(path, "somebody"), RuntimeFailure);
  EXPECT_EQ(std::filesystem::file_size(path), 7u);
  std::filesystem::remove(path);
  std::filesystem::create_symlink(path + ".other", path);
  EXPECT_THROW(FileLock(path, "somebody"), RuntimeFailure);
  EXPECT_FALSE(std::filesystem::exists(path + ".other"));
  std::filesystem::remove(path);
  std::ofstream(path).close();
  {
    const FileLock lock(path, "somebody");
    EXPECT_THROW(FileLock(path, "somebody"), RuntimeFailure);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(FileLock(path + "/missing/folder", "somebody"), RuntimeFailure);
  // Whoever comes while another lets go gets a lock that stands, never one on a file that is gone.
  std::atomic<int> inside{0}, held{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) try {
          const FileLock lock(path, "somebody");
          EXPECT_EQ(++inside, 1);
          ++held;
          --inside;
        } catch (const RuntimeFailure&) {
        }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(held, 0);
  EXPECT_FALSE(std::filesystem::exists(path));
}

// What is stopped before it begins computes nothing, and a worker drops what it has begun.
TEST(Sweep, StoppedFromTheStart) {
  const Study study = rough_study();
  StudyKeeper keeper(study, {});
  const std::atomic<bool> stop{true};
  SweepOptions options;
  options.stop = &stop;
  EXPECT_EQ(sweep(study, keeper, options), SweepEnd::stopped);
  EXPECT_EQ(keeper.totals().samples(), 0u);
  EXPECT_FALSE(StudyWorker(study, &stop).compute_unless_stopped(0, 1).has_value());
}

}  // namespace
}  // namespace routh
