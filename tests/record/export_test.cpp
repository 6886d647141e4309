// Exports read back by readers of the test's own.
#include "routh/record/run_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "random_run.h"
#include "routh/base/error.h"

namespace {

using namespace testing_support;
using routh::ExportFormat;
using routh::RunData;
using Json = nlohmann::json;
using Names = std::vector<std::string>;

// A reader of RFC 4180.
std::vector<Names> parse_csv(const std::string& text) {
  std::vector<Names> rows(1, Names(1));
  bool in_quotes = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_quotes && c == '"' && k + 1 < text.size() && text[k + 1] == '"') {
      rows.back().back() += text[++k];
    } else if (c == '"') {
      in_quotes = !in_quotes;
    } else if (!in_quotes && c == ',') {
      rows.back().emplace_back();
    } else if (!in_quotes && c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  EXPECT_FALSE(in_quotes);
  rows.pop_back();
  return rows;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t bits(const std::string& text) { return bits(std::strtod(text.c_str(), nullptr)); }

TEST(Export, CsvReadsBack) {
  Random random(8301);
  const Folder folder;
  RunData run = random_run(random, {3, 2, 40, 30, 5});
  run.events[2].label = "stop, \"now\"\nor never";
  run.events[2].contacts.clear();
  routh::export_run(run, ExportFormat::csv, folder.path("run.csv"));
  EXPECT_EQ(folder.content(), (Names{"run.contacts.csv", "run.csv", "run.events.csv"}));
  const std::vector<Names> samples = parse_csv(file_bytes(folder.path("run.csv")));
  ASSERT_EQ(samples.size(), 41u);
  EXPECT_EQ(samples[0][0], "time");
  EXPECT_EQ(samples[0][2], "q." + run.info.coordinate_names[1]);
  EXPECT_EQ(samples[0][4], "v." + run.info.velocity_names[0]);
  for (std::size_t k = 0; k < 40; ++k) {
    const Names& row = samples[k + 1];
    const routh::Sample& sample = run.samples[k];
    ASSERT_EQ(row.size(), samples[0].size());
    ASSERT_EQ(bits(row[0]), bits(sample.state.time));
    for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(bits(row[1 + i]), bits(sample.state.q[static_cast<int>(i)]));
    for (std::size_t i = 0; i < 2; ++i) ASSERT_EQ(bits(row[4 + i]), bits(sample.state.v[static_cast<int>(i)]));
    ASSERT_EQ(bits(row[6]), bits(sample.energy.kinetic));
    ASSERT_EQ(bits(row[9]), bits(sample.energy.supplied));
    ASSERT_EQ(bits(row[10]), bits(sample.energy.corrected));
    ASSERT_EQ(row[11], fmt::format("{}", sample.active.size()));
  }
  const std::vector<Names> events = parse_csv(file_bytes(folder.path("run.events.csv")));
  std::map<std::string, std::size_t> column;
  for (std::size_t k = 0; k < events[0].size(); ++k) column[events[0][k]] = k;
  std::size_t line = 1;
  for (std::size_t k = 0; k < run.events.size(); ++k)
    for (std::size_t c = 0; c < std::max<std::size_t>(1, run.events[k].contacts.size()); ++c, ++line) {
      ASSERT_LT(line, events.size());
      const Names& row = events[line];
      ASSERT_EQ(row.size(), events[0].size());
      ASSERT_EQ(row[column["event"]], fmt::format("{}", k));
      ASSERT_EQ(row[column["label"]], run.events[k].label);
      ASSERT_EQ(bits(row[column["time"]]), bits(run.events[k].time));
      if (run.events[k].contacts.empty()) continue;
      ASSERT_EQ(row[column["contact"]], run.events[k].contacts[c].name);
      ASSERT_EQ(bits(row[column["impulse_t1"]]), bits(run.events[k].contacts[c].impulse.t1));
      ASSERT_EQ(bits(row[column["restitution"]]), bits(run.events[k].contacts[c].restitution));
      ASSERT_EQ(bits(row[column["friction"]]), bits(run.events[k].contacts[c].friction));
      std::string kinds;
      for (const routh::Phase& phase : run.events[k].contacts[c].phases)
        kinds += (kinds.empty() ? "" : " ") + std::string(name(phase.kind));
      ASSERT_EQ(row[column["phases"]], kinds);
    }
  EXPECT_EQ(line, events.size());
}

// A reader of stored zip files and of version 1.0 of .npy, from their specifications.
struct Array {
  std::string type, shape, data;
};

std::uint64_t little(const std::string& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int k = count - 1; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(bytes.at(at + k));
  return value;
}

std::uint32_t bitwise_crc(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = (crc & 1u) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
  }
  return ~crc;
}

std::string entry_of(const std::string& header, const std::string& key, const std::string& end) {
  const std::string mark = "'" + key + "': ";
  const std::size_t from = header.find(mark) + mark.size();
  return header.substr(from, header.find(end, from + 1) + 1 - from);
}

std::map<std::string, Array> parse_npz(const std::string& zip) {
  std::map<std::string, Array> arrays;
  const std::size_t end = zip.size() - 22;
  EXPECT_EQ(zip.substr(end, 4), "PK\x05\x06");
  const std::uint64_t count = little(zip, end + 10, 2);
  std::size_t at = little(zip, end + 16, 4);
  EXPECT_EQ(at + little(zip, end + 12, 4), end);
  for (std::uint64_t k = 0; k < count; ++k) {
    EXPECT_EQ(zip.substr(at, 4), "PK\x01\x02");
    const std::size_t size = little(zip, at + 24, 4), name_size = little(zip, at + 28, 2);
    const std::size_t local = little(zip, at + 42, 4);
    const std::string name = zip.substr(at + 46, name_size);
    EXPECT_EQ(zip.substr(local, 4), "PK\x03\x04");
    EXPECT_EQ(zip.substr(local + 4, 26), zip.substr(at + 6, 26));
    EXPECT_EQ(zip.substr(local + 30, name_size), name);
    const std::string file = zip.substr(local + 30 + name_size, size);
    EXPECT_EQ(little(zip, at + 16, 4), bitwise_crc(file)) << name;
    EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t header_size = little(file, 8, 2);
    EXPECT_EQ((10 + header_size) % 64, 0u);
    const std::string header = file.substr(10, header_size);
    EXPECT_EQ(header.back(), '\n');
    arrays[name] = {entry_of(header, "descr", "'"), entry_of(header, "shape", ")"), file.substr(10 + header_size)};
    at += 46 + name_size;
  }
  EXPECT_EQ(at, end);
  return arrays;
}

double double_at(const Array& array, std::size_t k) {
  double value = 0;
  std::memcpy(&value, array.data.data() + 8 * k, 8);
  return value;
}

TEST(Export, NpzReadsBack) {
  Random random(8302);
  const Folder folder;
  RunData run = random_run(random, {3, 2, 40, 30, 5});
  run.info.coordinate_names = {"a", "Fuß", "膝x😀"};
  routh::export_run(run, ExportFormat::npz, folder.path("run.npz"));
  const std::string zip = file_bytes(folder.path("run.npz"));
  EXPECT_EQ(zip, routh::run_npz(run));
  std::map<std::string, Array> arrays = parse_npz(zip);
  EXPECT_EQ(arrays["time.npy"].shape, "(40,)");
  EXPECT_EQ(arrays["time.npy"].type, "'<f8'");
  EXPECT_EQ(arrays["position.npy"].shape, "(40, 3)");
  ASSERT_EQ(arrays["position.npy"].data.size(), 960u);
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_EQ(bits(double_at(arrays["time.npy"], k)), bits(run.samples[k].state.time));
    EXPECT_EQ(bits(double_at(arrays["position.npy"], 3 * k + 2)), bits(run.samples[k].state.q[2]));
    EXPECT_EQ(bits(double_at(arrays["velocity.npy"], 2 * k + 1)), bits(run.samples[k].state.v[1]));
    EXPECT_EQ(bits(double_at(arrays["dissipated.npy"], k)), bits(run.samples[k].energy.dissipated));
    EXPECT_EQ(bits(double_at(arrays["corrected.npy"], k)), bits(run.samples[k].energy.corrected));
  }
  const Array& names = arrays["position_names.npy"];
  EXPECT_EQ(names.type, "'<U3'");
  const std::u32string expected(U"a\0\0Fuß膝x😀", 9);
  ASSERT_EQ(names.data.size(), 36u);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(little(names.data, 4 * k, 4), expected[k]) << k;
  EXPECT_EQ(arrays["event_kind.npy"].shape, "(30,)");
  EXPECT_EQ(arrays["event_consistent.npy"].type, "'|b1'");
  EXPECT_EQ(arrays["event_consistent.npy"].data.size(), 30u);
  std::size_t row = 0, phases = 0, points = 0;
  for (std::size_t k = 0; k < 30; ++k)
    for (const routh::EventContact& contact : run.events[k].contacts) {
      for (const routh::Phase& phase : contact.phases) {
        ASSERT_EQ(little(arrays["event_phase_contact.npy"].data, 8 * phases, 8), row);
        ASSERT_EQ(bits(double_at(arrays["event_phase_velocity.npy"], 3 * phases + 2)), bits(phase.velocity.t2));
        ASSERT_EQ(bits(double_at(arrays["event_phase_direction_t1.npy"], phases)), bits(phase.direction_t1));
        ++phases;
      }
      for (const routh::PathPoint& point : contact.path) {
        ASSERT_EQ(little(arrays["event_path_contact.npy"].data, 8 * points, 8), row);
        ASSERT_EQ(bits(double_at(arrays["event_path_normal_impulse.npy"], points)), bits(point.normal_impulse));
        ++points;
      }
      ASSERT_EQ(little(arrays["event_contact_event.npy"].data, 8 * row, 8), k);
      ASSERT_EQ(bits(double_at(arrays["event_contact_impulse.npy"], 3 * row + 1)), bits(contact.impulse.t1));
      ASSERT_EQ(bits(double_at(arrays["event_contact_friction.npy"], row)), bits(contact.friction));
      ++row;
    }
  EXPECT_EQ(arrays["event_contact_impulse.npy"].shape, fmt::format("({}, 3)", row));
  EXPECT_EQ(arrays["event_phase_kind.npy"].shape, fmt::format("({},)", phases));
  EXPECT_EQ(arrays["event_path_velocity.npy"].shape, fmt::format("({}, 3)", points));
  const auto empty = parse_npz(routh::run_npz(random_run(random, {0, 0, 3, 0, 0})));
  EXPECT_EQ(empty.at("position.npy").shape, "(3, 0)");
  EXPECT_EQ(empty.at("event_time.npy").shape, "(0,)");
}

