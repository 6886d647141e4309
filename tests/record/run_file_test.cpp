// The run file: every bit comes back, the same run gives the same bytes, and failures to write leave nothing behind.
#include "routh/record/run_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "random_run.h"
#include "routh/base/error.h"
#include "routh/file/sha256.h"

namespace {

using namespace testing_support;
using routh::RunData;
using Names = std::vector<std::string>;

TEST(RunFile, EveryBitComesBack) {
  constexpr std::uint64_t seed = 8101;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const Folder folder;
  for (int k = 0; k < scaled(30, 6); ++k) {
    const RunData run = random_run(random, k == 0 ? RunSize{0, 0, 0, 0, 0} : random_size(random));
    routh::write_run(folder.path("run.h5"), run);
    const RunData back = routh::read_run(folder.path("run.h5"));
    ASSERT_EQ(first_unequal(run, back), "");
    ASSERT_EQ(back.info.input_hash, routh::sha256_hex(run.info.scene_text));
    ASSERT_EQ(folder.content(), Names{"run.h5"});
  }
}

TEST(RunFile, SameRunSameBytes) {
  Random random(8102);
  const Folder folder;
  const RunData run = random_run(random, {5, 4, 700, 300, 7});
  routh::write_run(folder.path("a.h5"), run);
  sleep(1);  // a stored time would show
  routh::write_run(folder.path("b.h5"), run);
  EXPECT_TRUE(file_bytes(folder.path("a.h5")) == file_bytes(folder.path("b.h5")));
}

// How samples and events were handed over, and when they were flushed, does not show in what is read.
TEST(RunFile, FlushesAndInterleaves) {
  Random random(8103);
  const Folder folder;
  const RunData run = random_run(random, {2, 2, 600, 600, 5});
  routh::RunWriter writer(folder.path("run.h5"), run.info);
  for (std::size_t k = 0; k < 600; ++k) {
    writer.add(run.events[k]);
    writer.add(run.samples[k]);
    if (random.chance(0.02)) writer.flush();
  }
  EXPECT_NE(writer.temporary_path(), folder.path("run.h5"));
  EXPECT_EQ(folder.content().size(), 1u);
  EXPECT_FALSE(routh::is_run_file(folder.path("run.h5")));
  writer.finish(run.outcome);
  EXPECT_EQ(folder.content(), Names{"run.h5"});
  EXPECT_EQ(first_unequal(run, routh::read_run(folder.path("run.h5"))), "");
  EXPECT_THROW(writer.add(run.samples[0]), routh::RuntimeFailure);
  struct stat status {};
  ASSERT_EQ(stat(folder.path("run.h5").c_str(), &status), 0);
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(status.st_mode & 0777u, 0666u & ~mask);
}

TEST(RunFile, ContactsHaveNames) {
  Random random(8104);
  const Folder folder;
  RunData run = random_run(random, {1, 1, 2, 1, 0});
  const auto touch = [](int pair, int feature) {
    routh::ActiveContact active;
    active.contact.id = {pair, feature};
    return active;
  };
  run.samples[0].active = {touch(-2, 1), touch(0, 0)};
  run.samples[1].active = {touch(1, 4), touch(2, 0)};
  run.events[0].contacts.resize(1);
  run.events[0].contacts[0].id = {2, 0};
  run.events[0].contacts[0].name = "heel on floor";
  {
    routh::RunWriter writer(folder.path("run.h5"), run.info);
    writer.add(run.samples[0]);
    writer.name_contacts([](const routh::Contact& contact) { return fmt::format("<{}>", contact.id.pair); });
    writer.add(run.events[0]);
    writer.add(run.samples[1]);
    writer.finish(run.outcome);
  }
  const RunData back = routh::read_run(folder.path("run.h5"));
  Names names;
  for (const routh::RunContact& contact : back.contacts) names.push_back(contact.name);
  EXPECT_EQ(names, (Names{"upper limit of degree of freedom 1", "pair 0, feature 0", "heel on floor", "<1>"}));
  EXPECT_EQ(back.events[0].contacts[0].name, "heel on floor");
  EXPECT_EQ(back.samples[0].active[0].contact.kind, routh::ContactKind::limit);
  EXPECT_EQ(back.samples[0].active[0].contact.dof, 1);
}

TEST(RunFile, UnfinishedLeavesNothing) {
  Random random(8105);
  const Folder folder;
  const RunData run = random_run(random, {});
  put_bytes(folder.path("run.h5"), "before");
  {
    routh::RunWriter writer(folder.path("run.h5"), run.info);
    writer.add(run.samples[0]);
    EXPECT_EQ(folder.content().size(), 2u);
  }
  EXPECT_EQ(folder.content(), Names{"run.h5"});
  EXPECT_EQ(file_bytes(folder.path("run.h5")), "before");
}

std::string write_complaint(const std::string& path, const RunData& run) {
  try {
    routh::write_run(path, run);
  } catch (const routh::RuntimeFailure& failure) {
    return failure.what();
  }
  return "written";
}

TEST(RunFile, PlacesThatCannotBeWritten) {
  Random random(8106);
  const Folder folder;
  RunData run = random_run(random, {});
  const std::string missing = write_complaint(folder.path("no/run.h5"), run);
  EXPECT_NE(missing.find(folder.path("no/run.h5")), std::string::npos) << missing;
  EXPECT_NE(missing.find("No such file or directory"), std::string::npos) << missing;
  EXPECT_NE(write_complaint(folder.path(""), run).find("Is a directory"), std::string::npos);
  EXPECT_NE(write_complaint("/dev/null", run).find("device"), std::string::npos);
  EXPECT_NE(write_complaint("/proc/run.h5", run), "written");
  if (geteuid() != 0) {  // root may write everywhere
    ASSERT_EQ(chmod(folder.path("").c_str(), 0500), 0);
    EXPECT_NE(write_complaint(folder.path("run.h5"), run).find("Permission denied"), std::string::npos);
    ASSERT_EQ(chmod(folder.path("").c_str(), 0700), 0);
  }
  run.samples[3].state.q.resize(7);
  EXPECT_NE(write_complaint(folder.path("run.h5"), run).find("coordinates"), std::string::npos);
  run.info.velocity_units.clear();
  EXPECT_NE(write_complaint(folder.path("run.h5"), run).find("units"), std::string::npos);
  EXPECT_EQ(folder.content(), Names{});
}

// A limit on the size of files stands for a full disk: HDF5 meets it at different places. In a process of its own.
[[noreturn]] void write_on_full_disk(const std::string& path, const RunData& run) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto limit = [](rlim_t bytes) {
    const rlimit size{bytes, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &size);
  };
  std::string complaint;
  for (rlim_t bytes = 0; bytes < 400'000 && complaint != "written"; bytes += 20'000) {
    limit(bytes);
    complaint = write_complaint(path, run);
    limit(RLIM_INFINITY);
    if (bytes < 100'000 && complaint.find("File too large") == std::string::npos) {
      std::fprintf(stderr, "%s\n", complaint.c_str());
      std::exit(1);
    }
  }
  routh::write_run(path, run);
  std::exit(first_unequal(run, routh::read_run(path)).empty() ? 0 : 2);
}

TEST(RunFile, FullDisk) {
  Random random(8107);
  const Folder folder;
  const RunData run = random_run(random, {4, 4, 900, 300, 6});
  EXPECT_EXIT(write_on_full_disk(folder.path("run.h5"), run), testing::ExitedWithCode(0), "^$");
  EXPECT_EQ(folder.content(), Names{"run.h5"});
}

TEST(RunFile, ManyThreads) {
  const Folder folder;
  std::vector<std::thread> threads;
  std::vector<std::string> complaints(4);
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      Random random(8108 + k);
      const std::string path = folder.path(fmt::format("{}.h5", k));
      for (int round = 0; round < 3 && complaints[k].empty(); ++round) {
        const RunData run = random_run(random, {2, 2, 300, 100, 4});
        routh::write_run(path, run);
        complaints[k] = first_unequal(run, routh::read_run(path));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(complaints, Names(4));
}

}  // namespace
