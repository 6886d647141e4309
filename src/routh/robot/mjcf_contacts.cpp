// Shapes, their surfaces, and which pairs may touch.
//
// MuJoCo lets two geoms touch when contype of one meets conaffinity of the other, their bodies are not welded to each
// other, neither hangs from the other (counting bodies that are welded together as one, and the world not at all), and
// the bodies are not excluded; or when <pair> names them. Friction is the larger of the two, or that of the geom with
// the higher priority; there is none when `condim` of both is 1. All of this is written out as filters and pairs of
// surfaces; the default of the model, which excludes a body and the one it hangs from, is overridden where they differ.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "routh/robot/mjcf_reading.h"
#include "routh/robot/tolerances.h"

namespace routh::internal {

namespace {

using Type = MjcfGeom::Type;

constexpr std::size_t max_surfaces = 256;
constexpr std::size_t max_filters = 1'000'000;
constexpr std::size_t max_body_pairs = 20'000'000, max_geom_pairs = 10'000'000;

struct WrittenPair {
  const XmlElement* element;
  std::size_t first, second;       // geoms
  std::optional<double> friction;  // absent: that of the geoms
};

bool is_solid(Type type) { return type != Type::plane; }

class ContactReader {
 public:
  explicit ContactReader(MjcfReading& reading) : reading_(reading) {}

  void read() {
    for (const XmlElement* section : reading_.root.all("contact"))
      for (const XmlElement& child : section->children) read_rule(child);
    if (reading_.compiler().collision == MjcfCollision::predefined && pairs_.empty())
      reading_.warnings.add(reading_.root.where(),
                            "collision=\"predefined\" and no <pair>: none of the robot's shapes touches another",
                            RobotConcern::motion);
    name_meshes();
    for (std::size_t i = 0; i < reading_.geoms.size(); ++i) add_shape(i);
    add_surface_pairs();
    add_filters();
  }

 private:
  std::size_t required(const XmlElement& element, const char* name,
                       const std::map<std::string, std::size_t, std::less<>>& index, const char* kind) const {
    const XmlAttribute* attribute = element.attribute(name);
    if (!attribute)
      throw InputError(element.where(), fmt::format("<{}> has no attribute '{}'", element.name, name),
                       fmt::format("add {}=\"…\"", name));
    return require_mjcf_name(index, element, *attribute, kind);
  }

  void read_rule(const XmlElement& element) {
    if (element.name == "exclude") {
      check_mjcf_attributes(element, reading_.warnings);
      if (names_unmade_mjcf(reading_, element, {"body1", "body2"}, reading_.body_index)) return;
      const std::size_t a = required(element, "body1", reading_.body_index, "body");
      const std::size_t b = required(element, "body2", reading_.body_index, "body");
      excluded_.insert(std::minmax(a, b));
    } else if (element.name == "pair") {
      check_mjcf_attributes(element, reading_.warnings);
      if (!counts_pairs()) return reading_.warnings.ignore(element, "<pair> in <contact>", "<option> switches it off");
      if (names_unmade_mjcf(reading_, element, {"geom1", "geom2"}, reading_.geom_index)) return;
      const MjcfSettings settings = reading_.defaults.settings(element);
      WrittenPair pair{&element,
                       required(element, "geom1", reading_.geom_index, "geom"),
                       required(element, "geom2", reading_.geom_index, "geom"),
                       {}};
      std::array<double, 5> friction = {1, 1, tolerances::mjcf_torsional_friction, tolerances::mjcf_rolling_friction,
                                        tolerances::mjcf_rolling_friction};
      if (settings.fill("friction", friction) > 0) pair.friction = friction[0];
      if (settings.integer("condim", 3) == 1) pair.friction = 0;
      pairs_.push_back(pair);
      for (const std::size_t geom : {pair.first, pair.second}) {
        named_.insert(geom);
        if (pair.friction) own_friction_.insert(geom);
      }
    } else {
      ignore_mjcf_element(element, reading_.warnings);
    }
  }

