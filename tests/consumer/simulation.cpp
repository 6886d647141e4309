// A ball of e = ½ dropped from 1.25 m under 10 m/s² strikes after 0.5 s at 5 m/s and rises again at 2.5 m/s: worked by
// hand, with what `routh::simulation` holds alone.
#include <cmath>
#include <cstdio>

#include "routh/model/builder.h"
#include "routh/simulation/simulator.h"

int main() {
  routh::ModelBuilder machine(routh::Dimension::planar, "ball");
  machine.gravity(0, -10);
  machine.surface("rubber").friction(0.5, 0.5).restitution(0.5);
  machine.body("ball").mass(1).inertia(1).planar("world");
  machine.shape("skin").on("ball").sphere(0.25).surface("rubber");
  machine.shape("ground").half_space().surface("rubber");
  const routh::Model model = machine.build();

  routh::State state = routh::rest_state(model);
  state.q(1) = 1.5;
  routh::Simulator simulator(model, state);
  simulator.advance(0.75);
  const double height = simulator.state().q(1), speed = simulator.state().v(1);
  std::printf("%s: height %.12f m, speed %.12f m/s\n", routh::name(simulator.status()), height, speed);
  const bool right = simulator.events().size() == 1 && std::abs(simulator.events()[0].time - 0.5) < 1e-9 &&
                     std::abs(height - (0.25 + 2.5 * 0.25 - 5 * 0.25 * 0.25)) < 1e-9 && std::abs(speed) < 1e-8;
  return right ? 0 : 1;
}
