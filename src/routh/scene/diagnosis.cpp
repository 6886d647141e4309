#include "routh/scene/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/scene/posture_search.h"

namespace routh {

namespace {

constexpr int cone_lines = 24;

Law law_of(const Model& model, const Contact& contact, const DiagnosisOptions& options) {
  const Law law = options.law.value_or(contact_law(model, contact));
  // Newton's law has no tangential impact, and the maps of Aghili no phases: the energetic law speaks for them.
  return law == Law::poisson ? law : Law::energetic;
}

TouchDiagnosis diagnose_touch(const Model& model, const Touch& touch, const DiagnosisOptions& options,
                              HoldSolver& solver, const Workspace& workspace) {
  TouchDiagnosis out;
  out.contact = touch.contact;
  out.kind = touch.kind;
  AccelerationProblem problem = solver.reduce(model, workspace, touch.contact);
  // What `find_touches` calls resting rests: the rest of its normal speed is rounding.
  if (touch.kind == TouchKind::resting) problem.contact.velocity.n = problem.contact.surface_velocity.n;
  out.diagnosis = diagnose(problem, FreeAcceleration::given, law_of(model, touch.contact, options));
  Eigen::MatrixXd response(model.velocities, contact_rows(model));
  solver.response(response);
  const double friction = std::min(problem.contact.friction.kinetic_coefficient, widest_friction);
  out.cone = configuration_generators(response, friction, cone_lines);
  return out;
}

void diagnose_together(const Model& model, HoldSolver& solver, const Workspace& workspace, SceneDiagnosis& out) {
  std::vector<Contact> resting;
  ModesProblem problem;
  problem.dimension = model.dimension;
  for (std::size_t k = 0; k < out.contacts.size(); ++k) {
    if (out.contacts[k].kind != TouchKind::resting) continue;
    resting.push_back(out.contacts[k].contact);
    out.together_contacts.push_back(static_cast<int>(k));
    Friction friction = contact_friction(model, resting.back());
    friction.static_coefficient = std::min(friction.static_coefficient, widest_friction);
    friction.kinetic_coefficient = std::min(friction.kinetic_coefficient, widest_friction);
    problem.friction.push_back(friction);
  }
  if (resting.size() < 2) return out.together_contacts.clear();
  solver.stack(model, workspace, resting, problem.inertia, problem.velocity, problem.free_acceleration);
  const double rounding = speed_rounding * problem.velocity.cwiseAbs().maxCoeff();
  const Eigen::Index rows = contact_rows(model);
  for (Eigen::Index first = 0; first < problem.velocity.size(); first += rows) {
    auto slip = problem.velocity.segment(first + 1, rows - 1);
    if (slip.norm() <= rounding) slip.setZero();
    problem.velocity[first] = 0;
  }
  out.together = examine_modes(problem);
}

}  // namespace

SceneDiagnosis diagnose_scene(const Model& model, const State& state, const TouchOptions& touch,
                              const DiagnosisOptions& options, Workspace& workspace) {
  SceneDiagnosis out;
  out.state = state;
  out.touch = find_touches(model, state, touch, workspace);
  HoldSolver solver(model);
  solver.prepare(model, state, workspace);
  out.free_motion = solver.free_motion();
  for (const Touch& each : out.touch.touches)
    out.contacts.push_back(diagnose_touch(model, each, options, solver, workspace));
  diagnose_together(model, solver, workspace, out);
  if (options.search_postures)
    for (TouchDiagnosis& contact : out.contacts) contact.changes = search_postures(model, state, contact, workspace);
  return out;
}

}  // namespace routh
