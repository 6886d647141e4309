#include <fmt/compile.h>
#include <fmt/format.h>

#include "routh/record/csv.h"
#include "routh/record/export.h"

namespace routh {

std::string internal::csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

namespace {

void put(std::string& out, double value) {
  out += ',';
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value);
}

void put(std::string& out, const std::string& text) {
  out += ',';
  out += csv_field(text);
}

void put(std::string& out, const ContactVector& v) {
  put(out, v.n);
  put(out, v.t1);
  put(out, v.t2);
}

void put_event(std::string& out, const Event& event, std::size_t number) {
  out += fmt::format("{}", number);
  put(out, event.time);
  put(out, std::string(name(event.kind)));
  put(out, std::string(name(event.rule)));
  put(out, std::string(event.rule == ImpactRule::single ? name(event.law) : ""));
  put(out, event.label);
  put(out, event.energy.normal_work);
  put(out, event.energy.tangential_work);
  put(out, event.energy.supplied);
  put(out, event.energy.change);
  out += event.energy.consistent ? ",1" : ",0";
  std::string warnings;
  for (unsigned k = 0; k < warning_count; ++k) {
    const Warning warning = static_cast<Warning>(1u << k);
    if (event.has(warning)) warnings += std::string(warnings.empty() ? "" : " ") + name(warning);
  }
  put(out, warnings);
  put(out, event.error_bound);
}

}  // namespace

std::string samples_csv(const RunData& run) {
  std::string out = "time";
  for (const std::string& coordinate : run.info.coordinate_names) put(out, "q." + coordinate);
  for (const std::string& velocity : run.info.velocity_names) put(out, "v." + velocity);
  out += ",kinetic,potential,dissipated,supplied,corrected,closed_contacts\n";
  for (const Sample& sample : run.samples) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), sample.state.time);
    for (const double x : sample.state.q) put(out, x);
    for (const double x : sample.state.v) put(out, x);
    put(out, sample.energy.kinetic);
    put(out, sample.energy.potential);
    put(out, sample.energy.dissipated);
    put(out, sample.energy.supplied);
    put(out, sample.energy.corrected);
    out += fmt::format(",{}\n", sample.active.size());
  }
  return out;
}

std::string events_csv(const RunData& run) {
  std::string out =
      "event,time,kind,rule,law,label,normal_work,tangential_work,supplied,change,consistent,warnings,error_bound,"
      "contact,velocity_before_n,velocity_before_t1,velocity_before_t2,velocity_after_n,velocity_after_t1,"
      "velocity_after_t2,impulse_n,impulse_t1,impulse_t2,mode,restitution,friction\n";
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    const Event& event = run.events[k];
    for (const EventContact& contact : event.contacts) {
      put_event(out, event, k);
      put(out, contact.name);
      put(out, contact.velocity_before);
      put(out, contact.velocity_after);
      put(out, contact.impulse);
      put(out, std::string(name(contact.mode)));
      put(out, contact.restitution);
      put(out, contact.friction);
      out += '\n';
    }
    if (!event.contacts.empty()) continue;
    put_event(out, event, k);
    out += ",,,,,,,,,,,,,\n";
  }
  return out;
}

}  // namespace routh
