#include "simulation.h"

#ifdef ROUTH_HAVE_BULLET
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>

namespace bench {

namespace {

static_assert(sizeof(btScalar) == 8, "the libraries in double precision");

const btQuaternion no_turn = {0, 0, 0, 1};
const btVector3 angle_axis = {0, -1, 0};  // our plane is Bullet's x and z

// Contacts that have not closed yet take part by default and eat the restitution; they are switched off, and so is the
// term that pushes overlapping bodies apart and adds to it.
class BulletSteps final : public SteppedEngine {
 public:
  BulletSteps(StrikeScene scene, double step)
      : h_(step), ground_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &floor_)) {
    world_.setGravity({0, 0, -gravity});
    world_.getSolverInfo().m_erp = world_.getSolverInfo().m_erp2 = 0;
    // Bullet multiplies the coefficients of the two bodies.
    ground_.setFriction(1);
    ground_.setRestitution(1);
    ground_.setContactProcessingThreshold(0);
    world_.addRigidBody(&ground_);
    if (scene == StrikeScene::rod)
      add_rod(start_of(scene));
    else
      add_pendulum(start_of(scene));
  }
  ~BulletSteps() override {
    if (rod_) world_.removeRigidBody(rod_.get());
    if (pendulum_) {
      world_.removeCollisionObject(tip_body_.get());
      world_.removeMultiBody(pendulum_.get());
    }
    world_.removeRigidBody(&ground_);
  }
  BulletSteps(const BulletSteps&) = delete;
  BulletSteps& operator=(const BulletSteps&) = delete;

  void step() override { world_.stepSimulation(h_, 0); }

  PlanarState state() const override {
    if (pendulum_)
      return {2,
              {pendulum_->getJointPos(0), pendulum_->getJointPos(1), 0},
              {pendulum_->getJointVel(0), pendulum_->getJointVel(1), 0}};
    const btTransform& at = rod_->getWorldTransform();
    const btVector3 v = rod_->getLinearVelocity();
    return {3,
            {at.getOrigin().x(), at.getOrigin().z(), std::atan2(at.getBasis()[2][0], at.getBasis()[0][0])},
            {v.x(), v.z(), -rod_->getAngularVelocity().y()}};
  }

 private:
  static void make_surface(btCollisionObject& body) {
    body.setFriction(friction);
    body.setRestitution(restitution);
    body.setContactProcessingThreshold(0);
  }

  void add_rod(const PlanarState& start) {
    for (const double side : {-rod_half, rod_half}) shape_.addChildShape(btTransform(no_turn, {side, 0, 0}), &disc_);
    btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &shape_, {0.01, rod_inertia, rod_inertia});
    info.m_startWorldTransform = btTransform(btQuaternion(angle_axis, start.q[2]), {start.q[0], 0, start.q[1]});
    rod_ = std::make_unique<btRigidBody>(info);
    make_surface(*rod_);
    rod_->setLinearVelocity({start.v[0], 0, start.v[1]});
    rod_->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(rod_.get());
  }

  void add_pendulum(const PlanarState& start) {
    pendulum_ = std::make_unique<btMultiBody>(2, 0, btVector3(0, 0, 0), true, false);
    pendulum_->setBasePos({0, 0, pivot_height});
    const btVector3 inertia(link_inertia, link_inertia, 1e-3), half(0, 0, -link / 2);
    pendulum_->setupRevolute(0, 1, inertia, -1, no_turn, angle_axis, {0, 0, 0}, half, true);
    pendulum_->setupRevolute(1, 1, inertia, 0, no_turn, angle_axis, half, half, true);
    pendulum_->finalizeMultiDof();
    pendulum_->setLinearDamping(0);
    pendulum_->setAngularDamping(0);
    pendulum_->setCanSleep(false);
    for (int i = 0; i < 2; ++i) pendulum_->setJointPos(i, start.q[static_cast<std::size_t>(i)]);
    world_.addMultiBody(pendulum_.get());
    shape_.addChildShape(btTransform(no_turn, half), &tip_);
    tip_body_ = std::make_unique<btMultiBodyLinkCollider>(pendulum_.get(), 1);
    tip_body_->setCollisionShape(&shape_);
    make_surface(*tip_body_);
    pendulum_->getLink(1).m_collider = tip_body_.get();
    world_.addCollisionObject(tip_body_.get(), 1, 2);
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> places;
    pendulum_->forwardKinematics(turns, places);
    pendulum_->updateCollisionObjectWorldTransforms(turns, places);
  }

  double h_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase pairs_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&dispatcher_, &pairs_, &solver_, &configuration_};
  btStaticPlaneShape floor_{{0, 0, 1}, 0};
  btRigidBody ground_;
  btSphereShape disc_{rod_radius}, tip_{tip_radius};
  btCompoundShape shape_;
  std::unique_ptr<btRigidBody> rod_;
  std::unique_ptr<btMultiBody> pendulum_;
  std::unique_ptr<btMultiBodyLinkCollider> tip_body_;
};

}  // namespace

std::unique_ptr<SteppedEngine> make_bullet_steps(StrikeScene scene, double step) {
  return std::make_unique<BulletSteps>(scene, step);
}

}  // namespace bench

#else

std::unique_ptr<bench::SteppedEngine> bench::make_bullet_steps(StrikeScene, double) { return nullptr; }

#endif
