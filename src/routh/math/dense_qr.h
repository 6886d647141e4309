// Eigen's rank-revealing decompositions of matrices of any size. One of them and its solution take seconds to compile;
// dense_qr.cpp compiles those named here, and a source that includes this file instead of <Eigen/QR> does not.
#pragma once

#include <Eigen/QR>

namespace Eigen {

// The right-hand side of a pseudoinverse.
using IdentityMatrixXd = CwiseNullaryOp<internal::scalar_identity_op<double>, MatrixXd>;

extern template class ColPivHouseholderQR<MatrixXd>;
extern template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template class CompleteOrthogonalDecomposition<MatrixXd>;
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const IdentityMatrixXd&, MatrixXd&) const;

}  // namespace Eigen
