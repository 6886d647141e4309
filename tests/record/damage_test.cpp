// Files that are not what they should be: read_run throws with path and reason, and never crashes.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "random_run.h"
#include "routh/base/error.h"
#include "routh/record/hdf5_driver.h"
#include "routh/record/hdf5_file.h"
#include "routh/record/run_file.h"
#include "routh/record/run_info.h"
#include "routh/record/seal.h"

namespace {

using namespace testing_support;
using routh::RunData;

// "" when it was read, else the complaint, which must name the file.
using Reader = RunData (*)(const std::string&);
std::string complaint(const std::string& path, RunData* run = nullptr, Reader reader = routh::read_run) {
  try {
    RunData read = reader(path);
    if (run != nullptr) *run = std::move(read);
    return "";
  } catch (const routh::InputError& error) {
    EXPECT_EQ(error.where().file, path);
    return error.what();
  } catch (const routh::RuntimeFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find(path), std::string::npos);
    return failure.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DamagedRun, NoRunAtAll) {
  const Folder folder;
  EXPECT_TRUE(contains(complaint(folder.path("missing.h5")), "No such file"));
  EXPECT_NE(complaint(folder.path("")), "");
  EXPECT_NE(complaint("/dev/null"), "");
  for (const std::string& text : {std::string(), std::string("time,q\n0,1\n"), std::string("\x89HDF\r\n\x1a\n"),
                                  std::string("\x89HDF\r\n\x1a\n") + std::string(5000, '\x03')}) {
    put_bytes(folder.path("text.h5"), text);
    EXPECT_NE(complaint(folder.path("text.h5")), "");
    EXPECT_FALSE(routh::is_run_file(folder.path("text.h5")));
  }
  put_bytes(folder.path("text.h5"), "time,q\n");
  EXPECT_TRUE(contains(complaint(folder.path("text.h5")), "not an HDF5 file"));
  EXPECT_FALSE(routh::is_run_file(folder.path("missing.h5")));
  EXPECT_FALSE(routh::is_run_file(folder.path("")));
}

// An HDF5 file with two root attributes, and a dataset `time` of another shape.
void make_file(const std::string& path, const char* kind, long long schema) {
  routh::TemporaryFile file(path);
  routh::hdf::WriteTarget target;
  target.descriptor = file.descriptor();
  {
    const routh::hdf::Session session;
    routh::hdf::Node root = routh::hdf::create_file(path, target);
    root.put("kind", std::string(kind));
    root.put("schema", schema);
    root.create_column("time", routh::hdf::element_of<double>(), 2);
    ASSERT_TRUE(root.close());
  }
  file.move_to_target();
}

TEST(DamagedRun, OtherFiles) {
  const Folder folder;
  const std::string path = folder.path("other.h5");
  make_file(path, "weather", 1);
  EXPECT_TRUE(contains(complaint(path), "not a run of Routh")) << complaint(path);
  EXPECT_FALSE(routh::is_run_file(path));
  make_file(path, "routh run", routh::run_schema + 1);
  EXPECT_TRUE(contains(complaint(path), "schema " + std::to_string(routh::run_schema + 1))) << complaint(path);
  EXPECT_TRUE(routh::is_run_file(path));
  make_file(path, "routh run", 1);
  const std::string unsealed = complaint(path, nullptr, routh::read_unsealed_run);
  EXPECT_TRUE(contains(unsealed, "'program_version' is missing")) << unsealed;
}

TEST(DamagedRun, WrongShapes) {
  const Folder folder;
  const std::string path = folder.path("other.h5");
  make_file(path, "routh run", 1);
  const routh::hdf::Session session;
  routh::hdf::WriteTarget file;
  file.descriptor = open(path.c_str(), O_RDONLY);
  ASSERT_GE(file.descriptor, 0);
  const routh::hdf::Node root = routh::hdf::open_file(path, file);
  EXPECT_NO_THROW(root.read<double>("time", 2));
  EXPECT_THROW(root.read<double>("time"), routh::hdf::Failure);
  EXPECT_THROW(root.read<double>("time", 3), routh::hdf::Failure);
  EXPECT_THROW(root.read<std::int64_t>("time", 2), routh::hdf::Failure);
  EXPECT_THROW(root.read_texts("time"), routh::hdf::Failure);
  EXPECT_THROW(root.read_text("time"), routh::hdf::Failure);
  EXPECT_THROW(root.read<double>("place"), routh::hdf::Failure);
  EXPECT_THROW(root.real("schema"), routh::hdf::Failure);
  EXPECT_THROW(root.texts("kind"), routh::hdf::Failure);
  EXPECT_THROW(root.group("time"), routh::hdf::Failure);
}

class DamagedRunFile : public testing::Test {
 protected:
  DamagedRunFile() : random(8201), run(random_run(random, {3, 3, 300, 40, 5})) {
    run.outcome.message = "short";
    routh::write_run(folder.path("run.h5"), run);
    bytes = file_bytes(folder.path("run.h5"));
  }
  // Without the seal.
  std::string content() const { return bytes.substr(0, bytes.size() - routh::seal_size); }
  std::size_t place(std::size_t size) { return static_cast<std::size_t>(random.uniform() * static_cast<double>(size)); }
  std::string with_one_byte_changed(std::string text) {
    char& byte = text[place(text.size())];
    byte = static_cast<char>(byte ^ (1 + random.below(255)));
    return text;
  }
  // Scattered ones, or a stretch.
  std::string with_many_bytes_changed(std::string text) {
    if (random.chance(0.5)) {
      for (int change = 1 + random.below(200); change > 0; --change)
        text[place(text.size())] = static_cast<char>(random.below(256));
      return text;
    }
    const std::size_t at = place(text.size());
    const std::size_t count = std::min<std::size_t>(text.size() - at, 1 + place(4096));
    return text.replace(at, count, std::string(count, random.chance(0.5) ? '\0' : '\xff'));
  }

