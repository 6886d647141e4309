#include "routh/dynamics/load_derivatives.h"

#include <cmath>

#include "routh/dynamics/applied.h"
#include "routh/dynamics/constrained.h"
#include "routh/dynamics/loop_frames.h"

namespace routh::internal {

namespace {

// A vector with its first two rates, and a variation of the three.
struct Jet {
  Vector3 x, rate, rate2;
};
Jet operator-(const Jet& a, const Jet& b) { return {a.x - b.x, a.rate - b.rate, a.rate2 - b.rate2}; }

// A point or an axis of a body, whose variations are asked for by degree of freedom.
class Attached {
 public:
  enum class Kind { point, axis };
  Attached(const Model& model, const TreeDerivatives& tree, int body, const Vector3& x, Kind kind)
      : model_(model), tree_(tree), link_(model.bodies[static_cast<std::size_t>(body)].link), kind_(kind) {
    value_.x = x;
    if (link_ < 0) return;
    const auto& motion = tree.motion(link_);
    r_ = kind == Kind::point ? x - motion.origin : x;
    value_.rate = velocity(motion.v);
    value_.rate2 = velocity(motion.a) + cross(motion.v.w, value_.rate);
  }

  const Jet& value() const { return value_; }

  // visit(degree of freedom, variation along q, variation along q̇)
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (link_ < 0) return;
    const auto& motion = tree_.motion(link_);
    for (const int j : tree_.path(model_, link_)) {
      const auto& dof = tree_.dof(j);
      const auto& from = tree_.carrier(j);
      const Screw ahead = motion.v - from.v;
      Jet q, v;
      q.x = velocity(dof.s);
      turn(cross(dof.s, ahead), cross(dof.rate, ahead) + cross(dof.s, motion.a - from.a), q);
      turn(dof.s, dof.both + cross(dof.s, motion.v), v);
      visit(j, q, v);
    }
  }

 private:
  Vector3 velocity(const Screw& s) const { return kind_ == Kind::point ? s.v + cross(s.w, r_) : cross(s.w, r_); }
  // The rates of a place that has moved by d.x, in a motion that has changed by dv and da.
  void turn(const Screw& dv, const Screw& da, Jet& d) const {
    const auto& motion = tree_.motion(link_);
    d.rate = velocity(dv) + cross(motion.v.w, d.x);
    d.rate2 = velocity(da) + cross(motion.a.w, d.x) + cross(dv.w, value_.rate) + cross(motion.v.w, d.rate);
  }

