#include "routh/scene/writer.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "routh/dynamics/dynamics.h"
#include "routh/problem/writer.h"

namespace routh::internal {

namespace {

using Json = nlohmann::ordered_json;

// What is not finite is null; a negative zero is zero.
Json number(double value) { return std::isfinite(value) ? Json(value == 0 ? 0.0 : value) : Json(nullptr); }

Json vector(const Vector3& a) { return {number(a.x), number(a.y), number(a.z)}; }

Json vector(const ConstVector& a) {
  Json list = Json::array();
  for (const double x : a) list.push_back(number(x));
  return list;
}

Json matrix(const Matrix3& m) { return {vector(m.r0), vector(m.r1), vector(m.r2)}; }

Json state_json(const State& state) { return {{"q", vector(state.q)}, {"v", vector(state.v)}}; }

Json coordinate_names(const Model& model) {
  Json names = Json::array();
  for (int k = 0; k < model.coordinates; ++k) names.push_back(coordinate_name(model, k));
  return names;
}

Json dof_names(const Model& model) {
  Json names = Json::array();
  for (int k = 0; k < model.velocities; ++k) names.push_back(dof_name(model, k));
  return names;
}

Json contact_json(const Model& model, const Contact& contact) {
  Json json = {{"contact", contact_name(model, contact)},
               {"id", {contact.id.pair, contact.id.feature}},
               {"gap", number(contact.gap)}};
  if (contact.kind == ContactKind::limit) {
    json["dof"] = dof_name(model, contact.dof);
    return json;
  }
  json["shapes"] = {model.shapes[static_cast<std::size_t>(contact.shape_a)].name,
                    model.shapes[static_cast<std::size_t>(contact.shape_b)].name};
  json["point"] = vector(contact.point);
  json["normal"] = vector(contact.normal);
  json["tangents"] = {vector(contact.tangent1), vector(contact.tangent2)};
  return json;
}

Json joint_impulses_json(const Model& model, const std::vector<Wrench>& impulses) {
  Json list = Json::array();
  for (std::size_t j = 0; j < impulses.size(); ++j)
    list.push_back({{"joint", model.joints[j].name},
                    {"force", vector(impulses[j].force)},
                    {"moment", vector(impulses[j].moment)}});
  return list;
}

std::string together_json(const Model& model, const TogetherAnswer& together) {
  Json names = Json::array();
  for (const Contact& contact : together.contacts) names.push_back(contact_name(model, contact));
  const SimultaneousAnswers& answers = together.answers;
  return "{\"names\":" + names.dump() + ",\"smooth\":" + simultaneous_json(answers.smooth) +
         ",\"sticking\":" + (answers.sticking ? simultaneous_json(*answers.sticking) : "null") + "}";
}

// The result objects are those of `routh impact` on a problem file, with the impulses at joints besides.
std::string results_json(const Model& model, const StrikeAnswer& strike) {
  std::string out = "[";
  for (std::size_t k = 0; k < strike.joint_impulses.size(); ++k) {
    out += k == 0 ? "{" : ",{";
    append_result(out, strike.answer, strike.answer.laws[k]);
    out += ",\"joint_impulses\":" + joint_impulses_json(model, strike.joint_impulses[k]).dump() + "}";
  }
  return out + "]";
}

// The object without its closing brace, so that a member already written can follow.
std::string open_object(const Json& json) {
  std::string text = json.dump();
  text.pop_back();
  return text;
}

Json bodies_json(const Model& model, const Workspace& workspace) {
  Json list = Json::array();
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const Joint& joint = model.joints[static_cast<std::size_t>(body.joint)];
    const Pose pose = body_pose(model, workspace, static_cast<int>(i));
    list.push_back({{"name", body.name},
                    {"parent", model.bodies[static_cast<std::size_t>(joint.parent)].name},
                    {"mass", number(body.mass)},
                    {"com", vector(body.com)},
                    {"inertia",
                     {number(body.inertia.xx), number(body.inertia.yy), number(body.inertia.zz),
                      number(body.inertia.xy), number(body.inertia.xz), number(body.inertia.yz)}},
                    {"joint", {{"name", joint.name}, {"kind", name(joint.kind)}, {"q", joint.q}, {"v", joint.v}}},
                    {"frame", {{"position", vector(pose.position)}, {"rotation", matrix(pose.rotation)}}}});
  }
  return list;
}

Json shapes_json(const Model& model) {
  Json list = Json::array();
  for (const Shape& shape : model.shapes)
    list.push_back(
        {{"name", shape.name},
         {"kind", name(shape.kind)},
         {"body", model.bodies[static_cast<std::size_t>(shape.body)].name},
         {"surface",
          shape.surface < 0 ? Json(nullptr) : Json(model.surfaces[static_cast<std::size_t>(shape.surface)].name)}});
  return list;
}

Json pairs_json(const Model& model) {
  Json list = Json::array();
  for (const ShapePair& pair : model.pairs)
    list.push_back({model.shapes[static_cast<std::size_t>(pair.first)].name,
                    model.shapes[static_cast<std::size_t>(pair.second)].name});
  return list;
}

}  // namespace

