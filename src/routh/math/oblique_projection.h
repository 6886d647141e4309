// Motion under constraints without inverting their Jacobian [Aghili 2019].
//
//   P = I − A⁺A              orthogonal projector onto the motions that A q̇ = 0 allows; A may have any rank
//   M_c(ν) = P M P + ν (I − P)   always invertible; ν between the least and the largest nonzero eigenvalue of P M P
//                                minimises its condition number (9f)
//   M_o⁺ = P M_c⁻¹ P          how the constrained machine answers a generalised force
//   S = I − M_o⁺ M            oblique projector: what the constraints take out of a motion; R = I − 2S reflects
//
//   acceleration  q̈ = (I − S) q̈* + S Ω q̇   (13)      force  f = Sᵀ(h − u) + Sᵀ M Ω q̇   (14)
//   impact        q̇⁺ = q̇⁻ − (1 + e) S q̇⁻ + M_o⁺ i_u   (27)      impulse  i_f = −(1 + e) Sᵀ M q̇⁻ − Sᵀ i_u   (30)
//
// With V₂ an orthonormal basis of the allowed motions, P = V₂V₂ᵀ and M_o⁺ = V₂ (V₂ᵀ M V₂)⁻¹ V₂ᵀ, which needs neither ν
// nor M_c. Deviations from the print: Ω = Λ − Λᵀ in (6), P M M_c⁻¹ P = P in (9d), P i_u in (26), and the range of S is
// M⁻¹R(Aᵀ), not R(Aᵀ).
#pragma once

#include <Eigen/Core>

#include "routh/math/constrained_cholesky.h"
#include "routh/math/constraint_space.h"

namespace routh::internal {

enum class ProjectionPath {
  cholesky,   // A has full row rank and is well conditioned: M = L Lᵀ, A M⁻¹ Aᵀ = K Kᵀ
  projector,  // any A: orthonormal bases of its rows and of its null space
};

// The last four but ν measure rows in the metric of the path: that of M⁻¹ by `cholesky`, without pivoting; the plain
// one by `projector`.
struct ProjectionReport {
  ProjectionPath path = ProjectionPath::projector;
  bool positive_definite = true;  // of M, to rounding; nothing else is set when not
  bool finite_rows = true;        // of A: entries and lengths; nothing else is set when not
  int rank = 0;
  double smallest_kept = 0;    // of the scaled rows: the least pivot counted and the greatest one dropped (0: none),
  double largest_dropped = 0;  // relative to the greatest. Near each other: the rank hangs on rounding
  double condition = 0;        // estimate for the scaled rows that count; 1 for none
  double nu = 0;               // ν by `projector`; 0 by `cholesky`, which has no use for it: ask nu()

  bool usable() const { return positive_definite && finite_rows; }
};

// Reusable: sized once for (n, m), then free of allocation. Where the report is not usable, every result is zero.
// Scratch is inside: one object serves one thread.
class ObliqueProjection {
 public:
  ObliqueProjection(int coordinates, int rows);

  // Rows are scaled to unit length before their rank is judged; zero rows count as dependent. Of M the lower triangle
  // is read.
  const ProjectionReport& compute(const Eigen::Ref<const Eigen::MatrixXd>& mass,
                                  const Eigen::Ref<const Eigen::MatrixXd>& A);
  // The same by one path, for tests and benchmarks. `cholesky` needs full row rank; the other path is taken, and
  // reported, where the factorisation breaks down.
  const ProjectionReport& compute_by(ProjectionPath path, const Eigen::Ref<const Eigen::MatrixXd>& mass,
                                     const Eigen::Ref<const Eigen::MatrixXd>& A);
  const ProjectionReport& report() const { return report_; }

  // out = S x, Sᵀ x, M_o⁺ x, P x. `x` and `out` may be the same vector.
  void apply_S(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> out) const;
  void apply_S_transposed(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> out) const;
  void apply_inverse(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> out) const;
  void apply_P(const Eigen::Ref<const Eigen::VectorXd>& x, Eigen::Ref<Eigen::VectorXd> out) const;
  // y in the span of S with A y = b, in the sense of least squares over the scaled rows: S Ω q̇ for b = −Ȧ q̇.
  void reach(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> y) const;
  // M_o⁺ x + reach(b) at the price of one: the acceleration (13) for x = u − h, b = −Ȧ q̇.
  void accelerate(const Eigen::Ref<const Eigen::VectorXd>& x, const Eigen::Ref<const Eigen::VectorXd>& b,
                  Eigen::Ref<Eigen::VectorXd> out) const;
  // λ of least norm with Aᵀ λ = f, for f in the range of Aᵀ.
  void multipliers(const Eigen::Ref<const Eigen::VectorXd>& f, Eigen::Ref<Eigen::VectorXd> lambda) const;
  // Whether the multiplier of a row is the same in every solution: no null vector of Aᵀ has a part there.
  bool is_unique(int row) const;
  // trace(P M P)/(n − rank), the mean nonzero eigenvalue; where nothing is allowed to move, trace(M)/n.
  double nu() const;

  // Whole matrices, for papers and tests.
  Eigen::MatrixXd P() const;
  Eigen::MatrixXd M_c() const;
  Eigen::MatrixXd M_o_inverse() const;
  Eigen::MatrixXd S() const;
  Eigen::MatrixXd R() const;

 private:
  void reset(const Eigen::Ref<const Eigen::MatrixXd>& mass, const Eigen::Ref<const Eigen::MatrixXd>& A);
  bool try_cholesky();
  void use_cholesky();
  void use_projector();
  bool reduce_mass();
  void solve_reduced(Eigen::Ref<Eigen::VectorXd> x) const;
  void ensure_space() const;
  bool fast() const { return report_.path == ProjectionPath::cholesky; }
  // Where S or P vanishes, it does so exactly.
  bool takes_nothing() const { return !report_.usable() || report_.rank == 0; }
  bool allows_nothing() const { return !report_.usable() || freedom() == 0; }
  int freedom() const { return static_cast<int>(mass_.rows()) - report_.rank; }

  ProjectionReport report_;
  Eigen::MatrixXd mass_;
  Eigen::MatrixXd rows_;
  ConstrainedCholesky factors_;
  double row_condition_ = 1;
  mutable ConstraintSpace space_;  // by `cholesky` computed when P is first asked for
  mutable bool space_known_ = false;
  Eigen::MatrixXd mass_allowed_;  // M V₂
  Eigen::MatrixXd reduced_;       // the Cholesky factor of V₂ᵀ M V₂
  mutable Eigen::VectorXd wide_, part_;
};

}  // namespace routh::internal
