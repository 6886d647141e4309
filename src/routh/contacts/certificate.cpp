#include "routh/contacts/certificate.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"
#include "routh/math/least_distance.h"

namespace routh::internal {

namespace {

using Blocks = std::vector<Vector3>;

double dot(const Blocks& a, const Blocks& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

// z = Dᵀy. Of an operator D itself, which is symmetric.
void transposed(const ContactSystem& system, const Blocks& y, Blocks& z) {
  if (!system.formed()) {
    system.respond(y, z);
    for (int i = 0; i < system.size(); ++i) z[i] -= system.free_velocity[i];
    return;
  }
  const BlockRows& d = system.inertia;
  z.assign(y.size(), Vector3::Zero());
  for (int i = 0; i < system.size(); ++i)
    for (int k = d.row_start[i]; k < d.row_start[i + 1]; ++k) z[d.column[k]].noalias() += d.block[k].transpose() * y[i];
}

Vector3 nearest_allowed(const ContactSystem& system, int i, const Vector3& x) {
  switch (system.kind[i]) {
    case ConeKind::bilateral:
      return x;
    case ConeKind::ray:
      return std::max(0.0, x.dot(system.ray[i]) / system.ray[i].squaredNorm()) * system.ray[i];
    case ConeKind::cone:
      break;
  }
  return project_on_cone(x, system.friction[i]);
}

// How far z = Dᵀy is from opposing every allowed impulse: ‖P_K(z)‖ over ‖z‖'s terms.
bool proves(const ContactSystem& system, const Blocks& y, Blocks& z) {
  transposed(system, y, z);
  double helps = 0, size = 0;
  for (int i = 0; i < system.size(); ++i) {
    helps += (nearest_allowed(system, i, z[i]) / system.mobility[i]).squaredNorm();
    size += y[i].squaredNorm();
  }
  const double loss = -dot(y, system.free_velocity);
  return std::sqrt(helps) <= tolerances::certificate_relative * std::sqrt(size) &&
         loss > tolerances::certificate_loss * std::sqrt(size) * system.speed;
}

// y of the least ‖min(0, v⁺_n)‖ over the cones by non-negative least squares, their edges made where they help most:
// exact within digits, where gradients take thousands of steps.
bool certificate_by_edges(const ContactSystem& system, Blocks& y) {
  const int n = system.size();
  struct Edge {
    int contact;
    Vector3 impulse;
  };
  std::vector<Edge> edges;
  std::vector<Eigen::Index> rows;  // 3 i + r
  Eigen::Index normals = 0;
  for (int i = 0; i < n; ++i) {
    if (system.kind[i] == ConeKind::bilateral) continue;
    rows.push_back(static_cast<Eigen::Index>(3) * i);
    ++normals;
    edges.push_back({i, system.kind[i] == ConeKind::ray ? system.ray[i] : Vector3(Vector3::UnitX())});
  }
  for (int i = 0; i < n; ++i)
    for (int r = 0; system.kind[i] == ConeKind::bilateral && r < 3; ++r) {
      rows.push_back(static_cast<Eigen::Index>(3) * i + r);
      for (const double side : {1.0, -1.0}) edges.push_back({i, side * Vector3::Unit(r)});
    }
  const auto count = static_cast<Eigen::Index>(rows.size());
  std::vector<double> scale;
  Eigen::VectorXd b(count);
  for (const double mobility : system.mobility) scale.push_back(1 / std::sqrt(mobility));
  for (Eigen::Index k = 0; k < count; ++k) b[k] = -scale[rows[k] / 3] * system.free_velocity[rows[k] / 3][rows[k] % 3];
  const double size = b.norm();
  if (!(size > 0)) return false;
  b /= size;
  Eigen::MatrixXd a(count, 0);
  Blocks impulse(static_cast<std::size_t>(n), Vector3::Zero()), response, z;
  Eigen::VectorXd start;
  for (int round = 0; round < tolerances::certificate_rounds; ++round) {
    // Slacks first, then edges; the new ones last, so that the coefficients there are remain a start.
    const Eigen::Index before = a.cols(), first = before == 0 ? normals : before;
    a.conservativeResize(count, normals + static_cast<Eigen::Index>(edges.size()));
    if (before == 0) a.leftCols(normals) = -Eigen::MatrixXd::Identity(count, normals);
    for (Eigen::Index c = first; c < a.cols(); ++c) {
      const Edge& edge = edges[static_cast<std::size_t>(c - normals)];
      impulse[edge.contact] = scale[edge.contact] / edge.impulse.norm() * edge.impulse;
      system.respond(impulse, response);
      impulse[edge.contact].setZero();
      for (Eigen::Index k = 0; k < count; ++k) {
        const auto i = static_cast<std::size_t>(rows[k] / 3);
        a(k, c) = scale[i] * (response[i] - system.free_velocity[i])[rows[k] % 3];
      }
    }
    const NonnegativeFit found = nonnegative_least_squares(a, b, start);
    start = found.coefficients;
    y.assign(static_cast<std::size_t>(n), Vector3::Zero());
    for (Eigen::Index k = 0; k < count; ++k) {
      const double part = scale[rows[k] / 3] * found.residual[k];
      y[rows[k] / 3][rows[k] % 3] = k < normals ? std::max(0.0, part) : part;
    }
    const double length = std::sqrt(dot(y, y));
    if (!(length > 0)) return false;
    for (Vector3& part : y) part /= length;
    if (proves(system, y, z)) return true;
    const std::size_t known = edges.size();
    for (int i = 0; i < n; ++i) {
      const double mu = system.friction[i], tangential = z[i].tail<2>().norm();
      if (system.kind[i] != ConeKind::cone || !(tangential > 0)) continue;
      const Vector3 edge(1, mu * z[i][1] / tangential, mu * z[i][2] / tangential);
      if (edge.dot(z[i]) / edge.norm() > tolerances::certificate_edge * system.mobility[i]) edges.push_back({i, edge});
    }
    if (edges.size() == known) return false;
  }
  return false;
}

}  // namespace

bool cannot_contradict(const ContactSystem& system) {
  for (int i = 0; i < system.size(); ++i)
    if (system.kind[i] == ConeKind::ray && !system.ray[i].tail<2>().isZero(0)) return false;
  const Eigen::Index count = static_cast<Eigen::Index>(3) * system.size();
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(count, count);
  Eigen::VectorXd v(count);
  const auto scale = [&](int i) { return 1 / std::sqrt(system.mobility[i]); };
  for (int i = 0; i < system.size(); ++i) {
    v.segment<3>(static_cast<Eigen::Index>(3) * i) = scale(i) * system.free_velocity[i];
    for (int k = system.inertia.row_start[i]; k < system.inertia.row_start[i + 1]; ++k) {
      const int j = system.inertia.column[k];
      D.block<3, 3>(static_cast<Eigen::Index>(3) * i, static_cast<Eigen::Index>(3) * j) +=
          scale(i) * scale(j) * system.inertia.block[k];
    }
  }
  const double size = D.norm();
  if (!((D - D.transpose()).norm() <= tolerances::symmetric_relative * size)) return false;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(D);
  if (axes.info() != Eigen::Success) return false;
  const double none = tolerances::symmetric_relative * size;
  if (axes.eigenvalues()[0] < -none) return false;
  double outside = 0;
  for (Eigen::Index k = 0; k < count && axes.eigenvalues()[k] <= none; ++k) {
    const double part = axes.eigenvectors().col(k).dot(v);
    outside += part * part;
  }
  return std::sqrt(outside) <= tolerances::certificate_relative * v.norm();
}

bool find_certificate(const ContactSystem& system, Blocks& y) {
  if (system.formed() && system.size() <= tolerances::certificate_contacts)
    return !cannot_contradict(system) && certificate_by_edges(system, y);
  const auto n = static_cast<std::size_t>(system.size());
  Blocks p(n, Vector3::Zero()), ahead = p, next = p, v(n), z(n);
  y.assign(n, Vector3::Zero());
  // ‖D‖² in units of the contacts' mobilities, by powers.
  double stiffness = 1;
  Blocks power(n, Vector3(1, 0.5, -0.25));
  for (int k = 0; k < tolerances::certificate_powers; ++k) {
    system.respond(power, v);
    for (std::size_t i = 0; i < n; ++i) v[i] = (v[i] - system.free_velocity[i]) / system.mobility[i];
    stiffness = std::sqrt(dot(v, v) / dot(power, power));
    const double size = std::sqrt(dot(v, v));
    if (!(size > 0)) break;
    for (std::size_t i = 0; i < n; ++i) power[i] = v[i] / size;
  }
  const double rate = 1 / std::max(1.05 * stiffness * stiffness, 1.0);
  double momentum = 1;
  for (int step = 0; step < tolerances::certificate_steps; ++step) {
    system.respond(ahead, v);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = system.kind[i] == ConeKind::bilateral ? Vector3(-v[i]) : Vector3(std::max(0.0, -v[i][0]), 0, 0);
      y[i] /= system.mobility[i] * system.mobility[i];  // rows weighted so that every contact counts alike
    }
    if (step % tolerances::certificate_check == tolerances::certificate_check - 1 && proves(system, y, z)) {
      const double size = std::sqrt(dot(y, y));
      for (Vector3& part : y) part /= size;
      return true;
    }
    transposed(system, y, z);
    const double before = momentum;
    momentum = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    double turned = 0;
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = nearest_allowed(system, static_cast<int>(i), ahead[i] + rate * z[i]);
      turned += (ahead[i] - next[i]).dot(next[i] - p[i]);
    }
    if (turned > 0) momentum = 1;  // the acceleration overshoots: begin again
    const double carry = turned > 0 ? 0 : (before - 1) / momentum;
    for (std::size_t i = 0; i < n; ++i) ahead[i] = next[i] + carry * (next[i] - p[i]);
    std::swap(p, next);
  }
  return false;
}

}  // namespace routh::internal
