#include "routh/record/run_warnings.h"

#include <fmt/format.h>

#include <cmath>

namespace routh::internal {

bool is_shortcut(Warning warning) {
  switch (warning) {
    case Warning::energy_gain:
    case Warning::non_unique:
    case Warning::ill_conditioned:
    case Warning::restitution_out_of_range:
    case Warning::jams_if_pressed:
    case Warning::recompression:
    case Warning::tangential_restitution_ignored:
    case Warning::bilateral_velocity:
      return false;
    case Warning::plastic_end:
    case Warning::friction_changed:
    case Warning::contact_left_out:
    case Warning::law_replaced:
    case Warning::rebound_given_up:
    case Warning::brought_to_rest:
    case Warning::modes_estimated:
    case Warning::rounding_widened:
    case Warning::modes_kept:
    case Warning::motion_not_unique:
      return true;
  }
  return true;
}

std::string gain_sentence(const EnergyAccount& energy) {
  if (!(energy.gained > 0)) return "";
  return fmt::format("impacts gave back {:.6g} J against the second law: their law of impact can", energy.gained);
}

std::string correction_sentence(const EnergyAccount& energy, double tolerance, EngineKind engine) {
  if (!energy.corrections_matter(tolerance, engine)) return "";
  const double share = std::abs(energy.corrected) / energy.turnover();
  const std::string part =
      std::isfinite(share) ? fmt::format(", {:.2g} of the energy turned over", share) : std::string();
  if (energy.corrected > 0)
    return fmt::format(
        "corrections added {:.6g} J{}: closing contacts and loops again gave the motion energy that no force did; "
        "compare with a smaller tolerance or step",
        energy.corrected, part);
  return fmt::format(
      "corrections took {:.6g} J{}: closing contacts and loops again, giving up bounces and bringing contacts to rest "
      "cost energy that no force took; compare with a smaller tolerance or step",
      -energy.corrected, part);
}

std::string balance_sentence(const EnergyAccount& energy, double tolerance) {
  if (!energy.imbalance_matters(tolerance)) return "";
  return fmt::format(
      "the energy account is off by {:.6g} J of {:.6g} J: the motion was followed less well than asked for; compare "
      "with a smaller tolerance or step",
      std::abs(energy.balance()), energy.turnover());
}

std::string unsolved_sentence(const SimulationStatistics& statistics) {
  const long count = statistics.unsolved_steps;
  if (count == 0) return "";
  return fmt::format(
      "{} of {} steps left contact problems above the residual asked for, {:.2g} of their speeds at worst: impulses "
      "there are not those of the laws; compare with a smaller step",
      count, statistics.steps, statistics.largest_residual);
}

std::string count_sentence(Warning warning, long count) {
  return fmt::format("{} event{}: {}", count, count == 1 ? "" : "s", explain(warning));
}

std::vector<std::string> run_warnings(const RunData& run, EventWarnings told) {
  const EnergyAccount& energy = run.outcome.energy;
  const EngineKind engine = judged_engine(run.info.engine, run.outcome.statistics);
  const double tolerance = account_tolerance(engine, run.info.tolerance);
  std::vector<std::string> sentences;
  for (std::string& sentence :
       std::vector<std::string>{gain_sentence(energy), correction_sentence(energy, tolerance, engine),
                                balance_sentence(energy, tolerance), unsolved_sentence(run.outcome.statistics)})
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  WarningCounts counts{};
  for (const Event& event : run.events) count_warnings(event, counts);
  for (unsigned k = 0; k < warning_count; ++k) {
    const auto warning = static_cast<Warning>(1u << k);
    if (counts[k] > 0 && (told == EventWarnings::all || is_shortcut(warning)))
      sentences.push_back(count_sentence(warning, counts[k]));
  }
  return sentences;
}

}  // namespace routh::internal
