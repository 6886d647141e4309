// The two scenes in the engine of siconos itself: its systems, relations and time stepping by Moreau and Jean.
#include "planar_machine.h"

#ifdef ROUTH_HAVE_SICONOS_KERNEL
#include <Friction_cst.h>
#include <SolverOptions.h>

#include <SiconosKernel.hpp>

namespace bench {

namespace {

// siconos hands over vectors of its own kinds.
template <class Given>
PlanarVector entries(const Given& given) {
  PlanarVector out(static_cast<Eigen::Index>(given.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = given(static_cast<unsigned>(i));
  return out;
}

std::shared_ptr<SiconosVector> vector_of(const std::array<double, 3>& from, int count) {
  auto made = std::make_shared<SiconosVector>(static_cast<unsigned>(count));
  for (int i = 0; i < count; ++i) made->setValue(static_cast<unsigned>(i), from[static_cast<std::size_t>(i)]);
  return made;
}

class GapRelation : public LagrangianScleronomousR {
 public:
  GapRelation(PlanarMachine machine, int contact, int coordinates) : machine_(machine), contact_(contact) {
    _jachq = std::make_shared<SimpleMatrix>(2, static_cast<unsigned>(coordinates));
  }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y.setValue(0, machine_.gap(entries(q), contact_));
    y.setValue(1, 0);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const PlanarRows J = machine_.rows(entries(q), contact_);
    for (unsigned row = 0; row < 2; ++row)
      for (unsigned column = 0; column < q.size(); ++column) _jachq->setValue(row, column, J(row, column));
  }

 private:
  PlanarMachine machine_;
  int contact_;
};

// The pendulum; the rod has constant coefficients and is a system of siconos' own.
class Pendulum : public LagrangianDS {
 public:
  Pendulum(SP::SiconosVector q, SP::SiconosVector v) : LagrangianDS(q, v) {
    _mass = std::make_shared<SimpleMatrix>(2, 2);
    _hasConstantMass = false;
    _forces = std::make_shared<SiconosVector>(2);
    _fGyr = std::make_shared<SiconosVector>(2);
  }
  void computeMass() override { computeMass(_q[0]); }
  void computeMass(SP::SiconosVector q) override {
    evaluate(*q, SiconosVector(2));
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned j = 0; j < 2; ++j) _mass->setValue(i, j, inertia_(i, j));
  }
  void computeForces(double, SP::SiconosVector q, SP::SiconosVector v) override {
    evaluate(*q, *v);
    for (unsigned i = 0; i < 2; ++i) _forces->setValue(i, force_[i]);
  }

 private:
  void evaluate(const SiconosVector& q, const SiconosVector& v) {
    PlanarMachine{StrikeScene::pendulum}.dynamics(entries(q), entries(v), inertia_, force_);
  }

  PlanarSquare inertia_;
  PlanarVector force_;
};

std::shared_ptr<LagrangianDS> system_of(StrikeScene scene) {
  const PlanarState start = start_of(scene);
  auto q = vector_of(start.q, start.n), v = vector_of(start.v, start.n);
  if (scene == StrikeScene::pendulum) return std::make_shared<Pendulum>(q, v);
  PlanarSquare inertia;
  PlanarVector force;
  PlanarMachine{scene}.dynamics(entries(*q), entries(*v), inertia, force);
  auto mass = std::make_shared<SimpleMatrix>(3, 3);
  auto weight = std::make_shared<SiconosVector>(3);
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned j = 0; j < 3; ++j) mass->setValue(i, j, inertia(i, j));
    weight->setValue(i, force[i]);
  }
  auto made = std::make_shared<LagrangianLinearTIDS>(q, v, mass);
  made->setFExtPtr(weight);
  return made;
}

class SiconosEngine final : public SteppedEngine {
 public:
  SiconosEngine(StrikeScene scene, double step) : system_(system_of(scene)), count_(start_of(scene).n) {
    const PlanarMachine machine{scene};
    auto world = std::make_shared<NonSmoothDynamicalSystem>(0, 1e3);
    world->insertDynamicalSystem(system_);
    auto law = std::make_shared<NewtonImpactFrictionNSL>(restitution, 0, friction, 2);
    for (int c = 0; c < machine.contacts(); ++c)
      world->link(std::make_shared<Interaction>(law, std::make_shared<GapRelation>(machine, c, count_)), system_);
    auto solver = std::make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE);
    solver->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    solver->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    stepping_ = std::make_shared<TimeStepping>(world, std::make_shared<TimeDiscretisation>(0, step),
                                               std::make_shared<MoreauJeanOSI>(0.5), solver);
    stepping_->setNewtonTolerance(1e-9);
    stepping_->setNewtonMaxIteration(20);
  }

  void step() override {
    stepping_->advanceToEvent();
    stepping_->nextStep();
  }

  PlanarState state() const override {
    PlanarState state{count_, {}, {}};
    for (int i = 0; i < count_; ++i) {
      state.q[static_cast<std::size_t>(i)] = system_->q()->getValue(static_cast<unsigned>(i));
      state.v[static_cast<std::size_t>(i)] = system_->velocity()->getValue(static_cast<unsigned>(i));
    }
    return state;
  }

 private:
  std::shared_ptr<LagrangianDS> system_;
  int count_;
  std::shared_ptr<TimeStepping> stepping_;
};

}  // namespace

std::unique_ptr<SteppedEngine> make_siconos_engine(StrikeScene scene, double step) {
  return std::make_unique<SiconosEngine>(scene, step);
}

}  // namespace bench

#else

std::unique_ptr<bench::SteppedEngine> bench::make_siconos_engine(StrikeScene, double) { return nullptr; }

#endif
