#include "geometry_peers.h"

#ifdef ROUTH_HAVE_BULLET

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

namespace bench {

namespace {

btTransform place_of(const routh::Pose& pose) {
  const routh::Matrix3& R = pose.rotation;
  return btTransform(btMatrix3x3(R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z),
                     btVector3(pose.position.x, pose.position.y, pose.position.z));
}

std::unique_ptr<btConvexHullShape> convex_of(const routh::Polyhedron& hull) {
  auto shape = std::make_unique<btConvexHullShape>();
  for (const routh::Vector3& v : hull.vertices) shape->addPoint({v.x, v.y, v.z}, false);
  shape->recalcLocalAabb();
  shape->setMargin(0);
  return shape;
}

// One pair of points; its contacts gather over many steps.
class BulletDistances final : public DistancePeer {
 public:
  const char* name() const override { return "Bullet"; }
  void add(const routh::Polyhedron& a, const routh::Polyhedron& b) override {
    pairs_.push_back({convex_of(a), convex_of(b)});
  }
  double distance(std::size_t pair, const routh::Pose& a, const routh::Pose& b) override {
    btGjkPairDetector detector(pairs_[pair].a.get(), pairs_[pair].b.get(), &simplex_, &depth_);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = place_of(a);
    input.m_transformB = place_of(b);
    btPointCollector found;
    detector.getClosestPoints(input, found, nullptr);
    return found.m_hasResult ? found.m_distance : 0;
  }

 private:
  struct Pair {
    std::unique_ptr<btConvexHullShape> a, b;
  };
  std::vector<Pair> pairs_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver depth_;
};

class BulletBroad final : public BroadPeer {
 public:
  BulletBroad(double radius, double margin, std::size_t count) : half_(radius + margin / 2), proxies_(count) {}
  ~BulletBroad() override {
    for (btBroadphaseProxy* proxy : proxies_)
      if (proxy) broad_.destroyProxy(proxy, nullptr);
  }
  BulletBroad(const BulletBroad&) = delete;
  BulletBroad& operator=(const BulletBroad&) = delete;

  const char* name() const override { return "Bullet"; }
  std::size_t pairs(const std::vector<routh::Vector3>& centres) override {
    const btVector3 half(half_, half_, half_);
    for (std::size_t i = 0; i < centres.size(); ++i) {
      const btVector3 at(centres[i].x, centres[i].y, centres[i].z);
      if (proxies_[i])
        broad_.setAabb(proxies_[i], at - half, at + half, nullptr);
      else
        proxies_[i] = broad_.createProxy(at - half, at + half, SPHERE_SHAPE_PROXYTYPE, &proxies_[i], 1, 1, nullptr);
    }
    broad_.calculateOverlappingPairs(nullptr);
    return static_cast<std::size_t>(broad_.getOverlappingPairCache()->getNumOverlappingPairs());
  }

 private:
  double half_;
  btDbvtBroadphase broad_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<DistancePeer> bullet_distances() { return std::make_unique<BulletDistances>(); }
std::unique_ptr<BroadPeer> bullet_broad_phase(double radius, double margin, std::size_t count) {
  return std::make_unique<BulletBroad>(radius, margin, count);
}

}  // namespace bench

#else

namespace bench {

std::unique_ptr<DistancePeer> bullet_distances() { return nullptr; }
std::unique_ptr<BroadPeer> bullet_broad_phase(double, double, std::size_t) { return nullptr; }

}  // namespace bench

#endif
