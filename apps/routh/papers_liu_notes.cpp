// The events of [Liu 2007, cases 4 to 6] with their times, and a sweep of the gains.
#include <fmt/format.h>

#include <algorithm>

#include "papers_liu_runs.h"

namespace routh {

namespace {

constexpr std::size_t most_rows = 10;  // of the events of a run

// Without the sign of a zero that rounding leaves.
std::string speed(double value) {
  const std::string text = fmt::format("{:.4f}", value);
  return text == "-0.0000" ? "0.0000" : text;
}

std::string event_table(const LiuRun& run, const std::string& title) {
  std::string out = fmt::format(
      "\n### {}\n\n| t [s] | event | normal before | after | slip before | after |\n|---:|---|---:|---:|---:|---:|\n",
      title);
  const std::size_t rows = std::min(most_rows, run.events.size());
  for (std::size_t k = 0; k < rows; ++k) {
    const Event& event = run.events[k];
    if (event.contacts.empty()) continue;
    const EventContact& tip = event.contacts.front();
    out += fmt::format("| {:.4f} | {} | {} | {} | {} | {} |\n", event.time,
                       event.kind == EventKind::tangential_impact ? "tangential impact" : name(event.kind),
                       speed(tip.velocity_before.n), speed(tip.velocity_after.n), speed(tip.velocity_before.t1),
                       speed(tip.velocity_after.t1));
  }
  if (rows < run.events.size())
    out += fmt::format("\nThe first {} of {} events up to t = {} s.\n", rows, run.events.size(),
                       run.scene.simulation.until.value_or(0));
  return out;
}

const char* word(LiuHold hold) {
  switch (hold) {
    case LiuHold::bounces:
      return "bounces";
    case LiuHold::stays:
      return "stays";
    case LiuHold::stays_elsewhere:
      return "elsewhere";
    case LiuHold::never_leaves:
      return "never leaves";
  }
  return "";
}

std::string sweep_table(const LiuRun& run, const std::string& title) {
  constexpr double stiffnesses[] = {10, 50, 100, 150, 300, 1000};
  constexpr double dampings[] = {0.1, 0.5, 2, 10, 50};
  std::string out = fmt::format("\n### {}\n\n| K_r |", title), rule = "|---:|";
  for (const double damping : dampings) {
    out += fmt::format(" C = {} |", damping);
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  for (const double stiffness : stiffnesses) {
    out += fmt::format("| {} |", stiffness);
    for (const double damping : dampings) out += fmt::format(" {} |", word(liu_hold(run.scene, stiffness, damping)));
    out += "\n";
  }
  return out;
}

}  // namespace

std::string LiuRuns::notes() {
  const LiuRun& case_4 = of("case-4");
  const LiuRun& case_5 = of("case-5");
  const LiuRun& case_6 = of("case-6");
  std::string out = "\n## Events of the runs\n\nVelocities of the tip against the belt [m/s].\n";
  out += event_table(case_4, "Case 4, e = 0.7");
  if (!case_4.events.empty()) {
    const EnergyLedger& energy = case_4.events.front().energy;
    out += fmt::format(
        "\nThe tangential impact takes the kinetic energy from 0 to {:.3f} J; the belt supplies {:.3f} J.\n",
        energy.change, energy.supplied);
  }
  out += event_table(of("case-4-e0"), "Case 4, e = 0");
  out += event_table(case_5, "Case 5");
  out += event_table(case_6, "Case 6, static friction 0.8");
  out += fmt::format(
      "\nIn the first 20 s of the stick the friction demanded is at most {:.4f} of the normal force, at t = {:.2f} "
      "s.\n",
      case_6.largest_demand, case_6.demand_time);
  out += event_table(of("case-6-mu07"), "Case 6, static friction 0.7");
  out +=
      "\n## Can a PD controller cure the bouncing?\n\nK_r [N m/rad] and C = C_1 = C_2 [N m s/rad] in place of the "
      "paper's, runs of 6 s. Bounces: the tip is in the air at some time of the last second. Stays: it is not, and θ1 "
      "is within 0.3 rad of its start; elsewhere: it is not, but θ1 has gone further. Never leaves: it is not in the "
      "air at all.\n";
  out += sweep_table(case_4, "Case 4, e = 0.7");
  out += sweep_table(case_5, "Case 5");
  return out;
}

}  // namespace routh
