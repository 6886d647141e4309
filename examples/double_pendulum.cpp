// A machine in a few lines: Kane's double pendulum, from its bodies and joints to the impact of its tip.
// Build against an installed Routh with find_package(routh) and target_link_libraries(… routh::routh).
#include <cmath>
#include <cstdio>

#include "routh/contact/contact.h"
#include "routh/contact/contact_problem.h"
#include "routh/impact/solve.h"
#include "routh/model/builder.h"

int main() {
  constexpr double degree = M_PI / 180;
  const double height = 2 * std::cos(20 * degree) + 2 * std::cos(30 * degree);

  // Two uniform rods, 3 kg and 2 m each, and the ground just where the tip is.
  routh::ModelBuilder machine(routh::Dimension::planar, "Kane's double pendulum");
  machine.surface("steel").friction(0.51, 0.5).restitution(0.7);
  machine.body("upper").mass(3).com(0, -1).inertia(1).revolute("world").at(0, 0);
  machine.body("lower").mass(3).com(0, -1).inertia(1).revolute("upper").at(0, -2);
  machine.shape("tip").on("lower").point().at(0, -2).surface("steel");
  machine.shape("ground").half_space().at(0, -height).surface("steel");
  const routh::Model model = machine.build();

  // Joint angles are relative: the rods stand at 20° and 30° from the vertical and turn at −0.1 and −0.2 rad/s.
  routh::State state = routh::rest_state(model);
  state.q << 20 * degree, 10 * degree;
  state.v << -0.1, -0.1;

  routh::Workspace workspace(model);
  const routh::TouchReport report = routh::find_touches(model, state, {}, workspace);
  routh::ContactProblemBuilder builder(model);
  if (builder.prepare(model, state, workspace) >= 0) return 1;

  int strikes = 0;
  for (const routh::Touch& touch : report.touches) {
    if (touch.kind != routh::TouchKind::approaching) continue;
    ++strikes;
    const routh::ImpactProblem problem = builder.impact_problem(model, workspace, touch.contact);
    routh::ImpactResult result = routh::solve_impact(problem, routh::Law::energetic);
    if (!routh::usable(result.status)) return 1;
    builder.apply(result);
    std::printf("%s: %s, impulse %.5f N s, energy %+.5f J\n", contact_name(model, touch.contact).c_str(),
                name(result.mode), result.impulse.n, result.energy.change);
    for (int dof = 0; dof < model.velocities; ++dof)
      std::printf("  %-6s %8.4f -> %8.4f rad/s\n", dof_name(model, dof).c_str(), state.v(dof),
                  builder.velocity_after()(dof));
  }
  return strikes == 1 ? 0 : 1;
}
