#include "routh/mesh/triangle_hull.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <queue>

#include "routh/mesh/tolerances.h"

namespace routh::internal {

namespace {

__extension__ using Wide = __int128;

struct GridPoint {
  std::int64_t x = 0, y = 0, z = 0;  // in [0, 2⁴⁰]
  int source = 0;
};

// Coordinates differ by at most 2⁴⁰: entries of a normal stay below 2⁸², its product with a difference below 2¹²⁴.
struct Plane {
  Wide nx = 0, ny = 0, nz = 0;
  double dx = 0, dy = 0, dz = 0;  // the same, rounded
  double length = 0;
};

Plane plane_through(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  const Wide ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
  const Wide vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
  Plane p;
  p.nx = uy * vz - uz * vy, p.ny = uz * vx - ux * vz, p.nz = ux * vy - uy * vx;
  p.dx = static_cast<double>(p.nx), p.dy = static_cast<double>(p.ny), p.dz = static_cast<double>(p.nz);
  p.length = norm({p.dx, p.dy, p.dz});
  return p;
}

// Height of a point over the plane through `a`, times the length of the normal: its sign is exact, its size rounded.
double scaled_height(const Plane& plane, const GridPoint& a, const GridPoint& point) {
  const auto x = point.x - a.x, y = point.y - a.y, z = point.z - a.z;
  const double px = plane.dx * static_cast<double>(x), py = plane.dy * static_cast<double>(y),
               pz = plane.dz * static_cast<double>(z);
  const double sum = px + py + pz;
  if (std::abs(sum) > tolerances::exact_sign_relative * (std::abs(px) + std::abs(py) + std::abs(pz))) return sum;
  return static_cast<double>(plane.nx * x + plane.ny * y + plane.nz * z);
}

struct Face {
  std::array<int, 3> vertex{}, neighbour{};
  Plane plane;
  std::vector<int> outside;  // points above it that no other face has
  int farthest = -1;
  double height = 0;
  bool alive = true;
};

class Builder {
 public:
  Builder(std::span<const Vector3> points, int vertex_limit) : vertex_limit_(vertex_limit) { place(points); }

  TriangleHull build() {
    hull_.fault = first_faces();
    if (hull_.fault != HullFault::none) return std::move(hull_);
    int vertices = 4;
    // Every round takes a point for good.
    while (!waiting_.empty()) {
      const auto [height, face] = waiting_.top();
      if (!faces_[static_cast<std::size_t>(face)].alive) {
        waiting_.pop();
        continue;
      }
      if (vertices == vertex_limit_) {
        hull_.left_out = height / scale_;
        break;
      }
      waiting_.pop();
      add_point(face);
      ++vertices;
    }
    gather();
    return std::move(hull_);
  }

 private:
  const GridPoint& at(int i) const { return points_[static_cast<std::size_t>(i)]; }
  Face& face(int i) { return faces_[static_cast<std::size_t>(i)]; }

  void place(std::span<const Vector3> points) {
    none_given_ = points.empty();
    if (none_given_) return;
    Vector3 low = points[0], high = points[0];
    for (const Vector3& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    hull_.extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    const double reach = std::max({-low.x, -low.y, -low.z, high.x, high.y, high.z});
    none_given_ = !(reach <= tolerances::point_reach_max);
    if (none_given_ || !(hull_.extent >= tolerances::points_extent_min)) return;
    // A power of two, so that numbers of single precision fall on the grid.
    scale_ = std::ldexp(1.0, 39 - std::ilogb(hull_.extent));
    const auto round = [&](double from, double to) {
      return static_cast<std::int64_t>(std::llround((to - from) * scale_));
    };
    points_.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      points_.push_back(
          {round(low.x, points[i].x), round(low.y, points[i].y), round(low.z, points[i].z), static_cast<int>(i)});
    const auto key = [](const GridPoint& p) { return std::array{p.x, p.y, p.z}; };
    std::sort(points_.begin(), points_.end(), [&](const GridPoint& p, const GridPoint& q) {
      return key(p) != key(q) ? key(p) < key(q) : p.source < q.source;
    });
    points_.erase(std::unique(points_.begin(), points_.end(),
                              [&](const GridPoint& p, const GridPoint& q) { return key(p) == key(q); }),
                  points_.end());
  }

  template <class Measure>
  int greatest(const Measure& measure) const {
    int best = 0;
    double most = -1;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i)
      if (const double here = measure(at(i)); here > most) most = here, best = i;
    return best;
  }

  // A tetrahedron of points far from each other.
  HullFault first_faces() {
    if (points_.empty()) return none_given_ ? HullFault::no_points : HullFault::one_place;
    const auto minus = [](const GridPoint& p, const GridPoint& q) {
      return Vector3{static_cast<double>(p.x - q.x), static_cast<double>(p.y - q.y), static_cast<double>(p.z - q.z)};
    };
    const double thin = tolerances::thin_extent_relative * hull_.extent * scale_;
    const int a = greatest([&](const GridPoint& p) { return norm(minus(p, at(0))); });
    const int b = greatest([&](const GridPoint& p) { return norm(minus(p, at(a))); });
    const Vector3 ab = minus(at(b), at(a));
    const int c = greatest([&](const GridPoint& p) { return norm(cross(ab, minus(p, at(a)))); });
    if (norm(cross(ab, minus(at(c), at(a)))) < thin * norm(ab)) return HullFault::on_a_line;
    const Plane base = plane_through(at(a), at(b), at(c));
    const int d = greatest([&](const GridPoint& p) { return std::abs(scaled_height(base, at(a), p)); });
    const double height = scaled_height(base, at(a), at(d));
    if (std::abs(height) < thin * base.length) return HullFault::in_a_plane;
    // Seen from outside: d lies below the first face.
    const int p = height < 0 ? b : c, q = height < 0 ? c : b;
    const int first = add_face({a, p, q}), left = add_face({p, a, d}), right = add_face({q, p, d}),
              back = add_face({a, q, d});
    face(first).neighbour = {left, right, back};
    face(left).neighbour = {first, back, right};
    face(right).neighbour = {first, left, back};
    face(back).neighbour = {first, right, left};
    std::vector<int> all(points_.size());
    std::iota(all.begin(), all.end(), 0);
    share(all, {first, left, right, back});
    return HullFault::none;
  }

