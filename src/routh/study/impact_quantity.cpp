#include "routh/study/impact_quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace routh::internal {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// The verdicts as names of columns: `false_cohesion`.
std::span<const std::string_view> verdict_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> list(all_names<ContactVerdict>.begin(), all_names<ContactVerdict>.end());
    for (std::string& word : list) std::replace(word.begin(), word.end(), ' ', '_');
    return list;
  }();
  static const std::vector<std::string_view> views(words.begin(), words.end());
  return views;
}

double entry(const ContactVector& v, int index) { return index == 0 ? v.n : index == 1 ? v.t1 : v.t2; }
double truth(bool value) { return value ? 1 : 0; }

double jams(const LawAnswer& answer, int) {
  return truth(std::any_of(answer.result.begin(), answer.result.end(),
                           [](const Phase& phase) { return phase.kind == PhaseKind::jam; }));
}

using Answer = const LawAnswer&;
using Seen = const ImpactObservation&;
using Needs = ImpactMeasure::Needs;
using Says = ImpactMeasure::Says;
using Entry = ImpactMeasure::Entry;
// clang-format off
constexpr ImpactMeasure measures[] = {
    {"status", "", Needs::law, Says::status, [](Answer a, int) { return static_cast<double>(a.result.status); }, nullptr},
    {"mode", "", Needs::law, Says::mode, [](Answer a, int) { return static_cast<double>(a.result.mode); }, nullptr, Entry::none, true},
    {"restitution", "", Needs::law, Says::number, [](Answer a, int) { return a.result.restitution; }, nullptr},
    {"energy", "normal_work", Needs::law, Says::number, [](Answer a, int) { return a.result.energy.normal_work; }, nullptr},
    {"energy", "tangential_work", Needs::law, Says::number, [](Answer a, int) { return a.result.energy.tangential_work; }, nullptr},
    {"energy", "supplied", Needs::law, Says::number, [](Answer a, int) { return a.result.energy.supplied; }, nullptr},
    {"energy", "change", Needs::law, Says::number, [](Answer a, int) { return a.result.energy.change; }, nullptr},
    {"energy", "consistent", Needs::law, Says::condition, [](Answer a, int) { return truth(a.result.energy.consistent); }, nullptr},
    {"phases", "", Needs::law, Says::number, [](Answer a, int) { return static_cast<double>(a.result.phase_count); }, nullptr, Entry::none, true},
    {"jams", "", Needs::law, Says::condition, &jams, nullptr, Entry::none, true},
    {"critical_friction", "stick", Needs::bounds, Says::number, nullptr, [](Seen s, int) { return s.bounds->stick_friction; }},
    {"critical_friction", "impact", Needs::bounds, Says::number, nullptr, [](Seen s, int) { return s.bounds->impact_friction; }},
    {"critical_friction", "slip_unavoidable", Needs::bounds, Says::condition, nullptr, [](Seen s, int) { return truth(s.bounds->slip_unavoidable); }},
    {"jamming_friction", "", Needs::bounds, Says::number, nullptr, [](Seen s, int) { return s.bounds->jamming_friction; }},
    {"restitution_bound", "", Needs::bounds, Says::number, nullptr, [](Seen s, int) { return s.bounds->restitution_bound; }},
    {"restitution_bound_any", "", Needs::bounds, Says::number, nullptr, [](Seen s, int) { return s.bounds->restitution_bound_any; }},
    {"condition", "", Needs::bounds, Says::number, nullptr, [](Seen s, int) { return s.bounds->condition; }},
    {"verdict", "", Needs::verdict, Says::verdict, nullptr, [](Seen s, int) { return s.verdict ? static_cast<double>(*s.verdict) : missing; }},
    {"before", "energy", Needs::energy, Says::number, nullptr, [](Seen s, int) { return s.energy_before; }},
    {"contact_velocity", "", Needs::law, Says::number, [](Answer a, int k) { return entry(a.result.velocity, k); }, nullptr, Entry::direction},
    {"relative_velocity", "", Needs::law, Says::number, [](Answer a, int k) { return entry(a.result.relative_velocity, k); }, nullptr, Entry::direction},
    {"impulse", "", Needs::law, Says::number, [](Answer a, int k) { return entry(a.result.impulse, k); }, nullptr, Entry::direction},
    {"before", "contact_velocity", Needs::problem, Says::number, nullptr, [](Seen s, int k) { return entry(s.problem->velocity, k); }, Entry::direction},
    {"velocity", "", Needs::law, Says::number, [](Answer a, int k) { return a.velocity[k]; }, nullptr, Entry::coordinate},
    {"loop_impulse", "", Needs::law, Says::number, [](Answer a, int k) { return k < a.loop_impulse.size() ? a.loop_impulse[k] : 0; }, nullptr, Entry::coordinate},
    {"warnings", "", Needs::law, Says::condition, [](Answer a, int k) { return truth(a.result.has(static_cast<Warning>(1u << k))); }, nullptr, Entry::warning},
};
// clang-format on

