#include "routh/scene/diagnosis_writer.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "routh/problem/diagnosis_writer.h"

namespace routh::internal {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value == 0 ? 0.0 : value) : Json(nullptr); }

Json vector(const ConstVector& a) {
  Json list = Json::array();
  for (const double x : a) list.push_back(number(x));
  return list;
}

Json changes(const Model& model, const TouchDiagnosis& contact) {
  Json list = Json::array();
  for (const PostureChange& change : contact.changes)
    list.push_back({{"dof", dof_name(model, change.dof)},
                    {"value", number(change.value)},
                    {"jamming_friction", number(change.threshold)}});
  return list;
}

Json cone(const TouchDiagnosis& contact) {
  Json list = Json::array();
  for (Eigen::Index k = 0; k < contact.cone.cols(); ++k) list.push_back(vector(contact.cone.col(k)));
  return list;
}

Json flow(const Model& model, const SlipFlowReport& report) {
  Json points = Json::array();
  for (const SingularPoint& point : report.points) {
    Json eigenvalues = Json::array();
    for (const std::complex<double>& value : point.eigenvalues)
      eigenvalues.push_back(Json::array({number(value.real()), number(value.imag())}));
    points.push_back({{"position", number(point.x)},
                      {"rate", number(point.rate)},
                      {"kind", name(point.kind)},
                      {"eigenvalues", eigenvalues},
                      {"entry", name(point.entry)}});
  }
  return {{"dof", dof_name(model, report.dof)},
          {"positions", {number(report.box.x_low), number(report.box.x_high)}},
          {"rates", {number(report.box.rate_low), number(report.box.rate_high)}},
          {"singular_points", points}};
}

Json contact(const Model& model, const TouchDiagnosis& touch) {
  Json json = {{"contact", contact_name(model, touch.contact)}, {"kind", name(touch.kind)}};
  json.update(Json::parse("{" + diagnosis_members(touch.diagnosis) + "}"));
  json["posture_changes"] = changes(model, touch);
  if (touch.flow) json["slip_flow"] = flow(model, *touch.flow);
  json["configuration_cone"] = cone(touch);
  return json;
}

Json together(const Model& model, const SceneDiagnosis& diagnosis) {
  const ModesReport& report = *diagnosis.together;
  Json names = Json::array(), solutions = Json::array();
  for (const int k : diagnosis.together_contacts)
    names.push_back(contact_name(model, diagnosis.contacts[static_cast<std::size_t>(k)].contact));
  for (const ModesSolution& solution : report.solutions) {
    Json modes = Json::array();
    for (const ContactMode mode : solution.modes) modes.push_back(name(mode));
    solutions.push_back({{"modes", modes},
                         {"force", vector(solution.force)},
                         {"acceleration", vector(solution.acceleration)},
                         {"force_unique", solution.force_unique}});
  }
  return {{"contacts", names}, {"status", name(report.status)}, {"rank", report.rank}, {"solutions", solutions}};
}

Json restitution(const SceneDiagnosis& diagnosis) {
  const RestitutionAnswer& answer = *diagnosis.restitution;
  return {{"status", name(answer.status)},
          {"message", answer.message},
          {"consistent", answer.consistent},
          {"consistent_printed", answer.consistent_printed},
          {"worst_growth", number(answer.worst_growth)},
          {"worst_velocity", vector(answer.worst_velocity)},
          {"largest_common", number(answer.largest_common)},
          {"largest_scaling", number(answer.largest_scaling)},
          {"nearest", vector(answer.nearest)},
          {"box", number(answer.box)},
          {"rows", diagnosis.rows},
          {"rank", diagnosis.rank}};
}

}  // namespace

std::string diagnosis_json(const Scene& scene, const SceneDiagnosis& diagnosis) {
  const Model& model = scene.model;
  Json json = {{"schema", diagnosis_schema},
               {"scene", model.name},
               {"time", number(diagnosis.state.time)},
               {"state", {{"q", vector(diagnosis.state.q)}, {"v", vector(diagnosis.state.v)}}},
               {"free_motion", vector(diagnosis.free_motion)},
               {"contacts", Json::array()}};
  for (const TouchDiagnosis& touch : diagnosis.contacts) json["contacts"].push_back(contact(model, touch));
  if (diagnosis.together) json["together"] = together(model, diagnosis);
  if (diagnosis.restitution) json["restitution"] = restitution(diagnosis);
  return json.dump();
}

}  // namespace routh::internal
