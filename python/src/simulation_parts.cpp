#include "simulation_parts.h"

#include <fmt/format.h>

#include "bindings.h"
#include "impact_result.h"
#include "routh/record/run_fields.h"

namespace routh::python {

namespace {

struct ContactPart {
  EventContact part;
  Dimension dimension;
};

py::list contacts_of(const RunEvent& e) {
  py::list contacts;
  for (const EventContact& each : e.event.contacts) contacts.append(ContactPart{each, e.dimension});
  return contacts;
}

std::string text_of(const RunEvent& e) {
  std::string who = e.event.label;
  for (const EventContact& each : e.event.contacts) who += (who.empty() ? "" : ", ") + each.name;
  return fmt::format("<Event {:.9g} s: {}{}{}>", e.event.time, name(e.event.kind), who.empty() ? "" : ", ",
                     printable(who));
}

// A member that is added to one of these structures does not compile here until it is decided whether Python has it.
// `id`, `path`, `error_bound` and `consistent` are not properties.
[[maybe_unused]] void members_of(const Event& event, const EventContact& contact) {
  [[maybe_unused]] const auto& [time, kind, rule, law, contacts, label, energy, warnings, before, after, position,
                                error_bound, duration] = event;
  [[maybe_unused]] const auto& [id, contact_name, velocity_before, velocity_after, impulse, mode, restitution, friction,
                                phases, path] = contact;
}

void bind_event(py::module_& module) {
  using C = ContactPart;
  const auto vector = [](ContactVector EventContact::*member) {
    return [member](const C& c) { return to_array(c.part.*member, c.dimension); };
  };
  py::class_<C>(module, "EventContact", "One contact's share of an event; normal first, relative to the surfaces.")
      .def_property_readonly(
          "name", [](const C& c) { return c.part.name; }, "Such as 'tip on floor'.")
      .def_property_readonly("velocity_before", vector(&EventContact::velocity_before), "[m/s]")
      .def_property_readonly("velocity_after", vector(&EventContact::velocity_after), "[m/s]")
      .def_property_readonly("impulse", vector(&EventContact::impulse), "[N s]")
      .def_property_readonly(
          "mode", [](const C& c) { return mode_member(c.part.mode); },
          "A member of `routh.Mode`, of an impact of one contact.")
      .def_property_readonly(
          "restitution", [](const C& c) { return c.part.restitution; }, "The coefficient used.")
      .def_property_readonly(
          "friction", [](const C& c) { return c.part.friction; },
          "The kinetic coefficient that an impact used; 0 without friction, and of runs that were recorded before it "
          "was.")
      .def_property_readonly(
          "phases", [](const C& c) { return phase_list(c.part.phases, c.dimension); },
          "Of an impact of one contact: stretches of slip and stick, each described at its end. Empty under a law that "
          "has none, and of runs that were recorded before they were.")
      .def("__repr__", [](const C& c) { return fmt::format("<EventContact {}>", c.part.name); });
  using E = RunEvent;
  const auto work = [](double EnergyLedger::*member) {
    return [member](const E& e) { return e.event.energy.*member; };
  };
  const auto row = [](Eigen::VectorXd Event::*member) {
    return [member](const E& e) { return to_array(e.event.*member); };
  };
  py::class_<E>(module, "Event", "What happened at an instant.")
      .def_property_readonly(
          "time", [](const E& e) { return e.event.time; }, "[s]")
      .def_property_readonly(
          "duration", [](const E& e) { return e.event.duration; }, "Of a crowd, up to `time` [s]; 0 of all others.")
      .def_property_readonly(
          "kind", [](const E& e) { return name(e.event.kind); },
          "'impact', 'tangential_impact', 'slip', 'stick', 'detach', 'zeno', 'limit', 'profile', 'user', 'impulse' or\n"
          "'crowd'.")
      .def_property_readonly(
          "rule", [](const E& e) { return name(e.event.rule); }, "Which rule gave the impulses.")
      .def_property_readonly(
          "law", [](const E& e) { return name(e.event.law); }, "Of an impact of one contact.")
      .def_property_readonly(
          "label", [](const E& e) { return e.event.label; }, "Of a profile or user event: its name.")
      .def_property_readonly("contacts", &contacts_of, "The share of each contact.")
      .def_property_readonly("normal_work", work(&EnergyLedger::normal_work), "[J]")
      .def_property_readonly("tangential_work", work(&EnergyLedger::tangential_work), "[J]")
      .def_property_readonly("supplied", work(&EnergyLedger::supplied), "[J]")
      .def_property_readonly("energy_change", work(&EnergyLedger::change), "[J]")
      .def_property_readonly(
          "warnings", [](const E& e) { return warning_names(e.event.warnings); }, "Names of warnings.")
      .def_property_readonly("q", row(&Event::position), "[m, rad]")
      .def_property_readonly("velocity_before", row(&Event::velocity_before), "q̇ [m/s, rad/s]")
      .def_property_readonly("velocity_after", row(&Event::velocity_after), "q̇ [m/s, rad/s]")
      .def("__repr__", &text_of);
}

void bind_closed_contact(py::module_& module) {
  using C = ClosedContact;
  py::class_<C>(module, "ClosedContact", "A contact that carries force.")
      .def_readonly("name", &C::name, "Such as 'tip on floor'.")
      .def_property_readonly(
          "mode", [](const C& c) { return name(c.active.mode); }, "'stick' or 'slip'.")
      .def_property_readonly(
          "force", [](const C& c) { return to_array(c.active.force, c.dimension); }, "On body a, normal first [N].")
      .def_property_readonly(
          "point", [](const C& c) { return to_array(c.active.contact.point); }, "[m]")
      .def_property_readonly(
          "normal", [](const C& c) { return to_array(c.active.contact.normal); }, "Unit vector towards body a.")
      .def("__repr__", [](const C& c) {
        return fmt::format("<ClosedContact {}: {}, {:.6g} N>", c.name, name(c.active.mode), c.active.force.n);
      });
}

}  // namespace

py::dict statistics_of(const SimulationStatistics& s) {
  py::dict all;
  for_each_statistic(s, [&](const char* name, auto number, int) { all[name] = number; });
  py::dict warnings;
  for (unsigned k = 0; k < warning_count; ++k)
    if (s.warnings[k] != 0) warnings[name(static_cast<Warning>(1u << k))] = s.warnings[k];
  all["warnings"] = warnings;
  return all;
}

void bind_simulation_parts(py::module_& module) {
  bind_event(module);
  bind_closed_contact(module);
  using A = EnergyAccount;
  py::class_<A>(module, "EnergyAccount",
                "kinetic + potential + dissipated − supplied − corrected stays; `balance` is its change [J].")
      .def_readonly("kinetic", &A::kinetic, "Of the motion.")
      .def_readonly("potential", &A::potential, "Of gravity and springs.")
      .def_readonly("dissipated", &A::dissipated, "By friction, dampers and impacts since the start.")
      .def_readonly("supplied", &A::supplied, "By belts, drives, forces and the user since the start.")
      .def_readonly("corrected", &A::corrected,
                    "By what no force did, signed: closing contacts and loops again, giving up bounces, bringing "
                    "contacts to rest.")
      .def_readonly("gained", &A::gained, "Of `dissipated`, what impacts gave back against the certificate.")
      .def_readonly("initial", &A::initial, "kinetic + potential at the start.")
      .def_property_readonly("total", &A::total, "kinetic + potential.")
      .def_property_readonly("balance", &A::balance, "What is unaccounted for.")
      .def_property_readonly("turnover", &A::turnover, "The greatest of the accounts, by which errors are judged.")
      .def("__repr__", [](const A& a) {
        return fmt::format(
            "<EnergyAccount kinetic {:.6g}, potential {:.6g}, dissipated {:.6g}, supplied {:.6g}, corrected "
            "{:.1e}, balance {:.1e} J>",
            a.kinetic, a.potential, a.dissipated, a.supplied, a.corrected, a.balance());
      });
}

}  // namespace routh::python