TEST(Export, JsonOfARun) {
  Random random(8303);
  const Folder folder;
  RunData run = random_run(random, {2, 2, 5, 4, 3});
  run.info.dimension = routh::Dimension::planar;
  run.outcome.status = routh::SimulationStatus::ready;
  run.outcome.state = {};
  run.outcome.energy = {1, 2, 3, 4, 0.25, 0, 0.5};
  run.outcome.statistics.warnings = {};
  run.outcome.statistics.warnings[8] = 3;
  run.outcome.time = std::numeric_limits<double>::infinity();
  run.events[0] = routh::Event();
  run.events[0].rule = routh::ImpactRule::single;
  run.events[0].warnings = static_cast<std::uint32_t>(routh::Warning::non_unique);
  run.events[0].contacts = {
      {{0, 0}, "tip", {-1, 2, 0}, {0.5, 1, 0}, {3, std::nan(""), 0}, routh::ImpactMode::sliding, 0.5, 0.3, {}, {}}};
  run.events[0].contacts[0].phases = {{routh::PhaseKind::jam, routh::Stage::compression, 2, -1, 0, {0, 1.5, 7}},
                                      {routh::PhaseKind::stick, routh::Stage::restitution, 3, 0, 0, {0.5, 0, 7}}};
  run.events[1].contacts = {run.events[0].contacts[0], run.events[0].contacts[0]};
  run.events[1].contacts[1].name = "heel \xff";
  run.events[2].contacts.clear();
  const Json json = Json::parse(routh::run_json(run));
  EXPECT_EQ(json["schema"], routh::run_schema);
  EXPECT_EQ(json["status"], "ready");
  EXPECT_TRUE(json["time"].is_null());
  ASSERT_EQ(json["events"].size(), 4u);
  const Json& first = json["events"][0];
  EXPECT_EQ(first["kind"], "impact");
  EXPECT_EQ(first["contact"], "tip");
  EXPECT_EQ(first["velocity_before"], Json::parse("[-1, 2]"));
  EXPECT_EQ(first["impulse"], Json::parse("[3, null]"));
  EXPECT_EQ(first["law"], "energetic");
  EXPECT_EQ(first["phases"], Json::parse(R"([
      {"kind": "jam", "stage": "compression", "normal_impulse": 2, "contact_velocity": [0, 1.5], "direction": [-1]},
      {"kind": "stick", "stage": "restitution", "normal_impulse": 3, "contact_velocity": [0.5, 0], "direction": [0]}
  ])"));
  EXPECT_EQ(first["friction"], 0.3);
  EXPECT_EQ(first["warnings"], Json::parse("[\"non_unique\"]"));
  EXPECT_EQ(first["energy"]["consistent"], true);
  EXPECT_EQ(json["events"][1]["contact"][0], "tip");
  EXPECT_EQ(json["events"][1]["velocity_after"], Json::parse("[[0.5, 1], [0.5, 1]]"));
  EXPECT_EQ(json["events"][1]["friction"], Json::parse("[0.3, 0.3]"));
  EXPECT_EQ(json["events"][1]["phases"].size(), 2u);
  EXPECT_TRUE(json["events"][2]["contact"].is_null());
  EXPECT_FALSE(json["events"][2].contains("phases"));
  EXPECT_EQ(json["final"]["q"][1].get<double>(), run.samples.back().state.q[1]);
  EXPECT_EQ(json["energy"]["final"], 3.0);
  EXPECT_EQ(json["energy"]["balance"], 1 + 2 + 3 - 4 - 0.25 - 0.5);
  EXPECT_EQ(json["energy"]["corrected"], 0.25);
  EXPECT_EQ(json["statistics"]["steps"], run.outcome.statistics.steps);
  EXPECT_EQ(json["statistics"]["warnings"], Json::parse(R"({"plastic_end": 3})"));

  routh::export_run(run, ExportFormat::json, folder.path("run.json"));
  const Json full = Json::parse(file_bytes(folder.path("run.json")));
  EXPECT_EQ(full["events"], json["events"]);
  ASSERT_EQ(full["samples"]["q"].size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(full["samples"]["v"][k][0].get<double>(), run.samples[k].state.v[0]);
    EXPECT_EQ(full["samples"]["time"][k].get<double>(), run.samples[k].state.time);
    EXPECT_EQ(full["samples"]["corrected"][k].get<double>(), run.samples[k].energy.corrected);
  }
  EXPECT_EQ(full["run"]["q"]["names"].get<Names>(), run.info.coordinate_names);
}

TEST(Export, PlacesThatCannotBeWritten) {
  Random random(8304);
  const Folder folder;
  const RunData run = random_run(random, {});
  for (const ExportFormat format : {ExportFormat::csv, ExportFormat::json, ExportFormat::npz}) {
    EXPECT_THROW(routh::export_run(run, format, folder.path("no/file")), routh::RuntimeFailure);
    EXPECT_THROW(routh::export_run(run, format, "/dev/full"), routh::RuntimeFailure);
    EXPECT_NO_THROW(routh::export_run(run, format, "/dev/null"));
  }
  EXPECT_EQ(folder.content(), Names{});
  EXPECT_EQ(routh::events_csv_path("a/run.csv"), "a/run.events.csv");
  EXPECT_EQ(routh::events_csv_path("run"), "run.events.csv");
}

}  // namespace
