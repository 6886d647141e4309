// Whether every degree of freedom has inertia of its own, that is, whether M is positive definite.
//
// Eliminating M from the leaves to the root, M = Lᵀ L, leaves the pivot
//     L_ii² = sᵀ Iᴬ s + armature
// at a degree of freedom of direction s: what resists it when everything that hangs from it is free to give way. Iᴬ is
// the articulated inertia, own plus that of the children, each child's less what its own joint lets go:
//     Iᴬ ← Iᴬ − u uᵀ / pivot,   u = Iᴬ s
// so all pivots are found in one pass over the links, and M is never formed. [Featherstone 2008, Rigid Body Dynamics
// Algorithms, section 7.3]
//
// A pivot counts as zero when it may be rounding. What rounding does is carried along as a matrix N ≥ 0, by which Iᴬ is
// uncertain: it starts as a small part of the inertia, the same in all directions, and a perturbation N of Iᴬ becomes
//     N ← P N Pᵀ,   P = 1 − u sᵀ / pivot
// so that a small pivot amplifies it for those that follow. Some postures of a sound machine are singular: only one
// that is singular in every posture tried is refused. They are generic, so a sound machine costs one pass.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "routh/model/draft.h"

namespace routh::internal {

namespace {

constexpr double rounding = 1e-14;  // of the inertia; some fifty units in the last digit
constexpr int posture_count = 3;

// Motions and inertias of a link at its origin, in its axes: turning first, then the velocity of the origin.
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrices = std::vector<Matrix6, Eigen::aligned_allocator<Matrix6>>;

Eigen::Matrix3d to_eigen(const Matrix3& m) {
  Eigen::Matrix3d out;
  out << m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z;
  return out;
}

Eigen::Matrix3d cross_matrix(const Vector3& a) {
  Eigen::Matrix3d out;
  out << 0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0;
  return out;
}

// [ I   m c× ]
// [ −m c×  m ]
Matrix6 own_inertia(const Link& link) {
  Matrix6 out;
  out.topLeftCorner<3, 3>() = to_eigen(full(link.inertia));
  out.topRightCorner<3, 3>() = cross_matrix(link.moment);
  out.bottomLeftCorner<3, 3>() = -out.topRightCorner<3, 3>();
  out.bottomRightCorner<3, 3>() = link.mass * Eigen::Matrix3d::Identity();
  return out;
}

// Of the k-th degree of freedom of a link with the motion X from its parent. A floating link slides along the world's
// axes.
Vector6 direction(LinkKind kind, int k, const Matrix6& X) {
  switch (kind) {
    case LinkKind::turn:
      return Vector6::Unit(2);
    case LinkKind::slide:
      return Vector6::Unit(5);
    case LinkKind::ball:
      return Vector6::Unit(k);
    case LinkKind::floating:
      return k < 3 ? Vector6(X.col(3 + k)) : Vector6(Vector6::Unit(k - 3));
  }
  return Vector6::Zero();
}

// The same in all directions: turning and sliding each by the largest that its block can have.
Matrix6 uncertainty(const Matrix6& inertia) {
  Vector6 diagonal;
  diagonal.head<3>().setConstant(inertia.topLeftCorner<3, 3>().trace());
  diagonal.tail<3>().setConstant(inertia.bottomRightCorner<3, 3>().trace());
  return Matrix6((rounding * diagonal).asDiagonal());
}

// Motion of the parent (at its origin) to that of the link.
Matrix6 motion_from_parent(const Pose& in_parent) {
  const Eigen::Matrix3d turn = to_eigen(transposed(in_parent.rotation));
  Matrix6 X = Matrix6::Zero();
  X.topLeftCorner<3, 3>() = turn;
  X.bottomRightCorner<3, 3>() = turn;
  X.bottomLeftCorner<3, 3>() = -turn * cross_matrix(in_parent.position);
  return X;
}

// Irrational multiples of the link's number and the posture's, so that nothing lines up.
Pose pose_in_posture(const Link& link, int index, int posture, double length) {
  Pose pose{link.rotation, link.offset};
  const double share = std::fmod((index + 1) * 0.6180339887498949 + posture * 0.4142135623730951, 1.0);
  const double angle = 0.4 + 2.2 * share;
  switch (link.kind) {
    case LinkKind::turn:
      pose.rotation = pose.rotation * rotation_about_z(angle);
      break;
    case LinkKind::slide:
      pose.position += pose.rotation * Vector3{0, 0, (0.3 + share) * length};
      break;
    case LinkKind::ball:
    case LinkKind::floating:
      pose.rotation =
          pose.rotation * rotation_matrix(quaternion_from_rotation_vector({0.6 * angle, -0.3 * angle, 0.7 * angle}));
      break;
  }
  return pose;
}

// The geometric mean of all distances between links and of their radii of gyration; where the machine stands in the
// world does not count. 1 m when there are none.
double typical_length(const Model& model) {
  double sum = 0;
  int count = 0;
  const auto add = [&](double length) {
    if (!(length > 0)) return;
    sum += std::log(length);
    ++count;
  };
  for (const Link& link : model.links) {
    if (link.parent >= 0) add(norm(link.offset));
    if (link.mass > 0) add(std::sqrt((link.inertia.xx + link.inertia.yy + link.inertia.zz) / link.mass));
  }
  return count > 0 ? std::exp(sum / count) : 1;
}

class PivotPass {
 public:
  PivotPass(const Model& model, int posture) : model_(model), motions_(model.links.size()) {
    const double length = typical_length(model);
    for (std::size_t i = 0; i < model.links.size(); ++i)
      motions_[i] = motion_from_parent(pose_in_posture(model.links[i], static_cast<int>(i), posture, length));
  }

