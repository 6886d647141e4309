#include "routh/mesh/hull_faces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "routh/mesh/polyhedron.h"
#include "routh/mesh/tolerances.h"

namespace routh::internal {

namespace {

struct Triangle {
  Vector3 normal;     // twice its area long
  double height = 0;  // over its longest side
};

Triangle triangle_of(std::span<const Vector3> points, const HullTriangle& t) {
  const Vector3 a = points[static_cast<std::size_t>(t.vertex[0])], b = points[static_cast<std::size_t>(t.vertex[1])],
                c = points[static_cast<std::size_t>(t.vertex[2])];
  const Vector3 normal = cross(b - a, c - a);
  const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
  return {normal, longest > 0 ? norm(normal) / longest : 0};
}

// Numbers of the faces the triangles belong to. A face grows from its largest triangle over neighbours that lie in its
// plane: slivers, whose own normals say nothing, go with the triangle beside them.
class Grouping {
 public:
  Grouping(std::span<const Vector3> points, const TriangleHull& hull, double tolerance)
      : points_(points), hull_(hull), tolerance_(tolerance), group_(hull.triangles.size(), -1) {
    for (const HullTriangle& t : hull.triangles) triangles_.push_back(triangle_of(points, t));
    std::vector<int> order(hull.triangles.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return area(i) > area(j); });
    for (const int t : order)
      if (group_[static_cast<std::size_t>(t)] < 0) grow(t);
  }

  int count() const { return count_; }
  int of(int triangle) const { return group_[static_cast<std::size_t>(triangle)]; }

 private:
  double area(int t) const { return norm(triangles_[static_cast<std::size_t>(t)].normal); }

  void grow(int seed) {
    const int group = count_++;
    const Vector3 n = triangles_[static_cast<std::size_t>(seed)].normal;
    const Vector3 unit = norm(n) > 0 ? (1 / norm(n)) * n : Vector3{};
    const Vector3 origin = point(hull_.triangles[static_cast<std::size_t>(seed)].vertex[0]);
    std::vector<int> waiting = {seed};
    group_[static_cast<std::size_t>(seed)] = group;
    while (!waiting.empty()) {
      const HullTriangle& from = hull_.triangles[static_cast<std::size_t>(waiting.back())];
      waiting.pop_back();
      for (std::size_t i = 0; i < 3; ++i) {
        int& of_next = group_[static_cast<std::size_t>(from.neighbour[i])];
        if (of_next >= 0 || !(tolerance_ > 0 ? near(from.neighbour[i], origin, unit) : from.flat[i])) continue;
        of_next = group;
        waiting.push_back(from.neighbour[i]);
      }
    }
  }

  const Vector3& point(int i) const { return points_[static_cast<std::size_t>(i)]; }

  bool near(int t, const Vector3& origin, const Vector3& n) const {
    const HullTriangle& it = hull_.triangles[static_cast<std::size_t>(t)];
    const Triangle& shape = triangles_[static_cast<std::size_t>(t)];
    for (const int v : it.vertex)
      if (!(std::abs(dot(n, point(v) - origin)) <= tolerance_)) return false;
    return dot(shape.normal, n) > tolerances::merged_normal_cosine * norm(shape.normal) ||
           shape.height <= tolerances::sliver_height * tolerance_;
  }

