#include "routh/report/event_table.h"

#include <algorithm>
#include <limits>

#include "routh/report/impact_path.h"

namespace routh::internal {

namespace {

// Whether the event is an impact of one contact, which has a path.
bool has_path(const Event& event) { return event.rule == ImpactRule::single && event.contacts.size() == 1; }

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
  EventTable(const RunData& run, double least_impulse, RunMachine& machine, JsonWriter& json)
      : run_(run), machine_(machine), json_(json), least_impulse_(least_impulse) {}

  const MissingPaths& missing() const { return missing_; }

  // A member that is added to an event does not compile here until it is decided whether the page shows it.
  void write(const Event& event, std::size_t sample) {
    const auto& [time, kind, rule, law, contacts, label, energy, bits, before, after, position, error_bound, duration] =
        event;
    state_ = {position, before, time};
    placed_ = machine_.place(state_);
    json_.begin_object();
    json_.number("time", time);
    json_.integer("sample", static_cast<long long>(sample));
    json_.text("kind", name(kind));
    json_.text_or_null("rule", rule == ImpactRule::none ? "" : name(rule));
    json_.text_or_null("law", rule == ImpactRule::single ? name(law) : "");
    json_.text_or_null("label", label);
    json_.list("contacts", contacts, [&](const EventContact& contact) { write_contact(event, contact); });
    write_ledger(energy);
    json_.begin_list("warnings");
    for (unsigned k = 0; k < warning_count; ++k)
      if (event.has(static_cast<Warning>(1u << k))) json_.text(explain(static_cast<Warning>(1u << k)));
    json_.end_list();
    if (kind == EventKind::zeno)
      json_.number("error_bound", error_bound);
    else
      json_.null("error_bound");
    if (kind == EventKind::crowd)
      json_.number("duration", duration);
    else
      json_.null("duration");
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
    const auto& [id, contact_name, before, after, impulse, mode, restitution, friction, phases, path] = contact;
    json_.begin_object();
    const auto row = std::find_if(run_.contacts.begin(), run_.contacts.end(),
                                  [&](const RunContact& each) { return each.id == contact.id; });
    json_.integer("contact", row - run_.contacts.begin());
    json_.short_vector("velocity_before", before);
    json_.short_vector("velocity_after", after);
    json_.short_vector("impulse", impulse);
    json_.text_or_null("mode", mode == ImpactMode::none ? "" : name(mode));
    json_.number("restitution", restitution);
    json_.number("friction", friction);
    write_place(placed_ ? machine_.contact(state_, id) : std::nullopt);
    write_path(event, contact);
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

  // Why there is no path, for a reader; empty: there is one.
  const char* reason_against_path(const Event& event) {
    if (!has_path(event)) return "The rule of this event knows no path of the velocity.";
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

  void write_path(const Event& event, const EventContact& contact) {
    const std::string reason = event.rule == ImpactRule::none ? "" : reason_against_path(event);
    json_.text_or_null("no_path", reason);
    if (!reason.empty() || event.rule == ImpactRule::none) return json_.null("path");
    json_.begin_object("path");
    write_path_points(recorded_path(contact), json_);
    json_.objects("phases", contact.phases, [&](const Phase& phase) {
      json_.text("kind", name(phase.kind));
      json_.short_number("normal_impulse", phase.normal_impulse);
      json_.short_vector("contact_velocity", phase.velocity);
    });
    json_.end_object();
  }

  const RunData& run_;
  RunMachine& machine_;
  JsonWriter& json_;
  State state_;          // before the event
  bool placed_ = false;  // the machine stands there
  double least_impulse_;
  MissingPaths missing_;
};

}  // namespace

MissingPaths write_events(const RunData& run, const Decimation& kept, std::size_t most_paths, RunMachine& machine,
                          JsonWriter& json) {
  EventTable table(run, least_impulse(run, kept, most_paths), machine, json);
  json.begin_list("events");
  for (const std::size_t k : kept.events) table.write(run.events[k], kept.sample_after(run, run.events[k]));
  json.end_list();
  return table.missing();
}

}  // namespace routh::internal