  // The degree of freedom nearest to the leaves whose pivot vanishes; −1 when none does.
  int find_gap() const {
    Matrices inertia = own_inertias(), noise(inertia.size());
    for (std::size_t i = 0; i < inertia.size(); ++i) noise[i] = uncertainty(inertia[i]);
    for (int i = static_cast<int>(inertia.size()) - 1; i >= 0; --i) {
      const Link& link = model_.links[i];
      for (int v = last_dof(i); v >= link.v; --v) {
        const Vector6 s = direction(link.kind, v - link.v, motions_[i]);
        const Vector6 u = inertia[i] * s;
        const double pivot = s.dot(u) + model_.dofs[v].properties.armature;
        if (!(pivot > s.dot(noise[i] * s))) return v;
        const Matrix6 P = Matrix6::Identity() - u * s.transpose() / pivot;
        noise[i] = P * noise[i] * P.transpose() + uncertainty(inertia[i]);
        inertia[i] -= u * u.transpose() / pivot;
      }
      if (link.parent < 0) continue;
      const Matrix6& X = motions_[i];
      const Matrix6 moved = X.transpose() * inertia[i] * X;
      inertia[link.parent] += moved;
      noise[link.parent] += X.transpose() * noise[i] * X + uncertainty(moved);
    }
    return -1;
  }

  // Whether anything resists the degree of freedom when all that hangs from it is held.
  bool resists_when_held(int dof) const {
    Matrices inertia = own_inertias();
    const int stop = model_.dofs[dof].link;
    for (int i = static_cast<int>(inertia.size()) - 1; i > stop; --i)
      if (const int parent = model_.links[i].parent; parent >= 0)
        inertia[parent] += motions_[i].transpose() * inertia[i] * motions_[i];
    const Vector6 s = direction(model_.links[stop].kind, dof - model_.links[stop].v, motions_[stop]);
    return s.dot(inertia[stop] * s) > s.dot(uncertainty(inertia[stop]) * s);
  }

 private:
  int last_dof(int link) const {
    const std::size_t next = static_cast<std::size_t>(link) + 1;
    return (next < model_.links.size() ? model_.links[next].v : model_.velocities) - 1;
  }

  Matrices own_inertias() const {
    Matrices out(model_.links.size());
    std::transform(model_.links.begin(), model_.links.end(), out.begin(), own_inertia);
    return out;
  }

  const Model& model_;
  Matrices motions_;
};

}  // namespace

void check_mass_matrix(const ModelDraft& draft) {
  const Model& model = draft.model;
  const PivotPass pass(model, 0);
  const int dof = pass.find_gap();
  if (dof < 0) return;
  for (int posture = 1; posture < posture_count; ++posture)
    if (PivotPass(model, posture).find_gap() < 0) return;

  const int joint = model.dofs[dof].joint;
  const Body& body = model.bodies[model.joints[joint].child];
  const Subject subject{"body", body.name, draft.written_bodies[joint]->where};
  if (!pass.resists_when_held(dof))
    refuse(subject, fmt::format("no inertia resists the degree of freedom '{}'", dof_name(model, dof)),
           "give the body or one hanging from it mass or inertia, or weld it");
  refuse(subject,
         fmt::format("no inertia of its own resists the degree of freedom '{}': joints hanging from it can undo its "
                     "motion without moving any mass",
                     dof_name(model, dof)),
         "give the body inertia, or remove one of these joints");
}

}  // namespace routh::internal
