#include "routh/report/event_table.h"

#include <algorithm>
#include <limits>

#include "routh/report/event_writer.h"

namespace routh::internal {

namespace {

// The least normal impulse that still gets a path.
double least_impulse(const RunData& run, const Decimation& kept, std::size_t paths) {
  std::vector<double> impulses;
  for (const std::size_t k : kept.events)
    if (has_path(run.events[k])) impulses.push_back(run.events[k].contacts[0].impulse.n);
  if (impulses.size() <= paths) return -std::numeric_limits<double>::infinity();
  if (paths == 0) return std::numeric_limits<double>::infinity();
  const auto last = impulses.begin() + static_cast<std::ptrdiff_t>(paths - 1);
  std::nth_element(impulses.begin(), last, impulses.end(), std::greater<>());
  return *last;
}

class EventTable {
 public:
  // Impacts with less than `least_impulse` are shown without their path.
  EventTable(const RunData& run, double least_impulse, RunMachine& machine)
      : run_(run), machine_(machine), least_impulse_(least_impulse) {}

  const MissingPaths& missing() const { return missing_; }

  void write(const Event& event, std::size_t sample, JsonWriter& json) {
    write_event(
        event, static_cast<long long>(sample), machine_,
        {[&](const EventContact& contact) { return row_of(contact); }, [&] { return reason_against_path(event); }},
        json);
  }

 private:
  long long row_of(const EventContact& contact) const {
    const auto row = std::find_if(run_.contacts.begin(), run_.contacts.end(),
                                  [&](const RunContact& each) { return each.id == contact.id; });
    return row - run_.contacts.begin();
  }

  // Why a path is not shown that there is.
  const char* reason_against_path(const Event& event) {
    if (event.contacts[0].phases.empty() && is_incremental(event.law)) {
      ++missing_.not_recorded;
      return "The path of the velocity was not recorded.";
    }
    if (event.contacts[0].impulse.n < least_impulse_) {
      ++missing_.beyond_limit;
      return "The path of the velocity is left out.";
    }
    return "";
  }

  const RunData& run_;
  RunMachine& machine_;
  double least_impulse_;
  MissingPaths missing_;
};

}  // namespace

MissingPaths write_events(const RunData& run, const Decimation& kept, std::size_t most_paths, RunMachine& machine,
                          JsonWriter& json) {
  EventTable table(run, least_impulse(run, kept, most_paths), machine);
  json.begin_list("events");
  for (const std::size_t k : kept.events) table.write(run.events[k], kept.sample_after(run, run.events[k]), json);
  json.end_list();
  return table.missing();
}

}  // namespace routh::internal
