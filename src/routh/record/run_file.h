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
#include <span>
#include <string>
#include <vector>

#include "routh/simulation/simulator.h"

namespace routh {

// The schema that is written; older ones are read, and what they do not have is zero.
inline constexpr int run_schema = 7;
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
// The first with impulses from outside, their events and how many a checkpoint has behind it; and with margins.
inline constexpr int schema_of_blows = 7;

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

// A run in formats that every tool reads.

enum class ExportFormat {
  csv,   // FILE.csv has the samples, FILE.events.csv the events, FILE.contacts.csv the contacts of samples
  json,  // one file: what `run_json` gives, and the samples
  npz,   // NumPy's archive: np.load(FILE)
};
constexpr auto names_of(ExportFormat) {
  return name_table<ExportFormat>(
      {{ExportFormat::csv, "csv"}, {ExportFormat::json, "json"}, {ExportFormat::npz, "npz"}});
}

// Writes whole files or none. Numbers have the shortest digits that read back as the same double. Throws RuntimeFailure
// with the path and the reason. `open_gaps` are the gaps of all contacts of the run at all samples, row by row, NaN
// where there is none: with them open contacts are written too.
void export_run(const RunData& run, ExportFormat format, const std::string& path,
                std::span<const double> open_gaps = {});

// What `routh simulate --json` prints, in one line without its end. Never NaN or infinity: null.
std::string run_json(const RunData& run);

// The files' contents.
std::string samples_csv(const RunData& run);
std::string events_csv(const RunData& run);
std::string contacts_csv(const RunData& run, std::span<const double> open_gaps = {});
std::string full_json(const RunData& run);
std::string run_npz(const RunData& run, std::span<const double> open_gaps = {});

// `run.csv` and `run` lead to `run.events.csv` and `run.contacts.csv`.
std::string events_csv_path(const std::string& path);
std::string contacts_csv_path(const std::string& path);
// Whether some sample has margins of its contacts.
bool has_margins(const RunData& run);

// Where the run ended: the outcome's state, or the last sample, or the checkpoint.
const State& final_state(const RunData& run);

// Do two runs agree?

// Two values are equal when they differ by at most atol + rtol · scale. The scale of a quantity (one coordinate, one
// kind of energy, all impulses …) is its largest magnitude in either run. Both zero: every bit but the sign of zero.
struct CompareOptions {
  double rtol = 1e-9;
  double atol = 1e-12;
};

struct CompareReport {
  bool equal = true;
  double largest_difference = 0;   // relative to the scale of its quantity
  std::string first_difference;    // the earliest in time, as one sentence: which quantity, when, both values
  std::vector<std::string> notes;  // what else differs or was left out, and what may explain it
};

// Coordinates are matched by name, samples and events by number. Compared are sample times, positions, velocities and
// energies, and of events kind, contacts, time, impulses, friction and warnings. Different numbers of samples or events
// are a difference; what both have is compared all the same. `corrected`, which is rounding in a good run, is compared
// on the scale of all energies; it, friction and warnings only where both runs were recorded with them (schema 2).
CompareReport compare_runs(const RunData& a, const RunData& b, const CompareOptions& options = {});

}  // namespace routh
