#include "routh/dynamics/tree_algebra.h"
#include "routh/math/lanes.h"

namespace routh::internal {

// The articulated-body algorithm [Featherstone 2008, table 7.1], degree of freedom by degree of freedom: each is
// eliminated from the articulated inertia in turn, so that joints of one, three and six of them share the same steps.
template <class T>
void Tree<T>::forward_dynamics(const T* q, const T* v, const T* tau, T* a) {
  place(q);
  articulated[0] = {};
  articulated[0].a = -gravity;
  for (std::size_t i = 1; i < links.size(); ++i) start_articulated(i, v);
  for (std::size_t i = links.size() - 1; i > 0; --i) {
    if (links[i].plain_turn) {
      eliminate_turn(i, tau[links[i].v]);
      continue;
    }
    eliminate(i, tau);
    if (links[i].parent > 0) hand_to_parent(i);
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
      // The recursion's acceleration is that in the link's own turning axes (see `accelerate`); armature resists the
      // world's, which is w × v more.
      const Vec3<T> own = transpose_times(places[i].R, vector_at(push)) -
                          armature[static_cast<std::size_t>(link.v)] * cross(body.w, body.v);
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

// Both for a turn without armature, nothing of which goes through memory: of A remains nothing in the third row and
// column, of B nothing in the third row, and velocity products have no third entry.
template <class T>
void Tree<T>::eliminate_turn(std::size_t i, const T& tau) {
  const TreeLink<T>& link = links[i];
  const Articulated& from = articulated[i];
  const Vec3<T> Un = {from.A.xz, from.A.yz, from.A.zz}, Uf = from.B.r2;
  const T u = tau - from.n.z, inverse = 1.0 / Un.z;
  pivots[static_cast<std::size_t>(link.v)] = {Un, Uf, inverse, u};
  if (link.parent == 0) return;
  const Vec3<T> an = inverse * Un, af = inverse * Uf;
  const T Axx = from.A.xx - an.x * Un.x, Ayy = from.A.yy - an.y * Un.y, Axy = from.A.xy - an.x * Un.y;
  const Vec3<T> B0 = from.B.r0 - an.x * Uf, B1 = from.B.r1 - an.y * Uf;
  const Sym3<T> C = minus_outer(from.C, af, Uf);
  const T cnx = from.cn.x, cny = from.cn.y, cfx = from.cf.x, cfy = from.cf.y;
  const Vec3<T> n = {from.n.x + u * an.x + Axx * cnx + Axy * cny + B0.x * cfx + B0.y * cfy,
                     from.n.y + u * an.y + Axy * cnx + Ayy * cny + B1.x * cfx + B1.y * cfy, from.n.z + u * an.z};
  const Vec3<T> f = from.f + u * af + cnx * B0 + cny * B1 +
                    Vec3<T>{C.xx * cfx + C.xy * cfy, C.xy * cfx + C.yy * cfy, C.xz * cfx + C.yz * cfy};
  Articulated& to = articulated[static_cast<std::size_t>(link.parent)];
  const auto& [R, p] = places[i];
  add_force(to, R, p, n, f);
  const Vec3<T> x = column_x(R), y = column_y(R);
  const Vec3<T> s = Axx * x + Axy * y, t = Axy * x + Ayy * y;
  const Sym3<T> turned_A = {x.x * s.x + y.x * t.x, x.y * s.y + y.y * t.y, x.z * s.z + y.z * t.z,
                            x.x * s.y + y.x * t.y, x.x * s.z + y.x * t.z, x.y * s.z + y.y * t.z};
  const Vec3<T> b0 = R * B0, b1 = R * B1;
  const Mat3<T> turned_B = {x.x * b0 + y.x * b1, x.y * b0 + y.y * b1, x.z * b0 + y.z * b1};
  add_shifted(to, turned_A, turned_B, rotated(R, C), p);
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

void forward_dynamics(Tree<double>& tree, const double* q, const double* v, const double* tau, double* a) {
  on_widest_machine([&] { tree.forward_dynamics(q, v, tau, a); });
}

}  // namespace routh::internal
