// Masses and inertias: as <inertial> says, or from geoms, then the corrections that <compiler> asks for.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/math/elementary.h"
#include "routh/model/tolerances.h"
#include "routh/robot/mjcf_reading.h"

namespace routh::internal {

namespace {

using Type = MjcfGeom::Type;

struct MassProperties {
  double mass = 0;
  Vector3 com;
  Symmetric3 inertia;  // about the centre of mass
};

Symmetric3 point_inertia(double m, const Vector3& r) {
  return {m * (r.y * r.y + r.z * r.z),
          m * (r.x * r.x + r.z * r.z),
          m * (r.x * r.x + r.y * r.y),
          -m * r.x * r.y,
          -m * r.x * r.z,
          -m * r.y * r.z};
}

class InertiaReader {
 public:
  InertiaReader(MjcfReading& reading, const std::vector<MjcfInertial>& inertials)
      : reading_(reading), inertials_(inertials) {}

  void read() {
    for (std::size_t i = 1; i < reading_.bodies.size(); ++i) read_body(i);
    scale_to_total();
    check_meshes();
  }

 private:
  BodyDescription& description(const MjcfBody& body) {
    return reading_.description().bodies[static_cast<std::size_t>(body.index)];
  }

  void read_body(std::size_t index) {
    MjcfBody& body = reading_.bodies[index];
    const XmlElement* element = inertials_[index].element;
    const MjcfTernary from_geoms = reading_.compiler(*body.element).inertia_from_geoms;
    const bool written = element && from_geoms != MjcfTernary::yes;
    MassProperties properties;
    if (written)
      properties = read_inertial(*element, inertials_[index].frame);
    else if (from_geoms != MjcfTernary::no)
      properties = from_geoms_of(body);
    bound(properties, *body.element, written ? element->where() : body.element->where());
    BodyDescription& out = description(body);
    out.mass = properties.mass;
    out.com = properties.com;
    out.inertia = properties.inertia;
    if (written) out.mass_where = out.com_where = out.inertia_where = element->where();
  }

  MassProperties read_inertial(const XmlElement& element, const Pose& frame) {
    const MjcfSettings settings(element, {&element});
    const Pose at = frame * read_mjcf_pose(reading_, settings);
    MassProperties out;
    out.mass = require_number(element, "mass");
    out.com = at.position;
    const XmlAttribute* full_inertia = element.attribute("fullinertia");
    if (!full_inertia) {
      const Vector3 moments = settings.vector("diaginertia", {});
      out.inertia = rotated(at.rotation, {moments.x, moments.y, moments.z, 0, 0, 0});
      return out;
    }
    for (const char* other : {"diaginertia", "quat", "axisangle", "xyaxes", "zaxis", "euler"})
      if (const XmlAttribute* attribute = element.attribute(other))
        throw InputError(element.where(*attribute), fmt::format("fullinertia does not go with {}", other),
                         "keep one of them; fullinertia is in the axes of the body");
    const std::vector<double> v = read_numbers(element, *full_inertia, 6, 6);
    out.inertia = rotated(frame.rotation, {v[0], v[1], v[2], v[3], v[4], v[5]});
    return out;
  }

  MassProperties from_geoms_of(MjcfBody& body) {
    const std::array<double, 2>& groups = reading_.compiler(*body.element).inertia_groups;
    const auto counts = [&](const MjcfGeom& geom) { return geom.group >= groups[0] && geom.group <= groups[1]; };
    MassProperties sum;
    std::vector<MassProperties> parts;
    for (const std::size_t i : body.geoms) {
      const MjcfGeom& geom = reading_.geoms[i];
      if (!counts(geom)) continue;
      if (geom.type != Type::mesh)
        parts.push_back({geom.mass, geom.at.position, rotated(geom.at.rotation, mjcf_geom_inertia(geom))});
      else if (!(geom.mass == 0) && !add_mesh(geom, parts))
        body.lacks_mesh_mass = true;
    }
    for (const MassProperties& part : parts) sum.mass += part.mass, sum.com += part.mass * part.com;
    if (!(sum.mass > 0)) return {};
    sum.com = (1 / sum.mass) * sum.com;
    for (const MassProperties& part : parts)
      sum.inertia = sum.inertia + part.inertia + point_inertia(part.mass, part.com - sum.com);
    return sum;
  }

  // A mesh that is missing, of a mass that is given: a ball as heavy as water at the geom's place, so that the robot
  // can move, its mass right and its inertia of a sensible size.
  void add_ball(const MjcfGeom& geom, const std::string& problem, std::vector<MassProperties>& parts) {
    constexpr double water = 1000;  // [kg/m³]
    const double radius = elementary::cbrt(0.75 * geom.mass / (std::numbers::pi * water));
    const double moment = 0.4 * geom.mass * radius * radius;
    parts.push_back({geom.mass, geom.at.position, {moment, moment, moment, 0, 0, 0}});
    reading_.warnings.add_once(
        geom.element->where(), "ball",
        fmt::format("where the {:.6g} kg of a mesh are is not known ({}): a ball as dense as water at the geom's place "
                    "stands for them; add <inertial> to the body, or the mesh",
                    geom.mass, problem),
        RobotConcern::motion);
  }

