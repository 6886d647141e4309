#include "routh/study/scene_parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "routh/study/problem_parameter.h"

namespace routh::internal {

namespace {

using Set = std::function<void(SceneDraft&, double)>;

// The place of the thing called `path[1]` in a list of the description.
template <class Thing>
std::size_t find_named(const StudyPath& path, const std::vector<Thing>& things, const char* kind) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < things.size(); ++k) {
    if (path.size() > 1 && path[1].is(things[k].name)) return k;
    names.push_back(things[k].name);
  }
  refuse(path, fmt::format("there is no such {}", kind), known_names(path.size() > 1 ? path[1].word : "", names));
}

double& component(Vector3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

template <class Thing>
struct NumberOf {
  std::string_view word;
  double Thing::*number;
};

// A plain number of a thing: `path[2]` is its word.
template <class Thing, std::size_t n>
Set find_number(const StudyPath& path, std::vector<Thing> ModelDescription::*list, std::size_t index,
                const std::array<NumberOf<Thing>, n>& numbers) {
  if (path.size() == 3)
    for (const NumberOf<Thing>& each : numbers)
      if (path[2].is(each.word))
        return [list, index, member = each.number](SceneDraft& draft, double value) {
          (draft.description.*list)[index].*member = value;
        };
  return nullptr;
}

template <class Thing>
struct VectorOf {
  std::string_view word;
  Vector3& (*vector)(Thing&);
};

// An entry of a vector of a thing: `path[2]` its word, `path[3]` the entry.
template <class Thing, std::size_t n>
Set find_entry(const StudyPath& path, std::vector<Thing> ModelDescription::*list, std::size_t index,
               const std::array<VectorOf<Thing>, n>& vectors) {
  if (path.size() != 4 || path[3].entry < 0) return nullptr;
  for (const VectorOf<Thing>& each : vectors) {
    if (!path[2].is(each.word)) continue;
    if (path[3].entry > 2) refuse(path, "vectors have the entries 0 to 2");
    return [list, index, entry = path[3].entry, vector = each.vector](SceneDraft& draft, double value) {
      component(vector((draft.description.*list)[index]), entry) = value;
    };
  }
  return nullptr;
}

Set surface_setter(const StudyPath& path, const SceneDraft& draft) {
  const std::size_t index = find_named(path, draft.description.surfaces, "surface");
  const SurfaceNumber* number = find_surface_number(path, 2);
  if (!number) return nullptr;
  return [index, number](SceneDraft& changed, double value) {
    SurfaceProperties& properties = changed.description.surfaces[index].properties;
    number->set(properties.friction, properties.restitution, value);
  };
}

Set body_setter(const StudyPath& path, const SceneDraft& draft) {
  const std::size_t index = find_named(path, draft.description.bodies, "body");
  using Body = BodyDescription;
  static constexpr std::array<NumberOf<Body>, 1> numbers = {{{"mass", &Body::mass}}};
  static constexpr std::array<VectorOf<Body>, 1> vectors = {{{"com", [](Body& body) -> Vector3& { return body.com; }}}};
  if (Set found = find_number(path, &ModelDescription::bodies, index, numbers)) return found;
  if (Set found = find_entry(path, &ModelDescription::bodies, index, vectors)) return found;
  if (path.size() < 3 || !path[2].is("inertia")) return nullptr;
  static constexpr std::pair<std::string_view, double Symmetric3::*> entries[] = {
      {"xx", &Symmetric3::xx}, {"yy", &Symmetric3::yy}, {"zz", &Symmetric3::zz},
      {"xy", &Symmetric3::xy}, {"xz", &Symmetric3::xz}, {"yz", &Symmetric3::yz}};
  const bool planar = draft.description.dimension == Dimension::planar;
  for (const auto& [word, entry] : entries)
    if (path.size() == 4 ? path[3].is(word) : planar && word == "zz")
      return [index, member = entry](SceneDraft& changed, double value) {
        changed.description.bodies[index].inertia.*member = value;
      };
  return nullptr;
}

// A joint with one degree of freedom, or the one that the path names.
Set joint_setter(const StudyPath& path, const SceneDraft& draft) {
  const std::size_t index = find_named(path, draft.description.joints, "joint");
  const JointDescription& joint = draft.description.joints[index];
  const auto names = dof_names(joint.kind);
  if (names.empty()) refuse(path, "this joint is fixed");
  std::size_t dof = 0;
  if (path.size() == 4) {
    const auto found = std::find(names.begin(), names.end(), path[2].word);
    if (found == names.end())
      refuse(path, "the joint has no such degree of freedom", known_names(path[2].word, {names.begin(), names.end()}));
    dof = static_cast<std::size_t>(found - names.begin());
  } else if (path.size() != 3) {
    return nullptr;
  } else if (names.size() > 1) {
    refuse(path, "the joint has several degrees of freedom",
           fmt::format("name one: joints.{}.{}.{}", path[1].word, names[0], path[2].word));
  }
  using Dof = DofDescription;
  static constexpr std::pair<std::string_view, double Dof::*> numbers[] = {
      {"damping", &Dof::damping},
      {"stiffness", &Dof::stiffness},
      {"rest", &Dof::rest},
      {"armature", &Dof::armature},
      {"lower", &Dof::lower},
      {"upper", &Dof::upper},
      {"limit_restitution", &Dof::limit_restitution}};
  for (const auto& [word, number] : numbers)
    if (path[path.size() - 1].is(word))
      return [index, dof, count = names.size(), member = number](SceneDraft& changed, double value) {
        auto& dofs = changed.description.joints[index].dofs;
        dofs.resize(count);
        dofs[dof].*member = value;
      };
  return nullptr;
}

Set other_setter(const StudyPath& path, const SceneDraft& draft) {
  using Spring = SpringDescription;
  using Loop = LoopDescription;
  using Shape = ShapeDescription;
  using Force = ForceDescription;
  static constexpr std::array<NumberOf<Spring>, 3> spring_numbers = {
      {{"stiffness", &Spring::stiffness}, {"damping", &Spring::damping}, {"rest_length", &Spring::rest_length}}};
  static constexpr std::array<NumberOf<Loop>, 2> loop_numbers = {
      {{"distance", &Loop::distance}, {"constant", &Loop::constant}}};
  static constexpr std::array<NumberOf<Shape>, 2> shape_numbers = {
      {{"radius", &Shape::radius}, {"length", &Shape::length}}};
  static constexpr std::array<VectorOf<Shape>, 2> shape_vectors = {
      {{"half_extents", [](Shape& shape) -> Vector3& { return shape.half_extents; }},
       {"at", [](Shape& shape) -> Vector3& { return shape.at.position; }}}};
  static constexpr std::array<VectorOf<Force>, 2> force_vectors = {
      {{"force", [](Force& force) -> Vector3& { return force.force; }},
       {"torque", [](Force& force) -> Vector3& { return force.torque; }}}};
  const ModelDescription& d = draft.description;
  if (path[0].is("springs"))
    return find_number(path, &ModelDescription::springs, find_named(path, d.springs, "spring"), spring_numbers);
  if (path[0].is("loops"))
    return find_number(path, &ModelDescription::loops, find_named(path, d.loops, "loop"), loop_numbers);
  if (path[0].is("forces"))
    return find_entry(path, &ModelDescription::forces, find_named(path, d.forces, "force"), force_vectors);
  if (path[0].is("shapes")) {
    const std::size_t index = find_named(path, d.shapes, "shape");
    if (Set found = find_number(path, &ModelDescription::shapes, index, shape_numbers)) return found;
    return find_entry(path, &ModelDescription::shapes, index, shape_vectors);
  }
  if (path[0].is("gravity") && path.size() == 2 && path[1].entry >= 0) {
    if (path[1].entry > (d.dimension == Dimension::planar ? 1 : 2)) refuse(path, "gravity has no such entry");
    return [entry = path[1].entry](SceneDraft& changed, double value) {
      component(changed.description.gravity, entry) = value;
    };
  }
  return nullptr;
}

SceneParameter state_parameter(const StudyPath& path, const Model& model) {
  SceneParameter out;
  out.changes_model = false;
  if (path.is({"state", "time"})) {
    out.set = [](SceneDraft& draft, double value) { draft.state.time = value; };
    return out;
  }
  const bool position = path.size() > 2 && path[1].is("position");
  if (!position && !(path.size() > 2 && path[1].is("velocity")))
    refuse(path, "the state has `position`, `velocity` and `time`", "as in state.position.knee");
  const auto dof = static_cast<std::size_t>(find_dof(path, 2, model));
  if (!position) {
    out.set = [dof](SceneDraft& draft, double value) {
      draft.state.v[static_cast<Eigen::Index>(dof)] = value;
      draft.given.given_velocity[dof] = true;
    };
    return out;
  }
  const int coordinate = model.dofs[dof].coordinate;
  if (coordinate < 0)
    refuse(path, "this degree of freedom turns a quaternion and has no coordinate of its own", "vary its velocity");
  out.set = [dof, coordinate](SceneDraft& draft, double value) {
    draft.state.q[coordinate] = value;
    draft.given.given_position[dof] = true;
  };
  return out;
}

}  // namespace

