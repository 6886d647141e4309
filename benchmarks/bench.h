// The parts of the benchmark. Each prints its lines.
#pragma once

namespace bench {

void run_planar();       // against a bare hand-written planar solver
void run_spatial();      // speed, accuracy against the oracle, and siconos-numerics on the one-shot question
void run_dynamics();     // against MuJoCo and Simbody; D of a foot; loading a scene
void run_derivatives();  // of dynamics and impacts, against themselves
void run_solvability();  // verdicts on a contact, and the map of a two-link arm
void run_geometry();     // hulls, boxes and the broad phase, against FCL and Bullet
void run_contacts();     // any number of contacts at once, against siconos-numerics
void run_curves();       // the curves of docs/contacts.md, for tools/draw_contact_curves
void run_stream();       // JSON Lines through `routh impact -`
void run_python();       // the Python package against the library
void run_study();        // samples per second inside a study, one core and two
void run_simulation();   // whole simulations: error against CPU time, beside engines with a fixed step
void run_stepping();     // limp robots and heaps in fixed steps, against MuJoCo and Bullet
void run_robots();       // loading a robot's file; a humanoid dropped on its feet

}  // namespace bench