  int add_face(const std::array<int, 3>& vertex) {
    Face made;
    made.vertex = vertex;
    made.plane = plane_through(at(vertex[0]), at(vertex[1]), at(vertex[2]));
    faces_.push_back(std::move(made));
    return static_cast<int>(faces_.size()) - 1;
  }

  double height(const Face& face, int point) const { return scaled_height(face.plane, at(face.vertex[0]), at(point)); }

  // Gives each point to the first face it lies above. A point above a face that goes is inside or above a new one: next
  // to the edge of the horizon that its visible faces cross.
  void share(const std::vector<int>& points, const std::vector<int>& faces) {
    for (const int point : points)
      for (const int f : faces) {
        Face& to = face(f);
        const double above = height(to, point);
        if (!(above > 0)) continue;
        to.outside.push_back(point);
        if (above / to.plane.length > to.height) to.height = above / to.plane.length, to.farthest = point;
        break;
      }
    for (const int f : faces)
      if (!face(f).outside.empty()) waiting_.push({face(f).height, f});
  }

  struct Horizon {
    int from = 0, to = 0, beyond = 0;
  };

  // The faces that see the point, and the edges around them in order. Faces in one plane with the point do not see it,
  // so that no new face is without area.
  void look(int start, int point) {
    seen_.clear(), horizon_.clear();
    struct Step {
      int face = 0, side = 0, left = 3;
    };
    std::vector<Step> path = {{start, 0, 3}};
    face(start).alive = false;
    seen_.push_back(start);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.left == 0) {
        path.pop_back();
        continue;
      }
      const int side = step.side, here = step.face;
      step.side = (side + 1) % 3, --step.left;
      const int next = face(here).neighbour[static_cast<std::size_t>(side)];
      if (!face(next).alive) continue;
      const int from = face(here).vertex[static_cast<std::size_t>(side)];
      const int to = face(here).vertex[static_cast<std::size_t>((side + 1) % 3)];
      if (!(height(face(next), point) > 0)) {
        horizon_.push_back({from, to, next});
        continue;
      }
      face(next).alive = false;
      seen_.push_back(next);
      int back = 0;
      while (face(next).vertex[static_cast<std::size_t>(back)] != to) ++back;
      // `back` is the edge we came by: the two after it, in order.
      path.push_back({next, (back + 1) % 3, 2});
    }
  }

  void add_point(int start) {
    const int point = face(start).farthest;
    look(start, point);
    std::vector<int> made;
    const int first = static_cast<int>(faces_.size()), count = static_cast<int>(horizon_.size());
    for (int k = 0; k < count; ++k) {
      const Horizon edge = horizon_[static_cast<std::size_t>(k)];
      const int f = add_face({edge.from, edge.to, point});
      face(f).neighbour = {edge.beyond, first + (k + 1) % count, first + (k + count - 1) % count};
      Face& beyond = face(edge.beyond);
      for (std::size_t i = 0; i < 3; ++i)
        if (beyond.vertex[i] == edge.to && beyond.vertex[(i + 1) % 3] == edge.from) beyond.neighbour[i] = f;
      made.push_back(f);
    }
    std::vector<int> orphans;
    for (const int f : seen_)
      for (const int p : face(f).outside)
        if (p != point) orphans.push_back(p);
    for (const int f : seen_) face(f).outside = {};
    share(orphans, made);
  }

  void gather() {
    std::vector<int> number(faces_.size(), -1);
    int count = 0;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (faces_[f].alive) number[f] = count++;
    for (const Face& from : faces_) {
      if (!from.alive) continue;
      HullTriangle& to = hull_.triangles.emplace_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const Face& next = faces_[static_cast<std::size_t>(from.neighbour[i])];
        to.vertex[i] = at(from.vertex[i]).source;
        to.neighbour[i] = number[static_cast<std::size_t>(from.neighbour[i])];
        to.flat[i] = std::all_of(next.vertex.begin(), next.vertex.end(), [&](int v) { return height(from, v) == 0; });
      }
    }
  }

  int vertex_limit_;
  bool none_given_ = false;
  double scale_ = 1;
  std::vector<GridPoint> points_;
  std::vector<Face> faces_;
  std::priority_queue<std::pair<double, int>> waiting_;
  std::vector<int> seen_;
  std::vector<Horizon> horizon_;
  TriangleHull hull_;
};

}  // namespace

TriangleHull triangle_hull(std::span<const Vector3> points, int vertex_limit) {
  return Builder(points, std::max(vertex_limit, 4)).build();
}

}  // namespace routh::internal
