#include <algorithm>

#include "routh/problem/json_text.h"
#include "routh/record/run_fields.h"
#include "routh/record/run_file.h"

namespace routh {

namespace {

JsonText vector(const ContactVector& v, Dimension dimension) {
  JsonText list = JsonText::list({json_number(v.n), json_number(v.t1)});
  if (dimension == Dimension::spatial) list.push_back(json_number(v.t2));
  return list;
}

// Of one contact its value, of several the list of theirs, of none null.
template <class Value>
JsonText of_contacts(const Event& event, Value value) {
  if (event.contacts.empty()) return nullptr;
  if (event.contacts.size() == 1) return value(event.contacts[0]);
  return json_list(event.contacts, [&](const EventContact& contact) { return value(contact); });
}

JsonText of_contacts(const Event& event, ContactVector EventContact::*member, Dimension dimension) {
  return of_contacts(event, [&](const EventContact& contact) { return vector(contact.*member, dimension); });
}

JsonText ledger(const EnergyLedger& energy) {
  return JsonText::object({{"normal_work", json_number(energy.normal_work)},
                           {"tangential_work", json_number(energy.tangential_work)},
                           {"supplied", json_number(energy.supplied)},
                           {"change", json_number(energy.change)},
                           {"consistent", energy.consistent}});
}

// As `routh impact --json` has them.
JsonText phase_json(const Phase& phase, Dimension dimension) {
  const auto& [kind, stage, normal_impulse, direction_t1, direction_t2, velocity] = phase;
  JsonText direction = JsonText::list({json_number(direction_t1)});
  if (dimension == Dimension::spatial) direction.push_back(json_number(direction_t2));
  return JsonText::object({{"kind", name(kind)},
                           {"stage", name(stage)},
                           {"normal_impulse", json_number(normal_impulse)},
                           {"contact_velocity", vector(velocity, dimension)},
                           {"direction", direction}});
}

JsonText phases_json(const EventContact& contact, Dimension dimension) {
  return json_list(contact.phases, [&](const Phase& phase) { return phase_json(phase, dimension); });
}

// A member that is added to an event or to its contacts does not compile here until it is decided whether it is told.
// The others are in the exported tables: q and its rates, the mode and the restitution of contacts, points of paths.
bool has_phases(const EventContact& contact) {
  [[maybe_unused]] const auto& [id, name, before, after, impulse, mode, restitution, friction, phases, path] = contact;
  return !phases.empty();
}

JsonText event_json(const Event& event, Dimension dimension) {
  const auto& [time, kind, rule, law, contacts, label, energy, bits, before, after, position, error_bound, duration] =
      event;
  JsonText warnings = JsonText::list();
  for (const Warning warning : all_values<Warning>)
    if (event.has(warning)) warnings.push_back(name(warning));
  JsonText json = JsonText::object({{"time", json_number(time)}, {"kind", name(kind)}});
  if (!label.empty()) json.add("label", label);
  json.add("contact", of_contacts(event, [](const EventContact& contact) { return JsonText(contact.name); }));
  json.add("velocity_before", of_contacts(event, &EventContact::velocity_before, dimension));
  json.add("velocity_after", of_contacts(event, &EventContact::velocity_after, dimension));
  json.add("impulse", of_contacts(event, &EventContact::impulse, dimension));
  json.add("friction", of_contacts(event, [](const EventContact& contact) { return json_number(contact.friction); }));
  if (std::any_of(contacts.begin(), contacts.end(), has_phases))
    json.add("phases",
             of_contacts(event, [&](const EventContact& contact) { return phases_json(contact, dimension); }));
  json.add("rule", name(rule));
  json.add("law", rule == ImpactRule::single ? JsonText(name(law)) : JsonText(nullptr));
  json.add("energy", ledger(energy));
  if (kind == EventKind::zeno) json.add("error_bound", json_number(error_bound));
  if (kind == EventKind::crowd) json.add("duration", json_number(duration));
  json.add("warnings", warnings);
  return json;
}

JsonText statistics(const SimulationStatistics& s) {
  JsonText warnings = JsonText::object();
  for (unsigned k = 0; k < warning_count; ++k)
    if (s.warnings[k] != 0) warnings.add(name(static_cast<Warning>(1u << k)), s.warnings[k]);
  JsonText all = JsonText::object();
  for_each_statistic(s, [&](const char* name, auto number, int) {
    if constexpr (std::is_same_v<decltype(number), double>)
      all.add(name, json_number(number));
    else
      all.add(name, number);
  });
  all.add("warnings", warnings);
  return all;
}

JsonText outline(const RunData& run) {
  const RunOutcome& outcome = run.outcome;
  const EnergyAccount& energy = outcome.energy;
  const State& end = final_state(run);
  const JsonText events =
      json_list(run.events, [&](const Event& event) { return event_json(event, run.info.dimension); });
  return JsonText::object({{"schema", run_schema},
                           {"status", name(outcome.status)},
                           {"message", outcome.message},
                           {"time", json_number(outcome.time)},
                           {"events", events},
                           {"final", JsonText::object({{"q", json_numbers(end.q)}, {"v", json_numbers(end.v)}})},
                           {"energy", JsonText::object({{"initial", json_number(energy.initial)},
                                                        {"final", json_number(energy.total())},
                                                        {"dissipated", json_number(energy.dissipated)},
                                                        {"supplied", json_number(energy.supplied)},
                                                        {"corrected", json_number(energy.corrected)},
                                                        {"gained", json_number(energy.gained)},
                                                        {"balance", json_number(energy.balance())}})},
                           {"statistics", statistics(outcome.statistics)}});
}

JsonText info_json(const RunInfo& info) {
  const auto named = [](const std::vector<std::string>& names, const std::vector<std::string>& units) {
    return JsonText::object({{"names", names}, {"units", units}});
  };
  return JsonText::object({{"program_version", info.program_version},
                           {"scene", info.scene_name},
                           {"scene_path", info.scene_path},
                           {"input_hash", info.input_hash},
                           {"created", info.created},
                           {"seed", info.seed},
                           {"engine", name(info.engine)},
                           {"tolerance", json_number(info.tolerance)},
                           {"sample_interval", json_number(info.sample_interval)},
                           {"dimension", name(info.dimension)},
                           {"q", named(info.coordinate_names, info.coordinate_units)},
                           {"v", named(info.velocity_names, info.velocity_units)}});
}

JsonText samples_json(const RunData& run) {
  const auto column = [&](auto value) { return json_list(run.samples, value); };
  JsonText columns = JsonText::object({{"time", column([](const Sample& s) { return json_number(s.state.time); })},
                                       {"q", column([](const Sample& s) { return json_numbers(s.state.q); })},
                                       {"v", column([](const Sample& s) { return json_numbers(s.state.v); })}});
  for (const AccountField& field : sampled_accounts)
    columns.add(field.name, column([&](const Sample& s) { return json_number(s.energy.*field.account); }));
  return columns;
}

}  // namespace

std::string run_json(const RunData& run) { return outline(run).text(); }

std::string full_json(const RunData& run) {
  JsonText json = outline(run);
  json.add("run", info_json(run.info));
  json.add("samples", samples_json(run));
  return json.text() + "\n";
}

}  // namespace routh
