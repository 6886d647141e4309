// The friction cone in contact-velocity space: all changes of contact velocity that a contact force inside Coulomb's
// cone can cause, δu = D λ [Peiret, eqs 2, 3].
//
//   boundary: δuᵀ Q δu = 0,  Q = G Q_μ G,  Q_μ = diag(−μ², 1, 1),  G = D⁻¹        (normal first)
//   δu_n = A(φ) λ_n along the generator φ: some generators point into the surface as soon as μ > μ* = a/‖c‖.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "routh/base/names.h"
#include "routh/solvability/slip_verdict.h"

namespace routh {

struct FrictionCone {
  Dimension dimension = Dimension::spatial;
  double friction = 0;
  double jamming_friction = 0;          // μ*; infinite when c = 0
  std::optional<Eigen::Matrix3d> form;  // Q; in the plane the last row and column are zero. None: D is singular and
                                        // the cone is flat
  bool dips = false;                    // μ > μ*, by more than rounding: it reaches below δu_n = 0
  // When it dips: slip within `half_angle` of the direction `jam` jams (A < 0). In the plane the half angle is π/2.
  SlipDirection jam;
  double half_angle = 0;  // arccos(μ*/μ) [rad]
  // The two rays of the boundary with δu_n = 0, per unit of normal force; in the plane only when μ = μ*.
  std::vector<ContactVector> level_rays;
};

FrictionCone friction_cone(const ContactInertia& inertia, double friction);

// δu of the boundary force λ = (1, μ cos φ, μ sin φ) for φ = 2πk/count; in the plane the two edges.
std::vector<ContactVector> cone_generators(const ContactInertia& inertia, double friction, int count);

// The same in configuration space [Erdmann 1994]: the columns are M⁻¹Jᵀλ for the same forces, given M⁻¹Jᵀ.
Eigen::MatrixXd configuration_generators(const Eigen::MatrixXd& response, double friction, int count);

// What the position of the cone means for a contact that slides along some direction and is kept by a constraint.
enum class ConeVerdict {
  sound,           // the force pushes the bodies apart, whatever the others do
  wedging,         // contact force and the others both press: u_n ≥ 0 cannot be kept (Fig. 1, left)
  false_cohesion,  // the others pull apart, a constraint could still hold: it would act as glue (Fig. 1, right)
};
constexpr auto names_of(ConeVerdict) {
  return name_table<ConeVerdict>({{ConeVerdict::sound, "sound"},
                                  {ConeVerdict::wedging, "dynamic wedging"},
                                  {ConeVerdict::false_cohesion, "false cohesion"}});
}
ConeVerdict cone_verdict(const SlipVerdict& slip);

}  // namespace routh
