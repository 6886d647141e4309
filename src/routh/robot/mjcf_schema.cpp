#include "routh/robot/mjcf_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace routh::internal {

namespace {

// Words separated by blanks.
bool contains_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const bool ends = at + word.size() == words.size() || words[at + word.size()] == ' ';
    if (begins && ends && !word.empty()) return true;
  }
  return false;
}

constexpr std::string_view drawing = "it is for drawing only";
constexpr std::string_view unknown = "it is not known here; check its spelling";
constexpr std::string_view missing_flex = "only rigid bodies are modelled; what it would make is missing";
constexpr std::string_view soft = "contacts and constraints are rigid here, not soft";
constexpr std::string_view user_data = "it is the user's own data";
constexpr std::string_view heights = "height fields are not read";
constexpr std::string_view compiling = "it changes how MuJoCo compiles, not the machine";
constexpr std::string_view stepping = "time stepping is chosen by the scene or the command";

struct Reason {
  std::string_view names;
  std::string_view reason;
};

struct Kind {
  std::string_view elements;
  std::string_view taken;
  std::span<const Reason> others;
};

constexpr Reason compiler_others[] = {
    {"texturedir", drawing},
    {"discardvisual convexhull", compiling},
    {"fusestatic", "bodies without joints keep their names; the dynamics is the same"},
    {"usethread saveinertial alignfree", compiling},
};
constexpr Reason option_others[] = {
    {"wind density viscosity", "forces of air and water are not modelled"},
    {"magnetic", "there are no magnetometers"},
    {"cone impratio", "friction is Coulomb's with a circular cone"},
    {"o_margin o_solref o_solimp o_friction", soft},
    {"timestep integrator jacobian solver iterations tolerance noslip_iterations noslip_tolerance "
     "mpr_iterations mpr_tolerance ccd_iterations ccd_tolerance ls_iterations ls_tolerance apirate "
     "sdf_iterations sdf_initpoints actuatorgroupdisable sleep_tolerance",
     stepping},
};
constexpr Reason flag_others[] = {
    {"passive actuation frictionloss clampctrl damper spring", "everything the model holds is active"},
    {"override energy fwdinv invdiscrete sensornoise multiccd warmstart refsafe sensor midphase nativeccd eulerdamp "
     "autoreset island sleep",
     stepping},
};
constexpr Reason body_others[] = {
    {"mocap", "the body stands still unless it has joints"},
    {"gravcomp", "gravity is not compensated; add an effort or a force instead"},
    {"user", user_data},
    {"sleep", stepping},
};
constexpr Reason joint_others[] = {
    {"frictionloss", "dry friction in joints is not modelled"},
    {"springdamper", "give stiffness and damping instead"},
    {"solref solimp margin solreflimit solimplimit solreffriction solimpfriction", soft},
    {"actuatorgravcomp", "gravity is not compensated"},
    {"group", drawing},
    {"user", user_data},
};
constexpr Reason free_joint_others[] = {
    {"group", drawing}, {"align", "the frame of the body stays where it was written"}, {"user", user_data}};
constexpr Reason geom_others[] = {
    {"rgba material", drawing}, {"solref solimp solmix margin gap", soft},
    {"hfield", heights},        {"fluidshape fluidcoef", "forces of air and water are not modelled"},
    {"user", user_data},
};
constexpr Reason contact_others[] = {{"solref solimp solreffriction margin gap", soft}, {"user", user_data}};
constexpr Reason equality_others[] = {
    {"solref solimp torquescale", soft}, {"anchor", "a weld holds at every point"}, {"user", user_data}};
constexpr Reason actuator_others[] = {
    {"group", drawing},
    {"lengthrange", "it is for muscles only"},
    {"actlimited actrange actdim actearly dynprm timeconst", "actuators have no state of their own here"},
    {"cranklength", "only joints are driven"},
    {"user", user_data},
};
constexpr Reason key_others[] = {{"time", "a run begins at the time of the scene"},
                                 {"act", "actuators have no state of their own here"},
                                 {"mpos mquat", "bodies that are moved from outside stand still"}};

constexpr Reason mesh_others[] = {
    {"normal texcoord material smoothnormal", drawing},
    {"content_type maxhullvert octree_maxdepth", compiling},
    {"builtin params plugin", "give a file or vertices"},
};

