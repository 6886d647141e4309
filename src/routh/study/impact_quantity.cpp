#include "routh/study/impact_quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace routh::internal {

namespace {

using Kind = ImpactQuantity::Kind;

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

struct Named {
  std::string_view first, second;  // words of the path; the second may be empty
  Kind kind;
};
constexpr std::array<Named, 19> named = {{
    {"status", "", Kind::status},
    {"mode", "", Kind::mode},
    {"restitution", "", Kind::restitution},
    {"energy", "normal_work", Kind::normal_work},
    {"energy", "tangential_work", Kind::tangential_work},
    {"energy", "supplied", Kind::supplied},
    {"energy", "change", Kind::change},
    {"energy", "consistent", Kind::consistent},
    {"phases", "", Kind::phases},
    {"jams", "", Kind::jams},
    {"critical_friction", "stick", Kind::stick_friction},
    {"critical_friction", "impact", Kind::impact_friction},
    {"critical_friction", "slip_unavoidable", Kind::slip_unavoidable},
    {"jamming_friction", "", Kind::jamming_friction},
    {"restitution_bound", "", Kind::restitution_bound},
    {"restitution_bound_any", "", Kind::restitution_bound_any},
    {"condition", "", Kind::condition},
    {"verdict", "", Kind::verdict},
    {"before", "energy", Kind::energy_before},
}};

std::vector<std::string> all_quantities(const ImpactShape& shape) {
  std::vector<std::string> all;
  for (const Named& each : named)
    if (!each.first.empty())
      all.push_back(each.second.empty() ? std::string(each.first) : fmt::format("{}.{}", each.first, each.second));
  for (const char* vector : {"contact_velocity", "relative_velocity", "impulse", "before.contact_velocity"})
    for (int k = 0; k < shape.directions; ++k)
      all.push_back(fmt::format("{}.{}", vector, k == 0 ? "n" : k == 1 ? "t1" : "t2"));
  for (int k = 0; k < std::min(shape.coordinates, 20); ++k) all.push_back(fmt::format("velocity[{}]", k));
  for (int bit = 0; bit < warning_count; ++bit)
    all.push_back(fmt::format("warnings.{}", name(static_cast<Warning>(1u << bit))));
  for (const Law law : all_laws) all.push_back(fmt::format("{}.energy.change", name(law)));
  return all;
}

int direction_of(const StudyPath& path, const PathPart& part, int directions) {
  int k = part.entry;
  if (part.is("n")) k = 0;
  if (part.is("t1")) k = 1;
  if (part.is("t2")) k = 2;
  if (k < 0 || k >= directions)
    refuse(path, directions == 2 ? "in the plane a contact has the directions n and t1" : "directions are n, t1 and t2",
           {});
  return k;
}

std::optional<ImpactQuantity> find_vector(const StudyPath& path, const ImpactShape& shape, Law law) {
  const bool before = path[0].is("before");
  if (path.size() != (before ? 3u : 2u)) return std::nullopt;
  const PathPart &what = path[before ? 1 : 0], &entry = path[before ? 2 : 1];
  if (before && what.is("contact_velocity"))
    return ImpactQuantity{Kind::contact_velocity_before, law, direction_of(path, entry, shape.directions)};
  if (before) return std::nullopt;
  constexpr std::pair<std::string_view, Kind> vectors[] = {{"contact_velocity", Kind::contact_velocity},
                                                           {"relative_velocity", Kind::relative_velocity},
                                                           {"impulse", Kind::impulse}};
  for (const auto& [word, kind] : vectors)
    if (what.is(word)) return ImpactQuantity{kind, law, direction_of(path, entry, shape.directions)};
  if (what.is("velocity") || what.is("loop_impulse")) {
    if (shape.coordinates == 0)
      refuse(path, "a contact alone has no machine", "measure contact_velocity, or give the machine's matrices");
    if (entry.entry < 0 || entry.entry >= shape.coordinates)
      refuse(path, fmt::format("the machine has the coordinates 0 to {}", shape.coordinates - 1), {});
    return ImpactQuantity{what.is("velocity") ? Kind::velocity : Kind::loop_impulse, law, entry.entry};
  }
  if (what.is("warnings"))
    for (int bit = 0; bit < warning_count; ++bit)
      if (entry.is(name(static_cast<Warning>(1u << bit)))) return ImpactQuantity{Kind::warning, law, bit};
  return std::nullopt;
}

double entry(const ContactVector& v, int index) { return index == 0 ? v.n : index == 1 ? v.t1 : v.t2; }

double truth(bool value) { return value ? 1 : 0; }

double bound_value(Kind kind, const ImpactBounds& bounds) {
  switch (kind) {
    case Kind::stick_friction:
      return bounds.stick_friction;
    case Kind::impact_friction:
      return bounds.impact_friction;
    case Kind::slip_unavoidable:
      return truth(bounds.slip_unavoidable);
    case Kind::jamming_friction:
      return bounds.jamming_friction;
    case Kind::restitution_bound:
      return bounds.restitution_bound;
    case Kind::restitution_bound_any:
      return bounds.restitution_bound_any;
    case Kind::condition:
      return bounds.condition;
    default:
      return missing;
  }
}

// Of an answer that can be used.
double law_value(const ImpactQuantity& quantity, const LawAnswer& answer) {
  const ImpactResult& r = answer.result;
  switch (quantity.kind) {
    case Kind::restitution:
      return r.restitution;
    case Kind::contact_velocity:
      return entry(r.velocity, quantity.index);
    case Kind::relative_velocity:
      return entry(r.relative_velocity, quantity.index);
    case Kind::impulse:
      return entry(r.impulse, quantity.index);
    case Kind::velocity:
      return answer.velocity[quantity.index];
    case Kind::loop_impulse:
      return quantity.index < answer.loop_impulse.size() ? answer.loop_impulse[quantity.index] : 0;
    case Kind::normal_work:
      return r.energy.normal_work;
    case Kind::tangential_work:
      return r.energy.tangential_work;
    case Kind::supplied:
      return r.energy.supplied;
    case Kind::change:
      return r.energy.change;
    case Kind::consistent:
      return truth(r.energy.consistent);
    case Kind::warning:
      return truth(r.has(static_cast<Warning>(1u << quantity.index)));
    case Kind::phases:
      return r.phase_count;
    case Kind::jams:
      for (const Phase& phase : r)
        if (phase.kind == PhaseKind::jam) return 1;
      return 0;
    // Not of a law, or read before.
    case Kind::status:
    case Kind::mode:
    case Kind::stick_friction:
    case Kind::impact_friction:
    case Kind::slip_unavoidable:
    case Kind::jamming_friction:
    case Kind::restitution_bound:
    case Kind::restitution_bound_any:
    case Kind::condition:
    case Kind::verdict:
    case Kind::contact_velocity_before:
    case Kind::energy_before:
      return missing;
  }
  return missing;
}

}  // namespace

