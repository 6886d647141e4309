// A simulation run on disk: one HDF5 file with the scene, samples, events, outcome and checkpoint (docs/run-file.md).
//
//   RunWriter writer("drop.h5", info);
//   simulator.on_sample(0.01, [&](const Sample& sample) { writer.add(sample); });
//   simulator.on_event([&](const Event& event) { writer.add(event); });
//   …
//   writer.finish(outcome);
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "routh/simulation/simulator.h"

namespace routh {

// The schema that is written; older ones are read, and what they do not have is zero.
inline constexpr int run_schema = 6;
// The first with `corrected`, counts of warnings, and the friction of contacts in events.
inline constexpr int schema_of_corrections = 2;
// The first with the phases and the paths of impacts.
inline constexpr int schema_of_phases = 3;
// The first with what the engine `stepping` keeps.
inline constexpr int schema_of_stepping = 4;
// The first with crowds: their events, statistics, and the one that a checkpoint lies in.
inline constexpr int schema_of_crowds = 5;
// The first with what steps of fixed length left unsolved, and the energy that their own error gained and lost.
inline constexpr int schema_of_step_errors = 6;

struct RunInfo {
  std::string program_version;
  int schema = run_schema;  // of the file that was read
  std::string scene_name;
  std::string scene_path;
  std::string scene_text;
  std::string input_hash;  // SHA-256 of scene_text in hexadecimal; the writer computes it, whatever stands here
  std::string created;     // ISO 8601, UTC; empty: the same run gives the same bytes
  long long seed = 0;
  EngineKind engine = EngineKind::events;
  double tolerance = 0;
  double sample_interval = 0;  // [s]
  std::string options_json;
  std::vector<std::string> coordinate_names, coordinate_units;  // of q
  std::vector<std::string> velocity_names, velocity_units;      // of q̇
  Dimension dimension = Dimension::spatial;
};

struct RunOutcome {
  SimulationStatus status = SimulationStatus::ready;
  std::string message;
  double time = 0;  // reached [s]
  EnergyAccount energy;
  SimulationStatistics statistics;
  Checkpoint checkpoint;
  State state;  // at `time`; may be left empty where the last sample is it
};

// Texts are stored without zeros at their end. Throws RuntimeFailure with the path and the reason when the file cannot
// be written; no temporary file is left then, and every further call throws too.
class RunWriter {
 public:
  // Opens a temporary file beside `path`. An ordinary file at `path` is replaced by `finish`, not before.
  RunWriter(const std::string& path, const RunInfo& info);
  // Without `finish` the temporary file is removed.
  ~RunWriter();
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;

  // Names contacts that samples show; those of events bring their names. Without it they are called `pair 3, feature
  // 1`.
  void name_contacts(std::function<std::string(const Contact&)> name);
  void add(const Sample& sample);
  // Of the event's velocities and position each is of full size or empty.
  void add(const Event& event);
  // Hands on to the system what waits in memory. Rows go to HDF5 by themselves, 256 at a time.
  void flush();
  // Closes the file and gives it its name. Nothing may be added afterwards.
  void finish(const RunOutcome& outcome);

  // To be removed by a program that is interrupted.
  const std::string& temporary_path() const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

struct RunContact {
  ContactId id;
  std::string name;
};

// Of the contacts in `samples` id, kind, dof and direction of a limit, gap, point and frame are kept.
struct RunData {
  RunInfo info;
  RunOutcome outcome;
  std::vector<Sample> samples;
  std::vector<Event> events;
  std::vector<RunContact> contacts;  // every one that occurred, in the order of the file; each has one name
};

// Throws RuntimeFailure when the file cannot be opened, InputError with the path and the reason when it is no HDF5
// file, no run, of a newer schema, truncated or damaged.
RunData read_run(const std::string& path);

// All of a run at once.
void write_run(const std::string& path, const RunData& run);

// Whether the file can be opened, is whole and calls itself a run; never throws.
bool is_run_file(const std::string& path);

}  // namespace routh
