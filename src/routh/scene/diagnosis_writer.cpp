#include "routh/scene/diagnosis_writer.h"

#include "routh/problem/diagnosis_writer.h"
#include "routh/problem/json_text.h"

namespace routh::internal {

namespace {

JsonText changes(const Model& model, const TouchDiagnosis& contact) {
  JsonText list = JsonText::list();
  for (const PostureChange& change : contact.changes)
    list.push_back(JsonText::object({{"dof", dof_name(model, change.dof)},
                                     {"value", json_number(change.value)},
                                     {"jamming_friction", json_number(change.threshold)}}));
  return list;
}

JsonText cone(const TouchDiagnosis& contact) {
  JsonText list = JsonText::list();
  for (Eigen::Index k = 0; k < contact.cone.cols(); ++k) list.push_back(json_numbers(contact.cone.col(k)));
  return list;
}

JsonText flow(const Model& model, const SlipFlowReport& report) {
  JsonText points = JsonText::list();
  for (const SingularPoint& point : report.points) {
    JsonText eigenvalues = JsonText::list();
    for (const std::complex<double>& value : point.eigenvalues)
      eigenvalues.push_back(JsonText::list({json_number(value.real()), json_number(value.imag())}));
    points.push_back(JsonText::object({{"position", json_number(point.x)},
                                       {"rate", json_number(point.rate)},
                                       {"kind", name(point.kind)},
                                       {"eigenvalues", eigenvalues},
                                       {"entry", name(point.entry)}}));
  }
  return JsonText::object(
      {{"dof", dof_name(model, report.dof)},
       {"positions", JsonText::list({json_number(report.box.x_low), json_number(report.box.x_high)})},
       {"rates", JsonText::list({json_number(report.box.rate_low), json_number(report.box.rate_high)})},
       {"singular_points", points}});
}

JsonText contact(const Model& model, const TouchDiagnosis& touch) {
  JsonText json = JsonText::object({{"contact", contact_name(model, touch.contact)}, {"kind", name(touch.kind)}});
  json.add_members(diagnosis_members(touch.diagnosis));
  json.add("posture_changes", changes(model, touch));
  if (touch.flow) json.add("slip_flow", flow(model, *touch.flow));
  json.add("configuration_cone", cone(touch));
  return json;
}

JsonText together(const Model& model, const SceneDiagnosis& diagnosis) {
  const ModesReport& report = *diagnosis.together;
  JsonText names = JsonText::list(), solutions = JsonText::list();
  for (const int k : diagnosis.together_contacts)
    names.push_back(contact_name(model, diagnosis.contacts[static_cast<std::size_t>(k)].contact));
  for (const ModesSolution& solution : report.solutions) {
    JsonText modes = JsonText::list();
    for (const ContactMode mode : solution.modes) modes.push_back(name(mode));
    solutions.push_back(JsonText::object({{"modes", modes},
                                          {"force", json_numbers(solution.force)},
                                          {"acceleration", json_numbers(solution.acceleration)},
                                          {"force_unique", solution.force_unique}}));
  }
  return JsonText::object(
      {{"contacts", names}, {"status", name(report.status)}, {"rank", report.rank}, {"solutions", solutions}});
}

JsonText restitution(const SceneDiagnosis& diagnosis) {
  const RestitutionAnswer& answer = *diagnosis.restitution;
  return JsonText::object({{"status", name(answer.status)},
                           {"message", answer.message},
                           {"consistent", answer.consistent},
                           {"consistent_printed", answer.consistent_printed},
                           {"worst_growth", json_number(answer.worst_growth)},
                           {"worst_velocity", json_numbers(answer.worst_velocity)},
                           {"largest_common", json_number(answer.largest_common)},
                           {"largest_scaling", json_number(answer.largest_scaling)},
                           {"nearest", json_numbers(answer.nearest)},
                           {"box", json_number(answer.box)},
                           {"rows", diagnosis.rows},
                           {"rank", diagnosis.rank}});
}

}  // namespace

std::string diagnosis_json(const Scene& scene, const SceneDiagnosis& diagnosis) {
  const Model& model = scene.model;
  JsonText contacts = JsonText::list();
  for (const TouchDiagnosis& touch : diagnosis.contacts) contacts.push_back(contact(model, touch));
  JsonText json = JsonText::object(
      {{"schema", diagnosis_schema},
       {"scene", model.name},
       {"time", json_number(diagnosis.state.time)},
       {"state", JsonText::object({{"q", json_numbers(diagnosis.state.q)}, {"v", json_numbers(diagnosis.state.v)}})},
       {"free_motion", json_numbers(diagnosis.free_motion)},
       {"contacts", contacts}});
  if (diagnosis.together) json.add("together", together(model, diagnosis));
  if (diagnosis.restitution) json.add("restitution", restitution(diagnosis));
  return json.text();
}

}  // namespace routh::internal
