#include "routh/contacts/alart_curnier.h"

#include <cmath>

namespace routh::internal {

AlartCurnier alart_curnier(const ContactSystem& system, int contact, const Vector3& p, const Vector3& v, double rho,
                           AlartCurnierSlope* slope) {
  if (slope != nullptr) {
    slope->impulse.setZero();
    slope->velocity.setZero();
  }
  if (system.kind[contact] == ConeKind::bilateral) {
    if (slope != nullptr) slope->velocity.diagonal().setConstant(rho);
    return {rho * v};
  }
  const double mu = system.kind[contact] == ConeKind::ray ? 0 : system.friction[contact];
  const double weight = 1 + mu;
  const double normal = weight * p[0] - rho * v[0];
  if (system.kind[contact] == ConeKind::ray) {
    const Vector3& ray = system.ray[contact];
    const bool open = normal <= 0;
    if (slope != nullptr) {
      (open ? slope->impulse(0, 0) : slope->velocity(0, 0)) = open ? 1 : rho;
      slope->impulse(1, 1) = slope->impulse(2, 2) = 1;
      slope->impulse(1, 0) = -ray[1];
      slope->impulse(2, 0) = -ray[2];
    }
    return {{open ? p[0] : rho * v[0], p[1] - ray[1] * p[0], p[2] - ray[2] * p[0]}};
  }
  if (normal <= 0) {
    if (slope != nullptr) slope->impulse.diagonal() << weight, 1, 1;
    return {{weight * p[0], p[1], p[2]}};
  }
  const double t1 = p[1] - rho * v[1], t2 = p[2] - rho * v[2];
  const double tangential = std::sqrt(t1 * t1 + t2 * t2), share = mu / weight, radius = share * normal;
  if (tangential <= radius) {
    if (slope != nullptr) slope->velocity.diagonal().setConstant(rho);
    return {rho * v};
  }
  const double h1 = t1 / tangential, h2 = t2 / tangential;
  if (slope != nullptr) {
    // (radius/‖t‖)(I − h hᵀ): how the point on the circle turns.
    const double turn = radius / tangential;
    const double p11 = turn * h2 * h2, p12 = -turn * h1 * h2, p22 = turn * h1 * h1;
    slope->impulse << 0, 0, 0, -mu * h1, 1 - p11, -p12, -mu * h2, -p12, 1 - p22;
    slope->velocity << rho, 0, 0, share * rho * h1, rho * p11, rho * p12, share * rho * h2, rho * p12, rho * p22;
  }
  return {{rho * v[0], p[1] - radius * h1, p[2] - radius * h2}};
}

}  // namespace routh::internal
