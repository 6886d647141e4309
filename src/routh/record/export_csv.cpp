#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "routh/record/contact_rows.h"
#include "routh/record/csv.h"
#include "routh/record/event_fields.h"
#include "routh/record/run_fields.h"
#include "routh/record/run_file.h"

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

std::string warning_words(std::uint32_t bits) {
  std::string words;
  for (unsigned k = 0; k < warning_count; ++k)
    if ((bits & 1u << k) != 0) words += std::string(words.empty() ? "" : " ") + name(static_cast<Warning>(1u << k));
  return words;
}

// The kinds of the phases in their order.
std::string phase_words(const std::vector<Phase>& phases) {
  std::string words;
  for (const Phase& phase : phases) words += std::string(words.empty() ? "" : " ") + name(phase.kind);
  return words;
}

template <class Row>
void put_head(std::string& out) {
  Row row{};
  for_each_field(row, [&]<class T>(const FieldInfo& field, const T&) {
    if ((field.tables & in_csv) == 0) return;
    if constexpr (std::is_same_v<T, ContactVector>)
      for (const char* part : {"_n", "_t1", "_t2"}) put(out, std::string(field.name) + part);
    else
      put(out, std::string(field.name));
  });
}

// Cells of a row; `rule` is that of the event: only one contact alone has a law.
template <class Row>
void put_fields(std::string& out, const Row& row, ImpactRule rule) {
  for_each_field(row, [&]<class T>(const FieldInfo& field, const T& value) {
    if ((field.tables & in_csv) == 0) return;
    if constexpr (std::is_same_v<T, Law>)
      put(out, std::string(rule == ImpactRule::single ? name(value) : ""));
    else if constexpr (std::is_enum_v<T>)
      put(out, std::string(name(value)));
    else if constexpr (std::is_same_v<T, bool>)
      out += value ? ",1" : ",0";
    else if constexpr (std::is_same_v<T, std::uint32_t>)
      put(out, warning_words(value));
    else if constexpr (!std::is_same_v<T, Eigen::VectorXd>)
      put(out, value);
  });
}

}  // namespace

std::string samples_csv(const RunData& run) {
  std::string out = "time";
  for (const std::string& coordinate : run.info.coordinate_names) put(out, "q." + coordinate);
  for (const std::string& velocity : run.info.velocity_names) put(out, "v." + velocity);
  for (const AccountField& field : sampled_accounts) put(out, std::string(field.name));
  out += ",closed_contacts\n";
  for (const Sample& sample : run.samples) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), sample.state.time);
    for (const double x : sample.state.q) put(out, x);
    for (const double x : sample.state.v) put(out, x);
    for (const AccountField& field : sampled_accounts) put(out, sample.energy.*field.account);
    out += fmt::format(",{}\n", sample.active.size());
  }
  return out;
}

std::string contacts_csv(const RunData& run, std::span<const double> open_gaps) {
  std::string out =
      "sample,time,contact,mode,gap,force_n,force_t1,force_t2,slip_t1,slip_t2,point_x,point_y,point_z,normal_x,"
      "normal_y,normal_z,tangent1_x,tangent1_y,tangent1_z,slip_margin,jam_margin\n";
  const auto put_margin = [&](const std::optional<double>& margin) {
    if (margin)
      put(out, *margin);
    else
      out += ',';
  };
  const auto put_vector = [&](const Vector3& v) {
    for (const double x : {v.x, v.y, v.z}) put(out, x);
  };
  for_each_contact_row(run, open_gaps, [&](const ContactRow& row) {
    out += fmt::format("{},{}", row.sample, run.samples[row.sample].state.time);
    put(out, run.contacts[row.contact].name);
    put(out, std::string(name(row.mode())));
    put(out, row.gap);
    if (row.active) {
      put(out, row.active->force);
      put(out, row.active->direction.t1);
      put(out, row.active->direction.t2);
      put_vector(row.active->contact.point);
      put_vector(row.active->contact.normal);
      put_vector(row.active->contact.tangent1);
      put_margin(row.active->slip_margin);
      put_margin(row.active->jam_margin);
    } else {
      out += ",0,0,0" + std::string(13, ',');
    }
    out += '\n';
  });
  return out;
}

std::string events_csv(const RunData& run) {
  std::string contact_head = ",contact";
  put_head<EventContact>(contact_head);
  contact_head += ",phases\n";
  std::string out = "event";
  put_head<Event>(out);
  out += contact_head;
  const auto cells = std::count(contact_head.begin(), contact_head.end(), ',');
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    const Event& event = run.events[k];
    std::string common = fmt::format("{}", k);
    put_fields(common, event, event.rule);
    for (const EventContact& contact : event.contacts) {
      out += common;
      put(out, contact.name);
      put_fields(out, contact, event.rule);
      put(out, phase_words(contact.phases));
      out += '\n';
    }
    if (event.contacts.empty()) out += common + std::string(static_cast<std::size_t>(cells), ',') + '\n';
  }
  return out;
}

}  // namespace routh