  std::span<const Vector3> points_;
  const TriangleHull& hull_;
  double tolerance_;
  std::vector<Triangle> triangles_;
  std::vector<int> group_;
  int count_ = 0;
};

struct Border {
  int group = 0, from = 0, to = 0;
};

// Around each group in order; nothing where a group has not one simple border.
std::optional<std::vector<std::vector<int>>> loops_of(const TriangleHull& hull, const Grouping& groups) {
  std::vector<Border> borders;
  for (std::size_t t = 0; t < hull.triangles.size(); ++t) {
    const HullTriangle& it = hull.triangles[t];
    const int here = groups.of(static_cast<int>(t));
    for (std::size_t i = 0; i < 3; ++i)
      if (groups.of(it.neighbour[i]) != here) borders.push_back({here, it.vertex[i], it.vertex[(i + 1) % 3]});
  }
  const auto before = [](const Border& x, const Border& y) {
    return x.group != y.group ? x.group < y.group : x.from < y.from;
  };
  std::sort(borders.begin(), borders.end(), before);
  std::vector<std::vector<int>> loops(static_cast<std::size_t>(groups.count()));
  for (std::size_t first = 0, last = 0; first < borders.size(); first = last) {
    while (last < borders.size() && borders[last].group == borders[first].group) ++last;
    auto& loop = loops[static_cast<std::size_t>(borders[first].group)];
    int vertex = borders[first].from;
    for (std::size_t step = first; step < last; ++step) {
      loop.push_back(vertex);
      const auto next = std::lower_bound(borders.begin() + static_cast<std::ptrdiff_t>(first),
                                         borders.begin() + static_cast<std::ptrdiff_t>(last),
                                         Border{borders[first].group, vertex, 0}, before);
      if (next == borders.begin() + static_cast<std::ptrdiff_t>(last) || next->from != vertex) return std::nullopt;
      vertex = next->to;
      if (vertex == borders[first].from && step + 1 != last) return std::nullopt;
    }
    if (vertex != borders[first].from) return std::nullopt;
  }
  return loops;
}

// Vertices of fewer than three faces lie within a face or an edge and are dropped; the others keep their order.
std::vector<int> numbers_of(const std::vector<std::vector<int>>& loops, std::size_t points) {
  std::vector<int> faces(points, 0);
  for (const auto& loop : loops)
    for (const int v : loop) ++faces[static_cast<std::size_t>(v)];
  int count = 0;
  for (int& f : faces) f = f >= 3 ? count++ : -1;
  return faces;
}

// Faces by their new numbers, the least first, and in order: the same however the triangles were found, so that the
// hull of a hull's vertices is that hull to the last bit.
std::vector<std::vector<int>> renumbered(const std::vector<std::vector<int>>& loops, const std::vector<int>& number) {
  std::vector<std::vector<int>> faces;
  for (const auto& loop : loops) {
    auto& face = faces.emplace_back();
    for (const int v : loop)
      if (number[static_cast<std::size_t>(v)] >= 0) face.push_back(number[static_cast<std::size_t>(v)]);
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

// Newell's normal: right for every polygon, flat or not.
Vector3 newell(const Polyhedron& p, std::span<const int> corners) {
  const Vector3 origin = p.vertices[static_cast<std::size_t>(corners[0])];
  Vector3 sum;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += cross(p.vertices[static_cast<std::size_t>(corners[i])] - origin,
                 p.vertices[static_cast<std::size_t>(corners[i + 1])] - origin);
  return sum;
}

}  // namespace

double merge_slack(double tolerance, double extent) {
  return std::max(tolerances::merge_slack_tolerances * tolerance, tolerances::merge_slack_relative * extent);
}

void set_planes(Polyhedron& p) {
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f) {
    PolyhedronFace& face = p.faces[static_cast<std::size_t>(f)];
    const Vector3 n = newell(p, p.face_corners(f));
    face.normal = (1 / norm(n)) * n;
    face.offset = -std::numeric_limits<double>::infinity();
    for (const int v : p.face_corners(f))
      face.offset = std::max(face.offset, dot(face.normal, p.vertices[static_cast<std::size_t>(v)]));
  }
}

double reach_above(const Polyhedron& p, const PolyhedronFace& face, std::span<const Vector3> points) {
  double most = 0;
  for (const Vector3& each : points) most = std::max(most, dot(face.normal, each) - face.offset);
  for (const Vector3& each : p.vertices) most = std::max(most, dot(face.normal, each) - face.offset);
  return most;
}

std::optional<Polyhedron> merge_triangles(std::span<const Vector3> points, const TriangleHull& hull, double tolerance) {
  const Grouping groups(points, hull, tolerance);
  const auto loops = loops_of(hull, groups);
  if (!loops) return std::nullopt;
  const std::vector<int> number = numbers_of(*loops, points.size());
  Polyhedron p;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (number[i] >= 0) p.vertices.push_back(points[i]);
  for (const auto& loop : renumbered(*loops, number)) {
    if (loop.size() < 3) return std::nullopt;
    PolyhedronFace face;
    face.first = static_cast<int>(p.corners.size());
    face.count = static_cast<int>(loop.size());
    p.corners.insert(p.corners.end(), loop.begin(), loop.end());
    p.faces.push_back(face);
  }
  if (!connect(p)) return std::nullopt;
  for (int f = 0; f < static_cast<int>(p.faces.size()); ++f)
    if (!(norm(newell(p, p.face_corners(f))) > 0)) return std::nullopt;
  set_planes(p);
  return p;
}

}  // namespace routh::internal
