#include "routh/dynamics/tree_derivatives.h"

#include "routh/math/lanes.h"

namespace routh::internal {

namespace {

double power(const Screw& s, const Vector3& n, const Vector3& f) { return dot(s.w, n) + dot(s.v, f); }

Vector3 vector_at(const ConstVector& x, int i) { return {x[i], x[i + 1], x[i + 2]}; }

// ½ tr I 1 − I: Σ m r rᵀ
Symmetric3 second_moment(const Symmetric3& I) {
  const double half = 0.5 * (I.xx + I.yy + I.zz);
  return {half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
}

}  // namespace

TreeDerivatives::TreeDerivatives(const Model& model)
    : paths_(model),
      groups_(model.dofs.size()),
      dofs_(model.dofs.size()),
      carriers_(model.dofs.size()),
      motions_(model.links.size()),
      composites_(model.links.size()) {
  for (Square* const each : {&by_position, &by_velocity, &mass}) each->setZero(model.velocities, model.velocities);
  for (std::size_t k = 0; k < model.dofs.size(); ++k) {
    const Link& link = model.links[static_cast<std::size_t>(model.dofs[k].link)];
    const int place = static_cast<int>(k) - link.v;
    groups_[k] = link.kind == LinkKind::floating && place >= 3 ? link.v + 3 : link.v;
    armature_.push_back(model.dofs[k].properties.armature);
  }
}

void TreeDerivatives::set_dofs(int first, int count, const Motion& from, const Screw& velocity) {
  for (int k = first; k < first + count; ++k) {
    Dof& dof = dofs_[static_cast<std::size_t>(k)];
    dof.rate = cross(from.v, dof.s);
    dof.rate2 = cross(from.a, dof.s) + cross(from.v, dof.rate);
    dof.both = dof.rate + cross(velocity, dof.s);
    carriers_[static_cast<std::size_t>(k)] = from;
  }
}

void TreeDerivatives::set_motion(const Model& model, const ConstVector& v, const ConstVector& a,
                                 const Workspace& workspace) {
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    const Pose& pose = workspace.link_poses[i];
    Motion from = {{}, {{}, {}}, pose.position};
    if (link.parent >= 0) from = motions_[static_cast<std::size_t>(link.parent)];
    Motion& to = motions_[i];
    to = from;
    const Vector3 r = pose.position - from.origin;
    Dof* const dofs = dofs_.data() + link.v;
    const auto turn = [&](const Vector3& axis) -> Screw { return {axis, cross(r, axis)}; };
    const auto set_ball = [&](int first) {
      const Screw axes[] = {turn(column_x(pose.rotation)), turn(column_y(pose.rotation)),
                            turn(column_z(pose.rotation))};
      const Motion carrier = to;
      Screw spin;
      for (int k = 0; k < 3; ++k) {
        dofs[first + k].s = axes[k];
        spin = spin + v[link.v + first + k] * axes[k];
        to.a = to.a + a[link.v + first + k] * axes[k];
      }
      to.v = to.v + spin;
      to.a = to.a + cross(carrier.v, spin);
      set_dofs(link.v + first, 3, carrier, to.v);
    };
    switch (link.kind) {
      case LinkKind::turn:
      case LinkKind::slide:
        dofs->s = link.kind == LinkKind::turn ? turn(column_z(pose.rotation)) : Screw{{}, column_z(pose.rotation)};
        to.v = from.v + v[link.v] * dofs->s;
        to.a = from.a + a[link.v] * dofs->s + v[link.v] * cross(from.v, dofs->s);
        set_dofs(link.v, 1, from, to.v);
        break;
      case LinkKind::ball:
        set_ball(0);
        break;
      case LinkKind::floating:
        dofs[0].s = {{}, {1, 0, 0}};
        dofs[1].s = {{}, {0, 1, 0}};
        dofs[2].s = {{}, {0, 0, 1}};
        to.v.v = vector_at(v, link.v);
        to.a.v = vector_at(a, link.v);
        set_dofs(link.v, 3, from, to.v);
        set_ball(3);
        break;
    }
  }
}

void TreeDerivatives::start(const Model& model, std::size_t i, const Workspace& workspace) {
  const Link& link = model.links[i];
  const Pose& pose = workspace.link_poses[i];
  const Motion& it = motions_[i];
  Composite& to = composites_[i];
  const Vector3 p = pose.position - it.origin;
  const Vector3 h = pose.rotation * link.moment, s = h + link.mass * p;
  const Symmetric3 own = rotated(pose.rotation, link.inertia);
  const double dx = p.x * (s.x + h.x), dy = p.y * (s.y + h.y), dz = p.z * (s.z + h.z);
  to.m = link.mass;
  to.h = s;
  to.I = {own.xx + dy + dz,
          own.yy + dx + dz,
          own.zz + dx + dy,
          own.xy - s.x * p.y - p.x * h.y,
          own.xz - s.x * p.z - p.x * h.z,
          own.yz - s.y * p.z - p.y * h.z};
  // Newton and Euler of the link: n, f = I a + v ×* I v.
  const Vector3 linear = link.mass * it.v.v + cross(it.v.w, s), spin = to.I * it.v.w + cross(s, it.v.v);
  const Vector3 push = it.a.v - model.gravity;
  to.f = link.mass * push + cross(it.a.w, s) + cross(it.v.w, linear);
  to.n = to.I * it.a.w + cross(s, push) + cross(it.v.w, spin) + cross(it.v.v, linear);
  to.P = 2.0 * linear;
  // K = 2 ((u·h) 1 − u hᵀ − [ω]× Σ m r rᵀ)
  const Symmetric3 moment = second_moment(to.I);
  const Vector3 u = 2.0 * it.v.v, w = 2.0 * it.v.w;
  const Matrix3 sum = full(moment);
  const double along = dot(u, s);
  to.K = {Vector3{along, 0, 0} - u.x * s - (w.y * sum.r2 - w.z * sum.r1),
          Vector3{0, along, 0} - u.y * s - (w.z * sum.r0 - w.x * sum.r2),
          Vector3{0, 0, along} - u.z * s - (w.x * sum.r1 - w.y * sum.r0)};
}

void TreeDerivatives::fill(std::size_t k, const Composite& all) {
  const Dof& own = dofs_[k];
  const auto apply = [&](const Screw& x, Vector3& n, Vector3& f) {  // I x
    n = all.I * x.w + routh::cross(all.h, x.v);
    f = all.m * x.v + routh::cross(x.w, all.h);
  };
  Vector3 mn, mf, cn, cf, dn, df;
  apply(own.s, mn, mf);
  apply(own.both, cn, cf);
  cn += all.K * own.s.w;
  cf += routh::cross(own.s.w, all.P);
  apply(own.rate2, dn, df);
  dn += all.K * own.rate.w;
  df += routh::cross(own.rate.w, all.P);
  const Vector3 turned_n = dn + routh::cross(own.s.w, all.n) + routh::cross(own.s.v, all.f);
  const Vector3 turned_f = df + routh::cross(own.s.w, all.f);
  const Vector3 b = transpose_times(all.K, own.s.w) + routh::cross(all.P, own.s.v);
  const int* const path = paths_.path(k);
  const auto n = static_cast<std::size_t>(mass.cols());
  double* const M = mass.data();
  double* const Q = by_position.data();
  double* const V = by_velocity.data();
  for (std::size_t at = 0; at < paths_.size(k); ++at) {
    const auto j = static_cast<std::size_t>(path[at]);
    const Dof& other = dofs_[j];
    const std::size_t row = k * n + j, column = j * n + k;
    M[row] = M[column] = power(other.s, mn, mf);
    Q[column] = groups_[j] == groups_[k] ? power(other.s, dn, df) : power(other.s, turned_n, turned_f);
    V[column] = power(other.s, cn, cf);
    Q[row] = dot(b, other.rate.w) + power(other.rate2, mn, mf);
    V[row] = dot(b, other.s.w) + power(other.both, mn, mf);
  }
  M[k * n + k] += armature_[k];
}

void TreeDerivatives::compute(const Model& model, const Workspace& workspace) {
  on_widest_machine([&] {
    // ψ̈ of the formulas is that of accelerations less gravity.
    for (std::size_t k = 0; k < dofs_.size(); ++k)
      dofs_[k].rate2 = dofs_[k].rate2 - cross(Screw{{}, model.gravity}, dofs_[k].s);
    for (std::size_t i = 0; i < model.links.size(); ++i) start(model, i, workspace);
    for (std::size_t i = model.links.size(); i-- > 0;) {
      const Link& link = model.links[i];
      const Composite& all = composites_[i];
      for (int d = 0; d < velocity_count(link.kind); ++d) fill(static_cast<std::size_t>(link.v + d), all);
      if (link.parent < 0) continue;
      Composite& to = composites_[static_cast<std::size_t>(link.parent)];
      to.m += all.m;
      to.h += all.h;
      to.I = to.I + all.I;
      to.K = to.K + all.K;
      to.P += all.P;
      to.n += all.n;
      to.f += all.f;
    }
  });
}

}  // namespace routh::internal
