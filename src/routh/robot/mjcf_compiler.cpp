// <compiler>, <option>, and places as they say.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "routh/base/nearest_word.h"
#include "routh/math/elementary.h"
#include "routh/robot/mjcf_reading.h"
#include "routh/robot/tolerances.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

void read_compiler(MjcfReading& reading, const XmlElement& element) {
  check_mjcf_attributes(element, reading.warnings);
  MjcfCompiler& out = reading.compilers[static_cast<std::size_t>(element.part)];
  const MjcfSettings settings(element, {&element});
  static constexpr std::string_view angles[] = {"radian", "degree"};
  static constexpr std::string_view coordinates[] = {"local", "global"};
  out.degrees = settings.choice("angle", angles, out.degrees ? 1 : 0) == 1;
  out.global = settings.choice("coordinate", coordinates, out.global ? 1 : 0) == 1;
  if (const auto sequence = settings.find("eulerseq")) {
    out.euler_sequence = sequence.attribute->value;
    if (out.euler_sequence.size() != 3 || out.euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos)
      throw InputError(sequence.where(),
                       fmt::format("eulerseq = '{}' names no three axes", printable(out.euler_sequence)),
                       "write three of x, y, z, X, Y, Z");
  }
  out.automatic_limits = settings.flag("autolimits", out.automatic_limits);
  if (settings.find("inertiafromgeom")) out.inertia_from_geoms = read_mjcf_ternary(settings, "inertiafromgeom");
  settings.fill("inertiagrouprange", out.inertia_groups);
  out.total_mass = settings.number("settotalmass", out.total_mass);
  out.least_mass = settings.number("boundmass", out.least_mass);
  out.least_inertia = settings.number("boundinertia", out.least_inertia);
  out.balance_inertia = settings.flag("balanceinertia", out.balance_inertia);
  out.strip_paths = settings.flag("strippath", out.strip_paths);
  out.fit_boxes = settings.flag("fitaabb", out.fit_boxes);
  out.exact_meshes = settings.flag("exactmeshinertia", out.exact_meshes);
  for (const char* folder : {"assetdir", "meshdir"})
    if (const auto found = settings.find(folder)) out.mesh_folder = found.attribute->value;
  for (const XmlElement& child : element.children) ignore_mjcf_element(child, reading.warnings);
}

// What <flag> switches off is said, since it is easily forgotten in a file.
void read_flag(MjcfReading& reading, const XmlElement& flag) {
  static constexpr std::string_view states[] = {"disable", "enable"};
  check_mjcf_attributes(flag, reading.warnings);
  const MjcfSettings settings(flag, {&flag});
  MjcfCompiler& out = reading.compilers.front();
  out.filter_parents = settings.choice("filterparent", states, out.filter_parents) == 1;
  const auto read = [&](const char* name, bool& off, const char* consequence) {
    off = settings.choice(name, states, off ? 0 : 1) == 0;
    if (off && consequence)
      if (const XmlAttribute* attribute = flag.attribute(name))
        reading.warnings.add(flag.where(*attribute), fmt::format("{}=\"disable\": {}", name, consequence),
                             RobotConcern::motion);
  };
  read("gravity", out.no_gravity, nullptr);
  read("contact", out.no_contacts, "none of the robot's shapes touches another");
  read("limit", out.no_limits, "joints move without limits");
  read("equality", out.no_equalities, "what <equality> holds together is loose");
  read("constraint", out.no_constraints,
       "none of the robot's shapes touches another, joints move without limits, and what <equality> holds together is "
       "loose");
}

void read_option(MjcfReading& reading, const XmlElement& element) {
  if (element.part != 0)
    return reading.warnings.ignore(element, "<option> of an attached model",
                                   "the options of the model it is attached to hold");
  check_mjcf_attributes(element, reading.warnings);
  static constexpr std::string_view collisions[] = {"all", "predefined", "dynamic"};
  const MjcfSettings settings(element, {&element});
  reading.compilers.front().collision = static_cast<MjcfCollision>(
      settings.choice("collision", collisions, static_cast<int>(reading.compiler().collision)));
  if (const XmlAttribute* gravity = element.attribute("gravity")) {
    reading.description().gravity = read_vector3(element, *gravity);
    reading.description().gravity_where = element.where_value(*gravity);
  }
  for (const XmlElement& child : element.children) {
    if (child.name == "flag")
      read_flag(reading, child);
    else
      ignore_mjcf_element(child, reading.warnings);
  }
}

