#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "map_report.h"

namespace routh {

namespace {

using Json = nlohmann::ordered_json;

Json axis_json(const MapVariable& variable, const MapAxis& axis) {
  return {{"name", variable.name},
          {"unit", variable.unit},
          {"low", axis.low},
          {"high", axis.high},
          {"points", axis.points}};
}

Json kinds_json(const MapReport& report) {
  const double points = static_cast<double>(report.map.kinds.size());
  Json out = Json::array();
  for (const MapKindReport& kind : report.kinds)
    out.push_back({{"kind", kind.kind}, {"name", kind.name}, {"share", static_cast<double>(kind.count) / points}});
  return out;
}

Json curves_json(const VerdictMap& map) {
  Json out = Json::array();
  for (const MapCurve& curve : map.curves)
    out.push_back({{"kinds", {curve.kind_a, curve.kind_b}}, {"x", curve.x}, {"y", curve.y}});
  return out;
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
    const double number = map.numbers[k] + 0.0;
    if (map.kinds[k] < 0 || !std::isfinite(number))
      out += "null";
    else
      fmt::format_to(std::back_inserter(out), "{}", number);
  });
  return fmt::format("{{\"kinds\":{},\"numbers\":{}}}", kinds, numbers);
}

}  // namespace

std::string map_json(const MapReport& report, const std::vector<std::string>& files) {
  const VerdictMap& map = report.map;
  Json head = {{"schema", 1}};
  if (!report.name.empty()) head["name"] = report.name;
  if (!report.contact.empty()) head["contact"] = report.contact;
  head["x"] = axis_json(report.x, map.x);
  head["y"] = axis_json(report.y, map.y);
  head["quantity"] = name(report.quantity);
  head["unit"] = unit(report.quantity);
  if (!is_verdict(report.quantity)) head["levels"] = report.bands.levels;
  head["set"] = Json::object();
  for (const FixedSetting& setting : report.fixed) head["set"][setting.variable.name] = setting.value;
  head["kinds"] = kinds_json(report);
  head["state"] = report.state ? Json{{"x", report.state->x}, {"y", report.state->y}} : Json(nullptr);
  head["refinement"] = report.refinement == MapRefinement::full ? "full" : "adaptive";
  head["evaluations"] = map.evaluations;
  head["files"] = files;
  head["curves"] = curves_json(map);
  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  return text + ",\"points\":" + points_json(map) + "}\n";
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
