#include "routh/scene/simulation_settings.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "routh/base/error_list.h"
#include "routh/math/elementary.h"
#include "routh/scene/scene_text_parts.h"
#include "routh/scene/tolerances.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

using Json = nlohmann::ordered_json;

// A member without a row of the table does not compile.
consteval std::size_t member_count() {
  [[maybe_unused]] const auto [until, tolerance, sample_interval, engine, step, residual, resolution, law, integrator,
                               max_step, max_events, max_steps, seed] = SimulationSettings{};
  return std::tuple_size_v<decltype(std::tie(until, tolerance, sample_interval, engine, step, residual, resolution, law,
                                             integrator, max_step, max_events, max_steps, seed))>;
}
static_assert(member_count() == std::tuple_size_v<std::remove_const_t<decltype(simulation_settings)>>);

void read_value(const Node& node, const SettingRange& range, std::optional<double>& value) {
  value = node.number();
  if (const std::string complaint = range_complaint(range, *value); !complaint.empty())
    node.fail(fmt::format("{} = {}{}", node.path(), *value, complaint));
}
template <WholeNumber T>
void read_value(const Node& node, const SettingRange& range, std::optional<T>& value) {
  value = static_cast<T>(node.integer(static_cast<long long>(range.low), static_cast<long long>(range.high)));
}
template <NamedEnum E>
void read_value(const Node& node, const SettingRange&, std::optional<E>& value) {
  value = node.choice<E>();
}

// The settings whose names stand in `name_in` of their rows.
template <class NameIn>
SimulationSettings read_section(const Node& section, NameIn&& name_in) {
  std::vector<std::string_view> keys;
  for_each_setting([&](const auto& setting) {
    if (*name_in(setting) != '\0') keys.emplace_back(name_in(setting));
  });
  ErrorList errors;
  errors.attempt([&] { section.allow_keys(keys); });
  SimulationSettings settings;
  for_each_setting([&](const auto& setting) {
    if (*name_in(setting) == '\0') return;
    if (const auto node = section.find(name_in(setting)))
      errors.attempt([&] { read_value(*node, setting.range, settings.*setting.member); });
  });
  errors.finish();
  return settings;
}

std::string yaml(double value) { return text::number(value); }
std::string yaml(WholeNumber auto value) { return std::to_string(value); }
std::string yaml(NamedEnum auto value) { return name(value); }

// JSON has no infinity: a bound that large is none.
Json json_of(double value) { return value < tolerances::written_bound_max ? Json(value) : Json(nullptr); }
Json json_of(WholeNumber auto value) { return value; }
Json json_of(NamedEnum auto value) { return name(value); }
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}

void take(const Json& json, std::optional<double>& value) {
  if (json.is_number()) value = json.get<double>();
}
template <WholeNumber T>
void take(const Json& json, std::optional<T>& value) {
  if (json.is_number_integer()) value = json.get<T>();
}
template <NamedEnum E>
void take(const Json& json, std::optional<E>& value) {
  if (json.is_string()) value = value_named<E>(json.get<std::string>());
}

}  // namespace

double usual_interval(double duration) {
  const double raw = duration / 1000;
  const double power = elementary::pow(10, std::floor(elementary::log10(raw)));
  const double digit = raw / power;
  return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

SimulationSettings overlay(const SimulationSettings& first, const SimulationSettings& second) {
  SimulationSettings both = second;
  for_each_setting([&](const auto& setting) {
    if (first.*setting.member) both.*setting.member = first.*setting.member;
  });
  return both;
}

std::string range_complaint(const SettingRange& range, double value) {
  if (range.holds(value)) return {};
  return range.positive() ? " must be positive" : fmt::format(" must lie in [{:g}, {:g}]", range.low, range.high);
}

SimulationSettings read_simulation(const Node& root, double start) {
  const auto section = root.find("simulation");
  if (!section) return {};
  SimulationSettings settings = read_section(*section, [](const auto& setting) { return setting.scene; });
  if (settings.until && !(*settings.until > start)) {
    const Node until = section->require("until");
    until.fail(fmt::format("{} = {} must exceed the time of the state, {}", until.path(), *settings.until, start));
  }
  return settings;
}

SimulationSettings read_run_settings(const Node& section) {
  return read_section(section, [](const auto& setting) { return setting.study; });
}

std::string simulation_section(const SimulationSettings& settings) {
  std::string lines;
  for_each_setting([&](const auto& setting) {
    if (*setting.scene != '\0' && settings.*setting.member)
      lines += fmt::format("  {}: {}\n", setting.scene, yaml(*(settings.*setting.member)));
  });
  return lines.empty() ? lines : "simulation:\n" + lines;
}

std::string options_json(const SimulationOptions& options, double until) {
  Json json = {{"until", until}};
  for_each_setting([&](const auto& setting) {
    if (setting.kept == KeptByRun::yes && setting.option) json[setting.scene] = json_of(options.*setting.option);
  });
  return json.dump();
}

std::optional<SimulationSettings> read_options_json(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  SimulationSettings settings;
  for_each_setting([&](const auto& setting) {
    const auto found = setting.kept == KeptByRun::yes ? json.find(setting.scene) : json.end();
    if (found != json.end()) take(*found, settings.*setting.member);
  });
  return settings;
}

}  // namespace routh::internal

routh::SimulationOptions routh::simulation_options(const SimulationSettings& settings, const TouchOptions& touch) {
  SimulationOptions options;
  options.touch = touch.tolerance;
  for_each_setting([&](const auto& setting) {
    if (setting.option && settings.*setting.member) options.*setting.option = *(settings.*setting.member);
  });
  return options;
}