Vector3 unit(const MjcfSettings::Found& place, const Vector3& v) {
  const double length = norm(v);
  if (!(length > tolerances::mjcf_length_min) || !std::isfinite(length))
    throw InputError(place.where(), fmt::format("{} has a direction without length", place.attribute->name),
                     "write a vector that is not zero");
  return (1 / length) * v;
}

Matrix3 from_axis(const Vector3& axis, double angle) {
  return rotation_matrix(quaternion_from_rotation_vector(angle * axis));
}

Matrix3 from_euler(const MjcfCompiler& compiler, const std::vector<double>& angles) {
  Matrix3 R = identity3;
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = compiler.euler_sequence[i];
    const bool turning = letter >= 'a';
    const char axis = turning ? letter : static_cast<char>(letter - 'A' + 'a');
    const Matrix3 turn = from_axis({axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0},
                                   compiler.angle(angles[i]));
    R = turning ? R * turn : turn * R;
  }
  return R;
}

Matrix3 from_xy_axes(const MjcfSettings::Found& found, const std::vector<double>& v) {
  const Vector3 x = unit(found, {v[0], v[1], v[2]}), written_y = {v[3], v[4], v[5]};
  const Vector3 y = unit(found, written_y - dot(x, written_y) * x), z = cross(x, y);
  return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}

Matrix3 rotation_of(const MjcfCompiler& compiler, const MjcfSettings::Found& found) {
  const std::string& form = found.attribute->name;
  const std::size_t count = form == "quat" || form == "axisangle" ? 4 : form == "xyaxes" ? 6 : 3;
  const std::vector<double> v = read_numbers(*found.element, *found.attribute, count, count);
  if (form == "quat") {
    if (v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0)
      throw InputError(found.where(), "the quaternion is zero", "write one of any other length; it is normalised");
    return rotation_from_any_quaternion(v[0], v[1], v[2], v[3]);
  }
  if (form == "axisangle") return from_axis(unit(found, {v[0], v[1], v[2]}), compiler.angle(v[3]));
  if (form == "xyaxes") return from_xy_axes(found, v);
  if (form == "zaxis") return mjcf_rotation_from_z(found, {v[0], v[1], v[2]});
  return from_euler(compiler, v);
}

}  // namespace

double MjcfCompiler::angle(double written) const { return degrees ? written / 180 * std::numbers::pi : written; }

void read_mjcf_compiler(MjcfReading& reading) {
  for (const XmlElement* element : reading.root.all("compiler")) read_compiler(reading, *element);
  for (const XmlElement* element : reading.root.all("option")) read_option(reading, *element);
  MjcfCompiler& compiler = reading.compilers.front();
  if (compiler.no_gravity) reading.description().gravity = {};
  if (compiler.no_contacts || compiler.no_constraints) compiler.collision = MjcfCollision::none;
  compiler.no_limits |= compiler.no_constraints;
  compiler.no_equalities |= compiler.no_constraints;
}

void drop_mjcf_limits(MjcfReading& reading) {
  if (!reading.compiler().no_limits) return;
  for (JointDescription& joint : reading.description().joints)
    for (DofDescription& dof : joint.dofs) dof.lower = -unlimited, dof.upper = unlimited;
}

Matrix3 mjcf_rotation_from_z(const MjcfSettings::Found& place, const Vector3& axis) {
  const Vector3 z = unit(place, axis), turn = {-z.y, z.x, 0};  // e_z × z
  const double sine = norm(turn), angle = elementary::atan2(sine, z.z);
  if (sine < tolerances::mjcf_parallel_sine) return from_axis({1, 0, 0}, angle);
  return from_axis((1 / sine) * turn, angle);
}

