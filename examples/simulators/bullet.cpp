// Bullet's contacts, Routh's impulse: Kane's double pendulum strikes the ground once as Bullet steps through it, and
// once as Routh solves it on D = J M⁻¹ Jᵀ, which Bullet computes with its articulated bodies. Gravity is off, so that
// the kinetic energy is all there is. For Bullet in double precision.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "routh/impact/solve.h"

static_assert(sizeof(btScalar) == 8, "link Bullet in double precision: BT_USE_DOUBLE_PRECISION");

namespace {

const btQuaternion no_turn(0, 0, 0, 1);
const btVector3 hinge(0, -1, 0);
constexpr double tip_radius = 1e-6;

// Two uniform rods, 3 kg and 2 m each, at 20° and 30° from the vertical; the tip, a tiny ball, is a nanometre deep in
// the floor. Bullet multiplies the coefficients of the two bodies; its threshold would take small rebounds away.
class Pendulum {
 public:
  Pendulum()
      : ground_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &floor_)), machine_(2, 0, {0, 0, 0}, true, false) {
    world_.setGravity({0, 0, 0});
    world_.getSolverInfo().m_erp = world_.getSolverInfo().m_erp2 = 0;
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0;
    world_.getSolverInfo().m_numIterations =
        1000;  // so that its answer is Bullet's, not that of a broken-off iteration
    ground_.setFriction(1);
    ground_.setRestitution(1);
    world_.addRigidBody(&ground_);

    const double upper = 20 * M_PI / 180, lower = 30 * M_PI / 180;
    machine_.setBasePos({0, 0, 2 * std::cos(upper) + 2 * std::cos(lower) + tip_radius - 1e-9});
    const btVector3 inertia(1, 1, 0.01), half(0, 0, -1);
    machine_.setupRevolute(0, 3, inertia, -1, no_turn, hinge, {0, 0, 0}, half, true);
    machine_.setupRevolute(1, 3, inertia, 0, no_turn, hinge, half, half, true);
    machine_.finalizeMultiDof();
    machine_.setLinearDamping(0);
    machine_.setAngularDamping(0);
    machine_.setCanSleep(false);
    machine_.setJointPos(0, upper);
    machine_.setJointPos(1, lower - upper);
    machine_.setJointVel(0, -0.1);
    machine_.setJointVel(1, -0.1);
    world_.addMultiBody(&machine_);
    shape_.addChildShape(btTransform(no_turn, half), &tip_);
    tip_body_.setCollisionShape(&shape_);
    tip_body_.setFriction(0.5);
    tip_body_.setRestitution(0.7);
    machine_.getLink(1).m_collider = &tip_body_;
    world_.addCollisionObject(&tip_body_, 1, 2);
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> places;
    machine_.forwardKinematics(turns, places);
    machine_.updateCollisionObjectWorldTransforms(turns, places);
  }
  ~Pendulum() {
    world_.removeCollisionObject(&tip_body_);
    world_.removeMultiBody(&machine_);
    world_.removeRigidBody(&ground_);
  }
  Pendulum(const Pendulum&) = delete;
  Pendulum& operator=(const Pendulum&) = delete;

  void step(double time) { world_.stepSimulation(time, 0); }

  // From the velocities of the bodies, in their own axes, as Bullet computes them.
  double kinetic_energy() {
    std::array<btVector3, 3> turn, speed;
    machine_.compTreeLinkVelocities(turn.data(), speed.data());
    double energy = 0;
    for (int link = 0; link < 2; ++link) {
      const btVector3& w = turn[static_cast<std::size_t>(link) + 1];
      energy += machine_.getLinkMass(link) * speed[static_cast<std::size_t>(link) + 1].length2() / 2;
      energy += w.dot(machine_.getLinkInertia(link) * w) / 2;
    }
    return energy;
  }

  // The contacts that Bullet finds. They are few: a tip on a floor.
  std::vector<btManifoldPoint> contacts() {
    world_.performDiscreteCollisionDetection();
    std::vector<btManifoldPoint> found;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      btPersistentManifold* const manifold = dispatcher_.getManifoldByIndexInternal(i);
      tip_is_first_ = manifold->getBody0() == &tip_body_;
      for (int k = 0; k < manifold->getNumContacts(); ++k) found.push_back(manifold->getContactPoint(k));
    }
    return found;
  }

  // The motion of the tip along a direction: its row of the Jacobian over 6 velocities of the base and 2 of the joints.
  std::vector<btScalar> row(const btManifoldPoint& contact, const btVector3& direction) {
    std::vector<btScalar> jacobian(8);
    const btVector3& place = tip_is_first_ ? contact.getPositionWorldOnA() : contact.getPositionWorldOnB();
    machine_.fillContactJacobianMultiDof(1, place, direction, jacobian.data(), numbers_, vectors_, matrices_);
    return jacobian;
  }

  // The normal points from the second body to the first; the tip's is the one that leads out of the floor.
  btVector3 normal(const btManifoldPoint& contact) const {
    return tip_is_first_ ? contact.m_normalWorldOnB : -contact.m_normalWorldOnB;
  }

  double normal_velocity(const btManifoldPoint& contact) { return velocity(row(contact, normal(contact))); }

  // Solves the strike with Routh and hands the machine its change of velocity M⁻¹ Jᵀ I.
  routh::ImpactResult strike(const btManifoldPoint& contact) {
    const std::array<btVector3, 2> axes = {normal(contact), btVector3(1, 0, 0)};  // planar: no slip along y
    std::array<std::vector<btScalar>, 2> jacobian, answer;
    machine_.computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, numbers_, vectors_, matrices_, false, false,
                                                                  false);
    for (std::size_t i = 0; i < 2; ++i) {
      jacobian[i] = row(contact, axes[i]);
      answer[i].resize(8);
      machine_.calcAccelerationDeltasMultiDof(jacobian[i].data(), answer[i].data(), numbers_, vectors_);
    }
    routh::ImpactProblem problem;
    problem.inertia =
        routh::planar_inertia(dot(jacobian[0], answer[0]), dot(jacobian[0], answer[1]), dot(jacobian[1], answer[1]));
    problem.velocity = {velocity(jacobian[0]), velocity(jacobian[1])};
    problem.friction = {0.51, 0.5};
    problem.restitution.normal = 0.7;
    const routh::ImpactResult result = routh::solve_impact(problem, routh::Law::energetic);
    if (!routh::usable(result.status)) return result;
    machine_.applyDeltaVeeMultiDof(answer[0].data(), result.impulse.n);
    machine_.applyDeltaVeeMultiDof(answer[1].data(), result.impulse.t1);
    return result;
  }

 private:
  static double dot(const std::vector<btScalar>& a, const std::vector<btScalar>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  double velocity(const std::vector<btScalar>& jacobian) const {
    return jacobian[6] * machine_.getJointVel(0) + jacobian[7] * machine_.getJointVel(1);  // the base is fixed
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase pairs_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&dispatcher_, &pairs_, &solver_, &configuration_};
  btStaticPlaneShape floor_{{0, 0, 1}, 0};
  btSphereShape tip_{tip_radius};
  btCompoundShape shape_;
  btRigidBody ground_;
  btMultiBody machine_;
  btMultiBodyLinkCollider tip_body_{&machine_, 1};
  bool tip_is_first_ = false;
  btAlignedObjectArray<btScalar> numbers_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

void show(const char* who, double before, double after, double normal_velocity) {
  std::printf("%-28s %12.5f %12.5f %12.5f %11.5f\n", who, before, after, after - before, normal_velocity);
}

}  // namespace

