// The machine in Simbody: one mobilised body for each of ours.
#include <Simbody.h>

#include <Eigen/Dense>

#include "peers/peer.h"

namespace peers {

namespace {

using SimTK::MobilizedBody;

SimTK::Vec3 vec(const routh::Vector3& a) { return {a.x, a.y, a.z}; }

SimTK::Rotation rotation(const routh::Matrix3& m) {
  return SimTK::Rotation(SimTK::Mat33(m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z), true);
}

SimTK::Transform transform(const routh::Pose& pose) { return {rotation(pose.rotation), vec(pose.position)}; }

// Turns the axes along which Simbody's mobiliser moves to those of our joint: Pin and Cylinder z, Slider x, Universal x
// and y.
SimTK::Rotation axes(const TreeBody& joint) {
  switch (joint.freedom) {
    case Freedom::revolute:
    case Freedom::cylindrical:
      return SimTK::Rotation(SimTK::UnitVec3(vec(joint.axis)), SimTK::ZAxis);
    case Freedom::prismatic:
      return SimTK::Rotation(SimTK::UnitVec3(vec(joint.axis)), SimTK::XAxis);
    case Freedom::universal:
      return SimTK::Rotation(SimTK::UnitVec3(vec(joint.axis)), SimTK::XAxis, vec(joint.second_axis), SimTK::YAxis);
    case Freedom::fixed:
    case Freedom::planar:
    case Freedom::spherical:
    case Freedom::free:
      break;
  }
  return {};
}

MobilizedBody mobilise(const TreeBody& joint, MobilizedBody& parent, const SimTK::Body& body) {
  const SimTK::Transform turn(axes(joint));
  const SimTK::Transform F = transform(joint.at) * turn, M = transform(joint.in_child) * turn;
  switch (joint.freedom) {
    case Freedom::fixed:
      return MobilizedBody::Weld(parent, F, body, M);
    case Freedom::revolute:
      return MobilizedBody::Pin(parent, F, body, M);
    case Freedom::prismatic:
      return MobilizedBody::Slider(parent, F, body, M);
    case Freedom::cylindrical:
      return MobilizedBody::Cylinder(parent, F, body, M);
    case Freedom::planar:
      return MobilizedBody::Planar(parent, F, body, M);
    case Freedom::spherical:
      return MobilizedBody::Ball(parent, F, body, M);
    case Freedom::universal:
      return MobilizedBody::Universal(parent, F, body, M);
    case Freedom::free:
      return MobilizedBody::Free(parent, F, body, M);
  }
  return {};
}

// Where our coordinate k of a joint is among Simbody's: angles come first there.
int place_of(Freedom freedom, int k, int quaternion) {
  switch (freedom) {
    case Freedom::cylindrical:
      return 1 - k;
    case Freedom::planar:
      return (k + 1) % 3;
    case Freedom::free:
      return k < 3 ? k + quaternion : k - 3;
    default:
      return k;
  }
}

Eigen::Matrix3d rotation_of(const Eigen::Vector4d& q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

class Simbody final : public Peer {
 public:
  explicit Simbody(const Tree& tree) : matter_(system_), tree_(tree) {
    bodies_.push_back(matter_.updGround());
    for (std::size_t i = 1; i < tree_.bodies.size(); ++i) {
      const TreeBody& body = tree_.bodies[i];
      const routh::Symmetric3& I = body.inertia;
      const SimTK::Inertia central(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
      const SimTK::MassProperties mass(body.mass, vec(body.com), central.shiftFromMassCenter(vec(body.com), body.mass));
      bodies_.push_back(mobilise(body, bodies_[static_cast<std::size_t>(body.parent)], SimTK::Body::Rigid(mass)));
    }
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    weights_.resize(matter_.getNumBodies());
  }

  const char* name() const override { return "Simbody"; }

  // Simbody turns a quaternion in the parent's joint frame, we do in the child's: ω_F = R ω_M, and its rate likewise.
  Eigen::MatrixXd velocity_map(const Eigen::VectorXd& q) const override {
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(tree_.velocities, tree_.velocities);
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const TreeBody& joint = tree_.bodies[i];
      const int first = first_u(i);
      for (int k = 0; k < joint.v_count; ++k) S(first + place_of(joint.freedom, k, 3), joint.v + k) = 1;
      if (joint.freedom == Freedom::spherical || joint.freedom == Freedom::free)
        S.block<3, 3>(first, joint.v + joint.v_count - 3) = rotation_of(q.segment<4>(joint.q + joint.q_count - 4));
    }
    return S;
  }
  Eigen::VectorXd coordinates(const Eigen::VectorXd& q) const override {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(state_.getNQ());
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const TreeBody& joint = tree_.bodies[i];
      if (joint.q_count == 0) continue;
      const int first = bodies_[i].getFirstQIndex(state_);
      for (int k = 0; k < joint.q_count; ++k) out[first + place_of(joint.freedom, k, 4)] = q[joint.q + k];
    }
    return out;
  }

  void compute_mass_matrix(const Sample& sample) override {
    copy(sample.q, state_.updQ());
    system_.realize(state_, SimTK::Stage::Position);
    matter_.calcM(state_, mass_matrix_);
  }
  void compute_inverse_dynamics(const Sample& sample) override {
    move(sample);
    given_.resize(tree_.velocities);
    copy(sample.a, given_);
    matter_.calcResidualForceIgnoringConstraints(state_, SimTK::Vector(), weights_, given_, force_);
  }
  void compute_forward_dynamics(const Sample& sample) override {
    move(sample);
    given_.resize(tree_.velocities);
    copy(sample.tau, given_);
    system_.realize(state_, SimTK::Stage::Dynamics);
    matter_.calcAccelerationIgnoringConstraints(state_, given_, weights_, acceleration_, body_accelerations_);
  }
  void compute_foot_jacobian(const Sample& sample) override {
    copy(sample.q, state_.updQ());
    system_.realize(state_, SimTK::Stage::Position);
    matter_.calcStationJacobian(state_, bodies_[static_cast<std::size_t>(tree_.foot)].getMobilizedBodyIndex(),
                                vec(tree_.foot_point), jacobian_);
  }

  Eigen::MatrixXd mass_matrix() override { return copied(mass_matrix_); }
  Eigen::VectorXd force() override { return copied(force_); }
  Eigen::VectorXd acceleration() override { return copied(acceleration_); }
  Eigen::MatrixXd foot_jacobian() override { return copied(jacobian_); }

 private:
  int first_u(std::size_t body) const {
    return tree_.bodies[body].v_count == 0 ? 0 : static_cast<int>(bodies_[body].getFirstUIndex(state_));
  }
  static void copy(const Eigen::VectorXd& from, SimTK::Vector& to) {
    for (int i = 0; i < static_cast<int>(from.size()); ++i) to[i] = from[i];
  }
  static Eigen::VectorXd copied(const SimTK::Vector& from) {
    Eigen::VectorXd out(from.size());
    for (int i = 0; i < from.size(); ++i) out[i] = from[i];
    return out;
  }
  static Eigen::MatrixXd copied(const SimTK::Matrix& from) {
    Eigen::MatrixXd out(from.nrow(), from.ncol());
    for (int i = 0; i < from.nrow(); ++i)
      for (int j = 0; j < from.ncol(); ++j) out(i, j) = from(i, j);
    return out;
  }
  // Position and velocity, and the weights at the bodies' origins.
  void move(const Sample& sample) {
    copy(sample.q, state_.updQ());
    copy(sample.v, state_.updU());
    system_.realize(state_, SimTK::Stage::Velocity);
    const SimTK::Vec3 g = vec(tree_.gravity);
    for (std::size_t i = 1; i < bodies_.size(); ++i) {
      const SimTK::Vec3 weight = tree_.bodies[i].mass * g;
      const SimTK::Vec3 com = bodies_[i].getBodyRotation(state_) * vec(tree_.bodies[i].com);
      weights_[bodies_[i].getMobilizedBodyIndex()] = SimTK::SpatialVec(com % weight, weight);
    }
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  Tree tree_;
  std::vector<MobilizedBody> bodies_;
  SimTK::State state_;
  SimTK::Matrix mass_matrix_, jacobian_;
  SimTK::Vector given_, force_, acceleration_;
  SimTK::Vector_<SimTK::SpatialVec> weights_, body_accelerations_;
};

}  // namespace

std::unique_ptr<Peer> make_simbody(const Tree& tree) { return std::make_unique<Simbody>(tree); }

}  // namespace peers
