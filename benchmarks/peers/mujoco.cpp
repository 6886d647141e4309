// The machine in MuJoCo: written as MJCF, one body for each of ours, with the joints of ours as one to three of its
// own.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cstring>
#include <stdexcept>

#include "peers/peer.h"

namespace peers {

namespace {

using routh::Vector3;

std::string numbers(const Vector3& a) { return fmt::format("{:.17g} {:.17g} {:.17g}", a.x, a.y, a.z); }
std::string numbers(const routh::Matrix3& m) {
  const routh::Quaternion q = quaternion_from_matrix(m);
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w, q.x, q.y, q.z);
}

// Axis and anchor of a joint in the child's frame.
std::string one_joint(const char* type, const routh::Pose& in_child, const Vector3& axis) {
  return fmt::format("<joint type='{}' pos='{}' axis='{}'/>", type, numbers(in_child.position),
                     numbers(in_child.rotation * axis));
}

std::string joint_text(const TreeBody& joint) {
  const routh::Pose& in = joint.in_child;
  switch (joint.freedom) {
    case Freedom::fixed:
      return "";
    case Freedom::revolute:
      return one_joint("hinge", in, joint.axis);
    case Freedom::prismatic:
      return one_joint("slide", in, joint.axis);
    case Freedom::cylindrical:
      return one_joint("slide", in, joint.axis) + one_joint("hinge", in, joint.axis);
    case Freedom::planar:
      return one_joint("slide", in, {1, 0, 0}) + one_joint("slide", in, {0, 1, 0}) + one_joint("hinge", in, {0, 0, 1});
    case Freedom::spherical:
      return one_joint("ball", in, {0, 0, 1});
    case Freedom::universal:
      return one_joint("hinge", in, joint.axis) + one_joint("hinge", in, joint.second_axis);
    case Freedom::free:
      return "<freejoint/>";
  }
  return "";
}

// Principal axes are given, so that MuJoCo does not look for them itself, to fewer digits.
std::string inertia_text(const TreeBody& body) {
  const routh::Symmetric3& s = body.inertia;
  Eigen::Matrix3d I;
  I << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
  Eigen::Matrix3d R = principal.eigenvectors();
  if (R.determinant() < 0) R.col(0) = -R.col(0);
  const Eigen::Quaterniond q(R);
  const Eigen::Vector3d d = principal.eigenvalues();
  return fmt::format(
      "<inertial pos='{}' mass='{:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}' diaginertia='{:.17g} {:.17g} "
      "{:.17g}'/>",
      numbers(body.com), body.mass, q.w(), q.x(), q.y(), q.z(), d[0], d[1], d[2]);
}

std::string body_text(const Tree& tree, std::size_t index) {
  const TreeBody& body = tree.bodies[index];
  const routh::Pose at = body.at * inverse(body.in_child);
  std::string text =
      fmt::format("<body name='{}' pos='{}' quat='{}'>", body.name, numbers(at.position), numbers(at.rotation)) +
      joint_text(body) + inertia_text(body);
  for (std::size_t k = index + 1; k < tree.bodies.size(); ++k)
    if (tree.bodies[k].parent == static_cast<int>(index)) text += body_text(tree, k);
  return text + "</body>";
}

std::string mjcf(const Tree& tree) {
  std::string text =
      "<mujoco><compiler angle='radian' inertiafromgeom='false' balanceinertia='false'/><size njmax='10' "
      "nconmax='10'/>";
  text += fmt::format("<option gravity='{}'><flag contact='disable' constraint='disable'/></option><worldbody>",
                      numbers(tree.gravity));
  for (std::size_t k = 1; k < tree.bodies.size(); ++k)
    if (tree.bodies[k].parent == 0) text += body_text(tree, k);
  return text + "</worldbody></mujoco>";
}

struct Deleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

std::unique_ptr<mjModel, Deleter> load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "machine.xml", static_cast<int>(text.size()) + 1);
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[1000] = "";
  std::unique_ptr<mjModel, Deleter> model(mj_loadXML("machine.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(fmt::format("MuJoCo does not load the machine: {}", error));
  return model;
}

class Mujoco final : public Peer {
 public:
  explicit Mujoco(const Tree& tree) : model_(load(mjcf(tree))), data_(mj_makeData(model_.get())), tree_(tree) {
    if (model_->nq != tree.coordinates || model_->nv != tree.velocities)
      throw std::runtime_error("MuJoCo counts other coordinates than we do");
    foot_ = mj_name2id(model_.get(), mjOBJ_BODY, tree.bodies[static_cast<std::size_t>(tree.foot)].name.c_str());
    const Vector3& p = tree.foot_point;
    foot_point_[0] = p.x, foot_point_[1] = p.y, foot_point_[2] = p.z;
    force_.setZero(model_->nv);
    acceleration_.setZero(model_->nv);
    difference_.setZero(model_->nv);
    jacobian_.setZero(3, model_->nv);
  }

  const char* name() const override { return "MuJoCo"; }

  // MuJoCo turns a ball in the child's body frame, we do in its joint frame.
  Eigen::MatrixXd velocity_map(const Eigen::VectorXd&) const override {
    Eigen::MatrixXd S = Eigen::MatrixXd::Identity(model_->nv, model_->nv);
    for (const TreeBody& joint : tree_.bodies)
      if (joint.freedom == Freedom::spherical) S.block<3, 3>(joint.v, joint.v) = turned(joint);
    return S;
  }
  Eigen::VectorXd coordinates(const Eigen::VectorXd& q) const override {
    Eigen::VectorXd out = q;
    for (const TreeBody& joint : tree_.bodies)
      if (joint.freedom == Freedom::spherical) out.segment<3>(joint.q + 1) = turned(joint) * q.segment<3>(joint.q + 1);
    return out;
  }

  void compute_mass_matrix(const Sample& sample) override {
    std::memcpy(data_->qpos, sample.q.data(), sizeof(double) * static_cast<std::size_t>(model_->nq));
    place();
    mj_crb(model_.get(), data_.get());
  }

  void compute_inverse_dynamics(const Sample& sample) override {
    set(sample);
    std::memcpy(data_->qacc, sample.a.data(), sizeof(double) * static_cast<std::size_t>(model_->nv));
    place();
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 1, force_.data());
  }

  // As mj_step does it without constraints: M, its factor, the bias force, and one solution.
  void compute_forward_dynamics(const Sample& sample) override {
    set(sample);
    place();
    mj_crb(model_.get(), data_.get());
    mj_factorM(model_.get(), data_.get());
    mj_comVel(model_.get(), data_.get());
    mj_rne(model_.get(), data_.get(), 0, force_.data());
    for (int i = 0; i < model_->nv; ++i) difference_[i] = sample.tau[i] - force_[i];
    mj_solveM(model_.get(), data_.get(), acceleration_.data(), difference_.data(), 1);
  }

  void compute_foot_jacobian(const Sample& sample) override {
    std::memcpy(data_->qpos, sample.q.data(), sizeof(double) * static_cast<std::size_t>(model_->nq));
    place();
    double point[3];
    mju_rotVecMat(point, foot_point_, data_->xmat + 9 * foot_);
    for (int i = 0; i < 3; ++i) point[i] += data_->xpos[3 * foot_ + i];
    mj_jac(model_.get(), data_.get(), jacobian_.data(), nullptr, point, foot_);
  }

  Eigen::MatrixXd mass_matrix() override {
    Eigen::MatrixXd M(model_->nv, model_->nv);
    mj_fullM(model_.get(), M.data(), data_->qM);
    return M;
  }
  Eigen::VectorXd force() override { return force_; }
  Eigen::VectorXd acceleration() override { return acceleration_; }
  Eigen::MatrixXd foot_jacobian() override { return jacobian_; }

 private:
  static Eigen::Matrix3d turned(const TreeBody& joint) {
    const routh::Matrix3& m = joint.in_child.rotation;
    Eigen::Matrix3d R;
    R << m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z;
    return R;
  }
  void set(const Sample& sample) {
    std::memcpy(data_->qpos, sample.q.data(), sizeof(double) * static_cast<std::size_t>(model_->nq));
    std::memcpy(data_->qvel, sample.v.data(), sizeof(double) * static_cast<std::size_t>(model_->nv));
  }
  void place() {
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
  }

  std::unique_ptr<mjModel, Deleter> model_;
  std::unique_ptr<mjData, Deleter> data_;
  Tree tree_;
  int foot_ = 0;
  double foot_point_[3] = {};
  Eigen::VectorXd force_, acceleration_, difference_;
  Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> jacobian_;
};

}  // namespace

std::unique_ptr<Peer> make_mujoco(const Tree& tree) { return std::make_unique<Mujoco>(tree); }

}  // namespace peers
