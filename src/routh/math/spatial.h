// Vectors, rotations and symmetric matrices of three-dimensional space, over any scalar: `double`, or a vector of lanes
// that advances several states at once. Symmetric 3×3 blocks stand in for 6×6 matrices throughout the dynamics.
#pragma once

namespace routh {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
};

template <class T>
constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
constexpr Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
constexpr Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) {
  return a = a + b;
}
template <class T>
constexpr Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) {
  return a = a - b;
}
template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// e_z × a
template <class T>
constexpr Vec3<T> z_cross(const Vec3<T>& a) {
  return {-a.y, a.x, T{}};
}

// A 3×3 matrix by rows; most often a rotation from a body's frame to its parent's.
template <class T>
struct Mat3 {
  Vec3<T> r0, r1, r2;
};

template <class T>
constexpr Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& a) {
  return {dot(m.r0, a), dot(m.r1, a), dot(m.r2, a)};
}
// mᵀ a
template <class T>
constexpr Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& a) {
  return {m.r0.x * a.x + m.r1.x * a.y + m.r2.x * a.z, m.r0.y * a.x + m.r1.y * a.y + m.r2.y * a.z,
          m.r0.z * a.x + m.r1.z * a.y + m.r2.z * a.z};
}
template <class T>
constexpr Mat3<T> transposed(const Mat3<T>& m) {
  return {{m.r0.x, m.r1.x, m.r2.x}, {m.r0.y, m.r1.y, m.r2.y}, {m.r0.z, m.r1.z, m.r2.z}};
}
template <class T>
constexpr Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  return {transpose_times(b, a.r0), transpose_times(b, a.r1), transpose_times(b, a.r2)};
}
template <class T>
constexpr Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2};
}
template <class T>
constexpr Vec3<T> column_x(const Mat3<T>& m) {
  return {m.r0.x, m.r1.x, m.r2.x};
}
template <class T>
constexpr Vec3<T> column_y(const Mat3<T>& m) {
  return {m.r0.y, m.r1.y, m.r2.y};
}
template <class T>
constexpr Vec3<T> column_z(const Mat3<T>& m) {
  return {m.r0.z, m.r1.z, m.r2.z};
}

// A symmetric 3×3 matrix.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};

template <class T>
constexpr Vec3<T> operator*(const Sym3<T>& s, const Vec3<T>& a) {
  return {s.xx * a.x + s.xy * a.y + s.xz * a.z, s.xy * a.x + s.yy * a.y + s.yz * a.z,
          s.xz * a.x + s.yz * a.y + s.zz * a.z};
}
template <class T>
constexpr Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
// s − u vᵀ, for u and v parallel so that the product is symmetric.
template <class T>
constexpr Sym3<T> minus_outer(const Sym3<T>& s, const Vec3<T>& u, const Vec3<T>& v) {
  return {s.xx - u.x * v.x, s.yy - u.y * v.y, s.zz - u.z * v.z, s.xy - u.x * v.y, s.xz - u.x * v.z, s.yz - u.y * v.z};
}
// R s Rᵀ
template <class T>
constexpr Sym3<T> rotated(const Mat3<T>& R, const Sym3<T>& s) {
  const Vec3<T> a = s * R.r0, b = s * R.r1, c = s * R.r2;
  return {dot(R.r0, a), dot(R.r1, b), dot(R.r2, c), dot(R.r0, b), dot(R.r0, c), dot(R.r1, c)};
}
template <class T>
constexpr Mat3<T> full(const Sym3<T>& s) {
  return {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
}

using Vector3 = Vec3<double>;
using Matrix3 = Mat3<double>;
using Symmetric3 = Sym3<double>;

inline constexpr Matrix3 identity3 = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

double norm(const Vector3& a);

// A rotation as a unit quaternion w + x i + y j + z k.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

// Where a frame stands in another: p_outer = rotation · p_inner + position.
struct Pose {
  Matrix3 rotation = identity3;
  Vector3 position;
};

constexpr Vector3 operator*(const Pose& pose, const Vector3& point) { return pose.rotation * point + pose.position; }
constexpr Pose operator*(const Pose& a, const Pose& b) { return {a.rotation * b.rotation, a * b.position}; }
constexpr Pose inverse(const Pose& pose) {
  return {transposed(pose.rotation), -transpose_times(pose.rotation, pose.position)};
}

constexpr Matrix3 rotation_matrix(const Quaternion& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
          {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
          {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}
constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// Rotation by the angle ‖v‖ about v.
Quaternion quaternion_from_rotation_vector(const Vector3& v);
// The same rotation with w ≥ 0. The matrix must be a rotation.
Quaternion quaternion_from_matrix(const Matrix3& m);
// A rotation that takes e_z to `axis` (of any length but zero); the same for the same axis.
Matrix3 rotation_from_z(const Vector3& axis);

// A force with its moment, or a velocity with its rate of turning, at a point and in axes that are stated where it is
// used.
struct Wrench {
  Vector3 force;   // [N] or, of an impulse, [N s]
  Vector3 moment;  // [N m] or [N m s]
};
struct Twist {
  Vector3 linear;   // [m/s]
  Vector3 angular;  // [rad/s]
};

}  // namespace routh
