// Geoms: type, place, sizes, mass and what they touch.
#include <fmt/format.h>

#include <cmath>

#include "routh/robot/mjcf_reading.h"
#include "routh/robot/tolerances.h"

namespace routh::internal {

namespace {

using Type = MjcfGeom::Type;

constexpr std::string_view type_names[] = {"plane", "sphere", "capsule", "ellipsoid", "cylinder",
                                           "box",   "mesh",   "hfield",  "sdf"};

std::size_t size_count(Type type) {
  switch (type) {
    case Type::plane:
    case Type::mesh:
    case Type::other:
      return 0;
    case Type::sphere:
      return 1;
    case Type::capsule:
    case Type::cylinder:
      return 2;
    case Type::ellipsoid:
    case Type::box:
      return 3;
  }
  return 0;
}

class GeomReader {
 public:
  GeomReader(MjcfReading& reading, const XmlElement& element, const std::string& child_class)
      : reading_(reading), settings_(reading.defaults.settings(element, child_class)) {
    geom_.element = &element;
  }

  MjcfGeom read(const Pose& frame) {
    if (const XmlAttribute* name = settings_.own().attribute("name")) geom_.name = name->value;
    read_type();
    const std::size_t given = settings_.fill("size", geom_.size);
    const bool has_ends = read_ends(frame);
    if (!has_ends) geom_.at = frame * read_mjcf_pose(reading_, settings_);
    const bool fitted = geom_.type != Type::mesh && !geom_.mesh.empty() &&
                        fit_mjcf_geom(reading_, geom_, settings_.number("fitscale", 1));
    // Without its mesh it is as good as a mesh that is missing.
    if (!fitted && !geom_.mesh.empty()) geom_.type = Type::mesh;
    check_sizes(has_ends ? 1 : given);
    read_contact();
    read_mass();
    return geom_;
  }

 private:
  void read_type() {
    const int chosen = settings_.choice("type", type_names, static_cast<int>(Type::sphere));
    geom_.type = chosen <= static_cast<int>(Type::mesh) ? static_cast<Type>(chosen) : Type::other;
    if (const auto mesh = settings_.find("mesh"); mesh && geom_.type != Type::other) {
      // A simple shape with a mesh is fitted to it, the sphere of a geom without a type among them.
      if (geom_.type == Type::plane) geom_.type = Type::mesh;
      geom_.mesh = mesh.attribute->value;
    }
    geom_.shell = settings_.flag("shellinertia", false);
    geom_.group = settings_.integer("group", 0);
  }

  // `fromto`: the axis between two points. As MuJoCo does, z points to the first of them.
  bool read_ends(const Pose& frame) {
    const auto found = settings_.find("fromto");
    if (!found || !geom_.mesh.empty()) return false;
    if (geom_.type != Type::capsule && geom_.type != Type::cylinder && geom_.type != Type::box &&
        geom_.type != Type::ellipsoid)
      throw InputError(
          found.where(),
          fmt::format("fromto does not go with a geom of type {}", type_names[static_cast<int>(geom_.type)]),
          "only capsules, cylinders, boxes and ellipsoids have two ends");
    const std::vector<double> ends = read_numbers(*found.element, *found.attribute, 6, 6);
    const Vector3 from = {ends[0], ends[1], ends[2]}, to = {ends[3], ends[4], ends[5]};
    const double half = norm(from - to) / 2;
    if (!(half > tolerances::mjcf_length_min))
      throw InputError(found.where(), "the two points of fromto coincide", "move one of them");
    geom_.size[1] = half;
    if (geom_.type == Type::box || geom_.type == Type::ellipsoid) geom_.size = {geom_.size[0], geom_.size[0], half};
    geom_.at = frame * Pose{mjcf_rotation_from_z(found, from - to), 0.5 * (from + to)};
    return true;
  }

  void check_sizes(std::size_t given) const {
    const std::size_t count = size_count(geom_.type);
    const auto found = settings_.find("size");
    for (std::size_t i = 0; i < count; ++i)
      if (!(geom_.size[i] > 0) || !(geom_.size[i] < tolerances::mjcf_size_max))
        throw InputError(found ? found.where() : settings_.where(),
                         fmt::format("a geom of type {} has the size {}{}", type_names[static_cast<int>(geom_.type)],
                                     geom_.size[i], i >= given ? ", which is not given" : ""),
                         fmt::format("give {} positive size{}{}", count, count == 1 ? "" : "s",
                                     count == 2 ? " (radius and half of the length), or a radius and fromto" : ""));
  }

  void read_contact() {
    geom_.touches = settings_.integer("contype", 1);
    geom_.touched_by = settings_.integer("conaffinity", 1);
    geom_.dimensions = settings_.integer("condim", 3);
    geom_.priority = settings_.integer("priority", 0);
    std::array<double, 3> friction = {1, tolerances::mjcf_torsional_friction, tolerances::mjcf_rolling_friction};
    settings_.fill("friction", friction);
    geom_.friction = friction[0];
    if (!(geom_.friction >= 0))
      throw InputError(settings_.find("friction").where(), fmt::format("friction = {} is negative", geom_.friction),
                       "write 0 or a positive number");
    if (geom_.dimensions != 1 && geom_.dimensions != 3 && geom_.dimensions != 4 && geom_.dimensions != 6)
      throw InputError(settings_.find("condim").where(), fmt::format("condim = {} is not known", geom_.dimensions),
                       "write 1, 3, 4 or 6");
    if (geom_.dimensions > 3 && (geom_.touches != 0 || geom_.touched_by != 0))
      reading_.warnings.ignore(*settings_.find("condim").element, "friction against spinning and rolling (condim > 3)",
                               "only friction against sliding is modelled");
  }

  void read_mass() {
    const double density = settings_.number("density", 1000);
    const auto found = settings_.find("mass");
    geom_.mass = found ? settings_.number("mass", 0) : density * mjcf_geom_measure(geom_);
    if (!(geom_.mass >= 0) || !std::isfinite(geom_.mass))
      throw InputError(settings_.where(), fmt::format("a geom has the mass {}", geom_.mass),
                       "its mass, density and sizes must be positive and of a sensible magnitude");
    if (geom_.type == Type::plane) geom_.mass = 0;
    if (geom_.type == Type::other) geom_.mass = 0;
    // Of a mesh without a given mass the volume is not known yet.
    if (geom_.type == Type::mesh && !found) geom_.mass = density > 0 ? std::nan("") : 0;
    geom_.density = density;
  }

  MjcfReading& reading_;
  const MjcfSettings settings_;
  MjcfGeom geom_;
};

}  // namespace

void read_mjcf_geom(MjcfReading& reading, const XmlElement& element, std::size_t body, const Pose& frame,
                    const std::string& child_class) {
  MjcfGeom geom = GeomReader(reading, element, child_class).read(frame);
  geom.body = body;
  add_mjcf_name(reading.geom_index, element, reading.geoms.size());
  reading.bodies[body].geoms.push_back(reading.geoms.size());
  reading.geoms.push_back(std::move(geom));
}

}  // namespace routh::internal
