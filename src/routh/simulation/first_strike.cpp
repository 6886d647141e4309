#include "routh/simulation/first_strike.h"

#include "routh/contact/contact.h"

namespace routh::internal {

namespace {

// Of a strike those that approach: others at the same place may share in its impact.
void name_contacts(const Event& event, std::vector<std::string>& names) {
  for (const EventContact& contact : event.contacts)
    if (!is_strike(event.kind) || contact.velocity_before.n < 0) names.push_back(contact.name);
}

// What ends the search before the motion begins.
bool ends_at_once(const Model& model, const State& start, const SimulationOptions& options, FirstStrike& out) {
  Workspace workspace(model);
  const TouchReport report = find_touches(model, start, {options.touch}, workspace);
  for (const Contact& contact : report.overlaps) out.contacts.push_back(contact_name(model, contact));
  if (!report.overlaps.empty()) {
    out.status = FirstStrikeStatus::failed;
    out.run = SimulationStatus::overlapping;
    return true;
  }
  for (const Touch& touch : report.touches)
    if (touch.kind == TouchKind::approaching) out.contacts.push_back(contact_name(model, touch.contact));
  if (!out.contacts.empty()) out.status = FirstStrikeStatus::struck;
  return !out.contacts.empty();
}

}  // namespace

const char* explain(const FirstStrike& strike) {
  switch (strike.status) {
    case FirstStrikeStatus::struck:
      return "the free motion ends in a strike";
    case FirstStrikeStatus::no_strike:
      return "nothing is struck within the time looked ahead";
    case FirstStrikeStatus::supported:
      return "a contact at rest carries load: the motion is not free";
    case FirstStrikeStatus::failed:
      return explain(strike.run);
  }
  return "";
}

FirstStrike find_first_strike(const Model& model, const State& start, double duration, const SimulationOptions& options,
                              const std::function<bool()>& interrupt) {
  FirstStrike out;
  out.state = start;
  if (model.velocities == 0 || ends_at_once(model, start, options, out))
    return out;  // what cannot move strikes nothing
  Simulator simulator(model, start, options);
  for (const ActiveContact& active : simulator.active()) out.contacts.push_back(contact_name(model, active.contact));
  // A contact that rested and is gone: it jammed.
  for (const Event& event : simulator.events())
    if (out.contacts.empty() && is_of_closed_contacts(event.kind)) name_contacts(event, out.contacts);
  if (!out.contacts.empty()) {
    out.status = FirstStrikeStatus::supported;
    return out;
  }
  std::optional<Event> first;
  simulator.on_event([&](const Event& event) {
    if (!first && is_of_closed_contacts(event.kind)) first = event;
  });
  simulator.interrupt_by([&] { return first || (interrupt && interrupt()); });
  out.run =
      simulator.status() == SimulationStatus::ready ? simulator.advance(start.time + duration) : simulator.status();
  out.state = simulator.state();
  if (first) {
    out.status = is_strike(first->kind) ? FirstStrikeStatus::struck : FirstStrikeStatus::supported;
    out.state = {first->position, first->velocity_before, first->time};
    name_contacts(*first, out.contacts);
  } else if (out.run == SimulationStatus::unsolved_impact) {
    out.status = FirstStrikeStatus::struck;  // where the law of the surfaces has no answer, another one may
  } else if (out.run != SimulationStatus::ready) {
    out.status = FirstStrikeStatus::failed;
  }
  return out;
}

}  // namespace routh::internal