#define ORIENTATION "pos quat axisangle xyaxes zaxis euler"
constexpr Kind kinds[] = {
    {"mujoco", "model", {}},
    {"compiler",
     "angle eulerseq autolimits inertiafromgeom coordinate settotalmass boundmass boundinertia balanceinertia "
     "inertiagrouprange meshdir assetdir strippath exactmeshinertia fitaabb",
     compiler_others},
    {"option", "gravity collision", option_others},
    {"flag", "gravity filterparent contact constraint equality limit", flag_others},
    {"default", "class", {}},
    {"body", "name childclass " ORIENTATION, body_others},
    {"worldbody", "name childclass", {}},
    {"frame", "name childclass " ORIENTATION, {}},
    {"inertial", "mass diaginertia fullinertia " ORIENTATION, {}},
    {"freejoint", "name", free_joint_others},
    {"geom",
     "name class type size fromto mass density friction contype conaffinity condim priority group mesh fitscale "
     "shellinertia " ORIENTATION,
     geom_others},
    {"mesh", "name class file scale refpos refquat vertex face inertia", mesh_others},
    {"pair", "name class geom1 geom2 friction condim", contact_others},
    {"exclude", "name body1 body2", {}},
    {"connect", "name class active body1 body2 anchor site1 site2", equality_others},
    {"weld", "name class active body1 body2 relpose site1 site2", equality_others},
    {"joint",
     "name class type pos axis range limited ref springref stiffness damping armature active joint1 joint2 polycoef "
     "actuatorfrcrange actuatorfrclimited",
     joint_others},
    {"general motor position velocity",
     "name class joint jointinparent gear kp kv gainprm biasprm gaintype biastype dyntype ctrlrange ctrllimited "
     "forcerange forcelimited dampratio inheritrange tendon site body slidersite cranksite refsite",
     actuator_others},
    {"key", "name qpos qvel ctrl", key_others},
};
#undef ORIENTATION

// Sections, and elements of bodies, that hold nothing for the mechanics of rigid bodies or that are not modelled.
constexpr Reason ignored_elements[] = {
    {"texture material skin", drawing},
    {"hfield", heights},
    {"visual statistic camera light rgba quality headlight map scale", drawing},
    {"size custom numeric text tuple", "it holds sizes and data of MuJoCo and its user"},
    {"sensor", "sensors are not modelled"},
    {"site", "sites are marks; only those that <connect> and <weld> name count"},
    {"tendon", "tendons are not modelled"},
    {"deformable flex flexcomp composite", missing_flex},
    {"model", "no <attach> names a model"},
    {"extension plugin", "there are no plugins"},
    {"intvelocity damper cylinder muscle adhesion dcmotor", "such actuators are not modelled"},
    {"user", user_data},
    {"lengthrange", "it is for muscles only"},
};

RobotConcern concern_of(std::string_view reason) {
  if (reason == drawing) return RobotConcern::drawing;
  return reason == missing_flex ? RobotConcern::motion : RobotConcern::other;
}

const Kind* kind_of(std::string_view element) {
  const auto* kind = std::find_if(std::begin(kinds), std::end(kinds),
                                  [&](const Kind& k) { return contains_word(k.elements, element); });
  return kind == std::end(kinds) ? nullptr : kind;
}

}  // namespace

void check_mjcf_attributes(const XmlElement& element, RobotWarnings& warnings) {
  element.used = true;
  const Kind* kind = kind_of(element.name);
  if (!kind) return;  // <equality> of defaults
  for (const XmlAttribute& attribute : element.attributes) {
    if (contains_word(kind->taken, attribute.name)) {
      attribute.used = true;
      continue;
    }
    const auto other = std::find_if(kind->others.begin(), kind->others.end(),
                                    [&](const Reason& r) { return contains_word(r.names, attribute.name); });
    const std::string_view reason = other == kind->others.end() ? unknown : other->reason;
    warnings.ignore(element, attribute, std::string(reason), concern_of(reason));
  }
}

void check_mjcf_defaults(const XmlElement& section, RobotWarnings& warnings) {
  check_mjcf_attributes(section, warnings);
  for (const XmlElement& child : section.children) {
    if (child.name == "default")
      check_mjcf_defaults(child, warnings);
    else if (child.name == "equality")
      warnings.ignore(child, "<equality> in <default>", std::string(soft));
    else if (kind_of(child.name))
      check_mjcf_attributes(child, warnings);
    else
      ignore_mjcf_element(child, warnings);
  }
}

std::string_view mjcf_reason_to_ignore(std::string_view element) {
  for (const auto& [names, reason] : ignored_elements)
    if (contains_word(names, element)) return reason;
  return {};
}

void ignore_mjcf_element(const XmlElement& element, RobotWarnings& warnings) {
  const std::string_view known = mjcf_reason_to_ignore(element.name), reason = known.empty() ? unknown : known;
  warnings.ignore(element, fmt::format("<{}>", printable(element.name)), std::string(reason), concern_of(reason));
}

}  // namespace routh::internal
