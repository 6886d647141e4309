#include "routh/math/dense_qr.h"

namespace Eigen {

template void ColPivHouseholderQR<MatrixXd>::computeInPlace();
template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const IdentityMatrixXd&, MatrixXd&) const;

}  // namespace Eigen
