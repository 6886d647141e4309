#include "routh/record/run_file.h"

#include "routh/file/temporary_file.h"

namespace routh {

namespace {

// Both files are complete before either gets its name.
void export_csv(const RunData& run, const std::string& path) {
  const std::string events_path = events_csv_path(path);
  if (is_special_file(path)) {
    write_whole_file(path, samples_csv(run));
    return;
  }
  TemporaryFile samples(path), events(events_path);
  samples.write(samples_csv(run));
  events.write(events_csv(run));
  samples.move_to_target();
  events.move_to_target();
}

}  // namespace

void export_run(const RunData& run, ExportFormat format, const std::string& path) {
  switch (format) {
    case ExportFormat::csv:
      return export_csv(run, path);
    case ExportFormat::json:
      return write_whole_file(path, full_json(run));
    case ExportFormat::npz:
      return write_whole_file(path, run_npz(run));
  }
}

std::string events_csv_path(const std::string& path) {
  const std::string end = ".csv";
  const std::string stem = path.ends_with(end) ? path.substr(0, path.size() - end.size()) : path;
  return stem + ".events.csv";
}

const State& final_state(const RunData& run) {
  if (run.outcome.state.q.size() > 0) return run.outcome.state;
  return run.samples.empty() ? run.outcome.checkpoint.state : run.samples.back().state;
}

}  // namespace routh
