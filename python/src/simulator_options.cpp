#include "simulation_parts.h"

#include <fmt/format.h>

namespace routh::python {

namespace {

void read_value(py::handle given, const char* keyword, std::optional<double>& value) {
  value = read_double(given, keyword);
}
template <WholeNumber T>
void read_value(py::handle given, const char* keyword, std::optional<T>& value) {
  value = whole_number(given);
  if (!value) throw py::type_error(fmt::format("{}: expected a whole number", keyword));
}
void read_value(py::handle given, const char*, std::optional<Law>& value) { value = read_law(given); }
template <NamedEnum E>
void read_value(py::handle given, const char* keyword, std::optional<E>& value) {
  if (!PyUnicode_Check(given.ptr())) throw py::type_error(fmt::format("{}: expected a name", keyword));
  const std::string word = word_of(given);
  value = value_named<E>(word);
  if (!value)
    refuse(fmt::format("{}: '{}' is unknown", keyword, printable(word)),
           fmt::format("use {}", fmt::join(all_names<E>, ", ")));
}

py::object usual_value(NamedEnum auto value) { return py::str(name(value)); }
py::object usual_value(const std::optional<Law>&) { return py::none(); }
template <class T>
py::object usual_value(T value) {
  return py::cast(value);
}

template <class T>
void check_range(const SettingRange& range, const char* keyword, T value) {
  if constexpr (!NamedEnum<T>)
    if (const std::string complaint = range_complaint(range, static_cast<double>(value)); !complaint.empty())
      refuse(fmt::format("{}: {}{}", keyword, value, complaint), "leave it out for what is usual");
}

}  // namespace

SimulationSettings read_settings(const py::kwargs& keywords) {
  SimulationSettings settings;
  std::size_t known = 0;
  for_each_setting([&](const auto& setting) {
    if (*setting.keyword == '\0' || !keywords.contains(setting.keyword)) return;
    ++known;
    const py::object given = keywords[setting.keyword];
    if (given.is_none()) return;
    read_value(given, setting.keyword, settings.*setting.member);
    check_range(setting.range, setting.keyword, *(settings.*setting.member));
  });
  if (known == keywords.size()) return settings;
  const py::dict all = setting_keywords();
  for (const auto& [keyword, value] : keywords)
    if (!all.contains(keyword)) throw py::type_error(fmt::format("unexpected keyword argument '{}'", word_of(keyword)));
  return settings;
}

py::dict setting_keywords() {
  py::dict all;
  for_each_setting([&](const auto& setting) {
    if (*setting.keyword == '\0') return;
    py::object usual = py::none();
    if (setting.option) usual = usual_value(SimulationOptions{}.*setting.option);
    all[setting.keyword] = py::make_tuple(usual, setting.help);
  });
  return all;
}

py::tuple usual_run(const Machine& machine, const py::object& state, const std::optional<double>& until,
                    const std::optional<double>& sample_interval) {
  const SimulationSettings& scene = machine.scene.simulation;
  const double start = read_state(machine, state).time;
  const double end = until.value_or(scene.until.value_or(start + usual_duration));
  if (!std::isfinite(end) || !(end > start))
    refuse(fmt::format("until: {} must exceed the time of the state, {} s", end, start));
  const double interval = sample_interval.value_or(scene.sample_interval.value_or(usual_interval(end - start)));
  if (!(interval > 0) || !((end - start) / interval <= most_samples))
    refuse(fmt::format("sample_interval: {} s would be none, or more than 1e8 samples", interval));
  return py::make_tuple(end, interval);
}

}  // namespace routh::python
