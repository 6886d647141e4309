// Corners onto the planes of their faces.
//
// Each face with more than three corners gets the plane with Newell's normal through the mean of its corners. A corner
// moves by the least d with n_k·(v + d) = o_k for the planes it lies on: one or two are met by projection, three or
// more by least squares. Three planes are met to rounding; where more meet in a corner the planes are fitted again,
// some rounds.
#include <algorithm>
#include <cmath>

#include "routh/mesh/hull_faces.h"

namespace routh::internal {

namespace {

struct Plane {
  Vector3 normal;
  double offset = 0;
};

std::vector<Plane> fitted_planes(const Polyhedron& p) {
  std::vector<Plane> planes;
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
    const auto corners = p.face_corners(f);
    double sum = 0;
    for (const int v : corners)
      sum += dot(p.faces[static_cast<std::size_t>(f)].normal, p.vertices[static_cast<std::size_t>(v)]);
    planes.push_back({p.faces[static_cast<std::size_t>(f)].normal, sum / static_cast<double>(corners.size())});
  }
  return planes;
}

double roughness(const Polyhedron& p, const std::vector<Plane>& planes) {
  double most = 0;
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f)
    for (const int v : p.face_corners(f)) {
      const Plane& plane = planes[static_cast<std::size_t>(f)];
      most = std::max(most, std::abs(dot(plane.normal, p.vertices[static_cast<std::size_t>(v)]) - plane.offset));
    }
  return most;
}

// d with n·d = r for one plane, or for two.
Vector3 onto_two(const Vector3& n, double r, const Vector3& m, double s) {
  const double cosine = dot(n, m), square = 1 - cosine * cosine;
  if (square < 1e-6) return r * n;
  return ((r - cosine * s) / square) * n + ((s - cosine * r) / square) * m;
}

// A⁻¹ b by Cramer's rule; zero for planes that all but share a line.
Vector3 solved(const Symmetric3& A, const Vector3& b) {
  const Vector3 x = {A.xx, A.xy, A.xz}, y = {A.xy, A.yy, A.yz}, z = {A.xz, A.yz, A.zz};
  const double determinant = dot(x, cross(y, z));
  if (!(determinant > 1e-9)) return {};
  return (1 / determinant) * (b.x * cross(y, z) + b.y * cross(z, x) + b.z * cross(x, y));
}

Vector3 move_onto(const std::vector<Plane>& planes, const Vector3& vertex) {
  const auto lack = [](const Plane& plane, const Vector3& at) { return plane.offset - dot(plane.normal, at); };
  if (planes.empty()) return vertex;
  if (planes.size() == 1) return vertex + lack(planes[0], vertex) * planes[0].normal;
  if (planes.size() == 2)
    return vertex + onto_two(planes[0].normal, lack(planes[0], vertex), planes[1].normal, lack(planes[1], vertex));
  Vector3 moved = vertex;
  for (int round = 0; round < 3; ++round) {
    Symmetric3 A;
    Vector3 b;
    for (const Plane& plane : planes) {
      A = minus_outer(A, plane.normal, -plane.normal);
      b += lack(plane, moved) * plane.normal;
    }
    moved += solved(A, b);
  }
  return moved;
}

}  // namespace

void flatten(Polyhedron& p, double tolerance) {
  constexpr int rounds = 20;
  const double good = 4e-16 * p.radius;
  const std::vector<Vector3> original = p.vertices;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Plane> planes = fitted_planes(p);
    if (roughness(p, planes) <= good) return;
    std::vector<std::vector<Plane>> at(p.vertices.size());
    for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
      const auto corners = p.face_corners(f);
      if (corners.size() == 3) continue;
      for (const int v : corners) at[static_cast<std::size_t>(v)].push_back(planes[static_cast<std::size_t>(f)]);
    }
    for (std::size_t i = 0; i < p.vertices.size(); ++i) {
      const Vector3 moved = move_onto(at[i], p.vertices[i]);
      if (norm(moved - original[i]) <= 8 * tolerance) p.vertices[i] = moved;
    }
    set_planes(p);
  }
}

}  // namespace routh::internal
