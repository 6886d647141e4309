#include "routh/mesh/mass.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace routh::internal {

namespace {

Symmetric3 plus_outer(const Symmetric3& s, const Vector3& u) { return minus_outer(s, u, -u); }

Symmetric3 scaled(double k, const Symmetric3& s) {
  return {k * s.xx, k * s.yy, k * s.zz, k * s.xy, k * s.xz, k * s.yz};
}

// trace(S) 1 − S: the inertia of the second moments S.
Symmetric3 inertia_of(const Symmetric3& s) { return {s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz}; }

// Near the middle, so that little cancels: the mean of the triangles' middles weighted by area.
Vector3 middle_of(const TriangleMesh& mesh) {
  Vector3 sum, plain;
  double weight = 0;
  for (const auto& t : mesh.triangles) {
    const Vector3 &a = mesh.vertices[static_cast<std::size_t>(t[0])],
                  &b = mesh.vertices[static_cast<std::size_t>(t[1])],
                  &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    const double area = norm(cross(b - a, c - a));
    sum += area * (a + b + c);
    weight += 3 * area;
    plain += a;
  }
  if (weight > 0) return (1 / weight) * sum;
  return mesh.triangles.empty() ? Vector3{} : (1.0 / static_cast<double>(mesh.triangles.size())) * plain;
}

}  // namespace

// For a tetrahedron of volume V with the corners 0, a, b, c the integral of x is V (a + b + c)/4 and that of x xᵀ is
// V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ) with s = a + b + c.
SolidProperties solid_properties(const TriangleMesh& mesh, TetrahedronSign sign) {
  const Vector3 origin = middle_of(mesh);
  SolidProperties solid;
  Vector3 first;
  Symmetric3 second;
  for (const auto& t : mesh.triangles) {
    const Vector3 a = mesh.vertices[static_cast<std::size_t>(t[0])] - origin,
                  b = mesh.vertices[static_cast<std::size_t>(t[1])] - origin,
                  c = mesh.vertices[static_cast<std::size_t>(t[2])] - origin;
    double volume = dot(a, cross(b, c)) / 6;
    if (sign == TetrahedronSign::absolute_volume) volume = std::abs(volume);
    const Vector3 s = a + b + c;
    solid.volume += volume;
    first += (volume / 4) * s;
    second = second + scaled(volume / 20, plus_outer(plus_outer(plus_outer(plus_outer({}, a), b), c), s));
  }
  if (!(std::abs(solid.volume) > 0)) return {};
  const Vector3 from_origin = (1 / solid.volume) * first;
  solid.com = origin + from_origin;
  solid.inertia = inertia_of(minus_outer(second, from_origin, solid.volume * from_origin));
  return solid;
}

// For a triangle of area A with the corners a, b, c the integral of x is A (a + b + c)/3 and that of x xᵀ is
// A/12 (a aᵀ + b bᵀ + c cᵀ + s sᵀ) with s = a + b + c.
SolidProperties shell_properties(const TriangleMesh& mesh) {
  const Vector3 origin = middle_of(mesh);
  SolidProperties shell;
  Vector3 first;
  Symmetric3 second;
  for (const auto& t : mesh.triangles) {
    const Vector3 a = mesh.vertices[static_cast<std::size_t>(t[0])] - origin,
                  b = mesh.vertices[static_cast<std::size_t>(t[1])] - origin,
                  c = mesh.vertices[static_cast<std::size_t>(t[2])] - origin;
    const double area = norm(cross(b - a, c - a)) / 2;
    const Vector3 s = a + b + c;
    shell.volume += area;
    first += (area / 3) * s;
    second = second + scaled(area / 12, plus_outer(plus_outer(plus_outer(plus_outer({}, a), b), c), s));
  }
  if (!(shell.volume > 0)) return {};
  const Vector3 from_origin = (1 / shell.volume) * first;
  shell.com = origin + from_origin;
  shell.inertia = inertia_of(minus_outer(second, from_origin, shell.volume * from_origin));
  return shell;
}

TriangleMesh triangulated(const Polyhedron& p) {
  TriangleMesh mesh;
  mesh.vertices = p.vertices;
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
    const auto corners = p.face_corners(f);
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      mesh.triangles.push_back({corners[0], corners[i], corners[i + 1]});
  }
  return mesh;
}

SolidProperties solid_properties(const Polyhedron& p) { return solid_properties(triangulated(p)); }

bool is_closed(const TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size()), number(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  const auto less = [&](int i, int j) {
    const Vector3 a = at(i), b = at(j);
    return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z};
  };
  std::sort(order.begin(), order.end(), less);
  int count = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && less(order[k - 1], order[k])) ++count;
    number[static_cast<std::size_t>(order[k])] = count;
  }
  std::vector<std::uint64_t> there, back;
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto from = static_cast<std::uint64_t>(number[static_cast<std::size_t>(t[i])]);
      const auto to = static_cast<std::uint64_t>(number[static_cast<std::size_t>(t[(i + 1) % 3])]);
      if (from == to) continue;  // a triangle without area
      there.push_back(from << 32 | to);
      back.push_back(to << 32 | from);
    }
  std::sort(there.begin(), there.end());
  std::sort(back.begin(), back.end());
  return !there.empty() && there == back;
}

}  // namespace routh::internal
