#include "routh/scene/diagnosis_writer.h"

#include "routh/problem/diagnosis_writer.h"
#include "routh/problem/json_text.h"

namespace routh::internal {

namespace {

JsonText changes(const Model& model, const TouchDiagnosis& contact) {
  return json_list(contact.changes, [&](const PostureChange& change) {
    return JsonText::object({{"dof", dof_name(model, change.dof)},
                             {"value", json_number(change.value)},
                             {"jamming_friction", json_number(change.threshold)}});
  });
}

JsonText cone(const TouchDiagnosis& contact) {
  JsonText list = JsonText::list();
  for (Eigen::Index k = 0; k < contact.cone.cols(); ++k) list.push_back(json_numbers(contact.cone.col(k)));
  return list;
}

JsonText flow(const Model& model, const SlipFlowReport& report) {
  JsonText points = JsonText::list();
  for (const SingularPoint& point : report.points) {
    const JsonText eigenvalues = json_list(point.eigenvalues, [](const std::complex<double>& value) {
      return JsonText::list({json_number(value.real()), json_number(value.imag())});
    });
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
       {"singular_points", points},
       {"slides", json_list(report.slides, [](const SlipFlowReport::Slide& slide) {
          return JsonText::object({{"end", slide.end},
                                   {"time", json_numbers(slide.time)},
                                   {"position", json_numbers(slide.x)},
                                   {"rate", json_numbers(slide.rate)}});
        })}});
}

JsonText contact(const Model& model, const TouchDiagnosis& touch) {
  JsonText json = JsonText::object({{"contact", contact_name(model, touch.contact)}, {"kind", name(touch.kind)}});
  json.add_members(diagnosis_members(touch.diagnosis));
  json.add("posture_changes", changes(model, touch));
  if (touch.flow) json.add("slip_flow", flow(model, *touch.flow));
  json.add("configuration_cone", cone(touch));
  return json;
}

// What is infinite is null: no friction holds, or a motion is possible at every friction from some on.
JsonText threshold(const HoldThreshold& own) {
  JsonText json = JsonText::object({{"rest_from", json_number(own.rest_from)}, {"attained", own.attained}});
  const std::optional<double> only = own.only_rest_from();
  json.add("only_rest_from", only ? json_number(*only) : JsonText());
  if (!own.motions) {
    json.add("motions", JsonText());
    return json;
  }
  json.add("motions", json_list(*own.motions, [](const MotionRange& range) {
             return JsonText::list({json_number(range.from), json_number(range.to)});
           }));
  return json;
}

JsonText hold(const Model& model, const SceneDiagnosis& diagnosis) {
  const HoldReport& report = *diagnosis.hold;
  JsonText json = JsonText::object({{"verdict", name(report.verdict)}, {"slipping", report.slipping}});
  json.add("motion", report.motion ? JsonText(*report.motion) : JsonText());
  json.add("modes", json_list(report.modes, [](ContactMode mode) { return name(mode); }));
  if (report.slipping) {
    json.add("jam_factor", report.jam_factor ? json_number(*report.jam_factor) : JsonText());
    return json;
  }
  json.add("rest", report.rest);
  json.add("all_motions", report.all_motions);
  json.add("any_load", report.any_load);
  json.add("factor", threshold(report.factor));
  JsonText contacts = JsonText::list(), loads = JsonText::list();
  for (std::size_t c = 0; c < report.contacts.size(); ++c) {
    JsonText own = threshold(report.contacts[c]);
    own.add("friction", json_number(report.friction[c].static_coefficient));
    contacts.push_back(own);
  }
  for (std::size_t k = 0; k < report.loads.size(); ++k) {
    const HoldRange& range = report.loads[k];
    loads.push_back(JsonText::object({{"dof", dof_name(model, diagnosis.hold_loads[k])},
                                      {"exists", range.exists},
                                      {"low", json_number(range.low)},
                                      {"high", json_number(range.high)}}));
  }
  json.add("contacts", contacts);
  json.add("loads", loads);
  json.add("postures", json_list(diagnosis.rest_postures, [&](const RestPosture& posture) {
             return JsonText::object({{"dof", dof_name(model, posture.dof)}, {"value", json_number(posture.value)}});
           }));
  return json;
}

JsonText together(const Model& model, const SceneDiagnosis& diagnosis) {
  const ModesReport& report = *diagnosis.together;
  const JsonText names = json_list(diagnosis.together_contacts, [&](int k) {
    return contact_name(model, diagnosis.contacts[static_cast<std::size_t>(k)].contact);
  });
  const JsonText solutions = json_list(report.solutions, [](const ModesSolution& solution) {
    return JsonText::object({{"modes", json_list(solution.modes, [](ContactMode mode) { return name(mode); })},
                             {"force", json_numbers(solution.force)},
                             {"acceleration", json_numbers(solution.acceleration)},
                             {"force_unique", solution.force_unique}});
  });
  JsonText json = JsonText::object(
      {{"contacts", names}, {"status", name(report.status)}, {"rank", report.rank}, {"solutions", solutions}});
  if (diagnosis.hold) json.add("hold", hold(model, diagnosis));
  return json;
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
  JsonText json = JsonText::object(
      {{"schema", diagnosis_schema},
       {"scene", model.name},
       {"time", json_number(diagnosis.state.time)},
       {"state", JsonText::object({{"q", json_numbers(diagnosis.state.q)}, {"v", json_numbers(diagnosis.state.v)}})},
       {"free_motion", json_numbers(diagnosis.free_motion)},
       {"contacts",
        json_list(diagnosis.contacts, [&](const TouchDiagnosis& touch) { return contact(model, touch); })}});
  if (diagnosis.together) json.add("together", together(model, diagnosis));
  if (diagnosis.restitution) json.add("restitution", restitution(diagnosis));
  return json.text();
}

}  // namespace routh::internal
