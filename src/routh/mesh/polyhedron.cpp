#include "routh/mesh/polyhedron.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "routh/mesh/tolerances.h"

namespace routh::internal {

namespace {

// Directions for the starts of a walk: a grid on each side of a cube.
constexpr int grid = tolerances::walk_start_grid;

Vector3 grid_direction(int side, int i, int j) {
  const double u = (2 * i + 1.0) / grid - 1, w = (2 * j + 1.0) / grid - 1, one = side % 2 == 0 ? 1 : -1;
  return side / 2 == 0 ? Vector3{one, u, w} : side / 2 == 1 ? Vector3{u, one, w} : Vector3{u, w, one};
}

int grid_cell(double along) { return std::clamp(static_cast<int>((along + 1) * (grid / 2)), 0, grid - 1); }

std::size_t seed_of(const Vector3& d) {
  const double x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z);
  const double most = std::max({x, y, z});
  const auto index = [](int side, double u, double w) {
    return static_cast<std::size_t>((side * grid + grid_cell(u)) * grid + grid_cell(w));
  };
  if (x == most) return index(d.x < 0 ? 1 : 0, d.y / most, d.z / most);
  if (y == most) return index(d.y < 0 ? 3 : 2, d.x / most, d.z / most);
  return index(d.z < 0 ? 5 : 4, d.x / most, d.y / most);
}

int walk(const Polyhedron& p, int vertex, const Vector3& direction) {
  double height = dot(p.vertices[static_cast<std::size_t>(vertex)], direction);
  for (std::size_t step = 0; step < p.vertices.size(); ++step) {
    int best = vertex;
    for (const int other : p.neighbours(vertex)) {
      const double there = dot(p.vertices[static_cast<std::size_t>(other)], direction);
      if (there > height) height = there, best = other;
    }
    if (best == vertex) break;
    vertex = best;
  }
  return vertex;
}

void plant_seeds(Polyhedron& p) {
  p.seeds.clear();
  if (p.vertices.size() <= tolerances::vertices_all_tried) return;
  int vertex = 0;
  for (int side = 0; side < 6; ++side)
    for (int i = 0; i < grid; ++i)
      for (int j = 0; j < grid; ++j) p.seeds.push_back(vertex = walk(p, vertex, grid_direction(side, i, j)));
}

struct HalfEdge {
  std::uint64_t key = 0;  // the lesser vertex, then the greater
  int from = 0, to = 0, face = 0, corner = 0;
};

std::vector<HalfEdge> half_edges(const Polyhedron& p) {
  std::vector<HalfEdge> list;
  list.reserve(p.corners.size());
  for (int face = 0; face < static_cast<int>(p.faces.size()); ++face) {
    const auto round = p.face_corners(face);
    for (std::size_t k = 0; k < round.size(); ++k) {
      const int from = round[k], to = round[(k + 1) % round.size()];
      const auto key = static_cast<std::uint64_t>(std::min(from, to)) << 32 | static_cast<unsigned>(std::max(from, to));
      list.push_back({key, from, to, face, p.faces[static_cast<std::size_t>(face)].first + static_cast<int>(k)});
    }
  }
  std::sort(list.begin(), list.end(),
            [](const HalfEdge& x, const HalfEdge& y) { return x.key != y.key ? x.key < y.key : x.from < y.from; });
  return list;
}

void list_around_vertices(Polyhedron& p) {
  p.around_first.assign(p.vertices.size() + 1, 0);
  for (const PolyhedronEdge& edge : p.edges)
    ++p.around_first[static_cast<std::size_t>(edge.from) + 1], ++p.around_first[static_cast<std::size_t>(edge.to) + 1];
  for (std::size_t i = 0; i < p.vertices.size(); ++i) p.around_first[i + 1] += p.around_first[i];
  std::vector<int> next(p.around_first.begin(), p.around_first.end() - 1);
  p.around_edges.assign(2 * p.edges.size(), 0);
  p.around_ends.assign(2 * p.edges.size(), 0);
  for (int e = 0; e < static_cast<int>(p.edges.size()); ++e) {
    const auto [from, to] =
        std::pair(p.edges[static_cast<std::size_t>(e)].from, p.edges[static_cast<std::size_t>(e)].to);
    for (const auto& [vertex, other] : {std::pair(from, to), std::pair(to, from)}) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(vertex)]++);
      p.around_edges[place] = e, p.around_ends[place] = other;
    }
  }
}

