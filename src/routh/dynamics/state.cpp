#include "routh/dynamics/state.h"

#include <cmath>

#include "routh/math/elementary.h"

namespace routh {

namespace {

// Offset of the quaternion among the link's coordinates, and of the angular velocity among its velocities; −1: none.
int quaternion_offset(LinkKind kind) {
  switch (kind) {
    case LinkKind::turn:
    case LinkKind::slide:
      return -1;
    case LinkKind::ball:
      return 0;
    case LinkKind::floating:
      return 3;
  }
  return -1;
}

// Leading coordinates of the link that are plain numbers.
int number_count(LinkKind kind) {
  const int offset = quaternion_offset(kind);
  return offset < 0 ? 1 : offset;
}

Quaternion quaternion_at(const ConstVector& q, int i) { return {q[i], q[i + 1], q[i + 2], q[i + 3]}; }

void store(const Quaternion& a, VectorView q, int i) {
  const double size = std::sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
  q[i] = a.w / size;
  q[i + 1] = a.x / size;
  q[i + 2] = a.y / size;
  q[i + 3] = a.z / size;
}

// The rotation vector of a quaternion of any length but zero, of at most half a turn.
Vector3 rotation_vector(const Quaternion& a) {
  const double sine = elementary::hypot(a.x, a.y, a.z);
  const double sign = a.w < 0 ? -1 : 1;
  const double cosine = sign * a.w;
  const double factor = sine > 0 ? sign * 2 * elementary::atan2(sine, cosine) / sine : sign * 2 / cosine;
  return {factor * a.x, factor * a.y, factor * a.z};
}

}  // namespace

State rest_state(const Model& model) {
  State state;
  state.q = Eigen::VectorXd::Zero(model.coordinates);
  state.v = Eigen::VectorXd::Zero(model.velocities);
  for (const Link& link : model.links)
    if (const int offset = quaternion_offset(link.kind); offset >= 0) state.q[link.q + offset] = 1;
  return state;
}

void integrate(const Model& model, const ConstVector& q, const ConstVector& v, double h, VectorView out) {
  for (const Link& link : model.links) {
    for (int k = 0; k < number_count(link.kind); ++k) out[link.q + k] = q[link.q + k] + h * v[link.v + k];
    if (const int offset = quaternion_offset(link.kind); offset >= 0) {
      const int i = link.q + offset, j = link.v + offset;
      const Quaternion turn = quaternion_from_rotation_vector({h * v[j], h * v[j + 1], h * v[j + 2]});
      store(quaternion_at(q, i) * turn, out, i);
    }
  }
}

void difference(const Model& model, const ConstVector& from, const ConstVector& to, VectorView v) {
  for (const Link& link : model.links) {
    for (int k = 0; k < number_count(link.kind); ++k) v[link.v + k] = to[link.q + k] - from[link.q + k];
    if (const int offset = quaternion_offset(link.kind); offset >= 0) {
      const int i = link.q + offset, j = link.v + offset;
      const Quaternion a = quaternion_at(from, i);
      const Vector3 turn = rotation_vector(Quaternion{a.w, -a.x, -a.y, -a.z} * quaternion_at(to, i));
      v[j] = turn.x;
      v[j + 1] = turn.y;
      v[j + 2] = turn.z;
    }
  }
}

void coordinate_rates(const Model& model, const ConstVector& q, const ConstVector& v, VectorView rates) {
  for (const Link& link : model.links) {
    for (int k = 0; k < number_count(link.kind); ++k) rates[link.q + k] = v[link.v + k];
    if (const int offset = quaternion_offset(link.kind); offset >= 0) {
      const int i = link.q + offset, j = link.v + offset;
      const Quaternion rate = quaternion_at(q, i) * Quaternion{0, 0.5 * v[j], 0.5 * v[j + 1], 0.5 * v[j + 2]};
      rates[i] = rate.w;
      rates[i + 1] = rate.x;
      rates[i + 2] = rate.y;
      rates[i + 3] = rate.z;
    }
  }
}

void normalise(const Model& model, VectorView q) {
  for (const Link& link : model.links)
    if (const int offset = quaternion_offset(link.kind); offset >= 0)
      store(quaternion_at(q, link.q + offset), q, link.q + offset);
}

}  // namespace routh
