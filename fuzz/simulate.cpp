// Any bytes as a small scene, one or two bodies over a ground, simulated for a few hundred steps: the run ends with a
// status, its numbers are finite, nothing enters anything, and its energy is accounted for.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routh/contact/contact.h"
#include "routh/scene/scene.h"
#include "routh/simulation/simulator.h"
#include "support/overlap_proof.h"

namespace {

constexpr double deepest = 1e-6;  // [m] that anything may be inside anything

void require(bool condition) {
  if (!condition) std::abort();
}

// Numbers from bytes; zeros once they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  int next() { return used_ < size_ ? data_[used_++] : 0; }
  int below(int count) { return next() % count; }
  double between(double low, double high) { return low + (high - low) * next() / 255; }

 private:
  const std::uint8_t* data_;
  std::size_t size_, used_ = 0;
};

std::string mesh(Bytes& bytes) {
  std::string text = "kind: mesh, vertices: [[0.1, 0, -0.05], [-0.1, 0.05, -0.05], [0, -0.1, -0.05], [0, 0, 0.1]";
  for (int left = bytes.below(40); left > 0; --left)
    text += fmt::format(", [{}, {}, {}]", bytes.between(-0.1, 0.1), bytes.between(-0.1, 0.1), bytes.between(-0.1, 0.1));
  return text + "]";
}

std::string solid(Bytes& bytes, bool planar) {
  const auto size = [&] { return bytes.between(0.005, 0.2); };
  switch (bytes.below(planar ? 3 : 6)) {
    case 0: {
      const double x = size(), y = size();
      return planar ? fmt::format("kind: box, size: [{}, {}]", x, y)
                    : fmt::format("kind: box, size: [{}, {}, {}]", x, y, size());
    }
    case 1:
      return fmt::format("kind: capsule, radius: {}, length: {}", size(), size());
    case 2:
      return fmt::format("kind: sphere, radius: {}", size());
    case 3:
      return fmt::format("kind: cylinder, radius: {}, length: {}", size(), size());
    case 4: {
      const double x = size(), y = size(), z = size();
      return fmt::format("kind: ellipsoid, size: [{}, {}, {}]", x, y, z);
    }
    default:
      return mesh(bytes);
  }
}

std::string ground(Bytes& bytes, bool planar) {
  switch (bytes.below(planar ? 2 : 3)) {
    case 0:
      return "kind: half_space";
    case 1:
      return planar ? "kind: box, size: [0.6, 0.2], at: [0, -0.1]"
                    : "kind: box, size: [0.6, 0.6, 0.2], at: [0, 0, -0.1]";
    default:
      return "kind: mesh, vertices: [[0.4, 0, -0.1], [-0.4, 0.3, -0.1], [-0.4, -0.3, -0.1], [0, 0, 0]]";
  }
}

std::string scene(Bytes& bytes) {
  const bool planar = bytes.below(4) == 0;
  const int count = 1 + bytes.below(2);
  std::string bodies, position, velocity;
  std::string text = fmt::format("routh: 1\ndimension: {}\nsurfaces: {{s: {{friction: {}, restitution: {}}}}}\n",
                                 planar ? "planar" : "spatial", bytes.between(0, 1), bytes.between(0, 0.8));
  text += fmt::format("world: {{shapes: {{ground: {{{}, surface: s}}}}}}\nbodies:\n", ground(bytes, planar));
  for (int i = 0; i < count; ++i) {
    text +=
        fmt::format("  b{0}: {{mass: 1, inertia: {1}, joint: {{kind: {2}}}, shapes: {{o{0}: {{{3}, surface: s}}}}}}\n",
                    i, planar ? "0.003" : "[0.003, 0.004, 0.005]", planar ? "planar" : "free", solid(bytes, planar));
    const double x = bytes.between(-0.3, 0.3), up = 0.3 + 0.5 * i + bytes.between(0, 0.2);
    const double spin = bytes.between(-20, 20);
    if (planar) {
      position += fmt::format("b{}: [{}, {}, {}], ", i, x, up, bytes.between(-3, 3));
      velocity += fmt::format("b{}: [{}, {}, {}], ", i, bytes.between(-1, 1), bytes.between(-3, 1), spin);
    } else {
      const double roll = bytes.between(-3, 3), pitch = bytes.between(-1.5, 1.5);
      position +=
          fmt::format("b{}: {{position: [{}, 0.01, {}], rotation: {{rpy: [{}, {}, 0]}}}}, ", i, x, up, roll, pitch);
      velocity += fmt::format("b{}: [{}, 0, {}, {}, {}, 1], ", i, bytes.between(-1, 1), bytes.between(-3, 1), spin,
                              bytes.between(-20, 20));
    }
  }
  return text + fmt::format("state: {{position: {{{}}}, velocity: {{{}}}}}\n", position, velocity);
}

