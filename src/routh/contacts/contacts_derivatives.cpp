#include "routh/contacts/contacts_derivatives.h"

#include <algorithm>
#include <cmath>

#include "routh/base/internal.h"
#include "routh/contacts/tolerances.h"
#include "routh/math/dense_qr.h"

namespace routh {

namespace {

Eigen::MatrixXd formed_delassus(const FrictionContactProblem& problem) {
  const Eigen::Index rows = problem.velocity.size();
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&problem.inertia)) return *dense;
  if (const auto* blocks = std::get_if<BlockMatrix>(&problem.inertia)) {
    const Eigen::Index d = problem.rows_per_contact(), padded = d * (std::ssize(blocks->row_start) - 1);
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(padded, padded);
    for (Eigen::Index i = 0; i + 1 < std::ssize(blocks->row_start); ++i)
      for (int k = blocks->row_start[static_cast<std::size_t>(i)];
           k < blocks->row_start[static_cast<std::size_t>(i) + 1]; ++k)
        for (Eigen::Index r = 0; r < d; ++r)
          for (Eigen::Index c = 0; c < d; ++c)
            all(d * i + r, d * blocks->column[static_cast<std::size_t>(k)] + c) =
                blocks->values[static_cast<std::size_t>(d * (d * k + r) + c)];
    return all.topLeftCorner(rows, rows);
  }
  const auto& function = *std::get<std::shared_ptr<const DelassusOperator>>(problem.inertia);
  Eigen::MatrixXd all(rows, rows);
  Eigen::VectorXd column(rows);
  for (Eigen::Index k = 0; k < rows; ++k) {
    function.apply(Eigen::VectorXd::Unit(rows, k), column);
    all.col(k) = column;
  }
  return all;
}

// F δp + E δv⁺ = g δμ, a few rows for each contact; F and E in units in which impulses are velocities.
class Linearised {
 public:
  Linearised(const FrictionContactProblem& problem, const ContactsSolution& solution, ContactsDerivatives& out)
      : problem_(problem),
        solution_(solution),
        out_(out),
        D_(formed_delassus(problem)),
        rows_(problem.velocity.size()),
        by_impulse_(Eigen::MatrixXd::Zero(rows_, rows_)),
        by_velocity_(by_impulse_),
        by_friction_(Eigen::MatrixXd::Zero(rows_, problem.contacts())) {
    speed_ = problem.velocity.norm();
    if (problem.surface_velocity.size() > 0) speed_ = (problem.velocity - problem.surface_velocity).norm();
    if (!(speed_ > 0)) speed_ = 1;
    for (int k = 0; k < problem.contacts(); ++k) add(k);
    for (Eigen::Index r = rows_ - problem.bilateral_rows(); r < rows_; ++r) by_velocity_(r, r) = 1;
  }

  void solve() {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> system(rows_, rows_);
    system.setThreshold(tolerances::unique_rank);
    const Eigen::MatrixXd matrix = by_impulse_ + by_velocity_ * D_;
    system.compute(matrix);
    out_.impulse_unique = system.rank() == rows_;
    const auto fill = [&](const Eigen::MatrixXd& right, Eigen::MatrixXd& impulse) {
      impulse.resize(rows_, right.cols());
      for (Eigen::Index c = 0; c < right.cols(); ++c) {
        const Eigen::VectorXd column = right.col(c);
        impulse.col(c) = system.solve(column);
      }
    };
    // Pivots below the rank's threshold were taken for zero: half of its digits are what a solution must have.
    const double allowed = std::sqrt(tolerances::unique_rank);
    const auto agree = [&](const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
      if (right.size() == 0) return true;
      return (left - right).cwiseAbs().maxCoeff() <=
             allowed * std::max(left.cwiseAbs().maxCoeff(), right.cwiseAbs().maxCoeff());
    };
    fill(-by_velocity_, out_.impulse_by_velocity);
    fill(by_friction_, out_.impulse_by_friction);
    // Of redundant rows only velocities in the range of D are motions that the machine can have.
    const bool solved = agree(matrix * (out_.impulse_by_velocity * D_), -(by_velocity_ * D_)) &&
                        agree(matrix * out_.impulse_by_friction, by_friction_);
    out_.velocity_by_velocity = D_ * out_.impulse_by_velocity;
    out_.velocity_by_velocity.diagonal().array() += 1;
    out_.velocity_by_friction = D_ * out_.impulse_by_friction;
    // Impulses that change nothing of what contacts do must not move the machine: then v⁺ hangs on how redundant
    // contacts that slip under different friction share their load.
    Eigen::MatrixXd idle = Eigen::MatrixXd::Identity(rows_, rows_);
    for (Eigen::Index c = 0; c < rows_ && !out_.impulse_unique; ++c) {
      const Eigen::VectorXd column = matrix.col(c);
      idle.col(c) -= system.solve(column);
    }
    const bool moves = !out_.impulse_unique && (D_ * idle).cwiseAbs().maxCoeff() > allowed * D_.cwiseAbs().maxCoeff();
    if (moves || !solved || !out_.impulse_by_velocity.allFinite() || !out_.impulse_by_friction.allFinite()) out_ = {};
  }

