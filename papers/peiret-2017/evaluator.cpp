// [Peiret 2017]: the friction cone in contact-velocity space, for a rod in the plane and for a plank in space.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <numbers>

#include "papers/evaluator.h"
#include "papers/scene.h"
#include "routh/figure/cone_figure.h"
#include "routh/math/elementary.h"
#include "routh/scene/diagnosis.h"
#include "routh/solvability/least_on_path.h"
#include "routh/solvability/single_contact.h"

namespace routh {

namespace {

constexpr double degrees = 180 / std::numbers::pi;
constexpr int rod_angle = 2;  // coordinates of the rod: x, y, angle

std::string words(ConeVerdict verdict) {
  switch (verdict) {
    case ConeVerdict::sound:
      return "sound";
    case ConeVerdict::wedging:
      return "dynamic wedging";
    case ConeVerdict::false_cohesion:
      return "false effect of cohesion";
  }
  return {};
}

// D of a free body at a point r from its centre of mass, from Newton's and Euler's laws alone: 1/m + [r]ᵀ I⁻¹ [r],
// rows n, t1, t2 = z, x, y. The body's frame stands in its centre of mass.
Eigen::Matrix3d free_body_inertia(const Scene& scene) {
  const Body& body = scene.model.bodies.back();
  const Eigen::VectorXd& q = scene.state.q;
  const Eigen::Matrix3d R = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
  for (const Shape& shape : scene.model.shapes)
    if (shape.body != 0) r = R * Eigen::Vector3d(shape.at.position.x, shape.at.position.y, shape.at.position.z);
  const Eigen::Vector3d inverse(1 / body.inertia.xx, 1 / body.inertia.yy, 1 / body.inertia.zz);
  Eigen::Matrix3d cross;
  cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  const Eigen::Matrix3d D =
      Eigen::Matrix3d::Identity() / body.mass + cross.transpose() * (R * inverse.asDiagonal() * R.transpose()) * cross;
  const int order[] = {2, 0, 1};
  return D(order, order);
}

ConeFigure cone(const std::string& title, const Scene& scene) {
  const AccelerationProblem problem = diagnose_first(scene).problem;
  return {title, problem.contact.inertia, problem.contact.friction.kinetic_coefficient, problem.free_acceleration};
}

class Peiret : public TabulatedPaper {
 public:
  explicit Peiret(const PaperFiles& files)
      : pressed_(read_paper_scene(files, "wedging.yaml")),
        pulled_(read_paper_scene(files, "cohesion.yaml")),
        body_(read_paper_scene(files, "body.yaml")) {
    add_rod();
    add_body();
  }

  std::vector<PaperFigure> figures() override {
    std::vector<PaperFigure> out;
    const auto add = [&](const std::string& name, const std::string& title, const Scene& scene) {
      out.push_back({name, cone_picture(cone(title, scene))});
    };
    add("fig-1-left", "Peiret 2017, Fig. 1, left: dynamic wedging", pressed_);
    add("fig-1-right", "Peiret 2017, Fig. 1, right: false cohesion", pulled_);
    add("body", "A plank in space on one corner", body_);
    return out;
  }

 private:
  // A uniform rod at the angle θ: μ_jam = (1 + 3 cos²θ)/(3 sinθ cosθ), least where tan θ = 2.
  void add_rod() {
    const ContactDiagnosis pressed = diagnose_first(pressed_), pulled = diagnose_first(pulled_);
    const double theta = pressed_.state.q[rod_angle];
    const double s = elementary::sin(theta), c = elementary::cos(theta);
    values_["mu_jam"] = {pressed.bounds.jamming_friction, {}, (1 + 3 * c * c) / (3 * s * c)};
    values_["left"] = {0, words(pressed.cone_verdict), {}};
    values_["right"] = {0, words(pulled.cone_verdict), {}};
    ContactProbe probe(pressed_);
    State state = pressed_.state;
    const double half_length = state.q[1] / s;
    const auto jamming = [&](double angle) -> std::optional<double> {
      state.q[rod_angle] = angle;
      state.q[1] = half_length * elementary::sin(angle);  // so that the end goes on touching
      return compute_bounds(probe.at(state).contact).jamming_friction;
    };
    const std::optional<LeastValue> least = least_on_path(jamming, 0.01, std::numbers::pi / 2 - 0.01);
    if (!least) throw RuntimeFailure("the rod touches at no angle");
    values_["mu_jam_min"] = {least->value, {}, 4.0 / 3};
    values_["theta_min"] = {least->at * degrees, {}, elementary::atan(2.0) * degrees};
  }

  void add_body() {
    const ContactDiagnosis diagnosis = diagnose_first(body_);
    const ContactInertia& inertia = diagnosis.problem.contact.inertia;
    const FrictionCone& cone = diagnosis.cone;
    const Eigen::Matrix3d D = free_body_inertia(body_);
    const double mu = cone.friction, jam = D(0, 0) / D.block<1, 2>(0, 1).norm();
    values_["D_nn"] = {inertia.a, {}, D(0, 0)};
    values_["body_mu_jam"] = {cone.jamming_friction, {}, jam};
    values_["half_angle"] = {cone.half_angle * degrees, {}, elementary::acos(jam / mu) * degrees};
    if (!cone.form) throw RuntimeFailure("the cone of the body is flat");
    // Eq. 3 at the change that a normal force alone causes is eq. 1 at that force: κ_g(D n) = κ_μ(n) = −μ².
    const Eigen::Vector3d change(inertia.a, inertia.c1, inertia.c2);
    values_["kappa_g"] = {change.dot(*cone.form * change), {}, -mu * mu};
  }

  Scene pressed_, pulled_, body_;
};

}  // namespace

std::unique_ptr<PaperEvaluator> peiret_evaluator(const PaperFiles& files) { return std::make_unique<Peiret>(files); }

}  // namespace routh
