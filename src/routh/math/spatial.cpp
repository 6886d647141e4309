#include "routh/math/spatial.h"

#include "routh/math/elementary.h"
#include "routh/math/tolerances.h"

namespace routh {

double norm(const Vector3& a) { return elementary::hypot(a.x, a.y, a.z); }

Quaternion quaternion_from_rotation_vector(const Vector3& v) {
  const double angle = norm(v);
  // sin(θ/2)/θ by its series where the quotient would lose digits.
  const double half = angle / 2;
  const double factor =
      half < tolerances::half_angle_series ? 0.5 * (1 - half * half / 6) : elementary::sin(half) / angle;
  return {elementary::cos(half), factor * v.x, factor * v.y, factor * v.z};
}

// The largest of the four squares is divided by, so that no digits are lost.
Quaternion quaternion_from_matrix(const Matrix3& m) {
  const double trace = m.r0.x + m.r1.y + m.r2.z;
  Quaternion q;
  if (trace >= m.r0.x && trace >= m.r1.y && trace >= m.r2.z)
    q = {1 + trace, m.r2.y - m.r1.z, m.r0.z - m.r2.x, m.r1.x - m.r0.y};
  else if (m.r0.x >= m.r1.y && m.r0.x >= m.r2.z)
    q = {m.r2.y - m.r1.z, 1 + m.r0.x - m.r1.y - m.r2.z, m.r0.y + m.r1.x, m.r0.z + m.r2.x};
  else if (m.r1.y >= m.r2.z)
    q = {m.r0.z - m.r2.x, m.r0.y + m.r1.x, 1 + m.r1.y - m.r0.x - m.r2.z, m.r1.z + m.r2.y};
  else
    q = {m.r1.x - m.r0.y, m.r0.z + m.r2.x, m.r1.z + m.r2.y, 1 + m.r2.z - m.r0.x - m.r1.y};
  const double size = (q.w < 0 ? -1 : 1) * std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / size, q.x / size, q.y / size, q.z / size};
}

Matrix3 rotation_from_z(const Vector3& axis) {
  const double size = norm(axis);
  const Vector3 z = {axis.x / size, axis.y / size, axis.z / size};
  if (z.x == 0 && z.y == 0) return z.z > 0 ? identity3 : Matrix3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  // The coordinate axis farthest from z gives the first direction.
  Vector3 x = std::abs(z.x) <= std::abs(z.y) && std::abs(z.x) <= std::abs(z.z) ? Vector3{1, 0, 0}
              : std::abs(z.y) <= std::abs(z.z)                                 ? Vector3{0, 1, 0}
                                                                               : Vector3{0, 0, 1};
  x = x - dot(x, z) * z;
  x = (1 / norm(x)) * x;
  const Vector3 y = cross(z, x);
  return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}

}  // namespace routh