 private:
  void add(int contact) {
    const Eigen::Index d = problem_.rows_per_contact(), at = d * contact, tangents = d - 1;
    const double mobility = D_.diagonal().segment(at, d).sum() / static_cast<double>(d);
    const Eigen::VectorXd p = mobility * solution_.impulse.segment(at, d), v = solution_.velocity.segment(at, d);
    const double small = tolerances::duty_relative * speed_, edge = tolerances::duty_edge * speed_;
    const bool pressed = p[0] > small;
    bool border = pressed ? p[0] <= edge : v[0] <= edge;
    if (!pressed) {
      by_impulse_.block(at, at, d, d).diagonal().setConstant(mobility);
    } else {
      by_velocity_(at, at) = 1;
      const double mu = problem_.friction[static_cast<std::size_t>(contact)];
      const Eigen::VectorXd slip = v.tail(tangents), given = given_slip(contact, tangents);
      const bool slips = slip.norm() > small || given.size() > 0 || mu == 0;
      if (slips) {
        border = border || (given.size() == 0 && mu > 0 && slip.norm() <= edge);
        add_slip(at, mobility, given.size() > 0 || mu == 0 ? Eigen::VectorXd() : slip, direction(slip, given), p[0]);
        by_friction_.col(contact).segment(at + 1, tangents) = -p[0] * direction(slip, given);
      } else {
        border = border || mu * p[0] - p.tail(tangents).norm() <= edge;
        by_velocity_.block(at + 1, at + 1, tangents, tangents).setIdentity();
      }
    }
    if (border) out_.border.push_back(contact);
  }

  // The direction of a slip that is given, of length 1; empty where none is.
  Eigen::VectorXd given_slip(int contact, Eigen::Index tangents) const {
    if (problem_.slip.empty()) return {};
    const Eigen::VectorXd given = problem_.slip[static_cast<std::size_t>(contact)].head(tangents);
    return given.norm() > 0 ? Eigen::VectorXd(given.normalized()) : Eigen::VectorXd();
  }
  static Eigen::VectorXd direction(const Eigen::VectorXd& slip, const Eigen::VectorXd& given) {
    if (given.size() > 0) return given;
    return slip.norm() > 0 ? Eigen::VectorXd(slip.normalized()) : Eigen::VectorXd(Eigen::VectorXd::Zero(slip.size()));
  }

  // δp_t + μ σ δp_n + μ p_n/‖v⁺_t‖ (1 − σσᵀ) δv⁺_t = −σ p_n δμ; `turning` is v⁺_t where σ follows it, else empty.
  void add_slip(Eigen::Index at, double mobility, const Eigen::VectorXd& turning, const Eigen::VectorXd& s,
                double load) {
    const Eigen::Index tangents = s.size();
    const double mu = problem_.friction[static_cast<std::size_t>(at / (tangents + 1))];
    by_impulse_.block(at + 1, at + 1, tangents, tangents).diagonal().setConstant(mobility);
    by_impulse_.block(at + 1, at, tangents, 1) = mu * mobility * s;
    if (turning.size() < 2) return;
    by_velocity_.block(at + 1, at + 1, tangents, tangents) =
        mu * load / turning.norm() * (Eigen::MatrixXd::Identity(tangents, tangents) - s * s.transpose());
  }

  const FrictionContactProblem& problem_;
  const ContactsSolution& solution_;
  ContactsDerivatives& out_;
  Eigen::MatrixXd D_;
  Eigen::Index rows_;
  Eigen::MatrixXd by_impulse_, by_velocity_, by_friction_;
  double speed_ = 1;
};

}  // namespace

ContactsDerivatives differentiate_contacts(const FrictionContactProblem& problem, const ContactsSolution& solution) {
  ContactsDerivatives out;
  if (solution.status != ContactsStatus::solved) return out;
  Linearised linearised(problem, solution, out);
  out.status = out.border.empty() ? DerivativeStatus::exact : DerivativeStatus::one_sided;
  linearised.solve();
  return out;
}

ContactsDerivatives::Change ContactsDerivatives::along(const Eigen::MatrixXd& inertia,
                                                       const Eigen::VectorXd& velocity_change,
                                                       const Eigen::VectorXd& friction,
                                                       const Eigen::VectorXd& solved_impulse) const {
  Change change{Eigen::VectorXd::Zero(impulse_by_velocity.rows()), Eigen::VectorXd::Zero(impulse_by_velocity.rows())};
  Eigen::VectorXd driving = Eigen::VectorXd::Zero(impulse_by_velocity.cols());
  if (velocity_change.size() > 0) driving += velocity_change;
  if (inertia.size() > 0) driving += inertia * solved_impulse;
  change.impulse = impulse_by_velocity * driving;
  change.velocity = velocity_by_velocity * driving;
  if (friction.size() > 0) {
    change.impulse += impulse_by_friction * friction;
    change.velocity += velocity_by_friction * friction;
  }
  return change;
}

}  // namespace routh
