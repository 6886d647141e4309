// The sticking impact of the unified law that gains most, against the energy with which it strikes. Internal.
#pragma once

#include "routh/impact/problem.h"

namespace routh::internal {

// μ_s, E = diag(e, e_t, e_t), and the speed |v_n| at which a velocity is to be given.
struct StickSurface {
  double friction = 0;  // finite
  double restitution = 0;
  double tangential_restitution = 0;
  double approach_speed = 1;  // [m/s], > 0
};

struct WorstStick {
  double gain = 0;         // (T⁺ − T⁻)/T⁻, T = ½ vᵀG v; zero when no velocity of approach that sticks gains
  ContactVector velocity;  // that attains it, relative to the surface; the law itself takes it as a stick
};
WorstStick worst_stick(const ContactInertia& inertia, const StickSurface& surface);

}  // namespace routh::internal
