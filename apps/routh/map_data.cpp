#include <fmt/format.h>

#include <iterator>

#include "map_report.h"
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

// Rows of the grid; written by hand, since a map has millions of points.
template <class Write>
std::string rows_json(const VerdictMap& map, Write write) {
  std::string out = "[";
  for (int row = 0; row < map.y.points; ++row) {
    out += row == 0 ? "[" : ",[";
    for (int column = 0; column < map.x.points; ++column) {
      if (column > 0) out += ',';
      write(map.index(column, row), out);
    }
    out += ']';
  }
  return out + "]";
}

std::string points_json(const VerdictMap& map) {
  const std::string kinds = rows_json(
      map, [&](std::size_t k, std::string& out) { fmt::format_to(std::back_inserter(out), "{}", map.kinds[k]); });
  const std::string numbers = rows_json(map, [&](std::size_t k, std::string& out) {
    if (map.kinds[k] < 0)
      out += "null";
    else
      append_number(out, map.numbers[k]);
  });
  return fmt::format("{{\"kinds\":{},\"numbers\":{}}}", kinds, numbers);
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
  head.add("refinement", report.refinement == MapRefinement::full ? "full" : "adaptive");
  head.add("evaluations", map.evaluations);
  head.add("files", files);
  head.add("curves", curves_json(map));
  head.add_members("\"points\":" + points_json(map));
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
