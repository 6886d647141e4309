#include "map_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "assignments.h"
#include "options.h"
#include "output.h"
#include "routh/base/error.h"
#include "routh/map/tolerances.h"
#include "tolerances.h"

namespace routh {

namespace {

const MapVariable& find_variable(const std::string& option, std::string_view name,
                                 const std::vector<MapVariable>& variables) {
  std::vector<std::string> names;
  for (const MapVariable& each : variables) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  const std::string typed(name);
  throw UsageError(fmt::format("error: {}: unknown variable '{}'{}\nVariables of this file: {}", option,
                               printable(typed), did_you_mean(typed, names), fmt::join(names, ", ")));
}

bool is_angle(const MapVariable& variable) { return variable.kind == VariableKind::position && variable.unit == "rad"; }

double read_value(const std::string& option, std::string_view text, const MapVariable& variable) {
  return read_quantity(option, text, {variable.name, is_angle(variable)});
}

// N or NxM within limits.
GridSize read_size(const char* option, const std::string& text, int least, int most) {
  const auto side = [&](std::string_view digits) {
    int count = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (fault != std::errc() || end != digits.data() + digits.size() || count < least || count > most)
      throw UsageError(fmt::format("error: {}: found '{}', use N or NxM, each a whole number from {} to {}", option,
                                   printable(text), least, most));
    return count;
  };
  const std::size_t by = text.find('x');
  const std::string_view all = text;
  if (by == std::string::npos) return {side(all), side(all)};
  return {side(all.substr(0, by)), side(all.substr(by + 1))};
}

bool is_friction(VariableKind kind) {
  return kind == VariableKind::friction || kind == VariableKind::static_friction ||
         kind == VariableKind::kinetic_friction;
}

}  // namespace

AxisRequest read_axis(const std::string& option, const std::string& text, const std::vector<MapVariable>& variables) {
  const char* form = "NAME=LOW:HIGH";
  const Halves name = split(option, text, '=', form);
  AxisRequest axis;
  axis.variable = find_variable(option, name.first, variables);
  const Halves range = split(option, name.second, ':', form);
  axis.low = read_value(option, range.first, axis.variable);
  axis.high = read_value(option, range.second, axis.variable);
  if (range.first.ends_with("deg") || range.second.ends_with("deg")) axis.unit = AngleUnit::degree;
  if (!(axis.low < axis.high) || !std::isfinite(axis.high - axis.low))
    throw UsageError(fmt::format("error: {}: {} from {:g} to {:g} is not a range: LOW must be below HIGH", option,
                                 axis.variable.name, axis.low, axis.high));
  return axis;
}

bool is_variable(const std::string& setting, const std::vector<MapVariable>& variables) {
  const Halves parts = split("--set", setting, '=', "NAME=VALUE");
  const bool known = std::any_of(variables.begin(), variables.end(),
                                 [&](const MapVariable& variable) { return variable.name == parts.first; });
  // What has the form of no path is a variable mistyped.
  return known || parts.first.find_first_of(".[") == std::string_view::npos;
}

FixedSetting read_setting(const std::string& text, const std::vector<MapVariable>& variables) {
  const Halves parts = split("--set", text, '=', "NAME=VALUE");
  FixedSetting setting;
  setting.variable = find_variable("--set", parts.first, variables);
  setting.value = read_value("--set", parts.second, setting.variable);
  const VariableKind kind = setting.variable.kind;
  const bool ratio = kind == VariableKind::restitution || kind == VariableKind::row_restitution;
  if ((ratio || is_friction(kind)) && (setting.value < 0 || (ratio && setting.value > 1)))
    throw UsageError(fmt::format("error: --set: {} = {:g} must be {}", setting.variable.name, setting.value,
                                 ratio ? "between 0 and 1" : "zero or positive"));
  return setting;
}

GridSize read_grid(const std::string& text) {
  return read_size("--points", text, tolerances::map_points_min, tolerances::map_points_max);
}

GridSize read_picture_size(const std::string& text) {
  return read_size("--size", text, tolerances::picture_side_min, tolerances::picture_side_max);
}

std::vector<double> read_levels(const std::string& text) {
  std::vector<double> levels;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    levels.push_back(read_quantity("--levels", std::string_view(text).substr(begin, end - begin), {"levels", false}));
    if (levels.size() > 1 && !(levels[levels.size() - 2] < levels.back()))
      throw UsageError(fmt::format("error: --levels: '{}': levels must rise", printable(text)));
    begin = end + 1;
  }
  if (levels.size() > tolerances::map_levels_max)
    throw UsageError(fmt::format("error: --levels: at most {}", tolerances::map_levels_max));
  return levels;
}

std::vector<std::string> quantity_names() { return {all_names<MapQuantity>.begin(), all_names<MapQuantity>.end()}; }

MapQuantity read_quantity_name(const std::string& text) {
  if (const std::optional<MapQuantity> quantity = value_named<MapQuantity>(text)) return *quantity;
  const std::vector<std::string> names = quantity_names();
  throw UsageError(fmt::format("error: --show: unknown quantity '{}'{}\nUse one of {}", printable(text),
                               did_you_mean(text, names), fmt::join(names, ", ")));
}

void choose_contact(MapSubject& subject, const Model* model, const std::string& name) {
  if (!model) {
    if (!name.empty()) throw UsageError("error: --contact: a problem file has one contact, without a name");
    return;
  }
  if (subject.choose_contact(name)) return;
  if (name.empty()) {
    const std::optional<Contact>& nearest = subject.touches().nearest;
    throw NoAnswer(fmt::format(
        "error: nothing touches{}; name a contact with --contact",
        nearest ? fmt::format("; nearest: '{}', {:.6g} m apart", contact_name(*model, *nearest), nearest->gap) : ""));
  }
  std::vector<std::string> names = subject.contact_names();
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  throw UsageError(fmt::format("error: --contact: unknown contact '{}'{}\nContacts at the state of the file: {}",
                               printable(name), did_you_mean(name, names), fmt::join(names, ", ")));
}

void choose_adjusted(MapSubject& subject, const Model* model, const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (!model) throw UsageError("error: --adjust: only a scene has degrees of freedom");
  std::vector<std::string> known;
  for (int dof = 0; dof < model->velocities; ++dof) known.push_back(dof_name(*model, dof));
  std::vector<bool> adjust(known.size(), false);
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw UsageError(fmt::format("error: --adjust: unknown degree of freedom '{}'{}\nDegrees of freedom: {}",
                                   printable(name), did_you_mean(name, known), fmt::join(known, ", ")));
    adjust[static_cast<std::size_t>(found - known.begin())] = true;
  }
  subject.choose_adjusted(std::move(adjust));
}

void check_distinct(const AxisRequest& x, const AxisRequest& y, const std::vector<FixedSetting>& fixed) {
  const auto same = [](const MapVariable& a, const MapVariable& b) {
    // `friction` is both coefficients: beside one of them it would overwrite it.
    const bool both = a.kind == VariableKind::friction || b.kind == VariableKind::friction;
    return a.name == b.name || (both && is_friction(a.kind) && is_friction(b.kind));
  };
  if (same(x.variable, y.variable))
    throw UsageError(
        fmt::format("error: --x {} and --y {} must be different variables", x.variable.name, y.variable.name));
  for (const FixedSetting& setting : fixed)
    for (const AxisRequest* axis : {&x, &y})
      if (setting.variable.name == axis->variable.name)
        throw UsageError(fmt::format("error: --set {}: it is an axis already", setting.variable.name));
}

}  // namespace routh
