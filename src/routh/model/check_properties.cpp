// Which masses, inertias and surfaces there can be.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "routh/impact/surface_check.h"
#include "routh/model/checks.h"
#include "routh/model/tolerances.h"

namespace routh::internal {

namespace {

Eigen::Vector3d principal_moments(const Symmetric3& s) {
  Eigen::Matrix3d matrix;
  matrix << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

// I = ∫ (r² 1 − r rᵀ) dm: no principal moment is negative, none exceeds the sum of the two others.
void check_inertia(const Subject& subject, const BodyDescription& body) {
  const Eigen::Vector3d moments = principal_moments(body.inertia);  // ascending
  const double tolerance = tolerances::inertia_relative * moments.cwiseAbs().sum();
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

void expect_none(const Subject& subject, const SurfaceViolation& found) {
  if (!found.rule) return;
  if (found.quantity == SurfaceQuantity::table)
    refuse(subject, fmt::format("{} {}", name(found.quantity), found.rule), remedy(found.quantity));
  const char* const part = found.quantity == SurfaceQuantity::table_speed         ? "a speed of "
                           : found.quantity == SurfaceQuantity::table_coefficient ? "a coefficient of "
                                                                                  : "";
  refuse(subject, fmt::format("{}{} = {} {}", part, name(found.quantity), found.value, found.rule),
         remedy(found.quantity));
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
  expect_none(subject, check_friction(properties.friction));
  expect_none(subject, check_restitution(restitution_of(properties)));
  SurfaceProperties checked = properties;
  checked.restitution.table = {};
  return checked;
}

}  // namespace routh::internal