std::string strikes_json(const Scene& scene, const SceneAnswer& answer) {
  const Model& model = scene.model;
  std::string out = open_object({{"schema", scene_result_schema},
                                 {"scene", model.name},
                                 {"time", number(answer.state.time)},
                                 {"state", state_json(answer.state)},
                                 {"coordinates", coordinate_names(model)},
                                 {"dofs", dof_names(model)}});
  out += ",\"strikes\":[";
  for (std::size_t k = 0; k < answer.strikes.size(); ++k) {
    if (k > 0) out += ',';
    out += open_object(contact_json(model, answer.strikes[k].contact));
    out += ",\"results\":" + results_json(model, answer.strikes[k]) + "}";
  }
  Json touching = Json::array();
  for (const Touch& touch : answer.touch.touches)
    touching.push_back({{"contact", contact_name(model, touch.contact)},
                        {"kind", name(touch.kind)},
                        {"normal_velocity", number(touch.normal_velocity)}});
  out += "],\"touching\":" + touching.dump();
  if (answer.together) out += ",\"simultaneous\":" + together_json(model, *answer.together);
  return out + "}";
}

std::string info_json(const Scene& scene, double margin) {
  const Model& model = scene.model;
  Workspace workspace(model);
  double mass = 0;
  for (const Body& body : model.bodies) mass += body.mass;
  compute_mass_matrix(model, scene.state.q, workspace);
  Json mass_matrix = Json::array();
  for (Eigen::Index k = 0; k < model.velocities; ++k) mass_matrix.push_back(vector(workspace.mass_matrix.col(k)));
  compute_gravity_force(model, scene.state.q, workspace);
  const Eigen::VectorXd gravity_force = workspace.force;
  const Energy energy = compute_energy(model, scene.state, workspace);
  std::vector<Contact> contacts;
  find_contacts(model, workspace, scene.state.q, margin, contacts);
  Json contact_list = Json::array();
  for (const Contact& contact : contacts) contact_list.push_back(contact_json(model, contact));
  const Json json = {{"schema", scene_result_schema},
                     {"scene", model.name},
                     {"dimension", model.dimension == Dimension::planar ? "planar" : "spatial"},
                     {"mass", number(mass)},
                     {"gravity", vector(model.gravity)},
                     {"coordinates", coordinate_names(model)},
                     {"dofs", dof_names(model)},
                     {"loop_rows", model.loop_rows},
                     {"time", number(scene.state.time)},
                     {"state", state_json(scene.state)},
                     {"bodies", bodies_json(model, workspace)},
                     {"shapes", shapes_json(model)},
                     {"pairs", pairs_json(model)},
                     {"mass_matrix", mass_matrix},
                     {"gravity_force", vector(gravity_force)},
                     {"energy", {{"kinetic", number(energy.kinetic)}, {"potential", number(energy.potential)}}},
                     {"contacts", contact_list}};
  return json.dump();
}

}  // namespace routh::internal