  // What <option> says.
  bool counts_bits() const {
    return reading_.compiler().collision == MjcfCollision::all ||
           reading_.compiler().collision == MjcfCollision::dynamic;
  }
  bool counts_pairs() const {
    return reading_.compiler().collision == MjcfCollision::all ||
           reading_.compiler().collision == MjcfCollision::predefined;
  }

  // Geoms that touch nothing are for drawing.
  bool touches(std::size_t geom) const {
    const MjcfGeom& g = reading_.geoms[geom];
    return g.touches != 0 || g.touched_by != 0 || named_.contains(geom);
  }

  void name_meshes() {
    for (std::size_t i = 0; i < reading_.geoms.size(); ++i) {
      const MjcfGeom& geom = reading_.geoms[i];
      const bool touching = touches(i), mesh = geom.type == Type::mesh;
      const std::string problem = mesh && touching ? mjcf_mesh(reading_, geom).problem : "";
      if (geom.type == Type::other || (mesh && (!touching || !problem.empty())))
        reading_.warnings.ignore(*geom.element,
                                 fmt::format("a geom of type {} {}", mesh ? "mesh" : "hfield or sdf",
                                             touching ? "that others touch" : "that touches nothing"),
                                 !touching ? "it is for drawing"
                                 : mesh    ? problem + "; put simple geoms in its place"
                                           : "height fields are not read; put simple geoms in its place",
                                 touching ? RobotConcern::motion : RobotConcern::drawing);
      else if (!touching)
        reading_.warnings.ignore(*geom.element, "a geom that touches nothing (contype and conaffinity 0)",
                                 "it counts for the mass of its body only");
    }
  }

  bool is_there(const MjcfGeom& geom) {
    return geom.type != Type::other && (geom.type != Type::mesh || mjcf_mesh(reading_, geom).problem.empty());
  }

  void add_shape(std::size_t index) {
    MjcfGeom& geom = reading_.geoms[index];
    if (!touches(index) || !is_there(geom)) return;
    const MjcfBody& body = reading_.bodies[geom.body];
    ShapeDescription shape;
    shape.name = reading_.names.unique(geom.name.empty() ? body.body + "_geom" : geom.name);
    note_mjcf_name(reading_, *geom.element, geom.name, shape.name);
    shape.body = body.body;
    shape.at = geom.at;
    shape.where = shape.body_where = shape.surface_where = geom.element->where();
    shape.radius = geom.size[0];
    set_kind(shape, geom);
    if (geom.type == Type::mesh) {
      const MjcfMesh& mesh = mjcf_mesh(reading_, geom);
      shape.at = geom.at * mesh.at;
      shape.mesh = mesh.mesh;
    }
    geom.surface = surface_of(index);
    shape.surface = reading_.description().surfaces[static_cast<std::size_t>(geom.surface)].name;
    geom.shape = static_cast<int>(reading_.description().shapes.size());
    reading_.description().shapes.push_back(std::move(shape));
  }

  static void set_kind(ShapeDescription& shape, const MjcfGeom& geom) {
    const Vector3 half = {geom.size[0], geom.size[1], geom.size[2]};
    switch (geom.type) {
      case Type::sphere:
        shape.kind = ShapeKind::sphere;
        return;
      case Type::capsule:
      case Type::cylinder:
        shape.kind = geom.type == Type::capsule ? ShapeKind::capsule : ShapeKind::cylinder;
        shape.length = 2 * half.y;
        return;
      case Type::ellipsoid:
      case Type::box:
        shape.kind = geom.type == Type::box ? ShapeKind::box : ShapeKind::ellipsoid;
        shape.half_extents = half;
        shape.radius = 0;
        return;
      case Type::mesh:
        shape.kind = ShapeKind::mesh;
        shape.radius = 0;
        return;
      case Type::plane:
      case Type::other:
        shape.kind = ShapeKind::half_space;
        shape.radius = 0;
        return;
    }
  }

