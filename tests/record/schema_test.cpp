// Run files of schema 1, which have no corrections, no counts of warnings and no friction of contacts in events, and of
// schema 2, which like it have no phases of impacts; 3 has nothing of fixed steps, 4 nothing of crowds, 5 nothing of
// the error of steps, and two numbers in its checkpoint that are gone since. The files in tests/data/runs hold 0.7 s of
// a ball that is dropped by 1 m, slides at 1 m/s and bounces with e = 1/2, one for each schema, written by a program
// whose newest it was.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cmath>
#include <map>

#include "random_run.h"
#include "routh/record/hdf5_driver.h"
#include "routh/record/hdf5_file.h"
#include "routh/record/run_file.h"
#include "routh/scene/scene.h"

namespace {

using namespace testing_support;
using routh::RunData;

constexpr double g = 9.81;
const double fall = std::sqrt(2 / g);  // [s] to the floor

std::string kept_file(int schema) { return ROUTH_TEST_DATA "/runs/schema_" + std::to_string(schema) + ".h5"; }
RunData old_run(int schema = 1) { return routh::read_run(kept_file(schema)); }

// Every group, dataset and attribute of a file, and the names that columns have for their numbers.
using Layout = std::map<std::string, std::vector<std::string>>;

void add_attributes(const routh::hdf::Node& node, const std::string& path, Layout& layout) {
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* names) -> herr_t {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  };
  std::vector<std::string> attributes;
  H5Aiterate2(node.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &attributes);
  for (const std::string& each : attributes)
    layout[path + "@" + each] =
        each == "names" || each == "bits" ? node.texts(each.c_str()) : std::vector<std::string>();
}

Layout layout_of(const std::string& path) {
  const routh::hdf::Session session;
  routh::hdf::WriteTarget file{::open(path.c_str(), O_RDONLY), 0, {}};
  const routh::hdf::Handle closed(file.descriptor,
                                  [](hid_t descriptor) { return ::close(static_cast<int>(descriptor)); });
  const routh::hdf::Node root = routh::hdf::open_file(path, file);
  const auto add = [](hid_t parent, const char* name, const H5L_info_t*, void* data) -> herr_t {
    Layout& layout = *static_cast<Layout*>(data);
    layout[name];
    add_attributes(routh::hdf::Node(routh::hdf::Handle(H5Oopen(parent, name, H5P_DEFAULT), H5Oclose)), name, layout);
    return 0;
  };
  Layout layout;
  H5Lvisit(root.id(), H5_INDEX_NAME, H5_ITER_INC, add, &layout);
  add_attributes(root, "", layout);
  return layout;
}

class OldSchema : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Schemas, OldSchema, testing::Range(1, routh::run_schema + 1));

TEST(Schema1, IsReadWithoutCorrections) {
  const RunData run = old_run();
  EXPECT_EQ(run.info.schema, 1);
  EXPECT_EQ(run.outcome.time, 0.7);
  EXPECT_NEAR(run.outcome.energy.initial, 0.5 + g * 1.1, 1e-12);
  // The rebound loses 3/4 of m g h; the ball (2/5 m r²) rolls on with 5/7 of its speed.
  EXPECT_NEAR(run.outcome.energy.dissipated, 0.75 * g + 0.5 * (1 - 5.0 / 7), 1e-9);
  EXPECT_NEAR(run.outcome.energy.balance(), 0, 1e-12);
  EXPECT_EQ(run.outcome.energy.corrected, 0);
  for (const routh::Sample& sample : run.samples) EXPECT_EQ(sample.energy.corrected, 0);
  for (const long count : run.outcome.statistics.warnings) EXPECT_EQ(count, 0);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].time, fall, 1e-9);
  EXPECT_EQ(run.events[0].contacts.at(0).friction, 0);
  EXPECT_EQ(run.events[0].contacts.at(0).restitution, 0.5);
}

TEST(Schema2, HasFrictionAndNoPhases) {
  const RunData run = old_run(2);
  EXPECT_EQ(run.info.schema, 2);
  ASSERT_EQ(run.events.size(), 1u);
  const routh::EventContact& contact = run.events[0].contacts.at(0);
  EXPECT_EQ(contact.friction, 0.3);
  EXPECT_NEAR(contact.impulse.n, 1.5 * g * fall, 1e-9);
  EXPECT_TRUE(contact.phases.empty() && contact.path.empty());
}

TEST_P(OldSchema, CheckpointResumes) {
  const RunData run = old_run(GetParam());
  const routh::Scene scene = routh::read_scene_text(run.info.scene_text, "ball.yaml");
  routh::Simulator simulator(scene.model, run.outcome.checkpoint);
  ASSERT_EQ(simulator.advance(0.85), routh::SimulationStatus::ready) << simulator.message();
  const double t = 0.85 - fall, up = 0.5 * g * fall;
  EXPECT_NEAR(simulator.state().q[1], 0.1 + up * t - g / 2 * t * t, 1e-8);
  EXPECT_NEAR(simulator.state().v[0], 5.0 / 7, 1e-9);
  EXPECT_NEAR(simulator.energy().dissipated, run.outcome.energy.dissipated, 1e-12);
  EXPECT_NEAR(simulator.energy().balance(), 0, 1e-10);
}

TEST_P(OldSchema, IsWrittenAsTheNewOne) {
  const Folder folder;
  RunData run = old_run(GetParam());
  routh::write_run(folder.path("run.h5"), run);
  const RunData back = routh::read_run(folder.path("run.h5"));
  EXPECT_EQ(back.info.schema, routh::run_schema);
  run.info.schema = routh::run_schema;
  EXPECT_EQ(first_unequal(run, back), "");
}

// Who adds a field, a number or a name to run files raises run_schema and keeps a file of it.
TEST(RecordedSchema, HasWhatTheKeptFileHas) {
  const Folder folder;
  routh::write_run(folder.path("run.h5"), old_run(routh::run_schema));
  const Layout kept = layout_of(kept_file(routh::run_schema)), written = layout_of(folder.path("run.h5"));
  for (const auto& [path, names] : written)
    EXPECT_TRUE(kept.contains(path) && kept.at(path) == names) << path << " is new: raise run_schema, and keep a file";
  for (const auto& [path, names] : kept) EXPECT_TRUE(written.contains(path)) << path << " is no longer written";
  EXPECT_GT(kept.size(), 100u);
  EXPECT_EQ(kept.at("events/kind@names").at(0), "impact");
}

}  // namespace
