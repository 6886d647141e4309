#include "routh/impact/simultaneous.h"

namespace routh {

const char* name(ContactRole role) {
  switch (role) {
    case ContactRole::strikes:
      return "strikes";
    case ContactRole::rests:
      return "rests";
    case ContactRole::separates:
      return "separates";
    case ContactRole::released:
      return "released";
  }
  return "?";
}

const char* name(SimultaneousStatus status) {
  switch (status) {
    case SimultaneousStatus::ok:
      return "ok";
    case SimultaneousStatus::no_impact:
      return "no_impact";
    case SimultaneousStatus::invalid:
      return "invalid";
    case SimultaneousStatus::mass_matrix_indefinite:
      return "mass_matrix_indefinite";
    case SimultaneousStatus::contradiction:
      return "contradiction";
    case SimultaneousStatus::not_converged:
      return "not_converged";
  }
  return "?";
}

}  // namespace routh
