// What was done to the energy of a run, beside K and V: see EnergyAccount. Private to the module.
#pragma once

namespace routh::internal {

struct Accounts {
  double dissipated = 0;  // [J]
  double supplied = 0;
  double corrected = 0;

  Accounts& operator+=(const Accounts& more) {
    dissipated += more.dissipated;
    supplied += more.supplied;
    corrected += more.corrected;
    return *this;
  }
};

}  // namespace routh::internal