// Of several orientations the nearest layer's counts; within one element there may be one only.
Pose read_mjcf_pose(const MjcfReading& reading, const MjcfSettings& settings) {
  static constexpr std::string_view forms[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  Pose pose;
  pose.position = settings.vector("pos", {});
  for (const XmlElement* layer : settings.layers()) {
    MjcfSettings::Found found;
    for (const std::string_view form : forms)
      if (const XmlAttribute* attribute = layer->attribute(form)) {
        if (found)
          throw InputError(
              layer->where(*attribute),
              fmt::format("<{}> has two orientations, {} and {}", printable(layer->name), found.attribute->name, form),
              "keep one of them");
        found = {layer, attribute};
      }
    if (!found) continue;
    pose.rotation = rotation_of(reading.compiler(settings.own()), found);
    break;
  }
  return pose;
}

bool read_mjcf_range(MjcfReading& reading, const MjcfSettings& settings, std::string_view limited,
                     std::string_view range, std::array<double, 2>& out) {
  const auto found = settings.find(range);
  const MjcfTernary holds = read_mjcf_ternary(settings, limited);
  if (holds == MjcfTernary::no) return false;
  if (!found) {
    if (holds == MjcfTernary::yes)
      throw InputError(settings.find(limited).where(), fmt::format("{} is set and {} is not there", limited, range),
                       fmt::format("add {}=\"lower upper\"", range));
    return false;
  }
  const std::vector<double> v = read_numbers(*found.element, *found.attribute, 2, 2);
  if (holds == MjcfTernary::automatic) {
    if (v[0] == 0 && v[1] == 0) return false;
    if (!reading.compiler(settings.own()).automatic_limits) {
      reading.warnings.ignore(*found.element, *found.attribute,
                              fmt::format("`autolimits` is off and `{}` is not there, so it does not hold", limited));
      return false;
    }
  }
  if (!(v[0] < v[1]))
    throw InputError(found.where(), fmt::format("{} [{}, {}] leaves no room", range, v[0], v[1]),
                     "the first number must be less than the second");
  out = {v[0], v[1]};
  return true;
}

void add_mjcf_name(std::map<std::string, std::size_t, std::less<>>& index, const XmlElement& element,
                   std::size_t value) {
  const XmlAttribute* name = element.attribute("name");
  if (!name || name->value.empty()) return;
  if (!index.emplace(name->value, value).second)
    throw InputError(
        element.where_value(*name),
        fmt::format("there are two <{}> of the name '{}'", printable(element.name), printable(name->value)),
        "rename one of them");
}

std::size_t require_mjcf_name(const std::map<std::string, std::size_t, std::less<>>& index, const XmlElement& element,
                              const XmlAttribute& attribute, const char* kind) {
  if (const auto entry = index.find(attribute.value); entry != index.end()) return entry->second;
  throw InputError(element.where_value(attribute), fmt::format("there is no {} '{}'", kind, printable(attribute.value)),
                   nearest_hint(attribute.value, index, "name one that is there"));
}

void note_mjcf_name(MjcfReading& reading, const XmlElement& element, const std::string& written,
                    const std::string& given) {
  if (written.empty() || written == given) return;
  reading.warnings.add_once(element.where(), "name",
                            fmt::format("<{}> '{}' is called '{}' here", element.name, printable(written), given));
}

bool names_unmade_mjcf(MjcfReading& reading, const XmlElement& element, std::initializer_list<const char*> attributes,
                       const std::map<std::string, std::size_t, std::less<>>& index) {
  if (!reading.incomplete) return false;
  for (const char* name : attributes) {
    const XmlAttribute* attribute = element.attribute(name);
    if (!attribute || index.contains(attribute->value)) continue;
    reading.warnings.ignore(element, fmt::format("<{}> that names what is not made", printable(element.name)),
                            fmt::format("there is no '{}' here", printable(attribute->value)));
    return true;
  }
  return false;
}

}  // namespace routh::internal
