#include "geometry_peers.h"

#ifdef ROUTH_FCL

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>

namespace bench {

namespace {

fcl::Transform3d place_of(const routh::Pose& pose) {
  fcl::Transform3d out = fcl::Transform3d::Identity();
  const routh::Matrix3& R = pose.rotation;
  out.linear() << R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z;
  out.translation() << pose.position.x, pose.position.y, pose.position.z;
  return out;
}

std::shared_ptr<fcl::Convexd> convex_of(const routh::Polyhedron& hull) {
  const auto vertices = std::make_shared<std::vector<Eigen::Vector3d>>();
  for (const routh::Vector3& v : hull.vertices) vertices->emplace_back(v.x, v.y, v.z);
  const auto faces = std::make_shared<std::vector<int>>();
  const int count = static_cast<int>(hull.faces.size());
  for (int f = 0; f < count; ++f) {
    const auto corners = hull.face_corners(f);
    faces->push_back(static_cast<int>(corners.size()));
    faces->insert(faces->end(), corners.begin(), corners.end());
  }
  return std::make_shared<fcl::Convexd>(vertices, count, faces);
}

class FclDistances final : public DistancePeer {
 public:
  const char* name() const override { return "FCL"; }
  void add(const routh::Polyhedron& a, const routh::Polyhedron& b) override {
    pairs_.push_back({convex_of(a), convex_of(b)});
  }
  double distance(std::size_t pair, const routh::Pose& a, const routh::Pose& b) override {
    fcl::DistanceRequestd request(true, false);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResultd result;
    fcl::distance(pairs_[pair].a.get(), place_of(a), pairs_[pair].b.get(), place_of(b), request, result);
    return result.min_distance;
  }

 private:
  struct Pair {
    std::shared_ptr<fcl::Convexd> a, b;
  };
  std::vector<Pair> pairs_;
};

class FclBroad final : public BroadPeer {
 public:
  FclBroad(double radius, double margin, std::size_t count) {
    const auto sphere = std::make_shared<fcl::Sphered>(radius + margin / 2);
    for (std::size_t i = 0; i < count; ++i)
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(sphere, fcl::Transform3d::Identity()));
  }
  const char* name() const override { return "FCL"; }
  std::size_t pairs(const std::vector<routh::Vector3>& centres) override {
    for (std::size_t i = 0; i < centres.size(); ++i) {
      objects_[i]->setTranslation({centres[i].x, centres[i].y, centres[i].z});
      objects_[i]->computeAABB();
    }
    if (manager_.size() == 0) {
      for (const auto& object : objects_) manager_.registerObject(object.get());
      manager_.setup();
    } else {
      manager_.update();
    }
    std::size_t count = 0;
    manager_.collide(&count, [](fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* data) {
      ++*static_cast<std::size_t*>(data);
      return false;
    });
    return count;
  }

 private:
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

std::unique_ptr<DistancePeer> fcl_distances() { return std::make_unique<FclDistances>(); }
std::unique_ptr<BroadPeer> fcl_broad_phase(double radius, double margin, std::size_t count) {
  return std::make_unique<FclBroad>(radius, margin, count);
}

}  // namespace bench

#else

namespace bench {

std::unique_ptr<DistancePeer> fcl_distances() { return nullptr; }
std::unique_ptr<BroadPeer> fcl_broad_phase(double, double, std::size_t) { return nullptr; }

}  // namespace bench

#endif
