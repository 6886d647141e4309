// What contacts do, found without the solver: all modes of a few in the plane, nearest points of cones, the natural
// residual in more digits, the law of infinite friction.
#pragma once

#include "contact_problems.h"

namespace contact_problems {

// Every solution of a planar problem with regular D: each contact open, stuck, or sliding either way.
inline std::vector<Eigen::VectorXd> enumerate(const FrictionContactProblem& p) {
  const int n = p.contacts();
  std::vector<Eigen::VectorXd> found;
  for (int code = 0; code < (1 << (2 * n)); ++code) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(2 * n);
    for (int i = 0; i < n; ++i) {
      const int mode = code >> (2 * i) & 3, r = 2 * i;
      const double mu = p.friction[static_cast<std::size_t>(i)];
      if (mode == 0) {
        a(r, r) = a(r + 1, r + 1) = 1;
        continue;
      }
      a.row(r) = dense(p).row(r);
      b[r] = -p.velocity[r];
      if (mode == 1) {
        a.row(r + 1) = dense(p).row(r + 1);
        b[r + 1] = -p.velocity[r + 1];
      } else {
        a(r + 1, r + 1) = 1;
        a(r + 1, r) = mode == 2 ? mu : -mu;  // slides towards +t or −t
      }
    }
    const Eigen::VectorXd x = a.fullPivLu().solve(b), v = p.velocity + dense(p) * x;
    bool good = (a * x - b).norm() <= 1e-9 * (1 + b.norm());
    for (int i = 0; i < n && good; ++i) {
      const int mode = code >> (2 * i) & 3, r = 2 * i;
      const double mu = p.friction[static_cast<std::size_t>(i)];
      good = v[r] >= -1e-9 && x[r] >= -1e-9;
      if (mode == 1) good = good && std::abs(x[r + 1]) <= mu * x[r] + 1e-9;
      if (mode == 2) good = good && v[r + 1] >= -1e-9;
      if (mode == 3) good = good && v[r + 1] <= 1e-9;
    }
    if (good) found.push_back(v);
  }
  return found;
}

// The nearest point of Coulomb's cone, by its generators: the cone, its polar, or the foot on a generator.
template <class Given>
auto nearest_in_cone(const Eigen::MatrixBase<Given>& given, double mu) {
  using Vector = Eigen::Matrix<typename Given::Scalar, Eigen::Dynamic, 1>;
  const Vector x = given;
  const auto normal = x[0], tangential = x.tail(x.size() - 1).norm();
  if (mu * normal >= tangential) return x;
  if (normal <= -mu * tangential) return Vector(Vector::Zero(x.size()));
  Vector generator = x;
  generator[0] = 1;
  generator.tail(x.size() - 1) *= mu / tangential;
  return Vector(generator * (x.dot(generator) / generator.squaredNorm()));
}

// ‖p − P_K(p − û)‖ / ‖v‖ in extended precision, for finite friction.
inline double natural_residual_of(const FrictionContactProblem& p, const Eigen::VectorXd& impulse) {
  using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Vector given = impulse.cast<long double>();
  Vector v = p.velocity.cast<long double>() + dense(p).cast<long double>() * given;
  const int d = p.rows_per_contact();
  long double square = v.tail(p.bilateral_rows()).squaredNorm();
  for (int i = 0; i < p.contacts(); ++i) {
    const double mu = p.friction[static_cast<std::size_t>(i)];
    Vector u = v.segment(d * i, d);
    u[0] += mu * u.tail(d - 1).norm();
    const Vector own = given.segment(d * i, d);
    square += (own - nearest_in_cone(own - u, mu)).squaredNorm();
  }
  return static_cast<double>(std::sqrt(square)) / p.velocity.norm();
}

// Whether a contact of infinite friction is open, holds, or is dragged along with no normal impulse, to a share of the
// velocities and impulses.
inline bool obeys_infinite_friction(const FrictionContactProblem& problem, int contact,
                                    const routh::ContactsSolution& s) {
  const int d = problem.rows_per_contact();
  const double mobility = dense(problem).diagonal().segment(d * contact, d).mean();
  const double size = 1e-7 * (problem.velocity.norm() + mobility * s.impulse.norm());
  const auto v = s.velocity.segment(d * contact, d), p = s.impulse.segment(d * contact, d);
  if (v[0] < -size || mobility * p[0] < -size) return false;
  const double opposed = p.tail(d - 1).dot(v.tail(d - 1)) + p.tail(d - 1).norm() * v.tail(d - 1).norm();
  const bool open = mobility * p.norm() <= size, holds = v.norm() <= size;
  return open || holds || (mobility * p[0] <= size && v[0] <= size && mobility * opposed <= size * v.norm());
}

}  // namespace contact_problems
