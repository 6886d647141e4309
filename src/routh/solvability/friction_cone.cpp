#include "routh/solvability/single_contact.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"
#include "routh/math/elementary.h"

namespace routh {

namespace {

// A unit direction on the circle, or one of the two of the plane.
struct EdgeForce {
  double t1, t2;
};

EdgeForce edge(Dimension dimension, int k, int count) {
  if (dimension == Dimension::planar) return {k == 0 ? 1.0 : -1.0, 0};
  const double phi = 2 * std::numbers::pi * k / count;
  return {elementary::cos(phi), elementary::sin(phi)};
}

int edge_count(Dimension dimension, int count) { return dimension == Dimension::planar ? 2 : count; }

// G from the sticking slope p, β = b⁻¹c: [1/p, −βᵀ/p; −β/p, b⁻¹ + ββᵀ/p].
std::optional<Eigen::Matrix3d> inverse(const ContactInertia& d) {
  if (!std::isfinite(condition_number(d))) return std::nullopt;
  const Tangent beta = solve_tangential(d, coupling(d));
  const Tangent first = solve_tangential(d, {1, 0});
  const Tangent second = d.dimension == Dimension::planar ? Tangent{} : solve_tangential(d, {0, 1});
  const double p = d.stick_slope;
  Eigen::Matrix3d G;
  G << 1 / p, -beta.t1 / p, -beta.t2 / p,                                                //
      -beta.t1 / p, first.t1 + beta.t1 * beta.t1 / p, first.t2 + beta.t1 * beta.t2 / p,  //
      -beta.t2 / p, first.t2 + beta.t1 * beta.t2 / p, second.t2 + beta.t2 * beta.t2 / p;
  return G;
}

// Generators with A(φ) = a + μ(c₁ cos φ + c₂ sin φ) = 0, at ± the half angle around −c: forces that oppose slip along
// c.
void add_level_rays(const ContactInertia& d, FrictionCone& out) {
  const double phi = elementary::atan2(-out.jam.t2, -out.jam.t1);
  const int rays = out.half_angle == 0 || d.dimension == Dimension::planar ? 1 : 2;
  for (int k = 0; k < rays; ++k) {
    const double angle = phi + (k == 0 ? 1 : -1) * (d.dimension == Dimension::planar ? 0 : out.half_angle);
    ContactVector ray = apply(d, {1, out.friction * elementary::cos(angle), out.friction * elementary::sin(angle)});
    ray.n = 0;
    if (d.dimension == Dimension::planar) ray.t2 = 0;
    out.level_rays.push_back(ray);
  }
}

}  // namespace

FrictionCone friction_cone(const ContactInertia& inertia, double friction) {
  FrictionCone out;
  out.dimension = inertia.dimension;
  out.friction = friction;
  const double c = norm(coupling(inertia));
  out.jamming_friction = c > 0 ? inertia.a / c : std::numeric_limits<double>::infinity();
  const double steepest = slip_slope(inertia.a, friction, c);  // A of the direction that jams first
  out.dips = steepest < 0;
  if (std::optional<Eigen::Matrix3d> G = inverse(inertia)) {
    const Eigen::DiagonalMatrix<double, 3> Q_mu(-friction * friction, 1, 1);
    Eigen::Matrix3d Q = *G * Q_mu * *G;
    if (inertia.dimension == Dimension::planar) Q.row(2).setZero(), Q.col(2).setZero();
    out.form = 0.5 * (Q + Q.transpose());
  }
  if (c > 0) out.jam = {inertia.c1 / c, inertia.c2 / c};
  const bool planar = inertia.dimension == Dimension::planar;
  if (out.dips) out.half_angle = planar ? std::numbers::pi / 2 : elementary::acos(out.jamming_friction / friction);
  if (steepest == 0 || (out.dips && !planar)) add_level_rays(inertia, out);
  return out;
}

std::vector<ContactVector> cone_generators(const ContactInertia& inertia, double friction, int count) {
  std::vector<ContactVector> out;
  for (int k = 0; k < edge_count(inertia.dimension, count); ++k) {
    const EdgeForce t = edge(inertia.dimension, k, count);
    out.push_back(apply(inertia, {1, friction * t.t1, friction * t.t2}));
  }
  return out;
}

Eigen::MatrixXd configuration_generators(const Eigen::MatrixXd& response, double friction, int count) {
  const Dimension dimension = response.cols() == 2 ? Dimension::planar : Dimension::spatial;
  const int columns = edge_count(dimension, count);
  Eigen::MatrixXd out(response.rows(), columns);
  for (int k = 0; k < columns; ++k) {
    const EdgeForce t = edge(dimension, k, count);
    out.col(k) = response.col(0) + friction * t.t1 * response.col(1);
    if (dimension == Dimension::spatial) out.col(k) += friction * t.t2 * response.col(2);
  }
  return out;
}

ConeVerdict cone_verdict(const SlipVerdict& slip) {
  switch (slip.mode) {
    case SlipMode::detaches:
    case SlipMode::slides:
      return ConeVerdict::sound;
    case SlipMode::inconsistent:
      return ConeVerdict::wedging;
    case SlipMode::indeterminate:
      return ConeVerdict::false_cohesion;
  }
  return ConeVerdict::sound;
}

}  // namespace routh