void measure(Polyhedron& p) {
  p.radius = 0;
  p.lowest = p.highest = p.vertices.empty() ? Vector3{} : p.vertices.front();
  for (const Vector3& v : p.vertices) {
    p.radius = std::max(p.radius, norm(v));
    p.lowest = {std::min(p.lowest.x, v.x), std::min(p.lowest.y, v.y), std::min(p.lowest.z, v.z)};
    p.highest = {std::max(p.highest.x, v.x), std::max(p.highest.y, v.y), std::max(p.highest.z, v.z)};
  }
}

}  // namespace

bool connect(Polyhedron& p) {
  const std::vector<HalfEdge> halves = half_edges(p);
  p.edges.clear();
  p.corner_edges.assign(p.corners.size(), 0);
  for (std::size_t i = 0; i + 1 < halves.size(); i += 2) {
    const HalfEdge &a = halves[i], &b = halves[i + 1];
    if (a.key != b.key || a.from != b.to || (i + 2 < halves.size() && halves[i + 2].key == a.key)) return false;
    p.corner_edges[static_cast<std::size_t>(a.corner)] = p.corner_edges[static_cast<std::size_t>(b.corner)] =
        static_cast<int>(p.edges.size());
    p.edges.push_back({a.from, a.to, a.face, b.face});
  }
  if (halves.size() % 2 != 0 || p.vertices.size() + p.faces.size() != p.edges.size() + 2) return false;
  list_around_vertices(p);
  measure(p);
  plant_seeds(p);
  return true;
}

int farthest_vertex(const Polyhedron& p, const Vector3& direction) {
  if (!p.seeds.empty()) return walk(p, p.seeds[seed_of(direction)], direction);
  int best = 0;
  double height = dot(p.vertices[0], direction);
  for (std::size_t i = 1; i < p.vertices.size(); ++i) {
    const double there = dot(p.vertices[i], direction);
    if (there > height) height = there, best = static_cast<int>(i);
  }
  return best;
}

int farthest_vertex(const Polyhedron& p, const Vector3& direction, int start) {
  return p.seeds.empty() ? farthest_vertex(p, direction) : walk(p, start, direction);
}

Polyhedron point_polyhedron() {
  Polyhedron p;
  p.vertices = {{}};
  p.around_first = {0, 0};
  return p;
}

Polyhedron segment_polyhedron() {
  Polyhedron p;
  p.vertices = {{0, 0, -1}, {0, 0, 1}};
  p.edges = {{0, 1, -1, -1}};
  list_around_vertices(p);
  measure(p);
  return p;
}

// Corner: bit k set at the positive end of axis k. Edge: 4 · its axis + the signs of the next two axes. Face: 2 · axis,
// + 1 on the positive side.
Polyhedron cube_polyhedron() {
  Polyhedron p;
  for (int i = 0; i < 8; ++i) p.vertices.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  constexpr int round[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, positive = face % 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
    const double sign = positive ? 1 : -1;
    p.faces.push_back({{axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0}, 1, 4 * face, 4});
    for (int k = 0; k < 4; ++k) {
      const int* at = round[positive ? k : 3 - k];
      p.corners.push_back(positive << axis | at[0] << u | at[1] << w);
    }
  }
  connect(p);
  std::vector<PolyhedronEdge> edges(12);
  std::array<int, 12> number{};
  for (std::size_t e = 0; e < 12; ++e) {
    const PolyhedronEdge& edge = p.edges[e];
    const int along = edge.from ^ edge.to, axis = along == 1 ? 0 : along == 2 ? 1 : 2;
    const int sides = ((edge.from >> (axis + 1) % 3) & 1) + 2 * ((edge.from >> (axis + 2) % 3) & 1);
    number[e] = 4 * axis + sides;
    edges[static_cast<std::size_t>(number[e])] = edge;
  }
  p.edges = edges;
  for (int& e : p.corner_edges) e = number[static_cast<std::size_t>(e)];
  list_around_vertices(p);
  return p;
}

}  // namespace routh::internal
