#include "routh/simulation/reset_derivative.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/contact_rows.h"
#include "routh/dynamics/dynamics.h"
#include "routh/impact/solve.h"

namespace routh::internal {

namespace {

constexpr ImpactInput geometric_inputs[] = {ImpactInput::a,         ImpactInput::c1,         ImpactInput::c2,
                                            ImpactInput::b11,       ImpactInput::b12,        ImpactInput::b22,
                                            ImpactInput::v_n,       ImpactInput::v_t1,       ImpactInput::v_t2,
                                            ImpactInput::surface_n, ImpactInput::surface_t1, ImpactInput::surface_t2};
constexpr Eigen::Index input_count = std::size(geometric_inputs), first_velocity = 6;

// In the order of geometric_inputs.
Eigen::Matrix<double, input_count, 1> inputs_of(const ImpactProblem& p) {
  const ContactInertia& d = p.inertia;
  Eigen::Matrix<double, input_count, 1> x;
  x << d.a, d.c1, d.c2, d.b11, d.b12, d.b22, p.velocity.n, p.velocity.t1, p.velocity.t2, p.surface_velocity.n,
      p.surface_velocity.t1, p.surface_velocity.t2;
  return x;
}

double largest_of(const Eigen::VectorXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

}  // namespace

ResetDerivative::ResetDerivative(const Model& model, const State& state, const Eigen::MatrixXd& dq,
                                 const Eigen::MatrixXd& dv)
    : model_(model),
      workspace_(model),
      state_(state),
      dq_(dq),
      dv_(dv),
      steps_(static_cast<std::size_t>(std::max(dq.rows(), dq.cols())), tolerances::sensitivity_step) {}

// Along the columns themselves, or along the degrees of freedom where these are fewer.
template <class F>
Eigen::MatrixXd ResetDerivative::along_positions(const F& f) {
  const Eigen::Index n = dq_.rows();
  const bool by_columns = dq_.cols() < n;
  const Eigen::Index count = by_columns ? dq_.cols() : n;
  Eigen::MatrixXd out;
  for (Eigen::Index c = 0; c < count; ++c) {
    Eigen::VectorXd direction = by_columns ? Eigen::VectorXd(dq_.col(c)) : Eigen::VectorXd(Eigen::VectorXd::Unit(n, c));
    const double size = largest_of(direction);
    if (size > 0) direction /= size;
    const Eigen::VectorXd change = smooth_difference(
        [&](double step) -> Eigen::VectorXd {
          Eigen::VectorXd q(model_.coordinates);
          integrate(model_, state_.q, direction, step, q);
          return f(q);
        },
        steps_[static_cast<std::size_t>(c)]);
    if (out.size() == 0) out.resize(change.size(), count);
    out.col(c) = size * change;
  }
  return by_columns ? out : Eigen::MatrixXd(out * dq_);
}

bool ResetDerivative::strike(const Event& event) {
  const ContactId id = event.contacts.front().id;
  ContactProblemBuilder builder(model_);
  const Eigen::Index n = model_.velocities, rows = contact_rows(model_);
  Eigen::MatrixXd response(n, rows);
  State moved = state_;
  // The problem and W at a posture; the velocities are those of now.
  const auto prepare = [&](const Eigen::VectorXd& q) -> std::optional<ImpactProblem> {
    moved.q = q;
    if (builder.prepare(model_, moved, workspace_) >= 0) return std::nullopt;
    compute_velocities(model_, moved.q, moved.v, workspace_);
    const auto contact = find_contact(model_, workspace_, moved.q, id);
    if (!contact) return std::nullopt;
    const ImpactProblem problem = builder.impact_problem(model_, workspace_, *contact);
    builder.response(response);
    return problem;
  };
  const auto problem = prepare(state_.q);
  if (!problem) return false;
  const ImpactResult result = solve_impact(*problem, event.law);
  if (!usable(result.status)) return false;
  const ImpactDerivatives d = differentiate_impact(*problem, result);
  // What slip does changes nothing where nothing rubs. Other borders may be such of the contact alone: of a machine
  // with one degree of freedom slip halts with the approach, always, and its motions have a derivative. Differences
  // along them tell.
  const bool smooth = problem->friction.kinetic_coefficient == 0 &&
                      (d.border == DerivativeBorder::slip_from_rest || d.border == DerivativeBorder::coincident_events);
  if (d.status == DerivativeStatus::none || (d.status == DerivativeStatus::one_sided && !smooth)) return false;
  const Eigen::Vector3d impulse(result.impulse.n, result.impulse.t1, result.impulse.t2);
  const Eigen::MatrixXd W = response;
  const auto contact = find_contact(model_, workspace_, state_.q, id);
  Eigen::MatrixXd J(rows, n);
  contact_jacobian(model_, workspace_, *contact, J);
  // All entries of size one.
  const auto base = inputs_of(*problem);
  const double inertia = largest_of(base.head(first_velocity)),
               speed = std::max(largest_of(base.tail(input_count - first_velocity)), largest_of(state_.v)),
               kick = std::max(largest_of(W * impulse.head(rows)), tolerances::slip_without_direction);
  bool whole = true;
  Eigen::VectorXd all(input_count + n);
  const Eigen::MatrixXd by_position = along_positions([&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
    const auto there = prepare(q);
    whole = whole && there;
    if (!there) return Eigen::VectorXd::Zero(input_count + n);
    const auto x = inputs_of(*there);
    all << x.head(first_velocity) / inertia, x.tail(input_count - first_velocity) / speed,
        response * impulse.head(rows) / kick;
    return all;
  });
  if (!whole) return false;
  Eigen::MatrixXd inputs = by_position.topRows(input_count);
  inputs.topRows(first_velocity) *= inertia;
  inputs.bottomRows(input_count - first_velocity) *= speed;
  inputs.middleRows(first_velocity, rows) += J * dv_;
  Eigen::MatrixXd by_input(rows, input_count);
  for (Eigen::Index r = 0; r < rows; ++r)
    for (Eigen::Index k = 0; k < input_count; ++k)
      by_input(r, k) = d.at(static_cast<ImpactOutput>(static_cast<int>(ImpactOutput::impulse_n) + r),
                            geometric_inputs[static_cast<std::size_t>(k)]);
  dv_ += kick * by_position.bottomRows(n) + W * (by_input * inputs);
  state_.v += W * impulse.head(rows);
  return true;
}

bool ResetDerivative::close(const ModeFlow& after) {
  const Eigen::VectorXd before = state_.v;
  Eigen::VectorXd closed = before;
  if (!after.close_velocity(state_, closed, workspace_, model_)) return false;
  if (closed == before) return true;
  const double speed = std::max(largest_of(before), tolerances::slip_without_direction);
  bool whole = true;
  State moved = state_;
  const Eigen::MatrixXd by_position = along_positions([&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
    moved.q = q;
    Eigen::VectorXd v = before;
    whole = after.close_velocity(moved, v, workspace_, model_) && whole;
    return v / speed;
  });
  for (Eigen::Index c = 0; c < dv_.cols(); ++c) {  // it is linear in the velocities, but for those of belts
    const double size = std::max(largest_of(dv_.col(c)), speed);
    Eigen::VectorXd v = before + speed / size * dv_.col(c);
    whole = after.close_velocity(state_, v, workspace_, model_) && whole;
    dv_.col(c) = size / speed * (v - closed) + speed * by_position.col(c);
  }
  state_.v = closed;
  return whole;
}

std::optional<Eigen::RowVectorXd> ResetDerivative::normal_change(ContactId id) {
  const auto normal = [&](const Eigen::VectorXd& q) -> std::optional<double> {
    compute_velocities(model_, q, state_.v, workspace_);
    const auto contact = find_contact(model_, workspace_, q, id);
    if (!contact) return std::nullopt;
    return contact_velocity(model_, workspace_, state_.v, *contact).n;
  };
  const double speed = std::max(largest_of(state_.v), tolerances::slip_without_direction);
  bool whole = true;
  const Eigen::MatrixXd by_position = along_positions([&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
    const auto found = normal(q);
    whole = whole && found;
    return Eigen::VectorXd::Constant(1, found.value_or(0) / speed);
  });
  if (!whole || !normal(state_.q)) return std::nullopt;
  Eigen::MatrixXd J(contact_rows(model_), model_.velocities);
  contact_jacobian(model_, workspace_, *find_contact(model_, workspace_, state_.q, id), J);
  return Eigen::RowVectorXd(J.row(0) * dv_ + speed * by_position.row(0));
}

}  // namespace routh::internal
