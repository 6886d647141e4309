#include "routh/scene/diagnosis.h"

#include <algorithm>
#include <numbers>

#include "routh/contact/contact_problem.h"
#include "routh/impact/restitution.h"
#include "routh/math/column_space.h"
#include "routh/math/elementary.h"
#include "routh/scene/map_source.h"
#include "routh/scene/posture_search.h"
#include "routh/scene/rest_problem.h"
#include "routh/scene/tolerances.h"
#include "routh/solvability/diagnosis_words.h"
#include "routh/solvability/hold_words.h"
#include "routh/solvability/slip_flow.h"

namespace routh {

namespace {

Law law_of(const Model& model, const Contact& contact, const DiagnosisOptions& options) {
  return options.law.value_or(contact_law(model, contact));
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

// q̈ of each degree of freedom per unit of force along it, in the directions of the contacts: J M_o⁺.
Eigen::MatrixXd unit_loads(const Model& model, const std::vector<Contact>& contacts, ContactProblemBuilder& builder,
                           const Workspace& workspace) {
  const Eigen::Index rows = contact_rows(model);
  Eigen::MatrixXd loads(rows * static_cast<Eigen::Index>(contacts.size()), model.velocities);
  Eigen::MatrixXd response(model.velocities, rows);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    builder.force_problem(model, workspace, contacts[c]);
    builder.response(response);
    loads.middleRows(static_cast<Eigen::Index>(c) * rows, rows) = response.transpose();
  }
  return loads;
}

void diagnose_together(const Model& model, ContactProblemBuilder& builder, const Workspace& workspace,
                       SceneDiagnosis& out) {
  std::vector<Contact> resting;
  for (std::size_t k = 0; k < out.contacts.size(); ++k) {
    if (out.contacts[k].kind != TouchKind::resting) continue;
    resting.push_back(out.contacts[k].contact);
    out.together_contacts.push_back(static_cast<int>(k));
  }
  if (resting.size() < 2) return out.together_contacts.clear();
  const ModesProblem problem = rest_problem(model, resting, builder, workspace);
  out.together = examine_modes(problem);
  Eigen::MatrixXd loads(problem.inertia.rows(), 0);
  if (model.velocities <= tolerances::hold_loads_max) {
    loads = unit_loads(model, resting, builder, workspace);
    for (int dof = 0; dof < model.velocities; ++dof) out.hold_loads.push_back(dof);
  }
  out.hold = judge_hold(problem, *out.together, loads);
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
  out.rows = static_cast<int>(question.fixed.rows() + question.striking.rows());
  ColumnSpace space(model.velocities, out.rows);
  space.clear();
  for (const auto row : question.fixed.rowwise()) space.add(row.transpose());
  for (const auto row : question.striking.rowwise()) space.add(row.transpose());
  space.finish();
  out.rank = space.rank();
  out.restitution = examine_restitution(question);
}

// None from a state that does not slide.
void add_slide(const SlipFlow& flow, double x, double rate, SlipFlowReport& report) {
  const FlowBox& box = report.box;
  if (!(x > box.x_low && x < box.x_high && rate > box.rate_low && rate < box.rate_high)) return;
  const FlowTrajectory path = slide(flow, box, x, rate, tolerances::slide_duration);
  if (path.points.size() < 2) return;
  SlipFlowReport::Slide out;
  const std::size_t count = path.points.size(), step = 1 + (count - 1) / tolerances::slide_points_most;
  for (std::size_t k = 0; k < count; k += step) {
    const FlowPoint& point = path.points[k + step < count ? k : count - 1];
    out.time.push_back(point.time);
    out.x.push_back(point.x);
    out.rate.push_back(point.rate);
  }
  out.end = name(path.end);
  out.in_paradox = path.end == FlowEnd::reached_paradox || path.end == FlowEnd::near_singular;
  report.slides.push_back(std::move(out));
}

void add_slides(const SlipFlow& flow, double here, double rate, SlipFlowReport& report) {
  add_slide(flow, here, rate, report);
  const double wide = tolerances::slide_ring_share * (report.box.x_high - report.box.x_low);
  const double high = tolerances::slide_ring_share * (report.box.rate_high - report.box.rate_low);
  for (const SingularPoint& point : report.points)
    for (int k = 0; k < tolerances::slide_ring; ++k) {
      const double angle = 2 * std::numbers::pi * k / tolerances::slide_ring;
      add_slide(flow, point.x + wide * elementary::cos(angle), point.rate + high * elementary::sin(angle), report);
    }
}

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
    if (!report.points.empty()) add_slides(flow, here, state.v[dof], report);
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
  if (options.search_postures) out.rest_postures = search_rest(model, out, workspace);
  if (options.search_postures)
    for (TouchDiagnosis& contact : out.contacts) {
      contact.changes = search_postures(model, state, contact, workspace);
      contact.flow = find_singular_points(model, state, contact, builder.loop_rank());
    }
  return out;
}

namespace {

PostureHint hint_of(const Model& model, const State& state, int dof, double value) {
  const int coordinate = model.dofs[static_cast<std::size_t>(dof)].coordinate;
  return {dof_name(model, dof), is_angular(model, dof) ? "rad" : "m", state.q[coordinate], value};
}

}  // namespace

std::vector<std::string> hold_sentences(const Model& model, const SceneDiagnosis& diagnosis) {
  if (!diagnosis.hold) return {};
  HoldNames names;
  for (const int k : diagnosis.together_contacts)
    names.contacts.push_back(contact_name(model, diagnosis.contacts[static_cast<std::size_t>(k)].contact));
  for (const int dof : diagnosis.hold_loads) {
    names.loads.push_back(dof_name(model, dof));
    names.units.emplace_back(is_angular(model, dof) ? "N m" : "N");
  }
  std::vector<PostureHint> hints;
  for (const RestPosture& posture : diagnosis.rest_postures)
    hints.push_back(hint_of(model, diagnosis.state, posture.dof, posture.value));
  return hold_sentences(*diagnosis.hold, names, hints);
}

std::vector<std::string> contact_sentences(const Model& model, const SceneDiagnosis& diagnosis,
                                           const TouchDiagnosis& touch) {
  std::vector<PostureHint> hints;
  for (const PostureChange& change : touch.changes)
    hints.push_back(hint_of(model, diagnosis.state, change.dof, change.value));
  return diagnosis_sentences(touch.diagnosis, hints);
}

}  // namespace routh
