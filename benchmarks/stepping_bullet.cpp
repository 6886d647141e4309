// Poured spheres by Bullet, from the same description.
#include "stepping.h"

#ifdef ROUTH_HAVE_BULLET
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <memory>

#include "timing.h"

namespace bench {

namespace {

static_assert(sizeof(btScalar) == 8, "the libraries in double precision");

class BulletPile {
 public:
  explicit BulletPile(const Pile& pile) : world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity({0, 0, -9.81});
    const btScalar h = pile.half();
    add_wall({0, 0, 1}, 0);
    for (const btScalar side : {1.0, -1.0}) {
      add_wall({side, 0, 0}, -h);
      add_wall({0, side, 0}, -h);
    }
    for (int k = 0; k < pile.count; ++k) {
      const PilePlace at = pile.place(k);
      btRigidBody& ball = add_body(pile_mass, &sphere_, {pile_inertia, pile_inertia, pile_inertia});
      ball.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(at.x, at.y, at.z)));
      ball.setActivationState(DISABLE_DEACTIVATION);
      world_.addRigidBody(&ball);
    }
  }
  ~BulletPile() {
    for (btRigidBody& body : bodies_) world_.removeRigidBody(&body);
  }
  BulletPile(const BulletPile&) = delete;
  BulletPile& operator=(const BulletPile&) = delete;

  // Returns the deepest overlap that its contacts show after it.
  double step(double h) {
    world_.stepSimulation(h, 0);
    double deepest = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold.getNumContacts(); ++k)
        deepest = std::max(deepest, -manifold.getContactPoint(k).getDistance());
    }
    return deepest;
  }

 private:
  btRigidBody& add_body(btScalar mass, btCollisionShape* shape, const btVector3& inertia) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_friction = std::sqrt(pile_friction);  // Bullet multiplies the coefficients of the two bodies
    return bodies_.emplace_back(info);
  }
  void add_wall(const btVector3& normal, btScalar offset) {
    planes_.emplace_back(normal, offset);
    world_.addRigidBody(&add_body(0, &planes_.back(), {0, 0, 0}));
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btSphereShape sphere_{pile_radius};
  std::list<btStaticPlaneShape> planes_;
  std::list<btRigidBody> bodies_;
  btDiscreteDynamicsWorld world_;
};

}  // namespace

PileRun run_pile_bullet(const Pile& pile, double step, double duration) {
  PileRun run;
  run.known = true;
  BulletPile world(pile);
  const double begin = cpu_seconds();
  for (long k = std::lround(duration / step); k > 0; --k) run.overlap = std::max(run.overlap, world.step(step));
  run.seconds = cpu_seconds() - begin;
  return run;
}

}  // namespace bench

#else

bench::PileRun bench::run_pile_bullet(const Pile&, double, double) { return {}; }

#endif
