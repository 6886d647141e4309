// The solvers behind `solve_impact`, one per method. Internal: problems arrive here checked, in relative velocity,
// approaching (or pressed and jammed), with finite kinetic friction.
#pragma once

#include <vector>

#include "routh/impact/external_push.h"
#include "routh/impact/restitution.h"
#include "routh/impact/result.h"
#include "routh/impact/solve.h"

namespace routh::internal {

// What a solver needs, already evaluated.
struct StrikeInput {
  ContactInertia inertia;
  ContactVector velocity;       // relative, before; with an external impulse: u of external_push.h
  Friction friction;            // kinetic: finite
  RestitutionRule restitution;  // e, in the unit of `velocity`; with an external impulse: e'
  double stuck_t1 = 0;          // v_t⁺ of a stick of the unified law, −e_t v_t⁻
  double stuck_t2 = 0;
  Law law = Law::energetic;
};

// From where, and with what restitution, the contact's impulse acts. A problem that breaks a rule has none to ask for.
PushedStart start_of(const ImpactProblem& problem);
StrikeInput strike_input(const ImpactProblem& problem, const PushedStart& start, Law law);

using Path = std::vector<PathPoint>;

// Routh's increment; laws newton, poisson, energetic. They fill relative_velocity, impulse, the works, restitution,
// mode, phases, status and warnings. `path`, when given, receives points of the way.
void solve_planar(const StrikeInput& in, ImpactResult& out, Path* path);
void solve_spatial(const StrikeInput& in, ImpactResult& out, Path* path);

// Aghili's unified law and the textbook's.
void solve_average_slip(const StrikeInput& in, ImpactResult& out);

}  // namespace routh::internal