  // Whether its mass is known: given, or following from its volume.
  bool add_mesh(const MjcfGeom& geom, std::vector<MassProperties>& parts) {
    const MjcfMesh& mesh = mjcf_mesh(reading_, geom);
    const SolidProperties& solid = geom.shell ? mesh.shell : mesh.solid;
    if (!mesh.problem.empty() || !(solid.volume > 0)) {
      if (std::isnan(geom.mass)) return false;
      add_ball(geom, mesh.problem.empty() ? "its surface holds no volume" : mesh.problem, parts);
      return true;
    }
    const double mass = std::isnan(geom.mass) ? geom.density * solid.volume : geom.mass;
    const double density = mass / solid.volume;
    const Symmetric3& s = solid.inertia;
    const Symmetric3 own = {density * s.xx, density * s.yy, density * s.zz,
                            density * s.xy, density * s.xz, density * s.yz};
    parts.push_back({mass, geom.at * solid.com, rotated(geom.at.rotation, own)});
    return true;
  }

  // `boundmass`, `boundinertia`, `balanceinertia`: the moments about the principal axes.
  void bound(MassProperties& properties, const XmlElement& body, const Location& where) {
    const MjcfCompiler& compiler = reading_.compiler(body);
    properties.mass = std::max(properties.mass, compiler.least_mass);
    if (!(compiler.least_inertia > 0) && !compiler.balance_inertia) return;
    const Symmetric3& s = properties.inertia;
    Eigen::Matrix3d matrix;
    matrix << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
    if (!matrix.allFinite()) throw InputError(where, "the inertia exceeds the range of numbers", "check its units");
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
    Eigen::Vector3d moments = solver.eigenvalues().cwiseMax(compiler.least_inertia);
    // A flat body's largest moment is the sum of the others, but for rounding.
    const double allowed = tolerances::inertia_relative * moments.sum();
    if (compiler.balance_inertia && moments(2) > moments(0) + moments(1) + allowed) moments.setConstant(moments.mean());
    if (moments == solver.eigenvalues()) return;
    const Eigen::Matrix3d out = solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
    properties.inertia = {out(0, 0), out(1, 1), out(2, 2), out(1, 0), out(2, 0), out(2, 1)};
  }

  // `settotalmass`
  void scale_to_total() {
    if (!(reading_.compiler().total_mass > 0)) return;
    double total = 0;
    for (const BodyDescription& body : reading_.description().bodies) total += body.mass;
    if (!(total > 0)) return;
    const double factor = reading_.compiler().total_mass / total;
    for (BodyDescription& body : reading_.description().bodies) {
      body.mass *= factor;
      const Symmetric3& s = body.inertia;
      body.inertia = {factor * s.xx, factor * s.yy, factor * s.zz, factor * s.xy, factor * s.xz, factor * s.yz};
    }
  }

  // A body that moves needs mass of its own or of bodies welded to it.
  void check_meshes() {
    std::vector<double> carried(reading_.bodies.size(), 0);
    for (std::size_t i = 1; i < reading_.bodies.size(); ++i)
      carried[reading_.bodies[i].weld] += description(reading_.bodies[i]).mass;
    std::vector<const MjcfBody*> without, lighter;
    for (std::size_t i = 1; i < reading_.bodies.size(); ++i)
      if (const MjcfBody& body = reading_.bodies[i]; body.lacks_mesh_mass && body.weld != 0)
        (carried[body.weld] > 0 ? lighter : without).push_back(&body);
    if (!without.empty())
      throw InputError(without.front()->element->where(),
                       fmt::format("the mass of {} would come from meshes, which are missing: {}", listed(without),
                                   reason(*without.front())),
                       fmt::format("add <inertial pos=\"…\" mass=\"…\" diaginertia=\"…\"/> to {}",
                                   without.size() == 1 ? "the body" : "each of them"));
    if (!lighter.empty())
      reading_.warnings.add(lighter.front()->element->where(),
                            fmt::format("the mass of meshes of {} is missing ({}); add <inertial>", listed(lighter),
                                        reason(*lighter.front())),
                            RobotConcern::motion);
  }

  // `the body 'a'`, `the bodies 'a' (line 3), 'b' (line 5)`.
  static std::string listed(const std::vector<const MjcfBody*>& bodies) {
    constexpr std::size_t most = 50;
    if (bodies.size() == 1) return fmt::format("the body '{}'", printable(bodies.front()->body));
    std::string list = fmt::format("{} bodies, ", bodies.size());
    for (std::size_t i = 0; i < std::min(bodies.size(), most); ++i)
      list += fmt::format("{}'{}' (line {})", i > 0 ? ", " : "", printable(bodies[i]->body), bodies[i]->element->line);
    return bodies.size() > most ? list + ", …" : list;
  }

  std::string reason(const MjcfBody& body) {
    for (const std::size_t i : body.geoms)
      if (const MjcfGeom& geom = reading_.geoms[i]; geom.type == Type::mesh && std::isnan(geom.mass))
        if (const MjcfMesh& mesh = mjcf_mesh(reading_, geom); !mesh.problem.empty()) return mesh.problem;
    return "its surface holds no volume";
  }

  MjcfReading& reading_;
  const std::vector<MjcfInertial>& inertials_;
};

}  // namespace

void read_mjcf_inertias(MjcfReading& reading, const std::vector<MjcfInertial>& inertials) {
  InertiaReader(reading, inertials).read();
}

}  // namespace routh::internal
