#include "routh/simulation/step_springs.h"

#include <algorithm>
#include <cmath>

#include "routh/dynamics/applied.h"
#include "routh/dynamics/dynamics.h"
#include "routh/dynamics/point_columns.h"

namespace routh::internal {

namespace {

// Of a body, from its own up to the world; its coordinates ascend.
std::vector<int> dofs_of(const Model& model, const Spring& spring) {
  std::vector<int> dofs;
  for (const int body : {spring.body_a, spring.body_b}) {
    const int link = model.bodies[static_cast<std::size_t>(body)].link;
    if (link < 0) continue;
    const Link& last = model.links[static_cast<std::size_t>(link)];
    for (int dof = last.v + velocity_count(last.kind) - 1; dof >= 0;
         dof = model.dofs[static_cast<std::size_t>(dof)].parent)
      dofs.push_back(dof);
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
  return dofs;
}

// In the sense of the axis: a spring may pass through no length.
double signed_length(const Vector3& r, const Vector3& axis) { return std::copysign(norm(r), dot(r, axis)); }

}  // namespace

StepSprings::StepSprings(const Model& model)
    : rows_(model.dimension == Dimension::planar ? 2 : 3), place_(model.dofs.size(), -1) {
  std::vector<std::vector<int>> groups;
  for (std::size_t i = 0; i < model.springs.size(); ++i) {
    groups.push_back(dofs_of(model, model.springs[i]));
    if (groups.back().empty()) {
      groups.pop_back();
      continue;
    }
    springs_.emplace_back().spring = i;
  }
  parents_ = coupled_parents(model, groups);
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    std::vector<int>& dofs = springs_[k].dofs;
    for (int dof = groups[k].back(); dof >= 0; dof = parents_[static_cast<std::size_t>(dof)]) dofs.push_back(dof);
    std::reverse(dofs.begin(), dofs.end());
    springs_[k].jacobian.resize(rows_ * dofs.size());
  }
  before_.resize(springs_.size());
  after_.resize(springs_.size());
  end_.resize(model.coordinates);
}

void StepSprings::find_spans(const Model& model, const Eigen::VectorXd& q, Workspace& workspace,
                             std::vector<Vector3>& to) const {
  compute_kinematics(model, q, workspace);
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    const SpringSpan span = spring_span(model, workspace, model.springs[springs_[k].spring]);
    to[k] = span.a - span.b;
  }
}

void StepSprings::find(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& w, double h,
                       const Eigen::VectorXd& middle, std::span<const double> share, Workspace& workspace) {
  find_spans(model, q, workspace, before_);
  integrate(model, q, w, h, end_);
  find_spans(model, end_, workspace, after_);
  compute_kinematics(model, middle, workspace);
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    Rows& it = springs_[k];
    const Spring& spring = model.springs[it.spring];
    const SpringSpan span = spring_span(model, workspace, spring);
    const double c = it.share = share[static_cast<std::size_t>(it.dofs.front())];
    const bool pulls = span.length > 0;  // else it has no axis, and none is applied
    Vector3 axes[3] = {pulls ? (1 / span.length) * (span.a - span.b) : Vector3{1, 0, 0}, {}, {}};
    if (rows_ == 2) {
      axes[1] = {-axes[0].y, axes[0].x, 0};
    } else {
      const bool flat = std::abs(axes[0].x) > std::abs(axes[0].y);
      const Vector3 other = cross(axes[0], flat ? Vector3{0, 1, 0} : Vector3{1, 0, 0});
      axes[1] = (1 / norm(other)) * other;
      axes[2] = cross(axes[0], axes[1]);
    }
    std::fill(it.jacobian.begin(), it.jacobian.end(), 0.0);
    for (std::size_t i = 0; i < it.dofs.size(); ++i) place_[static_cast<std::size_t>(it.dofs[i])] = static_cast<int>(i);
    const auto add = [&](int body, const Vector3& point, double sign) {
      visit_point_jacobian(model, workspace, body, point, [&](int dof, const Vector3& velocity) {
        const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(dof)]);
        for (std::size_t r = 0; r < rows_; ++r)
          it.jacobian[r * it.dofs.size() + place] += sign * dot(axes[r], velocity);
      });
    };
    add(spring.body_a, span.a, 1);
    add(spring.body_b, span.b, -1);
    for (const int dof : it.dofs) place_[static_cast<std::size_t>(dof)] = -1;
    const double rest = spring.rest_length;
    // As it is stretched now: at `middle`, where nothing holds it yet, turning alone would seem to stretch it.
    const double now = norm(before_[k]);
    const double across = (now > rest ? 1 - rest / now : rest > 0 ? 0 : 1) * spring.stiffness;
    it.stiffness[0] = pulls || rest == 0 ? spring.stiffness : 0;
    it.stiffness[1] = it.stiffness[2] = across;
    it.damping = pulls ? spring.damping : 0;
    it.end = signed_length(after_[k], axes[0]) - h * rate(it, 0, w);
    it.rest = rest;
    it.axis = axes[0];
    it.stretch[0] = (1 - c) * signed_length(before_[k], axes[0]) + c * it.end - span.length;
    for (std::size_t r = 1; r < rows_; ++r) it.stretch[r] = -0.5 * h * rate(it, r, w);
  }
}

double StepSprings::rate(const Rows& rows, std::size_t r, const Eigen::VectorXd& v) const {
  const std::span<const double> jacobian = row(rows, r);
  double sum = 0;
  for (std::size_t i = 0; i < jacobian.size(); ++i) sum += jacobian[i] * v[rows.dofs[i]];
  return sum;
}

void StepSprings::add_force(const Eigen::VectorXd& v, double h, Eigen::VectorXd& load) const {
  for (const Rows& it : springs_)
    for (std::size_t r = 0; r < rows_; ++r) {
      const double force = it.stiffness[r] * (it.stretch[r] + it.share * h * rate(it, r, v));
      const std::span<const double> jacobian = row(it, r);
      for (std::size_t i = 0; i < jacobian.size(); ++i) load[it.dofs[i]] -= force * jacobian[i];
    }
}

void StepSprings::add_inertia(double h, MassFactor& factor) const {
  for (const Rows& it : springs_)
    for (std::size_t r = 0; r < rows_; ++r) {
      const double step = it.share * h;
      factor.add_product(it.dofs, row(it, r), step * ((r == 0 ? it.damping : 0) + step * it.stiffness[r]));
    }
}

double StepSprings::excess(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& w, double h,
                           Workspace& workspace) {
  find_spans(model, q, workspace, after_);
  double sum = 0;
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    const Rows& it = springs_[k];
    const double true_end = signed_length(after_[k], it.axis) - it.rest, known = it.end + h * rate(it, 0, w) - it.rest;
    sum += std::max(0.0, 0.5 * it.stiffness[0] * (true_end - known) * (true_end + known));
  }
  return sum;
}

double StepSprings::stiffness(const Rows& rows, double h, const MassFactor& factor) {
  const std::size_t n = rows.dofs.size();
  columns_.resize(rows_ * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < rows_; ++r) columns_[i * rows_ + r] = rows.jacobian[r * n + i];
  factor.half_solve_path(rows.dofs, place_, static_cast<int>(rows_), columns_.data());
  double sum = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t r = i % rows_;
    sum += h * ((r == 0 ? rows.damping : 0) + h * rows.stiffness[r]) * columns_[i] * columns_[i];
  }
  return sum;
}

}  // namespace routh::internal