int main() {
  std::printf("%-28s %12s %12s %12s %11s\n", "", "before [J]", "after [J]", "change [J]", "v_n [m/s]");
  {
    Pendulum alone;
    const std::vector<btManifoldPoint> contacts = alone.contacts();
    const double before = alone.kinetic_energy();
    if (contacts.empty()) return 1;
    alone.step(1e-5);
    show("Bullet alone", before, alone.kinetic_energy(), alone.normal_velocity(contacts.front()));
  }
  Pendulum pendulum;
  const double before = pendulum.kinetic_energy();
  int strikes = 0;
  for (const btManifoldPoint& contact : pendulum.contacts()) {
    if (pendulum.normal_velocity(contact) >= 0) continue;
    ++strikes;
    const routh::ImpactResult result = pendulum.strike(contact);
    if (!routh::usable(result.status)) {
      std::fprintf(stderr, "routh: %s\n", routh::explain(result.status));
      return 1;
    }
    show("Bullet's contact, Routh's I", before, pendulum.kinetic_energy(), pendulum.normal_velocity(contact));
    std::printf("%s under the energetic law: %s, impulse %.5f N s, energy %+.5f J\n", name(result.status),
                name(result.mode), result.impulse.n, result.energy.change);
  }
  return strikes == 1 ? 0 : 1;
}
