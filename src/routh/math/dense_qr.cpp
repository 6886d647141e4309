#include "routh/math/dense_qr.h"

namespace Eigen {

template class ColPivHouseholderQR<MatrixXd>;
template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template class CompleteOrthogonalDecomposition<MatrixXd>;
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const IdentityMatrixXd&, MatrixXd&) const;

}  // namespace Eigen
