#include "routh/scene/writer.h"

#include "routh/dynamics/dynamics.h"
#include "routh/model/scales.h"
#include "routh/problem/writer.h"

namespace routh::internal {

namespace {

JsonText vector(const Vector3& a) { return JsonText::list({json_number(a.x), json_number(a.y), json_number(a.z)}); }

JsonText matrix(const Matrix3& m) { return JsonText::list({vector(m.r0), vector(m.r1), vector(m.r2)}); }

JsonText state_json(const State& state) {
  return JsonText::object({{"q", json_numbers(state.q)}, {"v", json_numbers(state.v)}});
}

JsonText coordinate_names(const Model& model) {
  JsonText names = JsonText::list();
  for (int k = 0; k < model.coordinates; ++k) names.push_back(coordinate_name(model, k));
  return names;
}

JsonText dof_names(const Model& model) {
  JsonText names = JsonText::list();
  for (int k = 0; k < model.velocities; ++k) names.push_back(dof_name(model, k));
  return names;
}

JsonText contact_json(const Model& model, const Contact& contact) {
  JsonText json = JsonText::object({{"contact", contact_name(model, contact)},
                                    {"id", JsonText::list({contact.id.pair, contact.id.feature})},
                                    {"gap", json_number(contact.gap)}});
  if (contact.kind == ContactKind::limit) {
    json.add("dof", dof_name(model, contact.dof));
    return json;
  }
  json.add("shapes", JsonText::list({model.shapes[static_cast<std::size_t>(contact.shape_a)].name,
                                     model.shapes[static_cast<std::size_t>(contact.shape_b)].name}));
  json.add("point", vector(contact.point));
  json.add("normal", vector(contact.normal));
  json.add("tangents", JsonText::list({vector(contact.tangent1), vector(contact.tangent2)}));
  return json;
}

JsonText joint_impulses_json(const Model& model, const std::vector<Wrench>& impulses) {
  JsonText list = JsonText::list();
  for (std::size_t j = 0; j < impulses.size(); ++j)
    list.push_back(JsonText::object({{"joint", model.joints[j].name},
                                     {"force", vector(impulses[j].force)},
                                     {"moment", vector(impulses[j].moment)}}));
  return list;
}

JsonText together_json(const Model& model, const TogetherAnswer& together) {
  JsonText json = JsonText::object(
      {{"names", json_list(together.contacts, [&](const Contact& contact) { return contact_name(model, contact); })}});
  add_answers(json, together.answers);
  return json;
}

// The result objects are those of `routh impact` on a problem file, with the impulses at joints besides.
JsonText results_json(const Model& model, const StrikeAnswer& strike) {
  JsonText list = JsonText::list();
  for (std::size_t k = 0; k < strike.joint_impulses.size(); ++k) {
    std::string members;
    JsonStream json(members);
    write_result(json, strike.answer, strike.answer.laws[k]);
    JsonText result = JsonText::object();
    result.add_members(members);
    result.add("joint_impulses", joint_impulses_json(model, strike.joint_impulses[k]));
    list.push_back(result);
  }
  return list;
}

JsonText bodies_json(const Model& model, const Workspace& workspace) {
  JsonText list = JsonText::list();
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const Joint& joint = model.joints[static_cast<std::size_t>(body.joint)];
    const Pose pose = body_pose(model, workspace, static_cast<int>(i));
    list.push_back(JsonText::object(
        {{"name", body.name},
         {"parent", model.bodies[static_cast<std::size_t>(joint.parent)].name},
         {"mass", json_number(body.mass)},
         {"com", vector(body.com)},
         {"inertia",
          JsonText::list({json_number(body.inertia.xx), json_number(body.inertia.yy), json_number(body.inertia.zz),
                          json_number(body.inertia.xy), json_number(body.inertia.xz), json_number(body.inertia.yz)})},
         {"joint",
          JsonText::object({{"name", joint.name}, {"kind", name(joint.kind)}, {"q", joint.q}, {"v", joint.v}})},
         {"frame", JsonText::object({{"position", vector(pose.position)}, {"rotation", matrix(pose.rotation)}})}}));
  }
  return list;
}

// Null in place of the corners that a hull would have had where it has all of them.
JsonText hull_json(const Polyhedron& hull) {
  return JsonText::object({{"corners", hull.vertices.size()},
                           {"faces", hull.faces.size()},
                           {"reduced_from", hull.reduced_from > 0 ? JsonText(hull.reduced_from) : JsonText()},
                           {"outside", json_number(hull.reduction_error)}});
}

JsonText shapes_json(const Model& model) {
  return json_list(model.shapes, [&](const Shape& shape) {
    JsonText json = JsonText::object(
        {{"name", shape.name},
         {"kind", name(shape.kind)},
         {"body", model.bodies[static_cast<std::size_t>(shape.body)].name},
         {"surface",
          shape.surface < 0 ? JsonText() : JsonText(model.surfaces[static_cast<std::size_t>(shape.surface)].name)}});
    if (shape.hull) json.add("hull", hull_json(*shape.hull));
    return json;
  });
}

JsonText pairs_json(const Model& model) {
  return json_list(model.pairs, [&](const ShapePair& pair) {
    return JsonText::list({model.shapes[static_cast<std::size_t>(pair.first)].name,
                           model.shapes[static_cast<std::size_t>(pair.second)].name});
  });
}

}  // namespace

