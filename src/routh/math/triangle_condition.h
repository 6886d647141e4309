// A cheap estimate of how ill-conditioned a triangle is.
#pragma once

#include <Eigen/Core>

namespace routh::internal {

// Of T, lower triangular without a zero on its diagonal: ‖T‖₂ ‖T⁻¹‖₂, mostly within a factor of two. Both norms are
// reached for by signs chosen one by one to make T x, or the solution of T z = x, grow, and one step of the power
// method from there [Cline, Moler, Stewart and Wilkinson 1979]. 1 for an empty T, infinity where it overflows. Two
// scratch vectors of at least the size of T.
double lower_triangle_condition(const Eigen::Ref<const Eigen::MatrixXd>& T, Eigen::Ref<Eigen::VectorXd> scratch,
                                Eigen::Ref<Eigen::VectorXd> scratch_too);

}  // namespace routh::internal
