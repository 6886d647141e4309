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

const char* explain(SimultaneousStatus status) {
  switch (status) {
    case SimultaneousStatus::ok:
      return "solved";
    case SimultaneousStatus::no_impact:
      return "nothing strikes: no impulse";
    case SimultaneousStatus::invalid:
      return "shapes do not fit, or numbers are not finite";
    case SimultaneousStatus::mass_matrix_indefinite:
      return "the mass matrix is not positive definite";
    case SimultaneousStatus::contradiction:
      return "the velocity before the impact violates the bilateral rows; the answer closes them";
    case SimultaneousStatus::not_converged:
      return "no set of sticking contacts was found that reproduces itself; one may stick only while it pulls";
  }
  return "?";
}

bool usable(SimultaneousStatus status) {
  switch (status) {
    case SimultaneousStatus::ok:
    case SimultaneousStatus::no_impact:
    case SimultaneousStatus::contradiction:
      return true;
    case SimultaneousStatus::invalid:
    case SimultaneousStatus::mass_matrix_indefinite:
    case SimultaneousStatus::not_converged:
      return false;
  }
  return false;
}

}  // namespace routh