  // Geoms of the same friction share a surface; one that <pair> gives a friction of its own has its own.
  int surface_of(std::size_t index) {
    const MjcfGeom& geom = reading_.geoms[index];
    const auto key =
        std::tuple(geom.friction, geom.dimensions == 1, geom.priority, own_friction_.contains(index) ? index + 1 : 0);
    auto& surfaces = reading_.description().surfaces;
    const auto [entry, added] = surfaces_.emplace(key, static_cast<int>(surfaces.size()));
    if (!added) return entry->second;
    if (surfaces.size() >= max_surfaces)
      throw InputError(geom.element->where(),
                       fmt::format("geoms have more than {} different kinds of friction", max_surfaces),
                       "use fewer values of friction, priority and condim");
    SurfaceDescription surface;
    surface.name = fmt::format("surface_{}", surfaces.size() + 1);
    surface.properties.friction = {geom.friction, geom.friction};
    surface.where = geom.element->where();
    surfaces.push_back(std::move(surface));
    examples_.push_back(index);
    return entry->second;
  }

  static double friction_between(const MjcfGeom& a, const MjcfGeom& b) {
    if (a.priority != b.priority) {
      const MjcfGeom& first = a.priority > b.priority ? a : b;
      return first.dimensions == 1 ? 0 : first.friction;
    }
    return std::max(a.dimensions, b.dimensions) == 1 ? 0 : std::max(a.friction, b.friction);
  }

  // By MuJoCo's rule, which is not the model's. Against surfaces that a scene adds, the model's rule holds.
  void add_surface_pairs() {
    const auto& surfaces = reading_.description().surfaces;
    std::map<std::pair<int, int>, double> written;
    for (const WrittenPair& pair : pairs_)
      if (pair.friction)
        written[std::minmax(reading_.geoms[pair.first].surface, reading_.geoms[pair.second].surface)] = *pair.friction;
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      for (std::size_t j = i; j < surfaces.size(); ++j) {
        const auto own = written.find({static_cast<int>(i), static_cast<int>(j)});
        const double friction = own != written.end()
                                    ? own->second
                                    : friction_between(reading_.geoms[examples_[i]], reading_.geoms[examples_[j]]);
        if (i == j && friction == surfaces[i].properties.friction.static_coefficient) continue;
        SurfacePairDescription pair;
        pair.first = surfaces[i].name;
        pair.second = surfaces[j].name;
        pair.properties.friction = {friction, friction};
        pair.where = surfaces[j].where;
        reading_.description().surface_pairs.push_back(std::move(pair));
      }
  }

  bool welded(std::size_t a, std::size_t b) const { return reading_.bodies[a].weld == reading_.bodies[b].weld; }

  // The body that the piece which carries `body` hangs from.
  std::size_t weld_parent(std::size_t body) const {
    const MjcfBody& carrier = reading_.bodies[reading_.bodies[body].weld];
    return reading_.bodies[carrier.parent].weld;
  }

  bool bodies_may_touch(std::size_t a, std::size_t b) const {
    if (excluded_.contains(std::minmax(a, b))) return false;
    const std::size_t x = reading_.bodies[a].weld, y = reading_.bodies[b].weld;
    return !(reading_.compiler().filter_parents && x != 0 && y != 0 && (weld_parent(a) == y || weld_parent(b) == x));
  }

  // What the model would do by itself.
  bool model_excludes(std::size_t a, std::size_t b) const {
    const auto hangs_from = [&](std::size_t child, std::size_t parent) {
      if (parent == 0 || child == 0 || reading_.bodies[child].parent != parent) return false;
      const MjcfBody& body = reading_.bodies[child];
      return reading_.description().joints[static_cast<std::size_t>(body.index)].parent ==
             reading_.bodies[parent].body;  // not through a body between several joints
    };
    return hangs_from(a, b) || hangs_from(b, a);
  }

  bool geoms_may_touch(const MjcfGeom& a, const MjcfGeom& b) const {
    return (a.touches & b.touched_by) != 0 || (b.touches & a.touched_by) != 0;
  }

