#include <fmt/format.h>

#include <iterator>
#include <limits>

#include "map_report.h"
#include "routh/problem/json_stream.h"
#include "routh/problem/json_text.h"

namespace routh {

namespace {

JsonText axis_json(const MapVariable& variable, const MapAxis& axis) {
  return JsonText::object({{"name", variable.name},
                           {"unit", variable.unit},
                           {"low", axis.low},
                           {"high", axis.high},
                           {"points", axis.points}});
}

JsonText kinds_json(const MapReport& report) {
  const double points = static_cast<double>(report.map.kinds.size());
  return json_list(report.kinds, [&](const MapKindReport& kind) {
    return JsonText::object(
        {{"kind", kind.kind}, {"name", kind.name}, {"share", static_cast<double>(kind.count) / points}});
  });
}

JsonText curves_json(const VerdictMap& map) {
  return json_list(map.curves, [&](const MapCurve& curve) {
    return JsonText::object({{"kinds", JsonText::list({curve.kind_a, curve.kind_b})}, {"x", curve.x}, {"y", curve.y}});
  });
}

// A value at every point of the grid, by rows; onto a text, since a map has millions of points.
template <class Write>
void write_rows(JsonStream& json, const char* key, const VerdictMap& map, Write write) {
  json.begin_list(key);
  for (int row = 0; row < map.y.points; ++row) {
    json.begin_list();
    for (int column = 0; column < map.x.points; ++column) write(map.index(column, row));
    json.end_list();
  }
  json.end_list();
}

std::string points_members(const VerdictMap& map) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();  // null
  std::string out;
  JsonStream json(out);
  write_rows(json, "kinds", map, [&](std::size_t k) { json.integer(map.kinds[k]); });
  write_rows(json, "numbers", map, [&](std::size_t k) { json.number(map.kinds[k] < 0 ? none : map.numbers[k]); });
  return out;
}

}  // namespace

std::string map_json(const MapReport& report, const std::vector<std::string>& files) {
  const VerdictMap& map = report.map;
  JsonText head = JsonText::object({{"schema", 1}});
  if (!report.name.empty()) head.add("name", report.name);
  if (!report.contact.empty()) head.add("contact", report.contact);
  head.add("x", axis_json(report.x, map.x));
  head.add("y", axis_json(report.y, map.y));
  head.add("quantity", name(report.quantity));
  head.add("unit", unit(report.quantity));
  if (!is_verdict(report.quantity)) head.add("levels", report.bands.levels);
  JsonText set = JsonText::object();
  for (const FixedSetting& setting : report.fixed) set.add(setting.variable.name, setting.value);
  head.add("set", set);
  head.add("kinds", kinds_json(report));
  head.add("state", report.state ? JsonText::object({{"x", report.state->x}, {"y", report.state->y}}) : JsonText());
  if (!is_verdict(report.quantity))
    head.add("least",
             report.least
                 ? JsonText::object({{"number", report.least->number}, {"x", report.least->x}, {"y", report.least->y}})
                 : JsonText());
  head.add("refinement", report.refinement == MapRefinement::full ? "full" : "adaptive");
  head.add("evaluations", map.evaluations);
  head.add("files", files);
  head.add("curves", curves_json(map));
  head.add_members("\"points\":{" + points_members(map) + "}");
  return head.text() + "\n";
}

std::string map_csv(const MapReport& report) {
  const VerdictMap& map = report.map;
  std::string out = fmt::format("{},{},kind,number\n", report.x.name, report.y.name);
  auto end = std::back_inserter(out);
  for (int row = 0; row < map.y.points; ++row)
    for (int column = 0; column < map.x.points; ++column) {
      const std::size_t k = map.index(column, row);
      fmt::format_to(end, "{},{},{},", map.x.at(column) + 0.0, map.y.at(row) + 0.0, report.of(map.kinds[k]).name);
      if (map.kinds[k] >= 0) fmt::format_to(end, "{}", map.numbers[k] + 0.0);
      out += '\n';
    }
  return out;
}

}  // namespace routh
