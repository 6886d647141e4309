#include "routh/study/scene_parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "routh/study/problem_parameter.h"

namespace routh::internal {

namespace {

// Where the number stands in a draft.
using Place = std::function<double&(SceneDraft&)>;

// A profile as one number; one that changes in time has none until it is set.
double& constant_of(Profile& profile) {
  if (profile.points.size() != 1) profile = Profile::constant(std::numeric_limits<double>::quiet_NaN());
  return profile.points[0].value;
}

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
Place find_number(const StudyPath& path, std::vector<Thing> ModelDescription::*list, std::size_t index,
                  const std::array<NumberOf<Thing>, n>& numbers) {
  if (path.size() == 3)
    for (const NumberOf<Thing>& each : numbers)
      if (path[2].is(each.word))
        return [list, index, member = each.number](SceneDraft& draft) -> double& {
          return (draft.description.*list)[index].*member;
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
Place find_entry(const StudyPath& path, std::vector<Thing> ModelDescription::*list, std::size_t index,
                 const std::array<VectorOf<Thing>, n>& vectors) {
  if (path.size() != 4 || path[3].entry < 0) return nullptr;
  for (const VectorOf<Thing>& each : vectors) {
    if (!path[2].is(each.word)) continue;
    if (path[3].entry > 2) refuse(path, "vectors have the entries 0 to 2");
    return [list, index, entry = path[3].entry, vector = each.vector](SceneDraft& draft) -> double& {
      return component(vector((draft.description.*list)[index]), entry);
    };
  }
  return nullptr;
}

SceneParameter surface_parameter(const StudyPath& path, const SceneDraft& draft) {
  const std::size_t index = find_named(path, draft.description.surfaces, "surface");
  const SurfaceNumber* number = find_surface_number(path, 2);
  SceneParameter out;
  if (!number) return out;
  out.set = [index, number](SceneDraft& changed, double value) {
    SurfaceProperties& properties = changed.description.surfaces[index].properties;
    number->set(properties.friction, properties.restitution, value);
  };
  out.value = [index, number](const SceneDraft& present) {
    const SurfaceProperties& properties = present.description.surfaces[index].properties;
    return number->get(properties.friction, properties.restitution);
  };
  return out;
}

// `friction`, `restitution`: of every surface, and of every pair of surfaces that has its own.
SceneParameter all_surfaces_parameter(const StudyPath& path, const SceneDraft& draft) {
  const SurfaceNumber* number = find_surface_number(path, 0);
  SceneParameter out;
  if (!number) return out;
  if (draft.description.surfaces.empty()) refuse(path, "the scene has no surfaces", "describe them in `surfaces`");
  out.set = [number](SceneDraft& changed, double value) {
    const auto set = [&](SurfaceProperties& properties) {
      number->set(properties.friction, properties.restitution, value);
    };
    for (SurfaceDescription& surface : changed.description.surfaces) set(surface.properties);
    for (SurfacePairDescription& pair : changed.description.surface_pairs) set(pair.properties);
  };
  out.value = [number](const SceneDraft& present) {
    const auto get = [&](const SurfaceProperties& properties) {
      return number->get(properties.friction, properties.restitution);
    };
    const ModelDescription& d = present.description;
    const double first = get(d.surfaces[0].properties);
    const auto same = [&](const auto& each) { return get(each.properties) == first; };
    const bool one = std::all_of(d.surfaces.begin(), d.surfaces.end(), same) &&
                     std::all_of(d.surface_pairs.begin(), d.surface_pairs.end(), same);
    return one ? first : std::numeric_limits<double>::quiet_NaN();
  };
  return out;
}

Place body_number(const StudyPath& path, const SceneDraft& draft) {
  const std::size_t index = find_named(path, draft.description.bodies, "body");
  using Body = BodyDescription;
  static constexpr std::array<NumberOf<Body>, 1> numbers = {{{"mass", &Body::mass}}};
  static constexpr std::array<VectorOf<Body>, 1> vectors = {{{"com", [](Body& body) -> Vector3& { return body.com; }}}};
  if (Place found = find_number(path, &ModelDescription::bodies, index, numbers)) return found;
  if (Place found = find_entry(path, &ModelDescription::bodies, index, vectors)) return found;
  if (path.size() < 3 || !path[2].is("inertia")) return nullptr;
  static constexpr std::pair<std::string_view, double Symmetric3::*> entries[] = {
      {"xx", &Symmetric3::xx}, {"yy", &Symmetric3::yy}, {"zz", &Symmetric3::zz},
      {"xy", &Symmetric3::xy}, {"xz", &Symmetric3::xz}, {"yz", &Symmetric3::yz}};
  const bool planar = draft.description.dimension == Dimension::planar;
  for (const auto& [word, entry] : entries)
    if (path.size() == 4 ? path[3].is(word) : planar && word == "zz")
      return [index, member = entry](SceneDraft& changed) -> double& {
        return changed.description.bodies[index].inertia.*member;
      };
  return nullptr;
}

// Which degree of freedom of the joint the path names, and the part of the path after it.
struct DofPlace {
  std::size_t dof = 0, rest = 2;
};

DofPlace place_in_joint(const StudyPath& path, std::span<const std::string_view> names) {
  const auto found = path.size() > 2 ? std::find(names.begin(), names.end(), path[2].word) : names.end();
  if (found != names.end()) return {static_cast<std::size_t>(found - names.begin()), 3};
  if (path.size() > 3 && !path[2].is("drive"))
    refuse(path, "the joint has no such degree of freedom", known_names(path[2].word, {names.begin(), names.end()}));
  if (path.size() > 2 && names.size() > 1)
    refuse(path, "the joint has several degrees of freedom",
           fmt::format("name one: joints.{}.{}.{}", path[1].word, names[0], path[2].word));
  return {};
}

Place drive_number(const StudyPath& path, std::string_view word,
                   const std::function<DofDescription&(SceneDraft&)>& at) {
  static constexpr std::pair<std::string_view, double DriveDescription::*> numbers[] = {
      {"stiffness", &DriveDescription::stiffness},
      {"damping", &DriveDescription::damping},
      {"limit", &DriveDescription::limit}};
  for (const auto& [known, number] : numbers)
    if (known == word)
      return [at, member = number](SceneDraft& changed) -> double& { return (*at(changed).drive).*member; };
  static constexpr std::pair<std::string_view, Profile DriveDescription::*> profiles[] = {
      {"position", &DriveDescription::position}, {"velocity", &DriveDescription::velocity}};
  for (const auto& [known, profile] : profiles)
    if (known == word)
      return
          [at, member = profile](SceneDraft& changed) -> double& { return constant_of((*at(changed).drive).*member); };
  refuse(path, "a drive has no such number", "it has position, velocity, stiffness, damping and limit");
}

// A joint with one degree of freedom, or the one that the path names.
Place joint_number(const StudyPath& path, const SceneDraft& draft) {
  const std::size_t index = find_named(path, draft.description.joints, "joint");
  const JointDescription& joint = draft.description.joints[index];
  if (path.size() == 4 && path[2].is("at") && path[3].entry >= 0) {
    if (path[3].entry > 2) refuse(path, "vectors have the entries 0 to 2");
    return [index, entry = path[3].entry](SceneDraft& changed) -> double& {
      return component(changed.description.joints[index].at.position, entry);
    };
  }
  const auto names = dof_names(joint.kind);
  if (names.empty()) refuse(path, "this joint is fixed");
  const auto [dof, rest] = place_in_joint(path, names);
  using Dof = DofDescription;
  const auto at = [index, dof = dof, count = names.size()](SceneDraft& changed) -> Dof& {
    auto& dofs = changed.description.joints[index].dofs;
    dofs.resize(count);
    return dofs[dof];
  };
  if (path.size() == rest + 2 && path[rest].is("drive")) {
    if (dof >= joint.dofs.size() || !joint.dofs[dof].drive)
      refuse(path, "the joint has no drive", "give it one in the scene, then vary its numbers");
    return drive_number(path, path[rest + 1].word, at);
  }
  if (path.size() != rest + 1) return nullptr;
  if (path[rest].is("effort"))
    return [at](SceneDraft& changed) -> double& {
      std::optional<Profile>& effort = at(changed).effort;
      if (!effort) effort.emplace();
      return constant_of(*effort);
    };
  static constexpr std::pair<std::string_view, double Dof::*> numbers[] = {
      {"damping", &Dof::damping},
      {"stiffness", &Dof::stiffness},
      {"rest", &Dof::rest},
      {"armature", &Dof::armature},
      {"lower", &Dof::lower},
      {"upper", &Dof::upper},
      {"limit_restitution", &Dof::limit_restitution}};
  for (const auto& [word, number] : numbers)
    if (path[rest].is(word))
      return [at, member = number](SceneDraft& changed) -> double& { return at(changed).*member; };
  return nullptr;
}

Place impulse_number(const StudyPath& path, const SceneDraft& draft) {
  using Blow = ImpulseDescription;
  static constexpr std::array<NumberOf<Blow>, 1> both = {{{"time", &Blow::time}}};
  static constexpr std::array<NumberOf<Blow>, 1> on_joint = {{{"impulse", &Blow::along_dof}}};
  static constexpr std::array<VectorOf<Blow>, 3> on_body = {
      {{"impulse", [](Blow& blow) -> Vector3& { return blow.impulse; }},
       {"angular_impulse", [](Blow& blow) -> Vector3& { return blow.angular_impulse; }},
       {"at", [](Blow& blow) -> Vector3& { return blow.at; }}}};
  const ModelDescription& d = draft.description;
  const std::size_t index = find_named(path, d.impulses, "impulse");
  if (Place found = find_number(path, &ModelDescription::impulses, index, both)) return found;
  return d.impulses[index].body.empty() ? find_number(path, &ModelDescription::impulses, index, on_joint)
                                        : find_entry(path, &ModelDescription::impulses, index, on_body);
}

Place other_number(const StudyPath& path, const SceneDraft& draft) {
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
  static constexpr std::array<VectorOf<Force>, 3> force_vectors = {
      {{"force", [](Force& force) -> Vector3& { return force.force; }},
       {"torque", [](Force& force) -> Vector3& { return force.torque; }},
       {"at", [](Force& force) -> Vector3& { return force.at; }}}};
  const ModelDescription& d = draft.description;
  if (path[0].is("springs"))
    return find_number(path, &ModelDescription::springs, find_named(path, d.springs, "spring"), spring_numbers);
  if (path[0].is("loops"))
    return find_number(path, &ModelDescription::loops, find_named(path, d.loops, "loop"), loop_numbers);
  if (path[0].is("forces")) {
    const std::size_t index = find_named(path, d.forces, "force");
    if (path.size() == 3 && path[2].is("scale"))
      return [index](SceneDraft& changed) -> double& { return constant_of(changed.description.forces[index].scale); };
    return find_entry(path, &ModelDescription::forces, index, force_vectors);
  }
  if (path[0].is("impulses")) return impulse_number(path, draft);
  if (path[0].is("shapes")) {
    const std::size_t index = find_named(path, d.shapes, "shape");
    if (Place found = find_number(path, &ModelDescription::shapes, index, shape_numbers)) return found;
    return find_entry(path, &ModelDescription::shapes, index, shape_vectors);
  }
  if (path[0].is("gravity") && path.size() == 2 && path[1].entry >= 0) {
    if (path[1].entry > (d.dimension == Dimension::planar ? 1 : 2)) refuse(path, "gravity has no such entry");
    return [entry = path[1].entry](SceneDraft& changed) -> double& {
      return component(changed.description.gravity, entry);
    };
  }
  return nullptr;
}

SceneParameter at_place(Place place) {
  SceneParameter out;
  if (!place) return out;
  out.value = [place](const SceneDraft& present) {
    SceneDraft draft = present;
    return place(draft);
  };
  out.set = [place = std::move(place)](SceneDraft& draft, double value) { place(draft) = value; };
  return out;
}

// `path` after its word `state`, which may be left out.
SceneParameter state_parameter(const StudyPath& path, std::size_t first, const Model& model) {
  const auto of_state = [](Place place) {
    SceneParameter out = at_place(std::move(place));
    out.changes_model = false;
    return out;
  };
  if (path.is({"state", "time"})) return of_state([](SceneDraft& draft) -> double& { return draft.state.time; });
  const bool names_dof = path.size() > first + 1;
  const bool position = names_dof && path[first].is("position");
  if (!position && !(names_dof && path[first].is("velocity")))
    refuse(path, "the state has `position`, `velocity` and `time`", "as in state.position.knee");
  const auto dof = static_cast<std::size_t>(find_dof(path, first + 1, model));
  if (!position)
    return of_state([dof](SceneDraft& draft) -> double& {
      draft.given.given_velocity[dof] = true;
      return draft.state.v[static_cast<Eigen::Index>(dof)];
    });
  const int coordinate = model.dofs[dof].coordinate;
  if (coordinate < 0)
    refuse(path, "this degree of freedom turns a quaternion and has no coordinate of its own", "vary its velocity");
  SceneParameter out = of_state([dof, coordinate](SceneDraft& draft) -> double& {
    draft.given.given_position[dof] = true;
    return draft.state.q[coordinate];
  });
  out.is_angle = is_angular(model, static_cast<int>(dof));
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
  if (path[0].is("state")) return state_parameter(path, 1, model);
  if (path[0].is("position") || path[0].is("velocity")) return state_parameter(path, 0, model);
  SceneParameter out;
  if (path[0].is("surfaces"))
    out = surface_parameter(path, draft);
  else if (path[0].is("friction") || path[0].is("restitution"))
    out = all_surfaces_parameter(path, draft);
  else if (path[0].is("bodies"))
    out = at_place(body_number(path, draft));
  else if (path[0].is("joints"))
    out = at_place(joint_number(path, draft));
  else
    out = at_place(other_number(path, draft));
  if (out.set) return out;
  static const std::vector<std::string> sections = {"surfaces", "friction", "restitution", "bodies",  "joints",
                                                    "springs",  "loops",    "shapes",      "forces",  "impulses",
                                                    "gravity",  "state",    "position",    "velocity"};
  if (std::find(sections.begin(), sections.end(), path[0].word) == sections.end())
    refuse(path, "a scene has no such section to vary", known_names(path[0].word, sections));
  refuse(path, "it has no such number", "docs/study-file.md lists what can vary");
}

}  // namespace routh::internal