bool gave_out(ImpactStatus status) {
  return status == ImpactStatus::ill_conditioned || status == ImpactStatus::invalid ||
         status == ImpactStatus::overflow || status == ImpactStatus::not_converged;
}

double ImpactQuantity::value(const ImpactObservation& seen) const {
  if (of_bounds()) return bound_value(kind, *seen.bounds);
  switch (kind) {
    case Kind::verdict:
      return seen.verdict ? static_cast<double>(*seen.verdict) : missing;
    case Kind::contact_velocity_before:
      return entry(seen.problem->velocity, index);
    case Kind::energy_before:
      return seen.energy_before;
    default:
      break;
  }
  const LawAnswer& answer = *seen.laws[static_cast<std::size_t>(law)];
  if (kind == Kind::status) return static_cast<double>(answer.result.status);
  if (!usable(answer.result.status)) return missing;
  return kind == Kind::mode ? static_cast<double>(answer.result.mode) : law_value(*this, answer);
}

std::span<const std::string_view> ImpactQuantity::words() const {
  if (kind == Kind::status) return all_names<ImpactStatus>;
  if (kind == Kind::mode) return all_names<ImpactMode>;
  if (kind == Kind::verdict) return verdict_words();
  return {};
}

bool ImpactQuantity::is_condition() const {
  return kind == Kind::consistent || kind == Kind::warning || kind == Kind::jams || kind == Kind::slip_unavoidable;
}

ImpactQuantity find_impact_quantity(const StudyPath& path, const ImpactShape& shape) {
  StudyPath rest = path;
  Law law = shape.law;
  for (const Law each : all_laws)
    if (path.size() > 1 && path[0].is(name(each))) {
      law = each;
      rest = path.tail();
    }
  for (const Named& each : named) {
    if (!rest[0].is(each.first) || rest.size() != (each.second.empty() ? 1u : 2u)) continue;
    if (!each.second.empty() && !rest[1].is(each.second)) continue;
    const ImpactQuantity found{each.kind, law, 0};
    if (found.kind == Kind::energy_before && shape.coordinates == 0)
      refuse(path, "the energy of a contact alone is not known", "give the machine's matrices");
    return found;
  }
  if (const auto found = find_vector(rest, shape, law)) return *found;
  refuse(path, "there is no such quantity", known_names(path.text, all_quantities(shape)));
}

}  // namespace routh::internal
