#include "routh/scene/hold_writer.h"

#include "routh/problem/json_text.h"

namespace routh::internal {

namespace {

JsonText rows_of(const Eigen::MatrixXd& matrix) {
  JsonText rows = JsonText::list();
  for (Eigen::Index k = 0; k < matrix.rows(); ++k) rows.push_back(json_numbers(Eigen::VectorXd(matrix.row(k))));
  return rows;
}

JsonText efforts(const SceneHold& hold) {
  JsonText list = JsonText::list();
  for (std::size_t k = 0; k < hold.efforts.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    list.push_back(JsonText::object({{"name", hold.efforts[k]},
                                     {"unit", hold.units[k]},
                                     {"lower", json_number(hold.problem.lower[i])},
                                     {"upper", json_number(hold.problem.upper[i])},
                                     {"price", json_number(hold.problem.price[i])}}));
  }
  return list;
}

JsonText contact(const SceneHold& hold, std::size_t c) {
  const EffortReport& report = hold.report;
  const Eigen::Index rows = hold.problem.contacts.rows(), row = static_cast<Eigen::Index>(c) * rows;
  JsonText json = JsonText::object(
      {{"contact", hold.names[c]},
       {"mode", report.modes.empty() ? JsonText() : JsonText(name(report.modes[c]))},
       {"force", report.modes.empty() ? JsonText() : json_numbers(Eigen::VectorXd(report.force.segment(row, rows)))}});
  if (report.slips[c]) {
    json.add("A", json_number(report.slips[c]->A));
    json.add("B", json_number(report.slips[c]->B));
    json.add("slip_mode", name(report.slips[c]->mode));
  }
  json.add("acceleration_rates", rows_of(report.acceleration_rates.middleRows(row, rows)));
  json.add("force_rates", report.force_rates ? rows_of(report.force_rates->force.middleRows(row, rows)) : JsonText());
  const double demand = report.friction_demand[static_cast<Eigen::Index>(c)];
  json.add("friction_demand", demand >= 0 ? json_number(demand) : JsonText());
  json.add("friction_rates",
           demand >= 0 ? json_numbers(Eigen::VectorXd(report.friction_rates.row(static_cast<Eigen::Index>(c))))
                       : JsonText());
  return json;
}

JsonText cure(const EffortCure& cure) {
  JsonText json = JsonText::object({{"outcome", name(cure.outcome)}});
  const bool exists = cure.answer.exists;
  json.add("change", exists ? json_numbers(cure.answer.effort) : JsonText());
  json.add("cost", exists ? json_number(cure.answer.cost) : JsonText());
  json.add("force", exists ? json_numbers(cure.answer.force) : JsonText());
  json.add("after", exists ? JsonText(name(cure.after)) : JsonText());
  json.add("aims", json_list(cure.aims, [](ContactAim aim) { return name(aim); }));
  json.add("alone", json_list(cure.alone, [](const EffortRange& range) {
             return JsonText::object({{"exists", range.exists},
                                      {"low", range.exists ? json_number(range.low) : JsonText()},
                                      {"high", range.exists ? json_number(range.high) : JsonText()}});
           }));
  return json;
}

}  // namespace

std::string hold_json(const Scene& scene, const SceneHold& hold) {
  JsonText json = JsonText::object(
      {{"schema", hold_schema},
       {"scene", scene.model.name},
       {"time", json_number(hold.state.time)},
       {"state", JsonText::object({{"q", json_numbers(hold.state.q)}, {"v", json_numbers(hold.state.v)}})},
       {"striking", hold.striking},
       {"efforts", efforts(hold)}});
  JsonText contacts = JsonText::list();
  for (std::size_t c = 0; c < hold.contacts.size(); ++c) contacts.push_back(contact(hold, c));
  json.add("contacts", contacts);
  if (!hold.contacts.empty()) {
    const EffortReport& report = hold.report;
    json.add("normal_force", json_number(hold.problem.normal_force));
    json.add("reserve", json_number(hold.problem.reserve));
    json.add("verdict", name(report.verdict));
    json.add("slipping", report.slipping);
    json.add("forces_unique", report.force_rates ? JsonText(report.force_rates->unique) : JsonText());
    json.add("hold", cure(report.hold));
    json.add("let_go", cure(report.let_go));
    json.add("no_jam", report.no_jam ? cure(*report.no_jam) : JsonText());
  }
  json.add("words", json_list(hold_words(hold), [](const std::string& words) { return words; }));
  return json.text();
}

}  // namespace routh::internal