  const Model& model_;
  const TreeDerivatives& tree_;
  int link_;
  Kind kind_;
  Vector3 r_;
  Jet value_;
};

// Variations of a difference of two attached vectors, by degree of freedom.
struct Variations {
  explicit Variations(int size) : q(static_cast<std::size_t>(size)), v(static_cast<std::size_t>(size)) {}
  void add(const Attached& it, double sign) {
    const auto put = [sign](Jet& to, const Jet& d) {
      to = {to.x + sign * d.x, to.rate + sign * d.rate, to.rate2 + sign * d.rate2};
    };
    it.for_each([&](int j, const Jet& dq, const Jet& dv) {
      put(q[static_cast<std::size_t>(j)], dq);
      put(v[static_cast<std::size_t>(j)], dv);
    });
  }
  std::vector<Jet> q, v;
};

// Adds sign · Jᵀ δw for the variation δw(j) of a wrench at a point of a body.
template <class Wrenches>
void add_changed_load(const Model& model, const Workspace& workspace, int body, const Vector3& point,
                      const Wrenches& change, Eigen::Ref<RowMatrix> K) {
  Eigen::VectorXd column(model.velocities);
  for (int j = 0; j < model.velocities; ++j) {
    column.setZero();
    add_point_force(model, workspace, body, point, change(j), column);
    K.col(j) += column;
  }
}

// A force −f along the line from b to a, on a: springs and rods. `tension` gives f, and its changes by length and rate.
struct Tension {
  double force, by_length, by_rate;
};
struct Line {
  Jet d;  // a − b
  Vector3 u;
  double length, rate;
};

// ∂(−f u)/∂…, where u is the direction of d.
Vector3 changed_pull(const Line& line, const Tension& f, const Jet& d) {
  const double length = dot(line.u, d.x);
  const Vector3 u = (1 / line.length) * (d.x - length * line.u);
  const double rate = dot(u, line.d.rate) + dot(line.u, d.rate);
  return -(f.by_length * length + f.by_rate * rate) * line.u - f.force * u;
}

void add_spring(const Model& model, const Workspace& workspace, const TreeDerivatives& tree, const Spring& spring,
                Eigen::Ref<RowMatrix> by_position, Eigen::Ref<RowMatrix> by_velocity) {
  const SpringSpan span = spring_span(model, workspace, spring);
  if (!(span.length > 0)) return;
  const Attached a(model, tree, spring.body_a, span.a, Attached::Kind::point);
  const Attached b(model, tree, spring.body_b, span.b, Attached::Kind::point);
  Line line{a.value() - b.value(), {}, span.length, 0};
  line.u = (1 / line.length) * line.d.x;
  line.rate = dot(line.u, line.d.rate);
  const Tension f = {spring.stiffness * (span.length - spring.rest_length) + spring.damping * line.rate,
                     spring.stiffness, spring.damping};
  Variations all(model.velocities);
  all.add(a, 1);
  all.add(b, -1);
  const Vector3 pull = -f.force * line.u;
  add_load_stiffness(model, tree, spring.body_a, span.a, {pull, {}}, by_position);
  add_load_stiffness(model, tree, spring.body_b, span.b, {-pull, {}}, by_position);
  const auto changes = [&](const std::vector<Jet>& along, double sign) {
    return [&line, &f, &along, sign](int j) -> Wrench {
      return {sign * changed_pull(line, f, along[static_cast<std::size_t>(j)]), {}};
    };
  };
  add_changed_load(model, workspace, spring.body_a, span.a, changes(all.q, 1), by_position);
  add_changed_load(model, workspace, spring.body_b, span.b, changes(all.q, -1), by_position);
  add_changed_load(model, workspace, spring.body_a, span.a, changes(all.v, 1), by_velocity);
  add_changed_load(model, workspace, spring.body_b, span.b, changes(all.v, -1), by_velocity);
}

void add_force(const Model& model, const Workspace& workspace, const TreeDerivatives& tree, const Force& force,
               double time, Eigen::Ref<RowMatrix> by_position) {
  const AppliedLoad load = force_load(model, workspace, force, time);
  add_load_stiffness(model, tree, force.body, load.point, load.wrench, by_position);
  const int link = model.bodies[static_cast<std::size_t>(force.body)].link;
  if (force.frame == ForceFrame::world || link < 0) return;
  std::vector<Wrench> turned(static_cast<std::size_t>(model.velocities));
  for (const int j : tree.path(model, link)) {
    const Vector3& w = tree.dof(j).s.w;
    turned[static_cast<std::size_t>(j)] = {cross(w, load.wrench.force), cross(w, load.wrench.moment)};
  }
  add_changed_load(
      model, workspace, force.body, load.point, [&](int j) { return turned[static_cast<std::size_t>(j)]; },
      by_position);
}

// What acts along one degree of freedom.
void add_dof(const Dof& dof, double q, double v, double time, double& by_position, double& by_velocity) {
  const DofDescription& is = dof.properties;
  by_velocity -= is.damping;
  if (dof.coordinate >= 0) by_position -= is.stiffness;
  if (!is.drive) return;
  const DriveDescription& drive = *is.drive;
  const double u = drive.stiffness * (drive.position(time) - q) + drive.damping * (drive.velocity(time) - v);
  if (std::abs(u) > drive.limit) return;
  if (dof.coordinate >= 0) by_position -= drive.stiffness;
  by_velocity -= drive.damping;
}

}  // namespace