std::vector<std::string> all_quantities(const ImpactShape& shape) {
  std::vector<std::string> all;
  for (const ImpactMeasure& each : measures) {
    const std::string path = fmt::format("{}{}{}", each.first, each.second.empty() ? "" : ".", each.second);
    switch (each.entry) {
      case Entry::none:
        all.push_back(path);
        break;
      case Entry::direction:
        for (int k = 0; k < shape.directions; ++k) all.push_back(path + (k == 0 ? ".n" : k == 1 ? ".t1" : ".t2"));
        break;
      case Entry::coordinate:
        for (int k = 0; k < std::min(shape.coordinates, 20) && path == "velocity"; ++k)
          all.push_back(fmt::format("{}[{}]", path, k));
        break;
      case Entry::warning:
        for (int bit = 0; bit < warning_count; ++bit)
          all.push_back(fmt::format("{}.{}", path, name(static_cast<Warning>(1u << bit))));
        break;
    }
  }
  for (const Law law : all_laws) all.push_back(fmt::format("{}.energy.change", name(law)));
  return all;
}

// The index that the last part of the path names; −1: none that there is.
int entry_of(const StudyPath& path, const PathPart& part, Entry entry, const ImpactShape& shape) {
  switch (entry) {
    case Entry::none:
      return 0;
    case Entry::direction: {
      const int k = part.direction();
      if (k >= 0 && k < shape.directions) return k;
      refuse(path, shape.directions == 2 ? "in the plane a contact has the directions n and t1"
                                         : "directions are n, t1 and t2");
    }
    case Entry::coordinate:
      if (shape.coordinates == 0)
        refuse(path, "a contact alone has no machine", "measure contact_velocity, or give the machine's matrices");
      if (part.entry < 0 || part.entry >= shape.coordinates)
        refuse(path, fmt::format("the machine has the coordinates 0 to {}", shape.coordinates - 1));
      return part.entry;
    case Entry::warning:
      for (int bit = 0; bit < warning_count; ++bit)
        if (part.is(name(static_cast<Warning>(1u << bit)))) return bit;
  }
  return -1;
}

}  // namespace

bool gave_out(ImpactStatus status) {
  return status == ImpactStatus::ill_conditioned || status == ImpactStatus::invalid ||
         status == ImpactStatus::overflow || status == ImpactStatus::not_converged;
}

double ImpactQuantity::value(const ImpactObservation& seen) const {
  if (measure->of_impact) return measure->of_impact(seen, index);
  const LawAnswer& answer = *seen.laws[static_cast<std::size_t>(law)];
  if (measure->says != Says::status && !usable(answer.result.status)) return missing;
  return measure->of_answer(answer, index);
}

std::span<const std::string_view> ImpactQuantity::words() const {
  switch (measure->says) {
    case Says::status:
      return all_names<ImpactStatus>;
    case Says::mode:
      return all_names<ImpactMode>;
    case Says::verdict:
      return verdict_words();
    case Says::number:
    case Says::condition:
      break;
  }
  return {};
}

ImpactQuantity find_impact_quantity(const StudyPath& path, const ImpactShape& shape) {
  StudyPath rest = path;
  Law law = shape.law;
  for (const Law each : all_laws)
    if (path.size() > 1 && path[0].is(name(each))) {
      law = each;
      rest = path.tail();
    }
  for (const ImpactMeasure& each : measures) {
    const std::size_t words = each.second.empty() ? 1 : 2;
    if (rest.size() != words + (each.entry == Entry::none ? 0 : 1)) continue;
    if (!rest[0].is(each.first) || (words == 2 && !rest[1].is(each.second))) continue;
    const int index = entry_of(rest, rest[rest.size() - 1], each.entry, shape);
    if (each.needs == Needs::energy && shape.coordinates == 0)
      refuse(path, "the energy of a contact alone is not known", "give the machine's matrices");
    if (index >= 0) return {&each, law, index};
  }
  refuse(path, "there is no such quantity", known_names(path.text, all_quantities(shape)));
}

}  // namespace routh::internal
