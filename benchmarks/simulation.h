// Two planar scenes on which whole simulations are compared, and what an engine with a fixed step offers for it.
#pragma once

#include <array>
#include <memory>
#include <string>

namespace bench {

// Rod: a free rod with a disc at each end, dropped obliquely; q is x, y of its middle and its angle.
// Pendulum: two rods that hang from a pivot, a disc at the tip; q is the two angles, the second relative to the first.
enum class StrikeScene { rod, pendulum };

struct PlanarState {
  int n = 0;  // coordinates
  std::array<double, 3> q{}, v{};
};

inline constexpr double gravity = 9.81, friction = 0.5, restitution = 0.7;
// Rod: mass 1 kg, discs at ± half along it, moment of inertia of a uniform rod.
inline constexpr double rod_half = 0.5, rod_radius = 0.05, rod_inertia = 1.0 / 12;
// Pendulum: links of 1 kg.
inline constexpr double pivot_height = 0.9, link = 0.5, tip_radius = 0.03, link_inertia = link * link / 12;

PlanarState start_of(StrikeScene scene);
const char* name_of(StrikeScene scene);
// The scene file for Routh, at that start.
std::string scene_text_of(StrikeScene scene);

class SteppedEngine {
 public:
  virtual ~SteppedEngine() = default;
  virtual void step() = 0;
  virtual PlanarState state() const = 0;
};

// At the start of a scene; null when the engine was not found.
// MuJoCo has no restitution: its contacts are springs with the damping that gives it, 12 steps long, and Coulomb's
// cone.
std::unique_ptr<SteppedEngine> make_mujoco_steps(StrikeScene scene, double step);
// Time stepping by Moreau and Jean (Newton's restitution, Coulomb's law on the velocity after the step); our own loop
// around the friction solver of siconos-numerics.
std::unique_ptr<SteppedEngine> make_siconos_steps(StrikeScene scene, double step);
// The same by the engine of siconos (its kernel), as its users run it.
std::unique_ptr<SteppedEngine> make_siconos_engine(StrikeScene scene, double step);

// Sequential impulses, Newton's restitution.
std::unique_ptr<SteppedEngine> make_bullet_steps(StrikeScene scene, double step);

// The rod by hand: Runge–Kutta flight, a secant to the strike, planar impact. What an event-driven code cannot do
// without.
PlanarState bare_rod(double until, double step);

void run_quadruped();

}  // namespace bench
