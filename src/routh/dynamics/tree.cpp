#include "routh/dynamics/tree.h"

#include <cstring>
#include <limits>

#include "routh/dynamics/tree_algebra.h"
#include "routh/math/lanes.h"
#include "routh/math/sine_cosine.h"

namespace routh::internal {

template <class T>
Tree<T>::Tree(const Model& model)
    : coordinates(model.coordinates),
      velocities(model.velocities),
      gravity(spread<T>(model.gravity)),
      paths(model),
      has_armature(false) {
  links.reserve(model.links.size() + 1);
  armature.reserve(model.dofs.size());
  on_floating.reserve(model.dofs.size());
  links.resize(1);
  for (const Link& link : model.links) {
    const bool plain_turn =
        link.kind == LinkKind::turn && model.dofs[static_cast<std::size_t>(link.v)].properties.armature == 0;
    // ½ tr I, and a third of that of I about the centre of mass.
    const double trace = link.inertia.xx + link.inertia.yy + link.inertia.zz;
    const double about = link.mass > 0 ? trace - 2 * dot(link.moment, link.moment) / link.mass : 0;
    links.push_back({link.kind, link.parent + 1, link.q, link.v, plain_turn, spread<T>(link.rotation),
                     spread<T>(link.offset), T{} + link.mass, spread<T>(link.moment), spread<T>(link.inertia),
                     T{} + (trace / 2 + about / 6)});
  }
  for (const Dof& dof : model.dofs) {
    armature.push_back(T{} + dof.properties.armature);
    has_armature = has_armature || dof.properties.armature != 0;
    const std::size_t first = static_cast<std::size_t>(*paths.path(on_floating.size()));
    on_floating.push_back(model.links[static_cast<std::size_t>(model.dofs[first].link)].kind == LinkKind::floating);
  }
  angles.resize(static_cast<std::size_t>(coordinates), T{} + std::numeric_limits<double>::quiet_NaN());
  sine.resize(angles.size());
  cosine.resize(angles.size());
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
  const std::size_t bytes = angles.size() * sizeof(T);
  if (bytes == 0 || std::memcmp(q, angles.data(), bytes) == 0) return;
  std::memcpy(angles.data(), q, bytes);
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
      switch (link.kind) {
        case LinkKind::turn:
          to.al.x += to.w.y * rate[0];
          to.al.y -= to.w.x * rate[0];
          to.al.z += push[0];
          to.w.z += rate[0];
          break;
        case LinkKind::slide:
          to.a.x += 2.0 * to.w.y * rate[0];
          to.a.y -= 2.0 * to.w.x * rate[0];
          to.a.z += push[0];
          break;
        case LinkKind::ball: {
          const Vec3<T> spin = vector_at(rate);
          to.al += cross(to.w, spin) + vector_at(push);
          to.w += spin;
          break;
        }
        case LinkKind::floating:
          break;
      }
    }
    to.f = link.mass * to.a + cross(to.al, link.moment) + cross(to.w, cross(to.w, link.moment));
    to.n = link.inertia * to.al + cross(to.w, link.inertia * to.w) + cross(link.moment, to.a);
  }
  pass_forces(tau);
  if (has_armature && a)
    for (std::size_t k = 0; k < armature.size(); ++k) tau[k] += armature[k] * a[k];
}

// A mass at r in a link has the velocity V + ω × r; along the path it gains V̇ + α × r + ω × (Ω × r). Over the masses of
// a link, with Σ m r rᵀ = ½ tr I 1 − I, that is the moment I α + Ω × (I ω − ½ tr I ω). A moment along Ω × ω does no
// work at ω: there is one more, of a sixth of the trace about the centre of mass, so that a sphere, whose axes mean
// nothing, feels none.
template <class T>
void Tree<T>::path_bias(const T* q, const T* v, const T* w, T* tau) {
  place(q);
  motions[0] = {};
  motions[0].a = -gravity;
  for (std::size_t i = 1; i < links.size(); ++i) {
    const TreeLink<T>& link = links[i];
    const Place& at = places[i];
    const Motion& from = motions[static_cast<std::size_t>(link.parent)];
    Motion& to = motions[i];
    const T* rate = v + link.v;
    const T* along = w + link.v;
    Vec3<T> spin{};  // of the link in its parent
    to.path = transpose_times(at.R, from.path);
    to.w = transpose_times(at.R, from.w);
    to.al = transpose_times(at.R, from.al);
    switch (link.kind) {
      case LinkKind::turn:
        spin.z = rate[0];
        to.path.z += along[0];
        break;
      case LinkKind::ball:
        spin = vector_at(rate);
        to.path += vector_at(along);
        break;
      case LinkKind::floating:
        to.w = to.al = {};
        spin = vector_at(rate + 3);
        to.path = vector_at(along + 3);
        break;
      case LinkKind::slide:
        break;
    }
    const Vec3<T> gained = from.a + cross(from.al, at.p) + cross(from.w, cross(from.path, at.p));
    to.a = transpose_times(at.R, link.kind == LinkKind::floating ? from.a : gained);
    if (link.kind == LinkKind::slide) {
      to.a.x += to.path.y * rate[0] + to.w.y * along[0];
      to.a.y -= to.path.x * rate[0] + to.w.x * along[0];
    }
    to.al += cross(to.path, spin);
    to.w += spin;
    const Vec3<T> momentum = link.inertia * to.w;
    to.f = link.mass * to.a + cross(to.al, link.moment) + cross(to.w, cross(to.path, link.moment));
    to.n = link.inertia * to.al + cross(to.path, momentum - link.twisting * to.w) + cross(link.moment, to.a);
  }
  pass_forces(tau);
}