  Folder folder;
  Random random;
  RunData run;
  std::string bytes;
};

TEST_F(DamagedRunFile, Truncated) {
  ASSERT_TRUE(routh::is_run_file(folder.path("run.h5")));
  const std::string path = folder.path("short.h5");
  for (int k = 0; k < scaled(300, 40); ++k) {
    const auto size = static_cast<std::size_t>(random.uniform() * static_cast<double>(content().size()));
    put_bytes(path, bytes.substr(0, k < 100 ? static_cast<std::size_t>(k) : size));
    ASSERT_NE(complaint(path), "") << size;
  }
  put_bytes(path, content().substr(0, content().size() - 1));
  EXPECT_TRUE(contains(complaint(path), "truncated")) << complaint(path);
  // Cutting the seal off does not make the file a sound one, though HDF5 reads it.
  RunData back;
  put_bytes(path, content());
  EXPECT_TRUE(contains(complaint(path), "no seal")) << complaint(path);
  EXPECT_EQ(complaint(path, &back, routh::read_unsealed_run), "");
  EXPECT_EQ(first_unequal(run, back), "");
}

// A name that leads out of the file, or values that lie elsewhere: another file's text would get into the page, and a
// pipe would be waited for.
TEST_F(DamagedRunFile, OtherFilesAreNotFollowed) {
  const std::string path = folder.path("prepared.h5"), secret = folder.path("secret");
  put_bytes(secret, std::string(1 << 16, 'x'));
  const auto refused = [&](const char* words, const auto& prepare) {
    put_bytes(path, content());
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    prepare(file);
    H5Fclose(file);
    EXPECT_TRUE(contains(complaint(path, nullptr, routh::read_unsealed_run), words))
        << complaint(path, nullptr, routh::read_unsealed_run);
  };
  for (const char* name : {"scene", "energy", "time", "checkpoint/closed/mode"}) {
    refused("leads to another place or file", [&](hid_t file) {
      H5Ldelete(file, name, H5P_DEFAULT);
      H5Lcreate_external(folder.path("run.h5").c_str(), name, file, name, H5P_DEFAULT, H5P_DEFAULT);
    });
    refused("leads to another place or file", [&](hid_t file) {
      H5Lmove(file, name, file, "moved", H5P_DEFAULT, H5P_DEFAULT);
      H5Lcreate_soft("/moved", file, name, H5P_DEFAULT, H5P_DEFAULT);
    });
  }
  const hsize_t rows = 300;
  const auto replace = [&](hid_t file, hid_t creation) {
    H5Ldelete(file, "time", H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &rows, nullptr);
    H5Dclose(H5Dcreate2(file, "time", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(creation);
  };
  refused("in another file", [&](hid_t file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, secret.c_str(), 0, rows * sizeof(double));
    replace(file, creation);
  });
  refused("in another file", [&](hid_t file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &rows, nullptr);
    H5Pset_virtual(creation, space, folder.path("run.h5").c_str(), "/time", space);
    H5Sclose(space);
    replace(file, creation);
  });
  refused("compressed", [&](hid_t file) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &rows);
    H5Pset_deflate(creation, 9);
    replace(file, creation);
  });
}

