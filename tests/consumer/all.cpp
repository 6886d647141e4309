// Everything behind one header: a scene is read, run, and its contact diagnosed.
#include <cstdio>

#include "routh/routh.h"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const routh::Scene scene = routh::read_scene_file(arguments[1]);
  routh::Simulator simulator(scene.model, scene.state);
  simulator.advance(0.5);
  routh::ImpactProblem problem;
  problem.inertia = routh::planar_inertia(2, 0.5, 1);
  problem.velocity = {-1.7, 1};
  problem.friction = {0.6, 0.6};
  problem.restitution.normal = 0.5;
  const routh::ImpactResult result = routh::solve_impact(problem);
  std::printf("routh %s: %s at %g s; v = (%g, %g)\n", ROUTH_VERSION, routh::name(simulator.status()),
              simulator.state().time, result.velocity.n, result.velocity.t1);
  return routh::failed(simulator.status()) ? 1 : 0;
}