void add_load_stiffness(const Model& model, const TreeDerivatives& tree, int body, const Vector3& point,
                        const Wrench& wrench, Eigen::Ref<RowMatrix> K) {
  const int link = model.bodies[static_cast<std::size_t>(body)].link;
  if (link < 0) return;
  const Vector3 r = point - tree.motion(link).origin;
  const Vector3 moment = wrench.moment + cross(r, wrench.force);
  const std::span<const int> path = tree.path(model, link);
  for (std::size_t at = 0; at < path.size(); ++at) {
    const int k = path[at];
    const Screw& own = tree.dof(k).s;
    for (std::size_t of = 0; of < path.size(); ++of) {
      const int j = path[of];
      const Screw& s = tree.dof(j).s;
      // The point moves; what j carries turns with it.
      K(k, j) += dot(own.w, cross(s.v + cross(s.w, r), wrench.force));
      if (of >= at && !tree.same_group(k, j)) continue;
      const Screw turned = cross(s, own);
      K(k, j) += dot(turned.w, moment) + dot(turned.v, wrench.force);
    }
  }
}

void add_applied_derivatives(const Model& model, const State& state, const Workspace& workspace,
                             const TreeDerivatives& tree, Eigen::Ref<RowMatrix> by_position,
                             Eigen::Ref<RowMatrix> by_velocity) {
  for (int k = 0; k < model.velocities; ++k) {
    const Dof& dof = model.dofs[static_cast<std::size_t>(k)];
    add_dof(dof, dof.coordinate < 0 ? 0.0 : state.q[dof.coordinate], state.v[k], state.time, by_position(k, k),
            by_velocity(k, k));
  }
  for (const Spring& spring : model.springs) add_spring(model, workspace, tree, spring, by_position, by_velocity);
  for (const Force& force : model.forces) add_force(model, workspace, tree, force, state.time, by_position);
}

namespace {

// φ = s·u: φ̈ = s̈·u + 2 ṡ·u̇ + s·ü
double changed_product(const Jet& s, const Jet& u, const Jet& ds, const Jet& du) {
  return dot(ds.rate2, u.x) + dot(s.rate2, du.x) + 2 * (dot(ds.rate, u.rate) + dot(s.rate, du.rate)) +
         dot(ds.x, u.rate2) + dot(s.x, du.rate2);
}

// φ = ‖d‖: φ̈ = u·d̈ + (‖ḋ‖² − (u·ḋ)²)/‖d‖
double changed_length(const Line& line, const Jet& d) {
  const double length = dot(line.u, d.x);
  const Vector3 u = (1 / line.length) * (d.x - length * line.u);
  const double along = dot(line.u, line.d.rate);
  const double across = dot(line.d.rate, line.d.rate) - along * along;
  const double changed = 2 * dot(line.d.rate, d.rate) - 2 * along * (dot(u, line.d.rate) + dot(line.u, d.rate));
  return dot(u, line.d.rate2) + dot(line.u, d.rate2) + changed / line.length -
         across * length / (line.length * line.length);
}

class LoopDerivatives {
 public:
  LoopDerivatives(const Model& model, const Workspace& workspace, const TreeDerivatives& tree,
                  Eigen::Ref<RowMatrix> force, Eigen::Ref<RowMatrix> rows)
      : model_(model), workspace_(workspace), tree_(tree), force_(force), rows_(rows) {}

  void add(const Loop& loop, const ConstVector& multipliers) {
    const LoopFrames at = loop_frames(model_, workspace_, loop);
    const Attached a(model_, tree_, loop.body_a, at.a.position, Attached::Kind::point);
    const Attached b(model_, tree_, loop.body_b, at.b.position, Attached::Kind::point);
    Variations all(model_.velocities);
    all.add(a, 1);
    all.add(b, -1);
    if (loop.kind == LoopKind::distance) return add_rod(loop, at, a.value() - b.value(), all, multipliers[loop.row]);
    int row = loop.row;
    Wrench wrench;
    for (int k = 0; k < loop_point_rows(loop, model_.dimension); ++k, ++row) {
      const auto entry = [k](const Vector3& x) { return k == 0 ? x.x : k == 1 ? x.y : x.z; };
      set_row(
          row, [&](std::size_t j) { return entry(all.q[j].rate2); },
          [&](std::size_t j) { return entry(all.v[j].rate2); });
      (k == 0 ? wrench.force.x : k == 1 ? wrench.force.y : wrench.force.z) = multipliers[row];
    }
    const LoopAxes axes = loop_axes(loop, at, model_.dimension);
    for (int k = 0; k < axes.count; ++k, ++row) add_axes(loop, at, axes.pairs[k], row, multipliers[row]);
    add_load(loop, at, wrench);
  }