int find_dof(const StudyPath& path, std::size_t first, const Model& model) {
  std::string wanted;
  for (std::size_t k = first; k < path.size(); ++k) wanted += (k > first ? "." : "") + path[k].word;
  std::vector<std::string> names;
  for (int k = 0; k < model.velocities; ++k) {
    names.push_back(dof_name(model, k));
    if (names.back() == wanted) return k;
  }
  refuse(path, "there is no such degree of freedom", known_names(wanted, names));
}

SceneParameter find_scene_parameter(const StudyPath& path, const SceneDraft& draft, const Model& model) {
  if (path[0].is("state")) return state_parameter(path, model);
  SceneParameter out;
  if (path[0].is("surfaces"))
    out.set = surface_setter(path, draft);
  else if (path[0].is("bodies"))
    out.set = body_setter(path, draft);
  else if (path[0].is("joints"))
    out.set = joint_setter(path, draft);
  else
    out.set = other_setter(path, draft);
  if (out.set) return out;
  static const std::vector<std::string> sections = {"surfaces", "bodies", "joints",  "springs", "loops",
                                                    "shapes",   "forces", "gravity", "state"};
  if ((path[0].is("friction") || path[0].is("restitution")) && !draft.description.surfaces.empty())
    refuse(path, "a scene has it for each surface",
           fmt::format("write surfaces.{}.{}", draft.description.surfaces[0].name, path.text));
  if (std::find(sections.begin(), sections.end(), path[0].word) == sections.end())
    refuse(path, "a scene has no such section to vary", known_names(path[0].word, sections));
  refuse(path, "it has no such number", "docs/study-file.md lists what can vary");
}

}  // namespace routh::internal
