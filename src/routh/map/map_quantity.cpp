#include "routh/map/map_quantity.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/inertia.h"
#include "routh/impact/solve.h"

namespace routh::internal {

namespace {

struct Entry {
  std::string_view symbol, unit;
  MapNumber deciding = {};  // of a verdict
};

constexpr Entry entries[] = {
    {"verdict", "", {"A", "1/kg"}},
    {"mode", "", {"A", "1/kg"}},
    {"region", "", {"e*(v)", ""}},
    {"region", "", {"largest gain", ""}},
    {"impact", "", {"normal impulse", "N s"}},
    {"energy", "", {"work of the contact", "J"}},
    {"region", "", {"largest gain", ""}},
    {"A", "1/kg"},
    {"B", "m/s²"},
    {"λ_{n}", "N"},
    {"‖λ_{t}‖/λ_{n}", ""},
    {"μ_{c}", ""},
    {"μ_{cr}", ""},
    {"μ^{*}", ""},
    {"e^{*}", ""},
    {"(W_{n} + W_{t})/T", ""},
};
static_assert(std::size(entries) == count_of<MapQuantity>);

const Entry& entry(MapQuantity quantity) { return entries[static_cast<std::size_t>(quantity)]; }

constexpr std::string_view slip_kinds[] = {"M1 detaches", "M2 slides", "M3 indeterminate", "M4 inconsistent"};
static_assert(std::size(slip_kinds) == count_of<SlipMode>);
constexpr std::string_view every_kinds[] = {"no velocity gains", "some velocity gains", "none gains, slip can jam"};
constexpr std::string_view mode_kinds[] = {"no impact",
                                           "slides",
                                           "sticks",
                                           "sticks in compression",
                                           "sticks in restitution",
                                           "reverses in compression",
                                           "reverses in restitution",
                                           "mean slip zero"};
static_assert(std::size(mode_kinds) == count_of<ImpactMode>);
constexpr std::string_view set_kinds[] = {"no velocity gains", "some velocity gains"};
constexpr std::string_view energy_kinds[] = {"loses", "gains", "no answer"};

// The darker, the firmer it holds, or the worse it is.
constexpr std::string_view firm = "#2f6fa8", held = "#5fa3d6", weak = "#a3cbe6", loose = "#cadcea", apart = "#fbfbf8",
                           struck = "#ffea9e", doubtful = "#c96f1e", stuck_fast = "#8a2400", hopeless = "#3d1000",
                           open = "#b3b3b3";
constexpr std::string_view verdict_colours[] = {struck,     apart, loose, held,     doubtful,
                                                stuck_fast, firm,  weak,  hopeless, open};
static_assert(std::size(verdict_colours) == count_of<ContactVerdict>);
constexpr std::string_view slip_colours[] = {loose, held, doubtful, stuck_fast};
static_assert(std::size(slip_colours) == count_of<SlipMode>);
constexpr std::string_view region_colours[] = {firm, weak, doubtful, stuck_fast};
static_assert(std::size(region_colours) == count_of<AdmissibleRegion>);
constexpr std::string_view every_colours[] = {weak, doubtful, stuck_fast};
static_assert(std::size(every_colours) == std::size(every_kinds));
// Slip is pale, stick blue, slip that turns brown.
constexpr std::string_view mode_colours[] = {apart, loose, firm, "#4a8bc0", weak, "#7a5230", "#c99a5b", open};
static_assert(std::size(mode_colours) == count_of<ImpactMode>);
constexpr std::string_view set_colours[] = {weak, doubtful};
static_assert(std::size(set_colours) == std::size(set_kinds));
constexpr std::string_view energy_colours[] = {weak, doubtful, hopeless};
static_assert(std::size(energy_colours) == std::size(energy_kinds));

constexpr MapValue nowhere{-1, 0};
MapValue number(double value) { return std::isnan(value) ? nowhere : MapValue{0, value}; }

ContactVector relative(const ImpactProblem& contact) { return minus(contact.velocity, contact.surface_velocity); }

std::optional<SlipVerdict> slip_verdict(const AccelerationProblem& problem) {
  const SlipState slip = slip_of(relative(problem.contact));
  if (slip.speed == 0) return std::nullopt;
  const double kinetic = std::min(problem.contact.friction.kinetic_coefficient, widest_friction);
  return judge_slip(problem.contact.inertia, kinetic, slip.direction, problem.free_acceleration);
}

MapValue impact_value(MapQuantity quantity, const ImpactProblem& contact, Law law) {
  const ImpactResult result = solve_impact(contact, law);
  const double lost = result.energy.normal_work + result.energy.tangential_work;
  if (quantity == MapQuantity::impact_mode) {
    if (!usable(result.status)) return nowhere;
    return {static_cast<int>(result.mode), result.impulse.n};
  }
  if (quantity == MapQuantity::energy) {
    if (!usable(result.status)) return {2, 0};
    return {result.energy.consistent ? 0 : 1, lost};
  }
  const ContactVector v = relative(contact);
  const ContactVector momentum = impulse_for_change(contact.inertia, v).impulse;
  const double energy = 0.5 * (momentum.n * v.n + momentum.t1 * v.t1 + momentum.t2 * v.t2);
  if (!usable(result.status) || !(energy > 0)) return nowhere;
  return number(lost / energy);
}

MapValue slip_value(MapQuantity quantity, const AccelerationProblem& problem, FreeAcceleration known) {
  const std::optional<SlipVerdict> slip = slip_verdict(problem);
  if (!slip || (known == FreeAcceleration::unknown && quantity != MapQuantity::A)) return nowhere;
  if (quantity == MapQuantity::A) return number(slip->A);
  if (quantity == MapQuantity::normal_force) return number(slip->normal_force);
  return {static_cast<int>(slip->mode), slip->A};
}

MapValue demand_value(const AccelerationProblem& problem, FreeAcceleration known) {
  if (known == FreeAcceleration::unknown) return nowhere;
  return number(
      judge_rest(problem.contact.inertia, problem.contact.friction, problem.free_acceleration).friction_demand);
}

}  // namespace

std::string_view symbol(MapQuantity quantity) { return entry(quantity).symbol; }
std::string_view unit(MapQuantity quantity) { return entry(quantity).unit; }
bool is_verdict(MapQuantity quantity) { return quantity < MapQuantity::A; }
MapNumber number_of(MapQuantity quantity) {
  return is_verdict(quantity) ? entry(quantity).deciding : MapNumber{name(quantity), unit(quantity)};
}

namespace {

struct Kinds {
  std::span<const std::string_view> names, colours;
};

Kinds kinds_of(MapQuantity quantity) {
  switch (quantity) {
    case MapQuantity::verdict:
      return {all_names<ContactVerdict>, verdict_colours};
    case MapQuantity::slip_mode:
      return {slip_kinds, slip_colours};
    case MapQuantity::admissible:
      return {all_names<AdmissibleRegion>, region_colours};
    case MapQuantity::every_velocity:
      return {every_kinds, every_colours};
    case MapQuantity::impact_mode:
      return {mode_kinds, mode_colours};
    case MapQuantity::energy:
      return {energy_kinds, energy_colours};
    case MapQuantity::restitution_set:
      return {set_kinds, set_colours};
    case MapQuantity::A:
    case MapQuantity::B:
    case MapQuantity::normal_force:
    case MapQuantity::friction_demand:
    case MapQuantity::stick_friction:
    case MapQuantity::impact_friction:
    case MapQuantity::jamming_friction:
    case MapQuantity::restitution_bound:
    case MapQuantity::energy_ratio:
      return {};
  }
  return {};
}

}  // namespace

std::span<const std::string_view> kind_names(MapQuantity quantity) { return kinds_of(quantity).names; }
std::span<const std::string_view> kind_colours(MapQuantity quantity) { return kinds_of(quantity).colours; }

MapValue read_quantity(MapQuantity quantity, const AccelerationProblem& problem, FreeAcceleration known, Law law) {
  const ImpactProblem& contact = problem.contact;
  switch (quantity) {
    case MapQuantity::verdict: {
      const ContactDiagnosis diagnosis = diagnose(problem, known, law);
      return {static_cast<int>(diagnosis.verdict), diagnosis.sliding.A};
    }
    case MapQuantity::slip_mode:
    case MapQuantity::A:
    case MapQuantity::normal_force:
      return slip_value(quantity, problem, known);
    case MapQuantity::B:
      return known == FreeAcceleration::unknown ? nowhere : number(problem.free_acceleration.n);
    case MapQuantity::friction_demand:
      return demand_value(problem, known);
    case MapQuantity::admissible:
      if (!(relative(contact).n < 0)) return nowhere;
      return {static_cast<int>(admissible_region(contact)), compute_bounds(contact).restitution_bound};
    case MapQuantity::every_velocity: {
      const ForAllVelocities all = admissible_for_all(contact);
      return {all.gains ? 1 : all.jams ? 2 : 0, all.worst_gain};
    }
    case MapQuantity::impact_mode:
    case MapQuantity::energy:
    case MapQuantity::energy_ratio:
      return impact_value(quantity, contact, law);
    case MapQuantity::restitution_set:  // of several contacts: `restitution_set_map`
      return nowhere;
    case MapQuantity::stick_friction:
      return number(compute_bounds(contact).stick_friction);
    case MapQuantity::impact_friction:
      return number(compute_bounds(contact).impact_friction);
    case MapQuantity::jamming_friction:
      return number(compute_bounds(contact).jamming_friction);
    case MapQuantity::restitution_bound:
      return number(compute_bounds(contact).restitution_bound);
  }
  return nowhere;
}

}  // namespace routh::internal
