#include "routh/solvability/restitution_box.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "routh/math/bracket.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::vector<Eigen::Index>> coupled_groups(const Eigen::MatrixXd& columns) {
  const Eigen::MatrixXd gram = columns.transpose() * columns;
  std::vector<std::vector<Eigen::Index>> groups;
  std::vector<char> taken(static_cast<std::size_t>(columns.cols()), 0);
  for (Eigen::Index first = 0; first < columns.cols(); ++first) {
    if (taken[static_cast<std::size_t>(first)]) continue;
    std::vector<Eigen::Index> group = {first};
    taken[static_cast<std::size_t>(first)] = 1;
    for (std::size_t k = 0; k < group.size(); ++k)
      for (Eigen::Index j = 0; j < columns.cols(); ++j)
        if (!taken[static_cast<std::size_t>(j)] && std::abs(gram(group[k], j)) > tolerances::right_angle_cosine) {
          taken[static_cast<std::size_t>(j)] = 1;
          group.push_back(j);
        }
    groups.push_back(group);
  }
  return groups;
}

// ‖T(E + Δ) − T(E)‖ ≤ κ max|δ_i| with κ the condition of X, and T(c I) = c I: three lower bounds.
double inner_by_norms(const StruckForm& form, const Eigen::VectorXd& e) {
  const double kappa = form.condition(), low = e.minCoeff(), high = e.maxCoeff();
  if (kappa <= 1 + tolerances::right_angle_cosine) return 1;
  const double from_zero = 1 / kappa - high;
  const double from_here = (1 - largest_growth(form.reflection(e)).norm) / kappa;
  const double from_common = (1 - 0.5 * (low + high)) / kappa - 0.5 * (high - low);
  return std::clamp(std::max({from_zero, from_here, from_common}), 0.0, 1.0);
}

Eigen::VectorXd sign_corner(const Eigen::VectorXd& e, std::uint32_t signs, double t) {
  Eigen::VectorXd out(e.size());
  for (Eigen::Index i = 0; i < e.size(); ++i)
    out(i) = ((signs >> i) & 1u) != 0 ? std::min(1.0, e(i) + t) : std::max(0.0, e(i) - t);
  return out;
}

// Largest known t at which this corner is good, from a t at which it is not; E itself (t = 0) is.
double draw_in(const StruckForm& form, const Eigen::VectorXd& e, std::uint32_t signs, double bad) {
  return bisect({0, bad}, tolerances::box_bisections,
                [&](double t) { return form.consistent(sign_corner(e, signs, t)); })
      .low;
}

// Every t left behind is bad at some corner, and the loop ends when all corners are good: boxes are nested, so that is
// the largest. One corner alone can turn good again where the cut to [0, 1] bends its way; hence the repetition.
std::optional<double> by_corners(const StruckForm& form, const Eigen::VectorXd& e, Clock::time_point deadline) {
  double t = 1;
  const std::uint32_t corners = 1u << e.size();
  for (int pass = 0; pass < tolerances::box_passes_max; ++pass) {
    bool all_good = true;
    for (std::uint32_t signs = 0; signs < corners; ++signs) {
      if (signs % 64 == 0 && Clock::now() >= deadline) return std::nullopt;
      if (form.consistent(sign_corner(e, signs, t))) continue;
      all_good = false;
      t = draw_in(form, e, signs, t);
    }
    if (all_good || t == 0) return t;
  }
  return std::nullopt;
}

}  // namespace

RestitutionBox restitution_box(const StruckForm& form, const Eigen::VectorXd& e, Clock::time_point deadline) {
  RestitutionBox out{1, BoxProof::exact};
  const Eigen::MatrixXd nowhere = Eigen::MatrixXd::Zero(0, form.columns.rows());
  for (const std::vector<Eigen::Index>& group : coupled_groups(form.columns)) {
    const StruckForm part = struck_form(form.columns(Eigen::all, group), nowhere);
    const Eigen::VectorXd values = e(group);
    std::optional<double> t;
    if (values.size() > tolerances::box_corner_contacts_max)
      out.proof = BoxProof::inner_too_many;
    else if (t = by_corners(part, values, deadline); !t)
      out.proof = BoxProof::inner_no_time;
    out.half_width = std::min(out.half_width, t ? *t : inner_by_norms(part, values));
  }
  return out;
}

}  // namespace routh::internal