 private:
  template <class ByPosition, class ByVelocity>
  void set_row(int row, const ByPosition& by_position, const ByVelocity& by_velocity) {
    for (int j = 0; j < model_.velocities; ++j) {
      rows_(row, j) = by_position(static_cast<std::size_t>(j));
      rows_(row, model_.velocities + j) = by_velocity(static_cast<std::size_t>(j));
    }
  }
  void add_load(const Loop& loop, const LoopFrames& at, const Wrench& wrench) {
    add_load_stiffness(model_, tree_, loop.body_a, at.a.position, wrench, force_);
    add_load_stiffness(model_, tree_, loop.body_b, at.b.position, {-wrench.force, -wrench.moment}, force_);
  }
  template <class Change>
  void add_change(const Loop& loop, const LoopFrames& at, const Change& change) {
    add_changed_load(model_, workspace_, loop.body_a, at.a.position, change, force_);
    add_changed_load(
        model_, workspace_, loop.body_b, at.b.position,
        [&](int j) -> Wrench {
          const Wrench w = change(j);
          return {-w.force, -w.moment};
        },
        force_);
  }

  void add_rod(const Loop& loop, const LoopFrames& at, const Jet& d, const Variations& all, double multiplier) {
    Line line{d, {}, norm(d.x), 0};
    if (!(line.length > 0)) return;
    line.u = (1 / line.length) * d.x;
    set_row(
        loop.row, [&](std::size_t j) { return changed_length(line, all.q[j]); },
        [&](std::size_t j) { return changed_length(line, all.v[j]); });
    add_load(loop, at, {multiplier * line.u, {}});
    const Tension tension = {-multiplier, 0, 0};
    add_change(loop, at, [&](int j) -> Wrench {
      return {changed_pull(line, tension, all.q[static_cast<std::size_t>(j)]), {}};
    });
  }

  // s·u = 0 with u fixed in a, s in b; the moment λ u × s on a.
  void add_axes(const Loop& loop, const LoopFrames& at, const LoopAxes::Pair& pair, int row, double multiplier) {
    const Attached u(model_, tree_, loop.body_a, pair.u, Attached::Kind::axis);
    const Attached s(model_, tree_, loop.body_b, pair.s, Attached::Kind::axis);
    Variations du(model_.velocities), ds(model_.velocities);
    du.add(u, 1);
    ds.add(s, 1);
    set_row(
        row, [&](std::size_t j) { return changed_product(s.value(), u.value(), ds.q[j], du.q[j]); },
        [&](std::size_t j) { return changed_product(s.value(), u.value(), ds.v[j], du.v[j]); });
    add_load(loop, at, {{}, multiplier * cross(pair.u, pair.s)});
    add_change(loop, at, [&](int j) -> Wrench {
      const auto k = static_cast<std::size_t>(j);
      return {{}, multiplier * (cross(du.q[k].x, pair.s) + cross(pair.u, ds.q[k].x))};
    });
  }

  const Model& model_;
  const Workspace& workspace_;
  const TreeDerivatives& tree_;
  Eigen::Ref<RowMatrix> force_, rows_;
};

}  // namespace

void add_loop_derivatives(const Model& model, const Workspace& workspace, const TreeDerivatives& tree,
                          const ConstVector& multipliers, Eigen::Ref<RowMatrix> force, Eigen::Ref<RowMatrix> rows) {
  rows.setZero();
  LoopDerivatives derivatives(model, workspace, tree, force, rows);
  for (const Loop& loop : model.loops)
    if (loop.kind != LoopKind::coupling) derivatives.add(loop, multipliers);
}

}  // namespace routh::internal
