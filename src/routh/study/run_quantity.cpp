#include "routh/study/run_quantity.h"

#include <fmt/format.h>

#include "routh/record/run_fields.h"
#include "routh/study/scene_parameter.h"

namespace routh::internal {

namespace {

using Kind = RunQuantity::Kind;
using When = RunQuantity::When;

// After the accounts their sums.
struct EnergySum {
  const char* name;
  double (EnergyAccount::*value)() const;
};
constexpr EnergySum energy_sums[] = {{"total", &EnergyAccount::total}, {"balance", &EnergyAccount::balance}};

std::vector<std::string> energy_names() {
  std::vector<std::string> names;
  for (const AccountField& field : account_fields) names.emplace_back(field.name);
  for (const EnergySum& sum : energy_sums) names.emplace_back(sum.name);
  return names;
}

int energy_index(const StudyPath& path, const PathPart& part) {
  const std::vector<std::string> names = energy_names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (part.is(names[k])) return static_cast<int>(k);
  refuse(path, "there is no such energy", known_names(part.word, names));
}

// `events.impact`, `events.impact.first`
RunQuantity event_quantity(const StudyPath& path) {
  if (path.is({"events", "count"})) return {Kind::all_events, When::end, 0};
  if (path.is({"events", "impulse"})) return {Kind::impulse, When::greatest, 0};
  std::vector<std::string> known = {"count", "impulse"};
  for (int k = 0; k < event_kind_count; ++k) {
    const char* word = name(static_cast<EventKind>(k));
    known.emplace_back(word);
    if (path.size() < 2 || !path[1].is(word)) continue;
    if (path.size() == 2) return {Kind::event_count, When::end, k};
    if (path.size() == 3 && path[2].is("first")) return {Kind::event_first, When::end, k};
    if (path.size() == 3 && path[2].is("last")) return {Kind::event_last, When::end, k};
    refuse(path, "of events `first` and `last` are known", "these are times");
  }
  refuse(path, "there is no such event", known_names(path.size() > 1 ? path[1].word : "", known));
}

}  // namespace

double energy_entry(const EnergyAccount& account, int index) {
  const auto k = static_cast<std::size_t>(index);
  if (k < account_fields.size()) return account.*account_fields[k].account;
  return (account.*energy_sums[k - account_fields.size()].value)();
}

RunQuantity find_run_quantity(const StudyPath& path, const Model& model) {
  if (path.is({"time"})) return {Kind::time, When::end, 0};
  if (path[0].is("events")) return event_quantity(path);
  if (path.size() == 2 && path[0].is("energy")) return {Kind::energy, When::end, energy_index(path, path[1])};
  constexpr std::pair<std::string_view, When> moments[] = {
      {"final", When::end}, {"min", When::least}, {"max", When::greatest}};
  for (const auto& [word, when] : moments) {
    if (path.size() < 3 || !path[0].is(word)) continue;
    if (path[1].is("energy") && path.size() == 3) return {Kind::energy, when, energy_index(path, path[2])};
    if (path[1].is("velocity")) return {Kind::velocity, when, find_dof(path, 2, model)};
    if (!path[1].is("position")) continue;
    const int coordinate = model.dofs[static_cast<std::size_t>(find_dof(path, 2, model))].coordinate;
    if (coordinate < 0)
      refuse(path, "this degree of freedom turns a quaternion and has no coordinate of its own",
             "measure its velocity");
    return {Kind::position, when, coordinate};
  }
  std::vector<std::string> known = {"time", "events.count", "events.impact", "events.impact.first", "events.impulse"};
  for (const std::string& energy : energy_names()) known.push_back(fmt::format("energy.{}", energy));
  for (int k = 0; k < model.velocities; ++k)
    for (const char* word : {"final.position", "final.velocity", "max.position", "max.velocity"})
      known.push_back(fmt::format("{}.{}", word, dof_name(model, k)));
  refuse(path, "there is no such quantity of a run", known_names(path.text, known));
}

}  // namespace routh::internal