TEST(DamagedRun, PipesAreNotWaitedFor) {
  const Folder folder;
  const std::string path = folder.path("pipe.h5");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(contains(complaint(path), "a device or a pipe")) << complaint(path);
  EXPECT_FALSE(routh::is_run_file(path));
  EXPECT_FALSE(routh::read_run_scene(path));
}

TEST_F(DamagedRunFile, OneByte) {
  const std::string path = folder.path("damaged.h5");
  for (int k = 0; k < scaled(300, 60); ++k) {
    put_bytes(path, with_one_byte_changed(bytes.substr(0, content().size())) + bytes.substr(content().size()));
    ASSERT_TRUE(contains(complaint(path), "check sum"));
    ASSERT_FALSE(routh::is_run_file(path));
  }
}

TEST_F(DamagedRunFile, OneByteOfTheSeal) {
  for (std::size_t at = content().size(); at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] + 1);
    put_bytes(folder.path("damaged.h5"), damaged);
    ASSERT_NE(complaint(folder.path("damaged.h5")), "");
  }
}

// Without the seal HDF5 sees the damage. Everything but padding has a check sum: a changed byte is noticed, or it
// changes nothing. In a process of its own that ends at once: at an orderly end HDF5 complains of what it lost.
TEST_F(DamagedRunFile, HdfNoticesOneByte) {
  const auto work = [&] {
    int noticed = 0, harmless = 0, wrong = 0;
    for (int k = 0; k < scaled(400, 100); ++k) {
      put_bytes(folder.path("damaged.h5"), with_one_byte_changed(content()));
      RunData back;
      if (!complaint(folder.path("damaged.h5"), &back, routh::read_unsealed_run).empty()) {
        ++noticed;
      } else {
        ++(first_unequal(run, back).empty() ? harmless : wrong);
      }
    }
    _exit(wrong == 0 && noticed > harmless ? 0 : 1);
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(0), "^$");
}

// A stretch of zeros over a whole chunk can pass HDF5's check sum, so only the absence of crashes is asked for.
TEST_F(DamagedRunFile, HdfSurvivesManyBytes) {
  const auto work = [&] {
    for (int k = 0; k < scaled(300, 60); ++k) {
      put_bytes(folder.path("damaged.h5"), with_many_bytes_changed(content()));
      complaint(folder.path("damaged.h5"), nullptr, routh::read_unsealed_run);
      routh::is_run_file(folder.path("damaged.h5"));
    }
    _exit(testing::Test::HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(work(), testing::ExitedWithCode(0), "^$");
}

TEST_F(DamagedRunFile, ManyBytes) {
  const std::string path = folder.path("damaged.h5");
  for (int k = 0; k < scaled(100, 30); ++k) {
    const std::string damaged = with_many_bytes_changed(content());
    put_bytes(path, damaged + bytes.substr(damaged.size()));
    ASSERT_EQ(contains(complaint(path), "check sum"), damaged != content());
  }
}

}  // namespace
