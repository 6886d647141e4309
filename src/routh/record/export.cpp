#include "routh/record/run_file.h"

#include <algorithm>

#include "routh/file/temporary_file.h"

namespace routh {

namespace {

std::string beside(const std::string& path, const char* ending) {
  constexpr std::string_view end = ".csv";
  return (path.ends_with(end) ? path.substr(0, path.size() - end.size()) : path) + ending;
}

// All files are complete before one of them gets its name.
void export_csv(const RunData& run, const std::string& path, std::span<const double> open_gaps) {
  if (is_special_file(path)) {
    write_whole_file(path, samples_csv(run));
    return;
  }
  TemporaryFile samples(path), events(events_csv_path(path)), contacts(contacts_csv_path(path));
  samples.write(samples_csv(run));
  events.write(events_csv(run));
  contacts.write(contacts_csv(run, open_gaps));
  samples.move_to_target();
  events.move_to_target();
  contacts.move_to_target();
}

}  // namespace

void export_run(const RunData& run, ExportFormat format, const std::string& path, std::span<const double> open_gaps) {
  switch (format) {
    case ExportFormat::csv:
      return export_csv(run, path, open_gaps);
    case ExportFormat::json:
      return write_whole_file(path, full_json(run));
    case ExportFormat::npz:
      return write_whole_file(path, run_npz(run, open_gaps));
  }
}

std::string events_csv_path(const std::string& path) { return beside(path, ".events.csv"); }
std::string contacts_csv_path(const std::string& path) { return beside(path, ".contacts.csv"); }

bool has_margins(const RunData& run) {
  return std::any_of(run.samples.begin(), run.samples.end(), [](const Sample& sample) {
    return std::any_of(sample.active.begin(), sample.active.end(),
                       [](const ActiveContact& each) { return each.jam_margin.has_value(); });
  });
}

const State& final_state(const RunData& run) {
  if (run.outcome.state.q.size() > 0) return run.outcome.state;
  return run.samples.empty() ? run.outcome.checkpoint.state : run.samples.back().state;
}

}  // namespace routh
