#include "routh/report/event_writer.h"

#include "routh/problem/writer.h"
#include "routh/report/impact_path.h"

namespace routh::internal {

namespace {

void write_place(const std::optional<Contact>& contact, const PlacedMachine& machine, JsonWriter& json) {
  const bool directed = contact && contact->kind == ContactKind::surfaces;
  if (contact) {
    json.short_vector("point", machine.shown_at(*contact));
  } else {
    json.null("point");
  }
  if (directed) {
    json.short_vector("normal", contact->normal);
    json.short_vector("tangent1", contact->tangent1);
  } else {
    json.null("normal");
    json.null("tangent1");
  }
}

void write_path(const Event& event, const EventContact& contact, const EventContext& context, JsonWriter& json) {
  std::string reason;
  if (event.rule != ImpactRule::none)
    reason = has_path(event) ? context.against_path()
                             : "This rule gives the velocity after the impact without a path that leads there.";
  json.text_or_null("no_path", reason);
  if (!reason.empty() || event.rule == ImpactRule::none) return json.null("path");
  json.begin_object("path");
  write_path_points(recorded_path(contact), json);
  json.objects("phases", contact.phases, [&](const Phase& phase) {
    json.text("kind", name(phase.kind));
    json.short_number("normal_impulse", phase.normal_impulse);
    json.short_vector("contact_velocity", phase.velocity);
  });
  json.end_object();
}

}  // namespace

bool has_path(const Event& event) { return event.rule == ImpactRule::single && event.contacts.size() == 1; }

// A member that is added to an event does not compile here until it is decided whether the page shows it.
void write_event(const Event& event, long long sample, PlacedMachine& machine, const EventContext& context,
                 JsonWriter& json) {
  const auto& [time, kind, rule, law, contacts, label, energy, bits, before, after, position, error_bound, duration] =
      event;
  const State state{position, before, time};
  const bool placed = machine.place(state);
  json.begin_object();
  json.number("time", time);
  json.integer("sample", sample);
  json.text("kind", name(kind));
  json.text_or_null("rule", rule == ImpactRule::none ? "" : name(rule));
  json.text_or_null("law", rule == ImpactRule::single ? name(law) : "");
  json.text_or_null("label", label);
  json.objects("contacts", contacts, [&](const EventContact& contact) {
    const auto& [id, contact_name, slip_before, slip_after, impulse, mode, restitution, friction, phases, path] =
        contact;
    json.integer("contact", context.row(contact));
    json.short_vector("velocity_before", slip_before);
    json.short_vector("velocity_after", slip_after);
    json.short_vector("impulse", impulse);
    json.text_or_null("mode", mode == ImpactMode::none ? "" : name(mode));
    json.number("restitution", restitution);
    json.number("friction", friction);
    write_place(placed ? machine.contact(state, id) : std::nullopt, machine, json);
    write_path(event, contact, context, json);
  });
  write_ledger(json, energy);
  json.begin_list("warnings");
  for (unsigned k = 0; k < warning_count; ++k)
    if (event.has(static_cast<Warning>(1u << k))) json.text(explain(static_cast<Warning>(1u << k)));
  json.end_list();
  if (kind == EventKind::zeno)
    json.number("error_bound", error_bound);
  else
    json.null("error_bound");
  if (kind == EventKind::crowd)
    json.number("duration", duration);
  else
    json.null("duration");
  json.end_object();
}

}  // namespace routh::internal
