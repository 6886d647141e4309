#include "routh/contacts/admissible_force.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contacts/least_norm.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

struct AdmissibleForce::Room {
  FrictionContactProblem problem;
  ContactSystem system;
  BlockFactor factor;
  LeastNorm least_norm;
  AdmissibleImpulse found;
  std::vector<ContactDuty> duty;
  std::vector<Vector3> change, image, ahead, raised;

  // The last question and its answer: a machine at rest asks the same at every sample.
  Eigen::MatrixXd last_inertia;
  Eigen::VectorXd last_force, last_answer;
  bool last_found = false;

  void descend(int rounds);
};

namespace {

// The orthogonal projection onto the image of D. P λ' = P λ says the same as D λ' = D λ, and is as well conditioned as
// can be, however unequal the masses. Rows that nothing moves keep the force they have.
Eigen::MatrixXd image_projection(const Eigen::MatrixXd& D) {
  const Eigen::Index size = D.rows();
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(size);
  for (Eigen::Index k = 0; k < size; ++k)
    if (D(k, k) > 0) scale[k] = 1 / std::sqrt(D(k, k));
  Eigen::MatrixXd scaled = scale.asDiagonal() * D * scale.asDiagonal();
  for (Eigen::Index k = 0; k < size; ++k)
    if (!(D(k, k) > 0)) scaled(k, k) = 1;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(scaled);
  const Eigen::VectorXd& values = spectrum.eigenvalues();  // ascending
  const auto rank = (values.array() > tolerances::admissible_rank * values[size - 1]).count();
  const Eigen::MatrixXd image = scale.cwiseInverse().asDiagonal() * spectrum.eigenvectors().rightCols(rank);
  const Eigen::HouseholderQR<Eigen::MatrixXd> factor(image);
  const Eigen::MatrixXd basis = factor.householderQ() * Eigen::MatrixXd::Identity(size, rank);
  return basis * basis.transpose();
}

}  // namespace

// Towards the least force from zero, by gradients with momentum [Nesterov 2004] in the place of Newton's method within
// the augmented Lagrangians of LeastNorm: slow, but from everywhere. D is a projection, its eigenvalues are 0 and 1.
void AdmissibleForce::Room::descend(int rounds) {
  constexpr double lift = tolerances::admissible_lift;
  const double root = std::sqrt(lift / (1 + lift)), momentum = (1 - root) / (1 + root);
  std::vector<Vector3>& x = found.impulse;
  x.assign(duty.size(), Vector3::Zero());
  ahead = x;
  raised = change;
  double previous = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    for (int k = 0; k < tolerances::admissible_steps; ++k) {
      system.respond(ahead, image);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Vector3 from = ahead[i] - (image[i] + lift * ahead[i] - raised[i]) / (1 + lift);
        Vector3 next = from;
        if (duty[i] == ContactDuty::sticks)
          next = project_on_cone(from, system.friction[i]);
        else if (duty[i] == ContactDuty::slides)
          next = std::max(0.0, from.dot(system.ray[i]) / system.ray[i].squaredNorm()) * system.ray[i];
        ahead[i] = next + momentum * (next - x[i]);
        x[i] = next;
      }
    }
    system.respond(x, image);
    double lack = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vector3 missing = change[i] - image[i];
      lack += missing.squaredNorm();
      raised[i] += missing;
    }
    if (round >= tolerances::admissible_rounds_min && lack > tolerances::admissible_stall * previous) break;
    previous = lack;
  }
}

AdmissibleForce::AdmissibleForce() : room_(make_hidden<Room>()) {}

bool AdmissibleForce::find(const FrictionContactProblem& given, Eigen::VectorXd& force) {
  Room& r = *room_;
  const auto& D = std::get<Eigen::MatrixXd>(given.inertia);
  if (!force.allFinite() || force.isZero(0)) return false;
  if (r.last_force.size() == force.size() && r.last_force == force && r.last_inertia == D &&
      r.problem.friction == given.friction && r.problem.slip == given.slip) {
    if (r.last_found) force = r.last_answer;
    return r.last_found;
  }
  r.last_inertia = D;
  r.problem.dimension = given.dimension;
  r.problem.friction = given.friction;
  r.problem.slip = given.slip;
  r.problem.velocity.setZero(given.velocity.size());
  const Eigen::MatrixXd projection = image_projection(D);
  const Eigen::VectorXd moved = projection * force;
  r.problem.inertia = projection;
  if (!r.system.take_up(r.problem)) r.factor.forget_structure();
  r.duty.clear();
  for (const ConeKind kind : r.system.kind)
    r.duty.push_back(kind == ConeKind::cone  ? ContactDuty::sticks
                     : kind == ConeKind::ray ? ContactDuty::slides
                                             : ContactDuty::holds);
  r.system.gather({moved.data(), static_cast<std::size_t>(moved.size())}, r.system.velocity_unit, r.change);
  r.system.gather({force.data(), static_cast<std::size_t>(force.size())}, r.system.impulse_unit(), r.found.impulse);
  const Eigen::VectorXd wanted = D * force;
  Eigen::VectorXd answer;
  const auto moves_alike = [&] {
    return answer.allFinite() && (D * answer - wanted).norm() <= tolerances::admissible_motion * wanted.norm();
  };
  const auto reached = [&] {
    r.least_norm.run(r.system, r.factor, r.duty, r.system.ray, r.change, r.found);
    r.system.scatter(r.found.impulse, r.system.impulse_unit(), answer);
    return moves_alike();
  };
  bool found = reached();
  Eigen::VectorXd best = answer;
  const auto take_if_less = [&] {
    if (!moves_alike() || (found && answer.norm() >= best.norm())) return;
    best = answer;
    found = true;
  };
  // Newton's method may stop beside the least, or find none.
  for (const int rounds : tolerances::admissible_rounds) {
    r.descend(rounds);
    r.system.scatter(r.found.impulse, r.system.impulse_unit(), answer);
    if (found && answer.norm() >= (1 - tolerances::admissible_norm) * best.norm()) break;
    take_if_less();
    reached();
    take_if_less();
  }
  r.last_force = force;
  r.last_found = found;
  if (found) force = r.last_answer = best;
  return found;
}

}  // namespace routh::internal
