// A machine through its impacts, step by step: run to a time, look, push, and go on.
#include <cstdio>

#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"

int main() {
  const routh::Scene scene = routh::read_scene_file("examples/kane.yaml");
  routh::Simulator simulator(scene.model, scene.state);
  simulator.advance(1.0);
  for (const routh::Event& event : simulator.events())
    if (event.kind == routh::EventKind::impact)
      std::printf("%.6f s: impact, %+.6f J\n", event.time, event.energy.change);

  simulator.set_force(Eigen::Vector2d(0, 5));  // [N m] at the lower joint, from now on
  simulator.advance(1.5);
  for (const routh::ActiveContact& contact : simulator.active())
    std::printf("%s %s, normal force %.3f N\n", routh::contact_name(scene.model, contact.contact).c_str(),
                routh::name(contact.mode), contact.force.n);
  std::printf("%s; energy balance %.1e J\n", routh::explain(simulator.status()), simulator.energy().balance());
  return routh::failed(simulator.status()) ? 1 : 0;
}
