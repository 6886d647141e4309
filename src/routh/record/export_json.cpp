#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "routh/record/export.h"

namespace routh {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value == 0 ? 0.0 : value) : Json(nullptr); }

Json vector(const Eigen::VectorXd& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(number(x));
  return list;
}

Json vector(const ContactVector& v, Dimension dimension) {
  Json list = Json::array({number(v.n), number(v.t1)});
  if (dimension == Dimension::spatial) list.push_back(number(v.t2));
  return list;
}

// Of one contact its value, of several the list of theirs, of none null.
template <class Value>
Json of_contacts(const Event& event, Value value) {
  if (event.contacts.empty()) return nullptr;
  if (event.contacts.size() == 1) return value(event.contacts[0]);
  Json list = Json::array();
  for (const EventContact& contact : event.contacts) list.push_back(value(contact));
  return list;
}

Json of_contacts(const Event& event, ContactVector EventContact::*member, Dimension dimension) {
  return of_contacts(event, [&](const EventContact& contact) { return vector(contact.*member, dimension); });
}

Json ledger(const EnergyLedger& energy) {
  return {{"normal_work", number(energy.normal_work)},
          {"tangential_work", number(energy.tangential_work)},
          {"supplied", number(energy.supplied)},
          {"change", number(energy.change)},
          {"consistent", energy.consistent}};
}

// As `routh impact --json` has them.
Json phase_json(const Phase& phase, Dimension dimension) {
  const auto& [kind, stage, normal_impulse, direction_t1, direction_t2, velocity] = phase;
  Json direction = Json::array({number(direction_t1)});
  if (dimension == Dimension::spatial) direction.push_back(number(direction_t2));
  return {{"kind", name(kind)},
          {"stage", name(stage)},
          {"normal_impulse", number(normal_impulse)},
          {"contact_velocity", vector(velocity, dimension)},
          {"direction", std::move(direction)}};
}

Json phases_json(const EventContact& contact, Dimension dimension) {
  Json list = Json::array();
  for (const Phase& phase : contact.phases) list.push_back(phase_json(phase, dimension));
  return list;
}

// A member that is added to an event does not compile here until it is decided whether it is told. The others are in
// the exported tables: q and its rates, the mode and the restitution of contacts, points of paths.
Json event_json(const Event& event, Dimension dimension) {
  const auto& [time, kind, rule, law, contacts, label, energy, bits, before, after, position, error_bound] = event;
  Json warnings = Json::array();
  for (unsigned k = 0; k < warning_count; ++k)
    if (event.has(static_cast<Warning>(1u << k))) warnings.push_back(name(static_cast<Warning>(1u << k)));
  Json json = {{"time", number(time)}, {"kind", name(kind)}};
  if (!label.empty()) json["label"] = label;
  json["contact"] = of_contacts(event, [](const EventContact& contact) { return Json(contact.name); });
  json["velocity_before"] = of_contacts(event, &EventContact::velocity_before, dimension);
  json["velocity_after"] = of_contacts(event, &EventContact::velocity_after, dimension);
  json["impulse"] = of_contacts(event, &EventContact::impulse, dimension);
  json["friction"] = of_contacts(event, [](const EventContact& contact) { return number(contact.friction); });
  if (std::any_of(contacts.begin(), contacts.end(), [](const EventContact& c) { return !c.phases.empty(); }))
    json["phases"] = of_contacts(event, [&](const EventContact& contact) { return phases_json(contact, dimension); });
  json["rule"] = name(rule);
  json["law"] = rule == ImpactRule::single ? Json(name(law)) : Json(nullptr);
  json["energy"] = ledger(energy);
  if (kind == EventKind::zeno) json["error_bound"] = number(error_bound);
  json["warnings"] = std::move(warnings);
  return json;
}

Json statistics(const SimulationStatistics& s) {
  Json warnings = Json::object();
  for (unsigned k = 0; k < warning_count; ++k)
    if (s.warnings[k] != 0) warnings[name(static_cast<Warning>(1u << k))] = s.warnings[k];
  return {{"steps", s.steps},
          {"rejected", s.rejected},
          {"evaluations", s.evaluations},
          {"implicit_steps", s.implicit_steps},
          {"events", s.events},
          {"impacts", s.impacts},
          {"mode_searches", s.mode_searches},
          {"largest_gap", number(s.largest_gap)},
          {"largest_loop", number(s.largest_loop)},
          {"warnings", std::move(warnings)}};
}

Json outline(const RunData& run) {
  const RunOutcome& outcome = run.outcome;
  const EnergyAccount& energy = outcome.energy;
  const State& end = final_state(run);
  Json events = Json::array();
  for (const Event& event : run.events) events.push_back(event_json(event, run.info.dimension));
  return {{"schema", run_schema},
          {"status", name(outcome.status)},
          {"message", outcome.message},
          {"time", number(outcome.time)},
          {"events", std::move(events)},
          {"final", {{"q", vector(end.q)}, {"v", vector(end.v)}}},
          {"energy",
           {{"initial", number(energy.initial)},
            {"final", number(energy.total())},
            {"dissipated", number(energy.dissipated)},
            {"supplied", number(energy.supplied)},
            {"corrected", number(energy.corrected)},
            {"gained", number(energy.gained)},
            {"balance", number(energy.balance())}}},
          {"statistics", statistics(outcome.statistics)}};
}

Json info_json(const RunInfo& info) {
  const auto named = [](const std::vector<std::string>& names, const std::vector<std::string>& units) {
    return Json{{"names", names}, {"units", units}};
  };
  return {{"program_version", info.program_version},
          {"scene", info.scene_name},
          {"scene_path", info.scene_path},
          {"input_hash", info.input_hash},
          {"created", info.created},
          {"seed", info.seed},
          {"tolerance", number(info.tolerance)},
          {"sample_interval", number(info.sample_interval)},
          {"dimension", info.dimension == Dimension::planar ? "planar" : "spatial"},
          {"q", named(info.coordinate_names, info.coordinate_units)},
          {"v", named(info.velocity_names, info.velocity_units)}};
}

Json samples_json(const RunData& run) {
  Json time = Json::array(), q = Json::array(), v = Json::array();
  Json kinetic = Json::array(), potential = Json::array(), dissipated = Json::array(), supplied = Json::array();
  Json corrected = Json::array();
  for (const Sample& sample : run.samples) {
    time.push_back(number(sample.state.time));
    q.push_back(vector(sample.state.q));
    v.push_back(vector(sample.state.v));
    kinetic.push_back(number(sample.energy.kinetic));
    potential.push_back(number(sample.energy.potential));
    dissipated.push_back(number(sample.energy.dissipated));
    supplied.push_back(number(sample.energy.supplied));
    corrected.push_back(number(sample.energy.corrected));
  }
  return {{"time", std::move(time)},
          {"q", std::move(q)},
          {"v", std::move(v)},
          {"kinetic", std::move(kinetic)},
          {"potential", std::move(potential)},
          {"dissipated", std::move(dissipated)},
          {"supplied", std::move(supplied)},
          {"corrected", std::move(corrected)}};
}

// Bytes that are not UTF-8 become replacement characters.
std::string text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string run_json(const RunData& run) { return text(outline(run)); }

std::string full_json(const RunData& run) {
  Json json = outline(run);
  json["run"] = info_json(run.info);
  json["samples"] = samples_json(run);
  return text(json) + "\n";
}

}  // namespace routh
