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

// Parts of measure m with k corners: a, b, c, and the origin if k = 4. The integral of x over one is m s/k and that of
// x xᵀ is m/(k (k + 1)) (a aᵀ + b bᵀ + c cᵀ + s sᵀ) with s = a + b + c.
template <class Measure>
SolidProperties properties_of_parts(const TriangleMesh& mesh, double k, const Measure& measure_of) {
  const Vector3 origin = middle_of(mesh);
  SolidProperties all;
  Vector3 first;
  Symmetric3 second;
  for (const auto& t : mesh.triangles) {
    const Vector3 a = mesh.vertices[static_cast<std::size_t>(t[0])] - origin,
                  b = mesh.vertices[static_cast<std::size_t>(t[1])] - origin,
                  c = mesh.vertices[static_cast<std::size_t>(t[2])] - origin;
    const double measure = measure_of(a, b, c);
    const Vector3 s = a + b + c;
    all.volume += measure;
    first += (measure / k) * s;
    second = second + scaled(measure / (k * (k + 1)), plus_outer(plus_outer(plus_outer(plus_outer({}, a), b), c), s));
  }
  if (!(std::abs(all.volume) > 0)) return {};
  const Vector3 from_origin = (1 / all.volume) * first;
  all.com = origin + from_origin;
  all.inertia = inertia_of(minus_outer(second, from_origin, all.volume * from_origin));
  return all;
}

}  // namespace

// Tetrahedra between a point and the triangles.
SolidProperties solid_properties(const TriangleMesh& mesh, TetrahedronSign sign) {
  return properties_of_parts(mesh, 4, [sign](const Vector3& a, const Vector3& b, const Vector3& c) {
    const double volume = dot(a, cross(b, c)) / 6;
    return sign == TetrahedronSign::absolute_volume ? std::abs(volume) : volume;
  });
}

SolidProperties shell_properties(const TriangleMesh& mesh) {
  return properties_of_parts(
      mesh, 3, [](const Vector3& a, const Vector3& b, const Vector3& c) { return norm(cross(b - a, c - a)) / 2; });
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
