#include "routh/scene/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/base/number.h"
#include "routh/problem/problem_file.h"
#include "routh/scene/tolerances.h"

namespace routh::internal {

namespace {

constexpr std::size_t max_name = 64;
constexpr const char* name_rule = "use 1 to 64 letters, digits, _, - and ., the first no dot";

bool is_name(std::string_view name) {
  const auto allowed = [](char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '-' ||
           ch == '.';
  };
  return !name.empty() && name.size() <= max_name && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::string_view unit_of(Measure measure) {
  switch (measure) {
    case Measure::number:
      return "a number";
    case Measure::length:
      return "a length in m";
    case Measure::angle:
      return "an angle";
    case Measure::speed:
      return "a speed in m/s";
    case Measure::rate:
      return "a rate in rad/s";
  }
  return "";
}

// An angle that was written in degrees; the text ends with `deg`.
double read_degrees(const Node& node, Measure measure) {
  if (measure != Measure::angle)
    node.fail(fmt::format("{}: found {} where {} is expected", node.path(), node.describe(), unit_of(measure)),
              "degrees are for angles only");
  std::string_view text = node.raw();
  text.remove_suffix(3);
  const std::size_t end = text.find_last_not_of(' ') + 1;
  const ParsedNumber parsed = parse_number(text.substr(0, end));
  if (end == text.size() || parsed.fault != NumberFault::none)
    node.fail(fmt::format("{}: found {} where an angle is expected", node.path(), node.describe()),
              "write radians as a number, degrees as `20 deg`");
  return parsed.value * std::numbers::pi / 180;
}

}  // namespace

double read_measure(const Node& node, Measure measure) {
  if (node.is_scalar() && node.raw().ends_with("deg")) return read_degrees(node, measure);
  return node.number();
}

double read_positive(const Node& node) {
  const double value = node.number();
  if (!(value > 0)) node.fail(fmt::format("{} = {} must be positive", node.path(), value));
  return value;
}

double read_non_negative(const Node& node) {
  const double value = node.number();
  if (!(value >= 0)) node.fail(fmt::format("{} = {} must be zero or positive", node.path(), value));
  return value;
}

double read_positive_or(const Node& map, std::string_view key, double otherwise) {
  const auto node = map.find(key);
  return node ? read_positive(*node) : otherwise;
}

double read_non_negative_or(const Node& map, std::string_view key, double otherwise) {
  const auto node = map.find(key);
  return node ? read_non_negative(*node) : otherwise;
}

std::string read_key_name(const Node& node) {
  std::string key(node.key());
  if (!is_name(key))
    throw InputError(node.key_where(), fmt::format("'{}' cannot be a name", printable(key)), name_rule);
  return key;
}

std::string read_reference(const Node& node) {
  std::string name(node.text());
  if (!is_name(name)) node.fail(fmt::format("{}: {} cannot be a name", node.path(), node.describe()), name_rule);
  return name;
}

void expect_entries(const Node& node, std::size_t count, std::string_view meaning) {
  if (!node.is_sequence() || node.size() != count)
    node.fail(fmt::format("{}: found {} where {} is expected", node.path(), node.describe(), meaning));
}

void expect_at_most(const Node& node, std::size_t limit) {
  if (node.size() > limit)
    node.fail(fmt::format("{}: found {} entries; at most {} are allowed", node.path(), node.size(), limit),
              "make the scene smaller");
}

Vector3 read_vector(const Node& node, Dimension dimension) {
  const bool planar = dimension == Dimension::planar;
  if (!node.is_sequence() || node.size() != (planar ? 2u : 3u)) {
    const std::string found = fmt::format("{}: found {}; ", node.path(), node.describe());
    if (planar)
      node.fail(found + "in the plane a vector has 2 entries, [x, y]",
                node.size() == 3 ? "drop the third, or write `dimension: spatial`" : "");
    node.fail(found + "in space a vector has 3 entries, [x, y, z]",
              node.size() == 2 ? "add z, or write `dimension: planar`" : "");
  }
  double entries[3] = {0, 0, 0};
  std::size_t i = 0;
  for (const Node entry : node) entries[i++] = entry.number();
  return {entries[0], entries[1], entries[2]};
}

Vector3 read_direction(const Node& node, Dimension dimension) {
  Vector3 v = read_vector(node, dimension);
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (largest == 0) node.fail(fmt::format("{}: a direction must not be zero", node.path()));
  if (std::abs(dot(v, v) - 1) <= tolerances::unit_vector_rounding)
    return v;                                         // a unit vector already: it stays as written
  v = {v.x / largest, v.y / largest, v.z / largest};  // so that the squares neither overflow nor vanish
  const double length = norm(v);
  return {v.x / length, v.y / length, v.z / length};
}

Profile read_profile(const Node& node, Measure measure) {
  if (!node.is_map()) return Profile::constant(read_measure(node, measure));
  node.allow_keys({"table"});
  const Node table = node.require("table");
  table.expect_sequence();
  if (table.size() == 0 || table.size() > static_cast<std::size_t>(max_table_points))
    table.fail(fmt::format("{}: found {} points; 1 to {} are allowed", table.path(), table.size(), max_table_points));
  Profile profile;
  for (const Node point : table) {
    expect_entries(point, 2, "a pair [time, value]");
    const Node first = point.child(0);
    const double time = first.number();
    if (!profile.points.empty() && !(time > profile.points.back().time))
      first.fail(fmt::format("{} = {} must exceed the time before it", first.path(), time), "sort the table by time");
    profile.points.push_back({time, read_measure(point.child(1), measure)});
  }
  return profile;
}

NamePair read_name_pair(const Node& node) {
  expect_entries(node, 2, "a pair of names [first, second]");
  const Node first = node.child(0), second = node.child(1);
  return {read_reference(first), read_reference(second), first.where(), second.where()};
}

}  // namespace routh::internal
