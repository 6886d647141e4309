#include "routh/dynamics/constrained.h"

#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/loop_frames.h"
#include "routh/dynamics/reactions.h"
#include "routh/dynamics/tolerances.h"

namespace routh {

namespace {

// The direction from b to a; at no distance any will do.
Vector3 along(const LoopFrames& at) {
  const Vector3 d = at.a.position - at.b.position;
  const double length = norm(d);
  return length > 0 ? (1 / length) * d : Vector3{1, 0, 0};
}

double component(const Vector3& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

// Rows whose entries are at most this are none.
void forget_below(double most, Eigen::Ref<Eigen::MatrixXd> rows) {
  for (Eigen::Index r = 0; r < rows.rows(); ++r)
    if (rows.row(r).cwiseAbs().maxCoeff() <= most) rows.row(r).setZero();
}

}  // namespace

LoopAxes internal::loop_axes(const Loop& loop, const LoopFrames& at, Dimension dimension) {
  const Vector3 x = column_x(at.b.rotation), y = column_y(at.b.rotation);
  const LoopAxes::Pair angle = {column_y(at.a.rotation), x};
  const LoopAxes::Pair tilt1 = {column_z(at.a.rotation), x}, tilt2 = {column_z(at.a.rotation), y};
  switch (loop.kind) {
    case LoopKind::hinge:
      return dimension == Dimension::planar ? LoopAxes{} : LoopAxes{2, {tilt1, tilt2}};
    case LoopKind::weld:
      return dimension == Dimension::planar ? LoopAxes{1, {angle}} : LoopAxes{3, {tilt1, tilt2, angle}};
    case LoopKind::point:
    case LoopKind::distance:
    case LoopKind::coupling:
      break;
  }
  return {};
}

void loop_residual(const Model& model, const Workspace& workspace, const ConstVector& q, VectorView phi) {
  for (const Loop& loop : model.loops) {
    int row = loop.row;
    if (loop.kind == LoopKind::coupling) {
      phi[row] = -loop.constant;
      for (const Loop::Term& term : loop.terms) phi[row] += term.coefficient * q[term.coordinate];
      continue;
    }
    const LoopFrames at = loop_frames(model, workspace, loop);
    const Vector3 d = at.a.position - at.b.position;
    if (loop.kind == LoopKind::distance) {
      phi[row] = norm(d) - loop.distance;
      continue;
    }
    for (int k = 0; k < loop_point_rows(loop, model.dimension); ++k) phi[row++] = component(d, k);
    const LoopAxes axes = loop_axes(loop, at, model.dimension);
    for (int k = 0; k < axes.count; ++k) phi[row++] = dot(axes.pairs[k].s, axes.pairs[k].u);
  }
}

// Entries of points are arms, those of angles cosines.
void internal::forget_faint_rows(const Model& model, double share, Eigen::Ref<Eigen::MatrixXd> A) {
  for (const Loop& loop : model.loops) {
    if (loop.kind == LoopKind::coupling) continue;
    const int points = loop.kind == LoopKind::distance ? 1 : loop_point_rows(loop, model.dimension);
    auto rows = A.middleRows(loop.row, points);
    forget_below(share * (loop.kind == LoopKind::distance ? loop.distance : rows.cwiseAbs().maxCoeff()), rows);
    forget_below(share, A.middleRows(loop.row + points, loop.row_count - points));
  }
}

// d(s·u)/dt = (w_a − w_b)·(u × s). Each row is filled by the generalised force of its unit multiplier: Aᵀ column by
// column.
void loop_jacobian(const Model& model, Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> A) {
  A.setZero();
  for (const Loop& loop : model.loops) {
    int row = loop.row;
    if (loop.kind == LoopKind::coupling) {
      for (const Loop::Term& term : loop.terms) A(row, term.dof) += term.coefficient;
      continue;
    }
    const LoopFrames at = loop_frames(model, workspace, loop);
    const auto fill = [&](const Vector3& force, const Vector3& moment) {
      workspace.row.setZero();
      add_point_force(model, workspace, loop.body_a, at.a.position, {force, moment}, workspace.row);
      add_point_force(model, workspace, loop.body_b, at.b.position, {-force, -moment}, workspace.row);
      A.row(row++) = workspace.row.transpose();
    };
    if (loop.kind == LoopKind::distance) {
      fill(along(at), {});
      continue;
    }
    const Vector3 axes3[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < loop_point_rows(loop, model.dimension); ++k) fill(axes3[k], {});
    const LoopAxes axes = loop_axes(loop, at, model.dimension);
    for (int k = 0; k < axes.count; ++k) fill({}, cross(axes.pairs[k].u, axes.pairs[k].s));
  }
  forget_faint_rows(model, tolerances::loop_row_rounding, A);
}

// With u̇ = w_a × u and ṡ = w_b × s; of a distance: u·(a_a − a_b) + (‖v‖² − (u·v)²)/‖p_a − p_b‖.
void loop_drift(const Model& model, const Workspace& workspace, VectorView drift) {
  for (const Loop& loop : model.loops) {
    int row = loop.row;
    if (loop.kind == LoopKind::coupling) {
      drift[row] = 0;
      continue;
    }
    const LoopFrames at = loop_frames(model, workspace, loop);
    const Drift a = point_drift(model, workspace, loop.body_a, at.a.position);
    const Drift b = point_drift(model, workspace, loop.body_b, at.b.position);
    const Vector3 acceleration = a.linear - b.linear;
    if (loop.kind == LoopKind::distance) {
      const Vector3 u = along(at);
      const Vector3 v = point_velocity(model, workspace, loop.body_a, at.a.position) -
                        point_velocity(model, workspace, loop.body_b, at.b.position);
      const double length = norm(at.a.position - at.b.position);
      const double across = dot(v, v) - dot(u, v) * dot(u, v);
      drift[row] = dot(u, acceleration) + (length > 0 ? across / length : 0);
      continue;
    }
    for (int k = 0; k < loop_point_rows(loop, model.dimension); ++k) drift[row++] = component(acceleration, k);
    const LoopAxes axes = loop_axes(loop, at, model.dimension);
    const Vector3 wa = angular_velocity(model, workspace, loop.body_a);
    const Vector3 wb = angular_velocity(model, workspace, loop.body_b);
    for (int k = 0; k < axes.count; ++k) {
      const auto& [u, s] = axes.pairs[k];
      drift[row++] =
          dot(a.angular - b.angular, cross(u, s)) + dot(wa - wb, cross(cross(wa, u), s) + cross(u, cross(wb, s)));
    }
  }
}

bool loop_aligned(const Model& model, const Workspace& workspace, const Loop& loop) {
  const LoopFrames at = loop_frames(model, workspace, loop);
  const bool z = dot(column_z(at.a.rotation), column_z(at.b.rotation)) > 0;
  const bool x = dot(column_x(at.a.rotation), column_x(at.b.rotation)) > 0;
  switch (loop.kind) {
    case LoopKind::hinge:
      return z;
    case LoopKind::weld:
      return z && x;
    case LoopKind::point:
    case LoopKind::distance:
    case LoopKind::coupling:
      break;
  }
  return true;
}

int internal::loop_loads(const Model& model, const Workspace& workspace, const ConstVector& multipliers,
                         std::span<PointLoad> loads) {
  std::size_t count = 0;
  for (const Loop& loop : model.loops) {
    if (loop.kind == LoopKind::coupling) continue;
    const LoopFrames at = loop_frames(model, workspace, loop);
    int row = loop.row;
    Wrench wrench;
    if (loop.kind == LoopKind::distance) {
      wrench.force = multipliers[row] * along(at);
    } else {
      const int rows = loop_point_rows(loop, model.dimension);
      wrench.force = {multipliers[row], multipliers[row + 1], rows == 3 ? multipliers[row + 2] : 0};
      row += rows;
      const LoopAxes axes = loop_axes(loop, at, model.dimension);
      for (int k = 0; k < axes.count; ++k)
        wrench.moment += multipliers[row++] * cross(axes.pairs[k].u, axes.pairs[k].s);
    }
    loads[count++] = {loop.body_a, at.a.position, wrench};
    loads[count++] = {loop.body_b, at.b.position, {-wrench.force, -wrench.moment}};
  }
  return static_cast<int>(count);
}

}  // namespace routh
