#include "routh/model/scales.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace routh::internal {

namespace {

// Lengths by √ of sums of squares alone, never std::hypot, whose last digit need not scale with its arguments.
double diagonal(double a, double b) { return std::sqrt(a * a + b * b); }

double trace(const Symmetric3& s) { return s.xx + s.yy + s.zz; }

// ∫r² dm about the centre of mass.
double spread(const Body& body, Dimension dimension) {
  return dimension == Dimension::planar ? body.inertia.zz : trace(body.inertia) / 2;
}

// About the origin of its frame. Nothing for shapes without end, which say nothing about the size of their body.
double reach(const Shape& shape, Dimension dimension) {
  const Vector3& h = shape.half_extents;
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::half_space:
    case ShapeKind::strip:
      return 0;
    case ShapeKind::sphere:
    case ShapeKind::pin:
    case ShapeKind::hole:
      return shape.radius;
    case ShapeKind::capsule:
      return shape.length / 2 + shape.radius;
    case ShapeKind::box:
      return dimension == Dimension::planar ? diagonal(h.x, h.y) : norm(h);
    case ShapeKind::cylinder:
      return diagonal(shape.length / 2, shape.radius);
    case ShapeKind::ellipsoid:
      return std::max({h.x, h.y, dimension == Dimension::planar ? 0 : h.z});
    case ShapeKind::mesh:
      return shape.hull->radius;
  }
  return 0;
}

double peak(const Profile& profile) {
  double most = 0;
  for (const Profile::Point& point : profile.points) most = std::max(most, std::abs(point.value));
  return most;
}

class ScaleFinder {
 public:
  explicit ScaleFinder(const Model& model) : model_(model) {}

  Scales find() {
    find_length();
    find_mass();
    for (const auto& [source, time] : {std::pair{TimeSource::load, falling_time(load())},
                                       std::pair{TimeSource::stiffness, falling_time(stiffness())},
                                       std::pair{TimeSource::damping, scales_.mass / damping()},
                                       std::pair{TimeSource::motion, scales_.length / motion()}}) {
      if (!(time > 0 && std::isfinite(time))) continue;
      scales_.time = time;
      scales_.time_source = source;
      break;
    }
    return scales_;
  }

 private:
  void take_point(int link, const Vector3& in_link, double around = 0) {
    if (link < 0) return;
    const Link& it = model_.links[static_cast<std::size_t>(link)];
    const Vector3 centre = it.mass > 0 ? (1 / it.mass) * it.moment : Vector3{};
    longest_ = std::max(longest_, norm(in_link - centre) + around);
  }

  void take_anchor(int body, const Vector3& in_body) {
    const Body& it = model_.bodies[static_cast<std::size_t>(body)];
    take_point(it.link, it.in_link * in_body);
  }

  // The axis or centre of a joint is a place of its link; the origin of a body that is free, or slides first, is not.
  bool is_hung(const Link& link) const {
    switch (link.kind) {
      case LinkKind::slide:
      case LinkKind::floating:
        return false;
      case LinkKind::turn:
      case LinkKind::ball:
        break;
    }
    if (link.parent < 0) return true;
    const Link& parent = model_.links[static_cast<std::size_t>(link.parent)];
    return parent.mass > 0 || parent.kind != LinkKind::slide;
  }

  void find_length() {
    for (std::size_t i = 0; i < model_.links.size(); ++i) {
      const Link& link = model_.links[i];
      if (is_hung(link)) take_point(static_cast<int>(i), {});
      take_point(link.parent, link.offset);
    }
    for (const Body& body : model_.bodies)
      if (body.mass > 0)
        take_point(body.link, body.in_link * body.com, std::sqrt(spread(body, model_.dimension) / body.mass));
    for (const Shape& shape : model_.shapes)
      take_point(shape.link, shape.in_link.position, reach(shape, model_.dimension));
    for (const Loop& loop : model_.loops) {
      if (loop.kind == LoopKind::coupling) continue;
      take_anchor(loop.body_a, loop.at_a.position);
      take_anchor(loop.body_b, loop.at_b.position);
      longest_ = std::max(longest_, loop.distance);
    }
    for (const Spring& spring : model_.springs) {
      take_anchor(spring.body_a, spring.at_a);
      take_anchor(spring.body_b, spring.at_b);
      longest_ = std::max(longest_, spring.rest_length);
    }
    for (const Force& force : model_.forces) take_anchor(force.body, force.at);
    for (const Impulse& impulse : model_.impulses)
      if (impulse.body >= 0) take_anchor(impulse.body, impulse.at);
    if (longest_ > 0) scales_.length = longest_;
  }

