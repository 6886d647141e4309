// The numbers of a run's accounts, statistics and checkpoint, described once: the run file and its reader, CSV, JSON,
// NPZ, the page and Python list them from here. A member that is added to one of the structures does not compile here
// until it has a row.
#pragma once

#include <array>
#include <span>

#include "routh/record/run_file.h"

namespace routh::internal {

struct AccountField {
  const char* name;
  double EnergyAccount::*account;  // [J]
  int since = 1;                   // schema of the run file
};
inline constexpr std::array account_fields = {
    AccountField{"kinetic", &EnergyAccount::kinetic},
    AccountField{"potential", &EnergyAccount::potential},
    AccountField{"dissipated", &EnergyAccount::dissipated},
    AccountField{"supplied", &EnergyAccount::supplied},
    AccountField{"corrected", &EnergyAccount::corrected, schema_of_corrections},
    AccountField{"gained", &EnergyAccount::gained},
    AccountField{"initial", &EnergyAccount::initial},
};
static_assert(sizeof(EnergyAccount) == account_fields.size() * sizeof(double), "an account without a row");
// Those that tables and plots of samples show.
inline constexpr std::span<const AccountField> sampled_accounts = std::span(account_fields).first<5>();

// visit(name, number) for each but the warnings, which are counted by their kinds.
template <class Statistics, class Visit>
void for_each_statistic(Statistics& statistics, Visit visit) {
  auto& [steps, rejected, evaluations, implicit_steps, events, impacts, mode_searches, largest_gap, largest_loop,
         warnings] = statistics;
  visit("steps", steps);
  visit("rejected", rejected);
  visit("evaluations", evaluations);
  visit("implicit_steps", implicit_steps);
  visit("events", events);
  visit("impacts", impacts);
  visit("mode_searches", mode_searches);
  visit("largest_gap", largest_gap);
  visit("largest_loop", largest_loop);
}

// visit(name, number) for each number; the state, the accounts and the lists of contacts are stored besides.
template <class C, class Visit>
void for_each_number(C& checkpoint, Visit visit) {
  auto& [state, step, accounts, closed, released, bounces, pending, implicit, stiff_count, initial_energy, gained, rush,
         rush_time, calm_until, burst_start, resolve_time, in_burst, resolves, events, steps] = checkpoint;
  visit("step", step);
  visit("implicit", implicit);
  visit("stiff_count", stiff_count);
  visit("initial_energy", initial_energy);
  visit("gained", gained);
  visit("rush", rush);
  visit("rush_time", rush_time);
  visit("calm_until", calm_until);
  visit("burst_start", burst_start);
  visit("resolve_time", resolve_time);
  visit("in_burst", in_burst);
  visit("resolves", resolves);
  visit("events", events);
  visit("steps", steps);
}

}  // namespace routh::internal
