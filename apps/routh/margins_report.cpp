#include "margins_report.h"

#include <fmt/format.h>

#include "routh/problem/json_text.h"
#include "table.h"

namespace routh {

namespace {

JsonText least_json(const ContactMargins::Least& least) {
  return JsonText::object({{"value", json_number(least.value)}, {"time", json_number(least.time)}});
}

std::string at(const ContactMargins::Least& least) {
  return fmt::format("{:.4g} at {:.6g}", least.value + 0.0, least.time);
}

}  // namespace

std::string render_margins(const Terminal& terminal, const std::vector<ContactMargins>& contacts) {
  if (contacts.empty()) return "margins: no sample has a closed contact\n";
  TextTable table({{22, Align::left}, {18}, {18}, {18}});
  table.add_heading({"least margins at t [s]", "slip", "loss: λ_n [N]", "jam: A/a"});
  for (const ContactMargins& contact : contacts) {
    const auto slip = contact.slip();
    table.add_row({{printable(contact.name)},
                   {slip ? at(*slip) : "-", slip && slip->value <= 0 ? Tone::caution : Tone::plain},
                   {at(contact.normal_force())},
                   {at(contact.jam()), contact.jam().value <= 0 ? Tone::caution : Tone::plain}});
  }
  return table.render(terminal);
}

std::string margins_json(const std::vector<ContactMargins>& contacts) {
  return json_list(contacts,
                   [](const ContactMargins& contact) {
                     JsonText time = JsonText::list(), slip = JsonText::list(), normal = JsonText::list(),
                              jam = JsonText::list();
                     for (const ContactMargin& sample : contact.samples) {
                       time.push_back(json_number(sample.time));
                       slip.push_back(sample.slip ? json_number(*sample.slip) : JsonText());
                       normal.push_back(json_number(sample.normal_force));
                       jam.push_back(json_number(sample.jam));
                     }
                     const auto least_slip = contact.slip();
                     const JsonText least =
                         JsonText::object({{"slip", least_slip ? least_json(*least_slip) : JsonText()},
                                           {"normal_force", least_json(contact.normal_force())},
                                           {"jam", least_json(contact.jam())}});
                     return JsonText::object({{"contact", contact.name},
                                              {"least", least},
                                              {"time", time},
                                              {"slip", slip},
                                              {"normal_force", normal},
                                              {"jam", jam}});
                   })
      .text();
}

}  // namespace routh
