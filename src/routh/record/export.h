// A run in formats that every tool reads.
#pragma once

#include <string>

#include "routh/record/run_file.h"

namespace routh {

enum class ExportFormat {
  csv,   // FILE.csv has the samples, FILE.events.csv the events, a row for each contact of each
  json,  // one file: what `run_json` gives, and the samples
  npz,   // NumPy's archive: np.load(FILE)
};
constexpr auto names_of(ExportFormat) {
  return name_table<ExportFormat>(
      {{ExportFormat::csv, "csv"}, {ExportFormat::json, "json"}, {ExportFormat::npz, "npz"}});
}

// Writes whole files or none. Numbers have the shortest digits that read back as the same double. Throws RuntimeFailure
// with the path and the reason.
void export_run(const RunData& run, ExportFormat format, const std::string& path);

// What `routh simulate --json` prints, in one line without its end. Never NaN or infinity: null.
std::string run_json(const RunData& run);

// The files' contents.
std::string samples_csv(const RunData& run);
std::string events_csv(const RunData& run);
std::string full_json(const RunData& run);
std::string run_npz(const RunData& run);

// `run.csv` and `run` lead to `run.events.csv`.
std::string events_csv_path(const std::string& path);

// Where the run ended: the outcome's state, or the last sample, or the checkpoint.
const State& final_state(const RunData& run);

}  // namespace routh