  void add_filters() {
    std::vector<std::size_t> bodies;
    std::vector<std::vector<std::size_t>> shaped(reading_.bodies.size());
    for (std::size_t i = 0; i < reading_.geoms.size(); ++i)
      if (reading_.geoms[i].shape >= 0) shaped[reading_.geoms[i].body].push_back(i);
    for (std::size_t i = 0; i < shaped.size(); ++i)
      if (!shaped[i].empty()) bodies.push_back(i);
    if (bodies.size() * bodies.size() > max_body_pairs)
      throw InputError(reading_.root.where(), fmt::format("{} bodies have geoms that touch", bodies.size()),
                       "make the file smaller");
    std::set<std::pair<std::size_t, std::size_t>> named;
    for (const WrittenPair& pair : pairs_) named.insert(std::minmax(pair.first, pair.second));
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j)
        if (!welded(bodies[i], bodies[j])) filter_bodies(bodies[i], bodies[j], shaped, named);
    warn_of_rigid_pairs();
  }

  void filter_bodies(std::size_t a, std::size_t b, const std::vector<std::vector<std::size_t>>& shaped,
                     const std::set<std::pair<std::size_t, std::size_t>>& named) {
    const bool bodies_touch = counts_bits() && bodies_may_touch(a, b), model_excluded = model_excludes(a, b);
    std::vector<std::pair<std::size_t, std::size_t>> allowed, refused;
    examined_ += shaped[a].size() * shaped[b].size();
    if (examined_ > max_geom_pairs)
      throw InputError(reading_.bodies[b].element->where(), fmt::format("more than {} pairs of geoms", max_geom_pairs),
                       "use fewer geoms, or set contype and conaffinity to 0 for those that do not touch");
    for (const std::size_t i : shaped[a])
      for (const std::size_t j : shaped[b]) {
        if (!is_solid(reading_.geoms[i].type) && !is_solid(reading_.geoms[j].type)) continue;
        const bool touch = (bodies_touch && geoms_may_touch(reading_.geoms[i], reading_.geoms[j])) ||
                           (!named.empty() && named.contains(std::minmax(i, j)));
        (touch ? allowed : refused).emplace_back(i, j);
      }
    if (model_excluded) {
      if (refused.empty() && !allowed.empty()) return add_filter(FilterDescription::Rule::include, a, b);
      for (const auto& [i, j] : allowed) add_shape_filter(FilterDescription::Rule::include, i, j);
    } else {
      if (allowed.empty() && !refused.empty()) return add_filter(FilterDescription::Rule::exclude, a, b);
      for (const auto& [i, j] : refused) add_shape_filter(FilterDescription::Rule::exclude, i, j);
    }
  }

  void add_filter(FilterDescription::Rule rule, std::size_t a, std::size_t b) {
    push({rule, reading_.bodies[a].body, reading_.bodies[b].body, reading_.bodies[b].element->where()});
  }

  void add_shape_filter(FilterDescription::Rule rule, std::size_t i, std::size_t j) {
    const auto& shapes = reading_.description().shapes;
    push({rule, shapes[static_cast<std::size_t>(reading_.geoms[i].shape)].name,
          shapes[static_cast<std::size_t>(reading_.geoms[j].shape)].name, reading_.geoms[j].element->where()});
  }

  void push(FilterDescription filter) {
    if (reading_.description().filters.size() >= max_filters)
      throw InputError(filter.where, fmt::format("more than {} pairs of geoms need a rule of their own", max_filters),
                       "use fewer geoms, or contype and conaffinity that are alike within a body");
    reading_.description().filters.push_back(std::move(filter));
  }

  void warn_of_rigid_pairs() {
    for (const WrittenPair& pair : pairs_)
      if (welded(reading_.geoms[pair.first].body, reading_.geoms[pair.second].body))
        reading_.warnings.ignore(*pair.element, "<pair> of geoms that cannot move against each other",
                                 "they never touch anew");
  }

  MjcfReading& reading_;
  std::set<std::pair<std::size_t, std::size_t>> excluded_;  // bodies
  std::vector<WrittenPair> pairs_;
  std::set<std::size_t> named_;         // geoms in <pair>
  std::set<std::size_t> own_friction_;  // those of them that have a friction there
  std::size_t examined_ = 0;
  std::map<std::tuple<double, bool, int, std::size_t>, int> surfaces_;
  std::vector<std::size_t> examples_;  // a geom of each surface
};

}  // namespace

void read_mjcf_contacts(MjcfReading& reading) { ContactReader(reading).read(); }

}  // namespace routh::internal