// The forces that joints pass on, inwards.
template <class T>
void Tree<T>::pass_forces(T* tau) {
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
}

// The composite-rigid-body algorithm [Featherstone 2008, section 6.2], but in one frame for each tree, that of its
// first link: composites add up as they are, and an entry of M is one product of a screw and a momentum.
template <class T>
void Tree<T>::mass_matrix(const T* q, T* M) {
  visit_mass(q, [&](int dof, std::size_t, int row, const T& value) {
    M[dof * velocities + row] = M[row * velocities + dof] = value;
  });
  if (has_armature)
    for (int k = 0; k < velocities; ++k) M[k * velocities + k] += armature[static_cast<std::size_t>(k)];
}

template <class T>
void Tree<T>::mass_rows(const T* q, const std::size_t* begin, T* rows) {
  visit_mass(q, [&](int dof, std::size_t place, int, const T& value) {
    rows[begin[static_cast<std::size_t>(dof)] + place] = value;
  });
  if (has_armature)
    for (std::size_t k = 0; k < armature.size(); ++k) rows[begin[k] + paths.size(k) - 1] += armature[k];
}

template <class T>
template <class Set>
void Tree<T>::visit_mass(const T* q, const Set& set) {
  find_angles(q);
  for (std::size_t i = 1; i < links.size(); ++i) start_composite(i, q);
  for (std::size_t i = links.size() - 1; i > 0; --i) {
    const TreeLink<T>& link = links[i];
    const Composite& all = composites[i];
    for (int k = 0; k < velocity_count(link.kind); ++k) visit_mass_of(all, link.v + k, set);
    if (link.parent > 0) {
      Composite& to = composites[static_cast<std::size_t>(link.parent)];
      to.m += all.m;
      to.h += all.h;
      to.I = to.I + all.I;
    }
  }
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
  switch (link.kind) {
    case LinkKind::turn:
      to.R = turned(F, cosine[static_cast<std::size_t>(link.q)], sine[static_cast<std::size_t>(link.q)]);
      break;
    case LinkKind::slide:
      to.p += *x * column_z(F);
      break;
    case LinkKind::ball:
      to.R = F * quaternion_matrix(x);
      break;
    case LinkKind::floating:
      break;
  }
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
template <class Set>
void Tree<T>::visit_mass_of(const Composite& all, int dof, const Set& set) const {
  const Screw& own = screws[static_cast<std::size_t>(dof)];
  const Vec3<T> f = all.m * own.v + cross(own.w, all.h);
  const Vec3<T> n = all.I * own.w + cross(all.h, own.v);
  const std::size_t index = static_cast<std::size_t>(dof);
  const int* const path = paths.path(index);
  const std::size_t length = paths.size(index);
  std::size_t j = 0;
  if (on_floating[index] && length > 6) {  // its angular screws are the axes themselves
    for (; j < 3; ++j) set(dof, j, path[j], dot(screws[static_cast<std::size_t>(path[j])].v, f));
    set(dof, 3, path[3], n.x);
    set(dof, 4, path[4], n.y);
    set(dof, 5, path[5], n.z);
    j = 6;
  }
  for (; j < length; ++j) {
    const Screw& other = screws[static_cast<std::size_t>(path[j])];
    set(dof, j, path[j], dot(other.w, n) + dot(other.v, f));
  }
}

template Tree<double>::Tree(const Model&);
template void Tree<double>::find_angles(const double*);
template void Tree<double>::place(const double*);

void inverse_dynamics(Tree<double>& tree, const double* q, const double* v, const double* a, double* tau) {
  on_widest_machine([&] { tree.inverse_dynamics(q, v, a, tau); });
}

void path_bias(Tree<double>& tree, const double* q, const double* v, const double* w, double* tau) {
  on_widest_machine([&] { tree.path_bias(q, v, w, tau); });
}

void mass_matrix(Tree<double>& tree, const double* q, double* M) {
  on_widest_machine([&] { tree.mass_matrix(q, M); });
}

void mass_rows(Tree<double>& tree, const double* q, const std::size_t* begin, double* rows) {
  on_widest_machine([&] { tree.mass_rows(q, begin, rows); });
}

}  // namespace routh::internal
