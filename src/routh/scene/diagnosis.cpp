#include "routh/scene/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/contact/contact_problem.h"
#include "routh/impact/restitution.h"
#include "routh/math/oblique_projection.h"
#include "routh/scene/map_source.h"
#include "routh/scene/posture_search.h"
#include "routh/scene/tolerances.h"
#include "routh/solvability/tolerances.h"

namespace routh {

namespace {

Law law_of(const Model& model, const Contact& contact, const DiagnosisOptions& options) {
  const Law law = options.law.value_or(contact_law(model, contact));
  // Newton's law has no tangential impact, and the maps of Aghili no phases: the energetic law speaks for them.
  return law == Law::poisson ? law : Law::energetic;
}

TouchDiagnosis diagnose_touch(const Model& model, const Touch& touch, const DiagnosisOptions& options,
                              ContactProblemBuilder& builder, const Workspace& workspace) {
  TouchDiagnosis out;
  out.contact = touch.contact;
  out.kind = touch.kind;
  AccelerationProblem problem = builder.force_problem(model, workspace, touch.contact);
  // What `find_touches` calls resting rests: the rest of its normal speed is rounding.
  if (touch.kind == TouchKind::resting) problem.contact.velocity.n = problem.contact.surface_velocity.n;
  out.diagnosis = diagnose(problem, FreeAcceleration::given, law_of(model, touch.contact, options));
  Eigen::MatrixXd response(model.velocities, contact_rows(model));
  builder.response(response);
  const double friction = std::min(problem.contact.friction.kinetic_coefficient, widest_friction);
  out.cone = configuration_generators(response, friction, tolerances::cone_generators);
  return out;
}

void diagnose_together(const Model& model, ContactProblemBuilder& builder, const Workspace& workspace,
                       SceneDiagnosis& out) {
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
  const ContactRows& system = builder.force_rows(model, workspace, resting);
  problem.inertia = system.inertia;
  problem.velocity = system.velocity - system.surface_velocity;
  problem.free_acceleration = system.free_acceleration;
  const double rounding = tolerances::zero_speed_relative * problem.velocity.cwiseAbs().maxCoeff();
  const Eigen::Index rows = contact_rows(model);
  for (Eigen::Index first = 0; first < problem.velocity.size(); first += rows) {
    auto slip = problem.velocity.segment(first + 1, rows - 1);
    if (slip.norm() <= rounding) slip.setZero();
    problem.velocity[first] = 0;
  }
  out.together = examine_modes(problem);
}

// Rows of the loops and of resting contacts, and of the striking ones; what their restitutions can do together.
void examine_strikes(const Model& model, const State& state, Workspace& workspace, SceneDiagnosis& out) {
  std::vector<Contact> contacts;
  std::vector<TouchKind> kinds;
  for (const TouchDiagnosis& touch : out.contacts) {
    if (touch.kind == TouchKind::separating) continue;
    contacts.push_back(touch.contact);
    kinds.push_back(touch.kind);
  }
  const auto striking = std::count(kinds.begin(), kinds.end(), TouchKind::approaching);
  if (striking == 0) return;
  const SimultaneousProblem all = simultaneous_problem(model, state, contacts, TangentialRows::none, workspace);
  RestitutionQuestion question;
  question.mass_matrix = all.mass_matrix;
  const Eigen::Index resting = static_cast<Eigen::Index>(contacts.size()) - striking;
  question.fixed.resize(model.loop_rows + resting, model.velocities);
  question.striking.resize(striking, model.velocities);
  question.restitution.resize(striking);
  question.fixed.topRows(model.loop_rows) = all.bilateral;
  Eigen::Index fixed = model.loop_rows, struck = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto row = all.normal.row(static_cast<Eigen::Index>(k));
    if (kinds[k] == TouchKind::resting) {
      question.fixed.row(fixed++) = row;
      continue;
    }
    question.restitution[struck] = restitution_at(all.restitution[k], std::max(0.0, -row.dot(state.v))).coefficient;
    question.striking.row(struck++) = row;
  }
  Eigen::MatrixXd rows(question.fixed.rows() + striking, model.velocities);
  rows << question.fixed, question.striking;
  ObliqueProjection projection(model.velocities, static_cast<int>(rows.rows()));
  out.rows = static_cast<int>(rows.rows());
  out.rank = projection.compute(all.mass_matrix, rows).rank;
  out.restitution = examine_restitution(question);
}

// How far around the state singular points are looked for.

// The first coordinate that moves the contact along its surface when the others give way.
std::optional<SlipFlowReport> find_singular_points(const Model& model, const State& state,
                                                   const TouchDiagnosis& contact, int loop_rank) {
  if (contact.kind != TouchKind::resting || contact.contact.kind == ContactKind::limit) return std::nullopt;
  if (model.velocities - loop_rank != 2) return std::nullopt;
  SceneMapBase base;
  base.model = &model;
  base.state = state;
  base.contact = contact.contact.id;
  base.adjust.assign(static_cast<std::size_t>(model.velocities), true);
  for (int dof = 0; dof < model.velocities; ++dof) {
    const Dof& it = model.dofs[static_cast<std::size_t>(dof)];
    if (it.coordinate < 0) continue;
    const double here = state.q[it.coordinate], reach = is_angular(model, dof) ? std::numbers::pi / 2 : 1;
    const SlipFlow flow = scene_slip_flow(base, dof);
    if (!flow(here, 1)) continue;
    SlipFlowReport report;
    report.dof = dof;
    report.box = {std::max(here - reach, it.properties.lower), std::min(here + reach, it.properties.upper),
                  -tolerances::flow_rate_max, tolerances::flow_rate_max};
    report.points = singular_points(flow, report.box, {tolerances::flow_cells});
    return report;
  }
  return std::nullopt;
}

}  // namespace

SceneDiagnosis diagnose_scene(const Model& model, const State& state, const TouchOptions& touch,
                              const DiagnosisOptions& options, Workspace& workspace) {
  SceneDiagnosis out;
  out.state = state;
  out.touch = find_touches(model, state, touch, workspace);
  ContactProblemBuilder builder(model);
  builder.prepare_forces(model, state, workspace);
  out.free_motion = builder.free_motion();
  for (const Touch& each : out.touch.touches)
    out.contacts.push_back(diagnose_touch(model, each, options, builder, workspace));
  diagnose_together(model, builder, workspace, out);
  examine_strikes(model, state, workspace, out);
  if (options.search_postures)
    for (TouchDiagnosis& contact : out.contacts) {
      contact.changes = search_postures(model, state, contact, workspace);
      contact.flow = find_singular_points(model, state, contact, builder.loop_rank());
    }
  return out;
}

std::vector<PostureHint> posture_hints(const Model& model, const SceneDiagnosis& diagnosis,
                                       const TouchDiagnosis& touch) {
  std::vector<PostureHint> hints;
  for (const PostureChange& change : touch.changes) {
    const int coordinate = model.dofs[static_cast<std::size_t>(change.dof)].coordinate;
    hints.push_back({dof_name(model, change.dof), is_angular(model, change.dof) ? "rad" : "m",
                     diagnosis.state.q[coordinate], change.value});
  }
  return hints;
}

}  // namespace routh
