// The numbers of a run's accounts, statistics and checkpoint, described once: the run file and its reader, CSV, JSON,
// NPZ, the page and Python list them from here. A member that is added to one of the structures does not compile here
// until it has a row.
#pragma once

#include <algorithm>
#include <array>

#include "routh/record/run_file.h"

namespace routh::internal {

// Where it is shown of samples: a part of their balance in tables and plots, one of its own kind in plots alone, or
// the same for all of them.
enum class Sampled { balance, plot, no };

struct AccountField {
  const char* name;
  double EnergyAccount::*account;  // [J]
  Sampled sampled;
  int since = 1;  // schema of the run file
};
inline constexpr std::array account_fields = {
    AccountField{"kinetic", &EnergyAccount::kinetic, Sampled::balance},
    AccountField{"potential", &EnergyAccount::potential, Sampled::balance},
    AccountField{"dissipated", &EnergyAccount::dissipated, Sampled::balance},
    AccountField{"supplied", &EnergyAccount::supplied, Sampled::balance},
    AccountField{"corrected", &EnergyAccount::corrected, Sampled::balance, schema_of_corrections},
    AccountField{"gained", &EnergyAccount::gained, Sampled::plot},
    AccountField{"initial", &EnergyAccount::initial, Sampled::no},
};
static_assert(sizeof(EnergyAccount) == account_fields.size() * sizeof(double), "an account without a row");
// The parts of the balance, wherever their rows stand.
inline constexpr auto sampled_accounts = [] {
  constexpr auto in_balance = [](const AccountField& field) { return field.sampled == Sampled::balance; };
  std::array<AccountField, std::ranges::count_if(account_fields, in_balance)> fields{};
  std::ranges::copy_if(account_fields, fields.begin(), in_balance);
  return fields;
}();

// visit(name, number, schema it is in since) for each but the warnings, which are counted by their kinds.
template <class Statistics, class Visit>
void for_each_statistic(Statistics& statistics, Visit visit) {
  auto& [steps, rejected, evaluations, implicit_steps, events, impacts, mode_searches, largest_gap, largest_loop,
         largest_residual, unsolved_steps, steps_gained, steps_lost, crowds, crowd_time, crowd_energy, warnings] =
      statistics;
  visit("steps", steps, 1);
  visit("rejected", rejected, 1);
  visit("evaluations", evaluations, 1);
  visit("implicit_steps", implicit_steps, 1);
  visit("events", events, 1);
  visit("impacts", impacts, 1);
  visit("mode_searches", mode_searches, 1);
  visit("largest_gap", largest_gap, 1);
  visit("largest_loop", largest_loop, 1);
  visit("largest_residual", largest_residual, schema_of_stepping);
  visit("unsolved_steps", unsolved_steps, schema_of_step_errors);
  visit("steps_gained", steps_gained, schema_of_step_errors);
  visit("steps_lost", steps_lost, schema_of_step_errors);
  visit("crowds", crowds, schema_of_crowds);
  visit("crowd_time", crowd_time, schema_of_crowds);
  visit("crowd_energy", crowd_energy, schema_of_crowds);
}

// visit(name, number, schema it is in since) for each number; the state, the accounts and the lists of contacts are
// stored besides.
template <class C, class Visit>
void for_each_number(C& checkpoint, Visit visit) {
  auto& [state, step, accounts, closed, released, bounces, pending, implicit, stiff_count, initial_energy, gained,
         calm_until, burst_start, resolve_time, in_burst, resolves, events, steps, blows, origin, count, acceleration,
         crowd] = checkpoint;
  visit("step", step, 1);
  visit("implicit", implicit, 1);
  visit("stiff_count", stiff_count, 1);
  visit("initial_energy", initial_energy, 1);
  visit("gained", gained, 1);
  visit("calm_until", calm_until, 1);
  visit("burst_start", burst_start, 1);
  visit("resolve_time", resolve_time, 1);
  visit("in_burst", in_burst, 1);
  visit("resolves", resolves, 1);
  visit("events", events, 1);
  visit("steps", steps, 1);
  visit("blows", blows, schema_of_blows);
  visit("origin", origin, schema_of_stepping);
  visit("count", count, schema_of_stepping);
}

// visit(name, number) for each number of a crowd; its vector and lists are stored besides.
template <class C, class Visit>
void for_each_crowd_number(C& crowd, Visit visit) {
  auto& [under_way, begin, calm_since, wait, followed_since, tangential_work, dissipated, supplied, energy, time,
         last_dissipated, stretch_begin, stretch_steps, stretch_time, velocity, shares, recent] = crowd;
  visit("under_way", under_way);
  visit("begin", begin);
  visit("calm_since", calm_since);
  visit("wait", wait);
  visit("followed_since", followed_since);
  visit("tangential_work", tangential_work);
  visit("dissipated", dissipated);
  visit("supplied", supplied);
  visit("energy", energy);
  visit("time", time);
  visit("last_dissipated", last_dissipated);
  visit("stretch_begin", stretch_begin);
  visit("stretch_steps", stretch_steps);
  visit("stretch_time", stretch_time);
}

}  // namespace routh::internal