// The shapes of the scene for a judge that shares no code with the library.
class Judge {
 public:
  explicit Judge(const routh::Scene& scene) : planar_(scene.model.dimension == routh::Dimension::planar) {
    for (const routh::Shape& shape : scene.model.shapes) solids_.push_back(solid(shape));
    for (const routh::ShapePair& pair : scene.model.pairs) pairs_.push_back({pair.first, pair.second, {0, 0, 1}});
    if (planar_)
      for (Pair& pair : pairs_) pair.normal = {0, 1, 0};
  }

  // Nothing is deeper inside anything: a body has one shape, at its origin, and moves freely; those of the world stand
  // without being turned.
  bool parted(const Eigen::VectorXd& q) {
    for (Solid& it : solids_) {
      if (it.link < 0) continue;
      if (planar_) {
        const double* const at = q.data() + it.link / 3 * 3;  // the last of three links
        it.shape.place = {at[0], at[1], 0};
        it.shape.turn = {std::cos(0.5 * at[2]), 0, 0, std::sin(0.5 * at[2])};
      } else {
        const double* const at = q.data() + 7 * it.link;
        it.shape.place = {at[0], at[1], at[2]};
        it.shape.turn = {at[3], at[4], at[5], at[6]};
      }
    }
    for (Pair& pair : pairs_) {
      const testing_support::Convex &a = solids_[static_cast<std::size_t>(pair.first)].shape,
                                    &b = solids_[static_cast<std::size_t>(pair.second)].shape;
      const bool plane_first = a.kind == testing_support::Convex::Kind::half_space;
      const double depth =
          plane_first ? proven_depth(b, a, deepest, pair.normal) : proven_depth(a, b, deepest, pair.normal);
      if (!(depth <= deepest)) return false;
    }
    return true;
  }

 private:
  struct Solid {
    testing_support::Convex shape;
    int link = -1;
  };
  struct Pair {
    int first = 0, second = 0;
    testing_support::Direction normal;
  };

  Solid solid(const routh::Shape& shape) const {
    using Kind = testing_support::Convex::Kind;
    Solid it;
    it.link = shape.link;
    testing_support::Convex& out = it.shape;
    const routh::Vector3 &at = shape.in_link.position, &half = shape.half_extents;
    if (shape.link < 0) out.place = {at.x, at.y, at.z};
    switch (shape.kind) {
      case routh::ShapeKind::sphere:
        out.corners = {{0, 0, 0}};
        out.round = shape.radius;
        break;
      case routh::ShapeKind::capsule:
        for (const double end : {-0.5 * shape.length, 0.5 * shape.length})
          out.corners.push_back({0, planar_ ? end : 0, planar_ ? 0 : end});
        out.round = shape.radius;
        break;
      case routh::ShapeKind::box:
        for (int i = 0; i < 8; ++i)
          out.corners.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                 planar_ ? 0
                                 : i & 4 ? half.z
                                         : -half.z});
        break;
      case routh::ShapeKind::mesh:
        for (const routh::Vector3& v : shape.hull->vertices) out.corners.push_back({v.x, v.y, v.z});
        break;
      case routh::ShapeKind::cylinder:
        out.kind = Kind::cylinder;
        out.half = {shape.radius, shape.radius, 0.5 * shape.length};
        break;
      case routh::ShapeKind::ellipsoid:
        out.kind = Kind::ellipsoid;
        out.half = {half.x, half.y, half.z};
        break;
      case routh::ShapeKind::half_space:
        out.kind = Kind::half_space;
        if (planar_) out.turn = {std::sqrt(0.5), -std::sqrt(0.5), 0, 0};  // from z up to y up
        break;
      default:
        std::abort();  // no scene of ours has one
    }
    return it;
  }

  bool planar_ = false;
  std::vector<Solid> solids_;
  std::vector<Pair> pairs_;
};

void check_run(const routh::Scene& scene) {
  routh::SimulationOptions options;
  options.engine = routh::EngineKind::events;
  options.tolerance = 1e-8;
  options.max_steps = 80;  // a second at most, where shapes are curved and sanitizers look on
  options.max_events = 80;
  routh::Simulator simulator(scene.model, scene.state, options);
  Judge judge(scene);
  simulator.on_sample(0.02, 0, [&](const routh::Sample& sample) {
    require(sample.state.q.allFinite() && sample.state.v.allFinite());
    require(judge.parted(sample.state.q));
  });
  if (simulator.status() == routh::SimulationStatus::overlapping) return;  // where it begins
  const routh::SimulationStatus status = simulator.advance(1);
  require(status != routh::SimulationStatus::overlapping && status != routh::SimulationStatus::non_finite);
  require(simulator.statistics().steps + simulator.statistics().rejected <= options.max_steps + 1);
  const routh::EnergyAccount energy = simulator.energy();
  const double scale = 1 + std::abs(energy.initial) + energy.dissipated;
  require(std::abs(energy.balance()) <= 1e-5 * scale);
  require(energy.total() <= energy.initial + energy.gained + 1e-5 * scale);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::string text = scene(bytes);
  try {
    check_run(routh::read_scene_text(text, "fuzz"));
  } catch (const routh::InputError& error) {
    require(error.where().file == "fuzz" && !error.message().empty());
  }
  return 0;
}
