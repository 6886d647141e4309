#include <limits>

#include "routh/record/export.h"
#include "routh/record/npz.h"

namespace routh {

namespace {

using Reals = std::vector<double>;
using Ints = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

template <class List, class Value>
Reals column(const List& list, Value value) {
  Reals values;
  values.reserve(list.size());
  for (const auto& entry : list) values.push_back(value(entry));
  return values;
}

// Rows of `width` numbers; what is missing becomes NaN.
template <class List, class Value>
Reals rows(const List& list, std::size_t width, Value value) {
  Reals values;
  values.reserve(list.size() * width);
  for (const auto& entry : list) {
    const Eigen::VectorXd& row = value(entry);
    values.insert(values.end(), row.begin(), row.end());
    if (row.size() == 0) values.insert(values.end(), width, std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

void add_samples(NpzArchive& archive, const RunData& run) {
  const std::size_t nq = run.info.coordinate_names.size(), nv = run.info.velocity_names.size();
  archive.add("time", column(run.samples, [](const Sample& s) { return s.state.time; }));
  archive.add_rows("position",
                   rows(run.samples, nq, [](const Sample& s) -> const Eigen::VectorXd& { return s.state.q; }),
                   run.samples.size(), nq);
  archive.add_rows("velocity",
                   rows(run.samples, nv, [](const Sample& s) -> const Eigen::VectorXd& { return s.state.v; }),
                   run.samples.size(), nv);
  archive.add("kinetic", column(run.samples, [](const Sample& s) { return s.energy.kinetic; }));
  archive.add("potential", column(run.samples, [](const Sample& s) { return s.energy.potential; }));
  archive.add("dissipated", column(run.samples, [](const Sample& s) { return s.energy.dissipated; }));
  archive.add("supplied", column(run.samples, [](const Sample& s) { return s.energy.supplied; }));
  archive.add("corrected", column(run.samples, [](const Sample& s) { return s.energy.corrected; }));
  archive.add("position_names", run.info.coordinate_names);
  archive.add("velocity_names", run.info.velocity_names);
}

void add_events(NpzArchive& archive, const RunData& run) {
  const std::size_t nv = run.info.velocity_names.size();
  Texts kinds, rules, labels;
  Ints warnings;
  std::vector<std::uint8_t> consistent;
  for (const Event& event : run.events) {
    kinds.push_back(name(event.kind));
    rules.push_back(name(event.rule));
    labels.push_back(event.label);
    warnings.push_back(event.warnings);
    consistent.push_back(event.energy.consistent ? 1 : 0);
  }
  archive.add("event_time", column(run.events, [](const Event& e) { return e.time; }));
  archive.add("event_kind", kinds);
  archive.add("event_rule", rules);
  archive.add("event_label", labels);
  archive.add_rows("event_velocity_before",
                   rows(run.events, nv, [](const Event& e) -> const Eigen::VectorXd& { return e.velocity_before; }),
                   run.events.size(), nv);
  archive.add_rows("event_velocity_after",
                   rows(run.events, nv, [](const Event& e) -> const Eigen::VectorXd& { return e.velocity_after; }),
                   run.events.size(), nv);
  archive.add("event_normal_work", column(run.events, [](const Event& e) { return e.energy.normal_work; }));
  archive.add("event_tangential_work", column(run.events, [](const Event& e) { return e.energy.tangential_work; }));
  archive.add("event_supplied", column(run.events, [](const Event& e) { return e.energy.supplied; }));
  archive.add("event_change", column(run.events, [](const Event& e) { return e.energy.change; }));
  archive.add("event_consistent", consistent);
  archive.add("event_warnings", warnings);
  archive.add("event_error_bound", column(run.events, [](const Event& e) { return e.error_bound; }));
}

// One entry for each contact of each event.
void add_event_contacts(NpzArchive& archive, const RunData& run) {
  Ints event_index;
  Texts names;
  Reals before, after, impulse, friction;
  const auto put = [](Reals& to, const ContactVector& v) { to.insert(to.end(), {v.n, v.t1, v.t2}); };
  for (std::size_t k = 0; k < run.events.size(); ++k)
    for (const EventContact& contact : run.events[k].contacts) {
      event_index.push_back(static_cast<std::int64_t>(k));
      names.push_back(contact.name);
      put(before, contact.velocity_before);
      put(after, contact.velocity_after);
      put(impulse, contact.impulse);
      friction.push_back(contact.friction);
    }
  archive.add("event_contact_event", event_index);
  archive.add("event_contact_name", names);
  archive.add_rows("event_contact_velocity_before", before, names.size(), 3);
  archive.add_rows("event_contact_velocity_after", after, names.size(), 3);
  archive.add_rows("event_contact_impulse", impulse, names.size(), 3);
  archive.add("event_contact_friction", friction);
}

}  // namespace

std::string run_npz(const RunData& run) {
  NpzArchive archive;
  add_samples(archive, run);
  add_events(archive, run);
  add_event_contacts(archive, run);
  return archive.finish();
}

}  // namespace routh
