// Which masses, inertias and surfaces there can be.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "routh/model/checks.h"

namespace routh::internal {

namespace {

// Of the trace: what printed digits and a rotation may cost.
constexpr double inertia_tolerance = 1e-9;

Eigen::Vector3d principal_moments(const Symmetric3& s) {
  Eigen::Matrix3d matrix;
  matrix << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

// I = ∫ (r² 1 − r rᵀ) dm: no principal moment is negative, none exceeds the sum of the two others.
void check_inertia(const Subject& subject, const BodyDescription& body) {
  const Eigen::Vector3d moments = principal_moments(body.inertia);  // ascending
  const double tolerance = inertia_tolerance * moments.cwiseAbs().sum();
  const auto found = [&] {
    return fmt::format("inertia has the principal moments {:.9g}, {:.9g} and {:.9g} kg m²", moments(0), moments(1),
                       moments(2));
  };
  if (moments(0) < -tolerance)
    refuse(subject, body.inertia_where, found() + "; none may be negative",
           "check the signs, and that the inertia is taken about the centre of mass");
  if (moments(2) > moments(0) + moments(1) + tolerance)
    refuse(subject, body.inertia_where, found() + "; the largest may not exceed the sum of the others",
           "check the units, the order of the entries, and that the inertia is taken about the centre of mass");
}

void check_planar_inertia(const Subject& subject, const BodyDescription& body) {
  const Symmetric3& s = body.inertia;
  if (s.xx != 0 || s.yy != 0 || s.xy != 0 || s.xz != 0 || s.yz != 0)
    refuse(subject, body.inertia_where, "inertia has entries besides zz",
           "in a planar model give one number, the moment about z, or make the model spatial");
  expect_not_negative(subject, body.inertia_where, "inertia", s.zz);
}

void check_friction(const Subject& subject, const Friction& friction) {
  for (const auto& [quantity, value] : {std::pair{"friction.static", friction.static_coefficient},
                                        std::pair{"friction.kinetic", friction.kinetic_coefficient}})
    if (!(value >= 0)) refuse(subject, fmt::format("{} = {} must be zero or positive", quantity, value));
  if (friction.kinetic_coefficient > friction.static_coefficient)
    refuse(subject,
           fmt::format("friction.kinetic = {} exceeds friction.static = {}", friction.kinetic_coefficient,
                       friction.static_coefficient),
           "static friction is at least kinetic friction");
}

void check_coefficient(const Subject& subject, const char* quantity, double e) {
  if (!(e >= 0 && e <= 1)) refuse(subject, fmt::format("{} = {} must lie in [0, 1]", quantity, e));
}

void check_table(const Subject& subject, const std::vector<RestitutionPoint>& table) {
  if (table.empty())
    refuse(subject, "restitution.table has no points", "give at least one pair of speed and coefficient");
  for (std::size_t i = 0; i < table.size(); ++i) {
    expect_not_negative(subject, subject.where, "a speed of restitution.table", table[i].speed);
    check_coefficient(subject, "a coefficient of restitution.table", table[i].coefficient);
    if (i > 0 && !(table[i].speed > table[i - 1].speed))
      refuse(subject, fmt::format("restitution.table: the speed {} comes after {}", table[i].speed, table[i - 1].speed),
             "order the points by increasing speed, each speed once");
  }
}

}  // namespace

void check_body(const BodyDescription& body, Dimension dimension) {
  const Subject subject{"body", body.name, body.where};
  expect_not_negative(subject, body.mass_where, "mass", body.mass);
  expect_vector(subject, body.com_where, "com", body.com, dimension);
  const Symmetric3& s = body.inertia;
  for (const double entry : {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz})
    expect_finite(subject, body.inertia_where, "an entry of inertia", entry);
  if (dimension == Dimension::planar)
    check_planar_inertia(subject, body);
  else
    check_inertia(subject, body);
  const bool turns = s.xx != 0 || s.yy != 0 || s.zz != 0 || s.xy != 0 || s.xz != 0 || s.yz != 0;
  if (body.mass == 0 && turns)
    refuse(subject, body.mass_where, "mass = 0 but the inertia is not zero", "give it a mass, or no inertia either");
}

SurfaceProperties checked_properties(const Subject& subject, const SurfaceProperties& properties) {
  check_friction(subject, properties.friction);
  const Restitution& restitution = properties.restitution;
  if (!(restitution.tangential >= -1 && restitution.tangential <= 1))
    refuse(subject, fmt::format("restitution.tangential = {} must lie in [-1, 1]", restitution.tangential));
  switch (restitution.kind) {
    case RestitutionKind::constant:
      check_coefficient(subject, "restitution", restitution.normal);
      break;
    case RestitutionKind::linear:
      expect_not_negative(subject, subject.where, "restitution.alpha", restitution.alpha);
      break;
    case RestitutionKind::table:
      check_table(subject, properties.table);
      break;
  }
  SurfaceProperties checked = properties;
  checked.restitution.table = {};
  return checked;
}

}  // namespace routh::internal
