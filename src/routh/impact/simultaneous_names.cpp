#include "routh/impact/simultaneous.h"

namespace routh {

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
