#include "routh/report/event_table.h"

#include <algorithm>
#include <limits>

#include "routh/report/impact_path.h"

namespace routh::internal {

namespace {

// The least normal impulse that still gets a path.
double least_impulse(const RunData& run, const Decimation& kept, std::size_t paths) {
  std::vector<double> impulses;
  for (const std::size_t k : kept.events)
    if (PathFinder::has_path(run.events[k])) impulses.push_back(run.events[k].contacts[0].impulse.n);
  if (impulses.size() <= paths) return -std::numeric_limits<double>::infinity();
  if (paths == 0) return std::numeric_limits<double>::infinity();
  const auto last = impulses.begin() + static_cast<std::ptrdiff_t>(paths - 1);
  std::nth_element(impulses.begin(), last, impulses.end(), std::greater<>());
  return *last;
}

class EventTable {
 public:
  EventTable(const RunData& run, const PathLimits& limits, RunMachine& machine, JsonWriter& json)
      : run_(run), limits_(limits), machine_(machine), paths_(machine), json_(json) {}

  void require_impulse(double least) { least_impulse_ = least; }
  const PathCount& count() const { return count_; }

  void write(const Event& event, std::size_t sample) {
    state_ = {event.position, event.velocity_before, event.time};
    placed_ = machine_.place(state_);
    json_.begin_object();
    json_.number("time", event.time);
    json_.integer("sample", static_cast<long long>(sample));
    json_.text("kind", name(event.kind));
    json_.text("rule", name(event.rule));
    json_.text_or_null("law", event.rule == ImpactRule::single ? name(event.law) : "");
    json_.text_or_null("label", event.label);
    json_.begin_list("contacts");
    for (const EventContact& contact : event.contacts) write_contact(event, contact);
    json_.end_list();
    write_ledger(event.energy);
    json_.begin_list("warnings");
    for (unsigned k = 0; k < warning_count; ++k)
      if (event.has(static_cast<Warning>(1u << k))) json_.text(explain(static_cast<Warning>(1u << k)));
    json_.end_list();
    json_.number("error_bound", event.error_bound);
    json_.end_object();
  }

 private:
  void write_ledger(const EnergyLedger& energy) {
    json_.begin_object("energy");
    json_.number("normal_work", energy.normal_work);
    json_.number("tangential_work", energy.tangential_work);
    json_.number("supplied", energy.supplied);
    json_.number("change", energy.change);
    json_.flag("consistent", energy.consistent);
    json_.end_object();
  }

  void write_contact(const Event& event, const EventContact& contact) {
    json_.begin_object();
    const auto row = std::find_if(run_.contacts.begin(), run_.contacts.end(),
                                  [&](const RunContact& each) { return each.id == contact.id; });
    json_.integer("contact", row - run_.contacts.begin());
    json_.short_vector("velocity_before", contact.velocity_before);
    json_.short_vector("velocity_after", contact.velocity_after);
    json_.short_vector("impulse", contact.impulse);
    json_.text("mode", name(contact.mode));
    json_.number("restitution", contact.restitution);
    json_.number("friction", contact.friction);
    const std::optional<Contact> place = placed_ ? machine_.contact(state_, contact.id) : std::nullopt;
    write_place(place);
    write_path(event, place);
    json_.end_object();
  }

  void write_place(const std::optional<Contact>& contact) {
    const bool directed = contact && contact->kind == ContactKind::surfaces;
    if (contact) {
      json_.short_vector("point", machine_.shown_at(*contact));
    } else {
      json_.null("point");
    }
    if (directed) {
      json_.short_vector("normal", contact->normal);
      json_.short_vector("tangent1", contact->tangent1);
    } else {
      json_.null("normal");
      json_.null("tangent1");
    }
  }

  void write_path(const Event& event, const std::optional<Contact>& contact) {
    if (!PathFinder::has_path(event)) return json_.null("path");
    if (event.contacts[0].impulse.n < least_impulse_) {
      ++count_.beyond_limit;
      return json_.null("path");
    }
    const std::optional<ImpactPath> path = contact ? paths_.find(event, state_, *contact) : std::nullopt;
    if (!path) {
      ++count_.not_repeated;
      return json_.null("path");
    }
    json_.begin_object("path");
    write_path_points(thinned(path->points, limits_.points), json_);
    json_.begin_list("phases");
    for (const Phase& phase : path->result) {
      json_.begin_object();
      json_.text("kind", name(phase.kind));
      json_.short_number("normal_impulse", phase.normal_impulse);
      json_.short_vector("contact_velocity", phase.velocity);
      json_.end_object();
    }
    json_.end_list();
    json_.end_object();
  }

  const RunData& run_;
  PathLimits limits_;
  RunMachine& machine_;
  PathFinder paths_;
  JsonWriter& json_;
  State state_;          // before the event
  bool placed_ = false;  // the machine stands there
  double least_impulse_ = 0;
  PathCount count_;
};

}  // namespace

PathCount write_events(const RunData& run, const Decimation& kept, const PathLimits& limits, RunMachine& machine,
                       JsonWriter& json) {
  EventTable table(run, limits, machine, json);
  table.require_impulse(least_impulse(run, kept, limits.paths));
  json.begin_list("events");
  for (const std::size_t k : kept.events) table.write(run.events[k], kept.sample_after(run, run.events[k]));
  json.end_list();
  return table.count();
}

}  // namespace routh::internal