std::string strikes_json(const Scene& scene, const SceneAnswer& answer) {
  const Model& model = scene.model;
  JsonText strikes = JsonText::list(), touching = JsonText::list();
  for (const StrikeAnswer& strike : answer.strikes) {
    JsonText json = contact_json(model, strike.contact);
    json.add("results", results_json(model, strike));
    strikes.push_back(json);
  }
  for (const Touch& touch : answer.touch.touches)
    touching.push_back(JsonText::object({{"contact", contact_name(model, touch.contact)},
                                         {"kind", name(touch.kind)},
                                         {"normal_velocity", json_number(touch.normal_velocity)}}));
  JsonText json = JsonText::object({{"schema", scene_result_schema},
                                    {"scene", model.name},
                                    {"time", json_number(answer.state.time)},
                                    {"state", state_json(answer.state)},
                                    {"coordinates", coordinate_names(model)},
                                    {"dofs", dof_names(model)},
                                    {"strikes", strikes},
                                    {"touching", touching}});
  if (answer.together) json.add("simultaneous", together_json(model, *answer.together));
  return json.text();
}

namespace {

JsonText scales_json(const Model& model) {
  const Scales scales = compute_scales(model);
  return JsonText::object({{"length", json_number(scales.length)},
                           {"mass", json_number(scales.mass)},
                           {"time", json_number(scales.time)},
                           {"time_source", name(scales.time_source)},
                           {"speed", json_number(scales.speed())},
                           {"force", json_number(scales.force())}});
}

}  // namespace

std::string info_json(const Scene& scene, double margin) {
  const Model& model = scene.model;
  Workspace workspace(model);
  compute_mass_matrix(model, scene.state.q, workspace);
  JsonText mass_matrix = JsonText::list();
  for (Eigen::Index k = 0; k < model.velocities; ++k) mass_matrix.push_back(json_numbers(workspace.mass_matrix.col(k)));
  compute_gravity_force(model, scene.state.q, workspace);
  const Eigen::VectorXd gravity_force = workspace.force;
  const Energy energy = compute_energy(model, scene.state, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, scene.state.q, margin, contacts);
  return JsonText::object(
             {{"schema", scene_result_schema},
              {"scene", model.name},
              {"dimension", name(model.dimension)},
              {"mass", json_number(total_mass(model))},
              {"gravity", vector(model.gravity)},
              {"scales", scales_json(model)},
              {"coordinates", coordinate_names(model)},
              {"dofs", dof_names(model)},
              {"loop_rows", model.loop_rows},
              {"time", json_number(scene.state.time)},
              {"state", state_json(scene.state)},
              {"bodies", bodies_json(model, workspace)},
              {"shapes", shapes_json(model)},
              {"pairs", pairs_json(model)},
              {"mass_matrix", mass_matrix},
              {"gravity_force", json_numbers(gravity_force)},
              {"energy", JsonText::object(
                             {{"kinetic", json_number(energy.kinetic)}, {"potential", json_number(energy.potential)}})},
              {"contacts", json_list(contacts, [&](const Contact& contact) { return contact_json(model, contact); })}})
      .text();
}

}  // namespace routh::internal