  // Rotors and bodies of inertia alone count by what they would weigh at the distance L.
  void find_mass() {
    double mass = 0, inertia = 0;
    for (const Link& link : model_.links) mass += link.mass;
    weighing_ = mass;
    for (const Body& body : model_.bodies)
      if (body.link >= 0) inertia += spread(body, model_.dimension);
    for (int k = 0; k < model_.velocities; ++k) {
      const double armature = model_.dofs[static_cast<std::size_t>(k)].properties.armature;
      (is_angular(model_, k) ? inertia : mass) += armature;
    }
    if (!(mass > 0)) mass = inertia / (scales_.length * scales_.length);
    if (mass > 0) scales_.mass = mass;
  }

  double falling_time(double force) const { return std::sqrt(scales_.mass * scales_.length / force); }

  // A quantity of a degree of freedom as one of a point at the distance L: a torque as a force, [N m/rad] as [N].
  template <class Value>
  double largest_of_dofs(const Value& value, double sliding, double turning) const {
    double most = 0;
    for (int k = 0; k < model_.velocities; ++k)
      most = std::max(most, std::abs(value(model_.dofs[static_cast<std::size_t>(k)].properties)) *
                                (is_angular(model_, k) ? turning : sliding));
    return most;
  }

  double load() const {
    const double L = scales_.length;
    double most = weighing_ * norm(model_.gravity);
    for (const Force& force : model_.forces)
      most = std::max(most, peak(force.scale) * std::max(norm(force.force), norm(force.torque) / L));
    return std::max(most,
                    largest_of_dofs([](const DofDescription& d) { return d.effort ? peak(*d.effort) : 0; }, 1, 1 / L));
  }

  double stiffness() const {
    const double L = scales_.length;
    double most = 0;
    for (const Spring& spring : model_.springs) most = std::max(most, std::abs(spring.stiffness) * L);
    const auto value = [](const DofDescription& d) {
      return std::max(std::abs(d.stiffness), d.drive ? d.drive->stiffness : 0);
    };
    return std::max(most, largest_of_dofs(value, L, 1 / L));
  }

  double damping() const {
    double most = 0;
    for (const Spring& spring : model_.springs) most = std::max(most, spring.damping);
    const auto value = [](const DofDescription& d) { return std::max(d.damping, d.drive ? d.drive->damping : 0); };
    return std::max(most, largest_of_dofs(value, 1, 1 / (scales_.length * scales_.length)));
  }

  double motion() const {
    double most = 0;
    for (const Shape& shape : model_.shapes) most = std::max(most, norm(shape.belt) * peak(shape.belt_speed));
    const double mass = scales_.mass, L = scales_.length;
    for (const Impulse& blow : model_.impulses) {
      const double along_dof = blow.dof >= 0 && is_angular(model_, blow.dof) ? blow.along_dof / L : blow.along_dof;
      most = std::max(
          {most, norm(blow.impulse) / mass, norm(blow.angular_impulse) / (mass * L), std::abs(along_dof) / mass});
    }
    const auto value = [](const DofDescription& d) { return d.drive ? peak(d.drive->velocity) : 0; };
    return std::max(most, largest_of_dofs(value, 1, L));
  }

  const Model& model_;
  Scales scales_;
  double longest_ = 0;
  double weighing_ = 0;  // mass that gravity pulls at
};

}  // namespace

const char* name(TimeSource source) {
  switch (source) {
    case TimeSource::load:
      return "load";
    case TimeSource::stiffness:
      return "stiffness";
    case TimeSource::damping:
      return "damping";
    case TimeSource::motion:
      return "motion";
    case TimeSource::none:
      return "none";
  }
  return "";
}

double total_mass(const Model& model) {
  double mass = 0;
  for (const Body& body : model.bodies) mass += body.mass;
  return mass;
}

Scales compute_scales(const Model& model) { return ScaleFinder(model).find(); }

}  // namespace routh::internal
