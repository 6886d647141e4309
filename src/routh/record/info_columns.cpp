// What a run file says about the whole run: root attributes, the scene, the outcome.
#include "routh/file/sha256.h"
#include "routh/record/run_columns.h"
#include "routh/record/run_fields.h"

namespace routh::internal {

namespace {

constexpr const char* planar_word = "planar";
constexpr const char* spatial_word = "spatial";

void write_energy(hdf::Node& group, const EnergyAccount& energy) {
  for (const AccountField& field : account_fields) group.put(field.name, energy.*field.account);
}

EnergyAccount read_energy(const hdf::Node& group, int schema) {
  EnergyAccount energy;
  for (const AccountField& field : account_fields)
    if (schema >= field.since) energy.*field.account = group.real(field.name);
  return energy;
}

void write_warnings(hdf::Node& group, const WarningCounts& counts) {
  Column column(group, "warnings", hdf::element_of<std::int64_t>());
  column.node().put("names", enumeration_names<Warning>());
  for (const long count : counts) column.add(static_cast<std::int64_t>(count));
  column.flush();
}

// By their names: a program that knows more kinds reads the file all the same.
WarningCounts read_warnings(const hdf::Node& group) {
  const std::vector<std::string> known = enumeration_names<Warning>(), names = group.texts_of("warnings", "names");
  const std::vector<std::int64_t> values = group.read<std::int64_t>("warnings");
  if (values.size() != names.size()) throw hdf::Failure("'warnings' has the wrong number of rows");
  WarningCounts counts{};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto at = std::find(known.begin(), known.end(), names[k]);
    if (at == known.end()) throw hdf::Failure("'" + printable(names[k]) + "' is not a known warning");
    counts[static_cast<std::size_t>(at - known.begin())] = static_cast<long>(values[k]);
  }
  return counts;
}

void write_statistics(hdf::Node& group, const SimulationStatistics& statistics) {
  for_each_statistic(statistics, [&](const char* name, auto value, int) { put_number(group, name, value); });
  write_warnings(group, statistics.warnings);
}

SimulationStatistics read_statistics(const hdf::Node& group, int schema) {
  SimulationStatistics statistics;
  for_each_statistic(statistics, [&](const char* name, auto& value, int since) {
    if (schema >= since) read_number(group, name, value);
  });
  if (schema >= schema_of_corrections) statistics.warnings = read_warnings(group);
  return statistics;
}

}  // namespace

void write_info(hdf::Node& root, const RunInfo& info) {
  root.put("kind", "routh run");
  root.put("schema", static_cast<long long>(run_schema));
  root.put("program_version", info.program_version);
  root.put("scene_name", info.scene_name);
  root.put("scene_path", info.scene_path);
  root.put("input_hash", sha256_hex(info.scene_text));
  root.put("created", info.created);
  root.put("seed", info.seed);
  root.put("engine", name(info.engine));
  root.put("tolerance", info.tolerance);
  root.put("sample_interval", info.sample_interval);
  root.put("options", info.options_json);
  root.put("dimension", info.dimension == Dimension::planar ? planar_word : spatial_word);
  root.create_text("scene", info.scene_text);
}

RunInfo read_info(const hdf::Node& root) {
  RunInfo info;
  info.schema = static_cast<int>(root.integer("schema"));
  info.program_version = root.text("program_version");
  info.scene_name = root.text("scene_name");
  info.scene_path = root.text("scene_path");
  info.scene_text = root.read_text("scene");
  info.input_hash = root.text("input_hash");
  if (sha256_hex(info.scene_text) != info.input_hash) throw hdf::Failure("'scene' does not have its hash");
  info.created = root.text("created");
  info.seed = root.integer("seed");
  if (info.schema >= schema_of_stepping) {
    const auto engine = value_named<EngineKind>(root.text("engine"));
    if (!engine) throw hdf::Failure("'engine' has no known value");
    info.engine = *engine;
  }
  info.tolerance = root.real("tolerance");
  info.sample_interval = root.real("sample_interval");
  info.options_json = root.text("options");
  const std::string dimension = root.text("dimension");
  if (dimension != planar_word && dimension != spatial_word) throw hdf::Failure("'dimension' has no known value");
  info.dimension = dimension == planar_word ? Dimension::planar : Dimension::spatial;
  info.coordinate_names = root.texts_of("position", "names");
  info.coordinate_units = root.texts_of("position", "units");
  info.velocity_names = root.texts_of("velocity", "names");
  info.velocity_units = root.texts_of("velocity", "units");
  if (info.coordinate_names.size() != info.coordinate_units.size() ||
      info.velocity_names.size() != info.velocity_units.size())
    throw hdf::Failure("names and units differ in number");
  return info;
}

void write_outcome(hdf::Node& root, const RunOutcome& outcome) {
  hdf::Node group = root.create_group("outcome");
  group.put("status", name(outcome.status));
  group.put("message", outcome.message);
  group.put("time", outcome.time);
  put_list(group, "position", outcome.state.q);
  put_list(group, "velocity", outcome.state.v);
  group.put("state_time", outcome.state.time);
  hdf::Node energy = group.create_group("energy"), statistics = group.create_group("statistics");
  write_energy(energy, outcome.energy);
  write_statistics(statistics, outcome.statistics);
  write_checkpoint(root, outcome.checkpoint);
}

RunOutcome read_outcome(const hdf::Node& root, int schema) {
  const hdf::Node group = root.group("outcome");
  RunOutcome outcome;
  outcome.status = enumeration_value<SimulationStatus>(group.text("status"));
  outcome.message = group.text("message");
  outcome.time = group.real("time");
  outcome.state = {read_vector(group, "position"), read_vector(group, "velocity"), group.real("state_time")};
  outcome.energy = read_energy(group.group("energy"), schema);
  outcome.statistics = read_statistics(group.group("statistics"), schema);
  outcome.checkpoint = read_checkpoint(root, schema);
  return outcome;
}

}  // namespace routh::internal
