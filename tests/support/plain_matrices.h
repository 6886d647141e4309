// Arithmetic of dynamic matrices whose results are matrices. For tests that are many formulas and little arithmetic:
// Eigen's expression templates make types of their own for every formula, which take longer to compile than to run.
// `using namespace plain_matrices` is enough: for plain operands these fit better than Eigen's own operators.
#pragma once

#include <Eigen/Core>

namespace plain_matrices {

template <class S, int C>
using Plain = Eigen::Matrix<S, Eigen::Dynamic, C>;
template <class S>
using Square = Plain<S, Eigen::Dynamic>;
template <class S>
using Turned = Eigen::Transpose<const Square<S>>;

template <class S, int C>
Plain<S, C> operator*(const Square<S>& A, const Plain<S, C>& B) {
  return A.operator*(B);
}
template <class S, int C>
Plain<S, C> operator*(const Turned<S>& A, const Plain<S, C>& B) {
  return A.operator*(B);
}
template <class S>
Square<S> operator*(const Square<S>& A, const Turned<S>& B) {
  return A.operator*(B);
}
template <class S, int C>
Plain<S, C> operator*(S factor, const Plain<S, C>& A) {
  return A.operator*(factor);
}
template <class S>
Square<S> operator*(S factor, const Turned<S>& A) {
  return A.operator*(factor);
}
template <class S, int C>
Plain<S, C> operator+(const Plain<S, C>& A, const Plain<S, C>& B) {
  return A.operator+(B);
}
template <class S, int C>
Plain<S, C> operator-(const Plain<S, C>& A, const Plain<S, C>& B) {
  return A.operator-(B);
}
template <class S>
Square<S> operator-(const Square<S>& A, const Turned<S>& B) {
  return A.operator-(B);
}
template <class S, int C>
Plain<S, C> operator-(const Plain<S, C>& A) {
  return A.operator-();
}

}  // namespace plain_matrices
