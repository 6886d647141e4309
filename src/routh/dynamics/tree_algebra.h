// Small algebra of the recursions over the tree. Private to the module.
#pragma once

#include "routh/dynamics/tree.h"

namespace routh::internal {

template <class T>
Vec3<T> spread(const Vector3& a) {
  return {T{} + a.x, T{} + a.y, T{} + a.z};
}
template <class T>
Mat3<T> spread(const Matrix3& m) {
  return {spread<T>(m.r0), spread<T>(m.r1), spread<T>(m.r2)};
}
template <class T>
Sym3<T> spread(const Symmetric3& s) {
  return {T{} + s.xx, T{} + s.yy, T{} + s.zz, T{} + s.xy, T{} + s.xz, T{} + s.yz};
}

// F Rz(q): two columns are mixed, the third stays.
template <class T>
Mat3<T> turned(const Mat3<T>& F, const T& c, const T& s) {
  const auto row = [&](const Vec3<T>& f) -> Vec3<T> { return {c * f.x + s * f.y, c * f.y - s * f.x, f.z}; };
  return {row(F.r0), row(F.r1), row(F.r2)};
}

// Of a quaternion that may be off unit length by rounding.
template <class T>
Mat3<T> quaternion_matrix(const T* q) {
  const T k = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const T x = k * q[1], y = k * q[2], z = k * q[3];
  const T wx = q[0] * x, wy = q[0] * y, wz = q[0] * z;
  const T xx = q[1] * x, xy = q[1] * y, xz = q[1] * z;
  const T yy = q[2] * y, yz = q[2] * z, zz = q[3] * z;
  return {
      {1.0 - (yy + zz), xy - wz, xz + wy}, {xy + wz, 1.0 - (xx + zz), yz - wx}, {xz - wy, yz + wx, 1.0 - (xx + yy)}};
}

template <class T>
Vec3<T> vector_at(const T* x) {
  return {x[0], x[1], x[2]};
}
template <class T>
void store(const Vec3<T>& a, T* x) {
  x[0] = a.x;
  x[1] = a.y;
  x[2] = a.z;
}

template <class T>
T entry(const Vec3<T>& a, int axis) {
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
template <class T>
Vec3<T> row_of(const Mat3<T>& m, int axis) {
  return axis == 0 ? m.r0 : axis == 1 ? m.r1 : m.r2;
}
template <class T>
Vec3<T> column_of(const Mat3<T>& m, int axis) {
  return axis == 0 ? column_x(m) : axis == 1 ? column_y(m) : column_z(m);
}
template <class T>
Vec3<T> column_of(const Sym3<T>& s, int axis) {
  return axis == 0 ? Vec3<T>{s.xx, s.xy, s.xz} : axis == 1 ? Vec3<T>{s.xy, s.yy, s.yz} : Vec3<T>{s.xz, s.yz, s.zz};
}

// [r]× X
template <class T>
Mat3<T> cross_rows(const Vec3<T>& r, const Mat3<T>& X) {
  return {r.y * X.r2 - r.z * X.r1, r.z * X.r0 - r.x * X.r2, r.x * X.r1 - r.y * X.r0};
}

}  // namespace routh::internal
