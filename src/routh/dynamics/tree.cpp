#include "routh/dynamics/tree.h"

#include "routh/math/sine_cosine.h"

namespace routh {

namespace {

template <class T>
Vec3<T> spread(const Vector3& a) {
  return {T{} + a.x, T{} + a.y, T{} + a.z};
}
template <class T>
Mat3<T> spread(const Matrix3& m) {
  return {spread<T>(m.r0), spread<T>(m.r1), spread<T>(m.r2)};
}
template <class T>
Sym3<T> spread(const Symmetric3& s) {
  return {T{} + s.xx, T{} + s.yy, T{} + s.zz, T{} + s.xy, T{} + s.xz, T{} + s.yz};
}

// F Rz(q): two columns are mixed, the third stays.
template <class T>
Mat3<T> turned(const Mat3<T>& F, const T& c, const T& s) {
  const auto row = [&](const Vec3<T>& f) -> Vec3<T> { return {c * f.x + s * f.y, c * f.y - s * f.x, f.z}; };
  return {row(F.r0), row(F.r1), row(F.r2)};
}

// Of a quaternion that may be off unit length by rounding.
template <class T>
Mat3<T> quaternion_matrix(const T* q) {
  const T k = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const T x = k * q[1], y = k * q[2], z = k * q[3];
  const T wx = q[0] * x, wy = q[0] * y, wz = q[0] * z;
  const T xx = q[1] * x, xy = q[1] * y, xz = q[1] * z;
  const T yy = q[2] * y, yz = q[2] * z, zz = q[3] * z;
  return {
      {1.0 - (yy + zz), xy - wz, xz + wy}, {xy + wz, 1.0 - (xx + zz), yz - wx}, {xz - wy, yz + wx, 1.0 - (xx + yy)}};
}

template <class T>
Vec3<T> vector_at(const T* x) {
  return {x[0], x[1], x[2]};
}
template <class T>
void store(const Vec3<T>& a, T* x) {
  x[0] = a.x;
  x[1] = a.y;
  x[2] = a.z;
}

template <class T>
T entry(const Vec3<T>& a, int axis) {
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
template <class T>
Vec3<T> row_of(const Mat3<T>& m, int axis) {
  return axis == 0 ? m.r0 : axis == 1 ? m.r1 : m.r2;
}
template <class T>
Vec3<T> column_of(const Mat3<T>& m, int axis) {
  return axis == 0 ? column_x(m) : axis == 1 ? column_y(m) : column_z(m);
}
template <class T>
Vec3<T> column_of(const Sym3<T>& s, int axis) {
  return axis == 0 ? Vec3<T>{s.xx, s.xy, s.xz} : axis == 1 ? Vec3<T>{s.xy, s.yy, s.yz} : Vec3<T>{s.xz, s.yz, s.zz};
}

constexpr int dof_count(LinkKind kind) {
  switch (kind) {
    case LinkKind::turn:
    case LinkKind::slide:
      return 1;
    case LinkKind::ball:
      return 3;
    case LinkKind::floating:
      return 6;
  }
  return 0;
}

// [r]× X
template <class T>
Mat3<T> cross_rows(const Vec3<T>& r, const Mat3<T>& X) {
  return {r.y * X.r2 - r.z * X.r1, r.z * X.r0 - r.x * X.r2, r.x * X.r1 - r.y * X.r0};
}

}  // namespace

template <class T>
Tree<T>::Tree(const Model& model)
    : coordinates(model.coordinates),
      velocities(model.velocities),
      gravity(spread<T>(model.gravity)),
      paths(model),
      has_armature(false) {
  links.resize(1);
  for (const Link& link : model.links) {
    const bool plain_turn =
        link.kind == LinkKind::turn && model.dofs[static_cast<std::size_t>(link.v)].properties.armature == 0;
    links.push_back({link.kind, link.parent + 1, link.q, link.v, plain_turn, spread<T>(link.rotation),
                     spread<T>(link.offset), T{} + link.mass, spread<T>(link.moment), spread<T>(link.inertia)});
  }
  for (const Dof& dof : model.dofs) {
    armature.push_back(T{} + dof.properties.armature);
    has_armature = has_armature || dof.properties.armature != 0;
    const std::size_t first = static_cast<std::size_t>(*paths.path(on_floating.size()));
    on_floating.push_back(model.links[static_cast<std::size_t>(model.dofs[first].link)].kind == LinkKind::floating);
  }
  sine.resize(static_cast<std::size_t>(coordinates));
  cosine.resize(static_cast<std::size_t>(coordinates));
  places.resize(links.size());
  motions.resize(links.size());
  composites.resize(links.size());
  articulated.resize(links.size());
  pivots.resize(armature.size());
  screws.resize(armature.size());
}

template <class T>
void Tree<T>::find_angles(const T* q) {
  constexpr std::size_t lanes = sizeof(T) / sizeof(double);
  sine_cosine(reinterpret_cast<const double*>(q), sine.size() * lanes, reinterpret_cast<double*>(sine.data()),
              reinterpret_cast<double*>(cosine.data()));
}

template <class T>
void Tree<T>::place(const T* q) {
  find_angles(q);
  for (std::size_t i = 1; i < links.size(); ++i) {
    const TreeLink<T>& link = links[i];
    Place& to = places[i];
    const T* x = q + link.q;
    switch (link.kind) {
      case LinkKind::turn:
        to.R = turned(link.rotation, cosine[static_cast<std::size_t>(link.q)], sine[static_cast<std::size_t>(link.q)]);
        to.p = link.offset;
        break;
      case LinkKind::slide:
        to.R = link.rotation;
        to.p = link.offset + *x * column_z(link.rotation);
        break;
      case LinkKind::ball:
        to.R = link.rotation * quaternion_matrix(x);
        to.p = link.offset;
        break;
      case LinkKind::floating:
        to.R = quaternion_matrix(x + 3);
        to.p = vector_at(x);
        break;
    }
  }
}

// [Featherstone 2008, table 5.1], in 3-vectors: first outwards velocities, accelerations and the forces they ask for,
// then inwards the forces that joints pass on.
template <class T>
void Tree<T>::inverse_dynamics(const T* q, const T* v, const T* a, T* tau) {
  place(q);
  motions[0] = {};
  motions[0].a = -gravity;
  const T zeros[6] = {};
  for (std::size_t i = 1; i < links.size(); ++i) {
    const TreeLink<T>& link = links[i];
    const Place& at = places[i];
    const Motion& from = motions[static_cast<std::size_t>(link.parent)];
    Motion& to = motions[i];
    const T* rate = v ? v + link.v : zeros;
    const T* push = a ? a + link.v : zeros;
    if (link.kind == LinkKind::floating) {
      to.w = vector_at(rate + 3);
      to.al = vector_at(push + 3);
      to.a = transpose_times(at.R, vector_at(push) + from.a);
    } else {
      to.w = transpose_times(at.R, from.w);
      to.al = transpose_times(at.R, from.al);
      to.a = transpose_times(at.R, from.a + cross(from.al, at.p) + cross(from.w, cross(from.w, at.p)));
      if (link.kind == LinkKind::turn) {
        to.al.x += to.w.y * rate[0];
        to.al.y -= to.w.x * rate[0];
        to.al.z += push[0];
        to.w.z += rate[0];
      } else if (link.kind == LinkKind::slide) {
        to.a.x += 2.0 * to.w.y * rate[0];
        to.a.y -= 2.0 * to.w.x * rate[0];
        to.a.z += push[0];
      } else {
        const Vec3<T> spin = vector_at(rate);
        to.al += cross(to.w, spin) + vector_at(push);
        to.w += spin;
      }
    }
    to.f = link.mass * to.a + cross(to.al, link.moment) + cross(to.w, cross(to.w, link.moment));
    to.n = link.inertia * to.al + cross(to.w, link.inertia * to.w) + cross(link.moment, to.a);
  }
  for (std::size_t i = links.size() - 1; i > 0; --i) {
    const TreeLink<T>& link = links[i];
    const Place& at = places[i];
    const Motion& from = motions[i];
    const Vec3<T> f = at.R * from.f;
    switch (link.kind) {
      case LinkKind::turn:
        tau[link.v] = from.n.z;
        break;
      case LinkKind::slide:
        tau[link.v] = from.f.z;
        break;
      case LinkKind::ball:
        store(from.n, tau + link.v);
        break;
      case LinkKind::floating:
        store(f, tau + link.v);
        store(from.n, tau + link.v + 3);
        break;
    }
    if (link.parent > 0) {
      Motion& to = motions[static_cast<std::size_t>(link.parent)];
      to.f += f;
      to.n += at.R * from.n + cross(at.p, f);
    }
  }
  if (has_armature && a)
    for (std::size_t k = 0; k < armature.size(); ++k) tau[k] += armature[k] * a[k];
}

// The composite-rigid-body algorithm [Featherstone 2008, section 6.2], but in one frame for each tree, that of its
// first link: composites add up as they are, and an entry of M is one product of a screw and a momentum.
template <class T>
void Tree<T>::mass_matrix(const T* q, T* M) {
  find_angles(q);
  for (std::size_t i = 1; i < links.size(); ++i) start_composite(i, q);
  for (std::size_t i = links.size() - 1; i > 0; --i) {
    const TreeLink<T>& link = links[i];
    const Composite& all = composites[i];
    for (int k = 0; k < dof_count(link.kind); ++k) fill_column(all, link.v + k, M);
    if (link.parent > 0) {
      Composite& to = composites[static_cast<std::size_t>(link.parent)];
      to.m += all.m;
      to.h += all.h;
      to.I = to.I + all.I;
    }
  }
  if (has_armature)
    for (int k = 0; k < velocities; ++k) M[k * velocities + k] += armature[static_cast<std::size_t>(k)];
}

// The link's own inertia about the frame's origin:
//   R I Rᵀ + (2 h·p + m p·p) 1 − (h pᵀ + p hᵀ + m p pᵀ), with h turned to the frame's axes.
template <class T>
void Tree<T>::start_composite(std::size_t i, const T* q) {
  const TreeLink<T>& link = links[i];
  Composite& to = composites[i];
  if (link.parent == 0) {
    to = {spread<T>(identity3), {}, link.mass, link.moment, link.inertia};
    set_screws(i, q);
    return;
  }
  const Composite& from = composites[static_cast<std::size_t>(link.parent)];
  const Mat3<T> F = from.R * link.rotation;
  const T* x = q + link.q;
  to.R = F;
  to.p = from.p + from.R * link.offset;
  if (link.kind == LinkKind::turn)
    to.R = turned(F, cosine[static_cast<std::size_t>(link.q)], sine[static_cast<std::size_t>(link.q)]);
  else if (link.kind == LinkKind::slide)
    to.p += *x * column_z(F);
  else
    to.R = F * quaternion_matrix(x);
  set_screws(i, q);
  to.m = link.mass;
  const Vec3<T> h = to.R * link.moment;
  const Vec3<T>& p = to.p;
  const Vec3<T> s = to.h = h + link.mass * p;
  const Sym3<T> I = rotated(to.R, link.inertia);
  const T dx = p.x * (s.x + h.x), dy = p.y * (s.y + h.y), dz = p.z * (s.z + h.z);
  to.I = {I.xx + dy + dz,
          I.yy + dx + dz,
          I.zz + dx + dy,
          I.xy - s.x * p.y - p.x * h.y,
          I.xz - s.x * p.z - p.x * h.z,
          I.yz - s.y * p.z - p.y * h.z};
}

template <class T>
void Tree<T>::set_screws(std::size_t i, const T* q) {
  const TreeLink<T>& link = links[i];
  const Composite& at = composites[i];
  Screw* const to = screws.data() + link.v;
  const auto turn = [&](const Vec3<T>& axis) -> Screw { return {axis, cross(at.p, axis)}; };
  switch (link.kind) {
    case LinkKind::turn:
      to[0] = turn(column_z(at.R));
      return;
    case LinkKind::slide:
      to[0] = {{}, column_z(at.R)};
      return;
    case LinkKind::ball:
      to[0] = turn(column_x(at.R));
      to[1] = turn(column_y(at.R));
      to[2] = turn(column_z(at.R));
      return;
    case LinkKind::floating: {
      const Mat3<T> world = quaternion_matrix(q + link.q + 3);
      to[0] = {{}, world.r0};
      to[1] = {{}, world.r1};
      to[2] = {{}, world.r2};
      const Mat3<T> own = spread<T>(identity3);
      to[3] = {own.r0, {}};
      to[4] = {own.r1, {}};
      to[5] = {own.r2, {}};
      return;
    }
  }
}

// The momentum of all that hangs from the link when only this degree of freedom moves, against the motion of every
// degree of freedom on the way to the world.
template <class T>
void Tree<T>::fill_column(const Composite& all, int dof, T* M) const {
  const Screw& own = screws[static_cast<std::size_t>(dof)];
  const Vec3<T> f = all.m * own.v + cross(own.w, all.h);
  const Vec3<T> n = all.I * own.w + cross(all.h, own.v);
  const std::size_t index = static_cast<std::size_t>(dof);
  const int* const path = paths.path(index);
  const std::size_t length = paths.size(index);
  T* const column = M + dof * velocities;
  const auto set = [&](int row, const T& value) { column[row] = M[row * velocities + dof] = value; };
  std::size_t j = 0;
  if (on_floating[index] && length > 6) {  // its angular screws are the axes themselves
    for (; j < 3; ++j) set(path[j], dot(screws[static_cast<std::size_t>(path[j])].v, f));
    set(path[3], n.x);
    set(path[4], n.y);
    set(path[5], n.z);
    j = 6;
  }
  for (; j < length; ++j) {
    const Screw& other = screws[static_cast<std::size_t>(path[j])];
    set(path[j], dot(other.w, n) + dot(other.v, f));
  }
}

// The articulated-body algorithm [Featherstone 2008, table 7.1], degree of freedom by degree of freedom: each is
// eliminated from the articulated inertia in turn, so that joints of one, three and six of them share the same steps.
template <class T>
void Tree<T>::forward_dynamics(const T* q, const T* v, const T* tau, T* a) {
  place(q);
  articulated[0] = {};
  articulated[0].a = -gravity;
  for (std::size_t i = 1; i < links.size(); ++i) start_articulated(i, v);
  for (std::size_t i = links.size() - 1; i > 0; --i) {
    eliminate(i, tau);
    if (links[i].parent == 0) continue;
    if (links[i].plain_turn)
      hand_turn_to_parent(i);
    else
      hand_to_parent(i);
  }
  for (std::size_t i = 1; i < links.size(); ++i) accelerate(i, v, a);
}

template <class T>
void Tree<T>::start_articulated(std::size_t i, const T* v) {
  const TreeLink<T>& link = links[i];
  const Place& at = places[i];
  const Articulated& from = articulated[static_cast<std::size_t>(link.parent)];
  Articulated& to = articulated[i];
  const T* rate = v + link.v;
  const T zero{};
  Vec3<T> w, u;
  if (link.parent > 0) {
    w = transpose_times(at.R, from.w);
    u = transpose_times(at.R, from.v + cross(from.w, at.p));
  }
  to.cn = to.cf = {};
  switch (link.kind) {
    case LinkKind::turn:
      to.cn = {rate[0] * w.y, -rate[0] * w.x, zero};
      to.cf = {rate[0] * u.y, -rate[0] * u.x, zero};
      w.z += rate[0];
      break;
    case LinkKind::slide:
      to.cf = {rate[0] * w.y, -rate[0] * w.x, zero};
      u.z += rate[0];
      break;
    case LinkKind::ball:
      to.cn = cross(w, vector_at(rate));
      to.cf = cross(u, vector_at(rate));
      w += vector_at(rate);
      break;
    case LinkKind::floating:
      w = vector_at(rate + 3);
      u = transpose_times(at.R, vector_at(rate));
      break;
  }
  const Vec3<T>& h = link.moment;
  const Vec3<T> n = link.inertia * w + cross(h, u);
  const Vec3<T> f = link.mass * u + cross(w, h);
  to.w = w;
  to.v = u;
  to.n = cross(w, n) + cross(u, f);
  to.f = cross(w, f);
  to.A = link.inertia;
  to.B = {{zero, -h.z, h.y}, {h.z, zero, -h.x}, {-h.y, h.x, zero}};
  to.C = {link.mass, link.mass, link.mass, zero, zero, zero};
}

// Axes 0 to 2 turn, 3 to 5 slide.
template <class T>
template <int axis>
void Tree<T>::eliminate_dof(Articulated& link, int dof, const T& tau) {
  Pivot& pivot = pivots[static_cast<std::size_t>(dof)];
  Vec3<T> Un, Uf;
  T d, u;
  if constexpr (axis < 3) {
    Un = column_of(link.A, axis);
    Uf = row_of(link.B, axis);
    d = entry(Un, axis);
    u = tau - entry(link.n, axis);
  } else {
    Un = column_of(link.B, axis - 3);
    Uf = column_of(link.C, axis - 3);
    d = entry(Uf, axis - 3);
    u = tau - entry(link.f, axis - 3);
  }
  const T inverse = 1.0 / (d + armature[static_cast<std::size_t>(dof)]);
  const Vec3<T> an = inverse * Un, af = inverse * Uf;
  link.A = minus_outer(link.A, an, Un);
  link.B = {link.B.r0 - an.x * Uf, link.B.r1 - an.y * Uf, link.B.r2 - an.z * Uf};
  link.C = minus_outer(link.C, af, Uf);
  link.n += u * an;
  link.f += u * af;
  pivot = {Un, Uf, inverse, u};
}

template <class T>
void Tree<T>::eliminate(std::size_t i, const T* tau) {
  const TreeLink<T>& link = links[i];
  Articulated& body = articulated[i];
  const T* push = tau + link.v;
  switch (link.kind) {
    case LinkKind::turn:
      eliminate_dof<2>(body, link.v, push[0]);
      return;
    case LinkKind::slide:
      eliminate_dof<5>(body, link.v, push[0]);
      return;
    case LinkKind::ball:
      eliminate_dof<0>(body, link.v, push[0]);
      eliminate_dof<1>(body, link.v + 1, push[1]);
      eliminate_dof<2>(body, link.v + 2, push[2]);
      return;
    case LinkKind::floating: {
      const Vec3<T> own = transpose_times(places[i].R, vector_at(push));
      eliminate_dof<0>(body, link.v + 3, push[3]);
      eliminate_dof<1>(body, link.v + 4, push[4]);
      eliminate_dof<2>(body, link.v + 5, push[5]);
      eliminate_dof<3>(body, link.v, own.x);
      eliminate_dof<4>(body, link.v + 1, own.y);
      eliminate_dof<5>(body, link.v + 2, own.z);
      return;
    }
  }
}

namespace {

// Adds blocks that were turned to the parent's axes to the parent's, shifted by p:
//   A' = A + p×Bᵀ + (p×Bᵀ)ᵀ − p× C p×      B' = B + p× C      C' = C
// With H = B + ½ p× C the first is A + p×Hᵀ + (p×Hᵀ)ᵀ.
template <class T, class Body>
void add_shifted(Body& to, const Sym3<T>& A, const Mat3<T>& B, const Sym3<T>& C, const Vec3<T>& p) {
  const Mat3<T> pC = cross_rows(p, full(C));
  const Mat3<T> shifted = B + pC;
  const T half = T{} + 0.5;
  const Mat3<T> H = {half * (B.r0 + shifted.r0), half * (B.r1 + shifted.r1), half * (B.r2 + shifted.r2)};
  const Mat3<T> X = cross_rows(p, transposed(H));
  to.A = to.A + Sym3<T>{A.xx + X.r0.x + X.r0.x, A.yy + X.r1.y + X.r1.y, A.zz + X.r2.z + X.r2.z,
                        A.xy + X.r0.y + X.r1.x, A.xz + X.r0.z + X.r2.x, A.yz + X.r1.z + X.r2.y};
  to.B = to.B + shifted;
  to.C = to.C + C;
}

template <class T, class Body>
void add_force(Body& to, const Mat3<T>& R, const Vec3<T>& p, const Vec3<T>& n, const Vec3<T>& f) {
  const Vec3<T> F = R * f;
  to.f += F;
  to.n += R * n + cross(p, F);
}

}  // namespace

template <class T>
void Tree<T>::hand_to_parent(std::size_t i) {
  const Articulated& from = articulated[i];
  Articulated& to = articulated[static_cast<std::size_t>(links[i].parent)];
  const auto& [R, p] = places[i];
  add_shifted(to, rotated(R, from.A), R * from.B * transposed(R), rotated(R, from.C), p);
  const Vec3<T> n = from.n + from.A * from.cn + from.B * from.cf;
  const Vec3<T> f = from.f + transpose_times(from.B, from.cn) + from.C * from.cf;
  add_force(to, R, p, n, f);
}

// The same for a turn without armature, whose A has nothing left in its third row and column, B nothing in its third
// row, and whose velocity products have no third entry.
template <class T>
void Tree<T>::hand_turn_to_parent(std::size_t i) {
  const Articulated& from = articulated[i];
  Articulated& to = articulated[static_cast<std::size_t>(links[i].parent)];
  const auto& [R, p] = places[i];
  const Sym3<T>& A = from.A;
  const Mat3<T>& B = from.B;
  const Vec3<T> x = column_x(R), y = column_y(R);
  const Vec3<T> s = A.xx * x + A.xy * y, t = A.xy * x + A.yy * y;
  const Sym3<T> turned_A = {x.x * s.x + y.x * t.x, x.y * s.y + y.y * t.y, x.z * s.z + y.z * t.z,
                            x.x * s.y + y.x * t.y, x.x * s.z + y.x * t.z, x.y * s.z + y.y * t.z};
  const Vec3<T> b0 = R * B.r0, b1 = R * B.r1;
  const Mat3<T> turned_B = {x.x * b0 + y.x * b1, x.y * b0 + y.y * b1, x.z * b0 + y.z * b1};
  add_shifted(to, turned_A, turned_B, rotated(R, from.C), p);
  const T cnx = from.cn.x, cny = from.cn.y, cfx = from.cf.x, cfy = from.cf.y;
  const Vec3<T> n = {from.n.x + A.xx * cnx + A.xy * cny + B.r0.x * cfx + B.r0.y * cfy,
                     from.n.y + A.xy * cnx + A.yy * cny + B.r1.x * cfx + B.r1.y * cfy, from.n.z};
  const Sym3<T>& C = from.C;
  const Vec3<T> f = from.f + cnx * B.r0 + cny * B.r1 +
                    Vec3<T>{C.xx * cfx + C.xy * cfy, C.xy * cfx + C.yy * cfy, C.xz * cfx + C.yz * cfy};
  add_force(to, R, p, n, f);
}

template <class T>
void Tree<T>::accelerate(std::size_t i, const T* v, T* a) {
  const TreeLink<T>& link = links[i];
  const Place& at = places[i];
  const Articulated& from = articulated[static_cast<std::size_t>(link.parent)];
  Articulated& to = articulated[i];
  Vec3<T> al = to.cn, push = from.a;
  if (link.parent > 0) {
    al += transpose_times(at.R, from.al);
    push += cross(from.al, at.p);
  }
  Vec3<T> ac = transpose_times(at.R, push) + to.cf;
  const auto solve = [&](int dof) {
    const Pivot& pivot = pivots[static_cast<std::size_t>(dof)];
    return pivot.inverse * (pivot.u - dot(pivot.Un, al) - dot(pivot.Uf, ac));
  };
  T* const out = a + link.v;
  switch (link.kind) {
    case LinkKind::turn:
      al.z += out[0] = solve(link.v);
      break;
    case LinkKind::slide:
      ac.z += out[0] = solve(link.v);
      break;
    case LinkKind::ball:
      al.z += out[2] = solve(link.v + 2);
      al.y += out[1] = solve(link.v + 1);
      al.x += out[0] = solve(link.v);
      break;
    case LinkKind::floating: {
      // The recursion's acceleration is that of the velocity in the link's own turning axes: w × v makes up for it.
      Vec3<T> linear;
      ac.z += linear.z = solve(link.v + 2);
      ac.y += linear.y = solve(link.v + 1);
      ac.x += linear.x = solve(link.v);
      al.z += out[5] = solve(link.v + 5);
      al.y += out[4] = solve(link.v + 4);
      al.x += out[3] = solve(link.v + 3);
      store(at.R * (linear + cross(to.w, transpose_times(at.R, vector_at(v + link.v)))), out);
      break;
    }
  }
  to.al = al;
  to.a = ac;
}

template struct Tree<double>;

}  // namespace routh
