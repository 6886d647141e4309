// Eigen's rank-revealing decompositions of matrices of any size. One of them and its solution take seconds to compile;
// dense_qr.cpp compiles what is named here, and a source that includes this file instead of <Eigen/QR> does not. Not
// the whole classes: a determinant that nobody asks for would call the C library's logarithm (tools/check_libm).
#pragma once

#include <Eigen/QR>

namespace Eigen {

// The right-hand side of a pseudoinverse.
using IdentityMatrixXd = CwiseNullaryOp<internal::scalar_identity_op<double>, MatrixXd>;

extern template void ColPivHouseholderQR<MatrixXd>::computeInPlace();
extern template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const IdentityMatrixXd&, MatrixXd&) const;

}  // namespace Eigen
