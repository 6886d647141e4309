#include "routh/solvability/slip_flow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "routh/base/error.h"
#include "routh/math/elementary.h"
#include "routh/solvability/flow_gradient.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

// Three by three points, u fastest.
struct Patch {
  UnitPoint corner;
  double width = 0, height = 0;
  std::array<std::optional<SlipFlowValue>, 9> values;

  UnitPoint point(std::size_t k) const {
    return {corner.u + 0.5 * width * static_cast<double>(k % 3), corner.v + 0.5 * height * static_cast<double>(k / 3)};
  }
};

// Whether the function can vanish in the patch: if the biquadratic through its points can, by the hull of its Bernstein
// coefficients, with a tenth to spare for the rest of it.
bool can_vanish(std::array<double, 9> f) {
  for (const std::size_t k : {1u, 4u, 7u}) f[k] = 2 * f[k] - 0.5 * (f[k - 1] + f[k + 1]);
  for (const std::size_t k : {3u, 4u, 5u}) f[k] = 2 * f[k] - 0.5 * (f[k - 3] + f[k + 3]);
  const auto [least, most] = std::minmax_element(f.begin(), f.end());
  const double spare = tolerances::can_vanish_spare * (*most - *least);
  return *least - spare <= 0 && *most + spare >= 0;
}

// At the edge of the postures there is no parabola: the range of the points there are, made twice as wide.
bool can_vanish_at_edge(double least, double most) {
  const double spare = most - least;
  return least - spare <= 0 && most + spare >= 0;
}

bool is_candidate(const Patch& patch) {
  std::array<double, 9> A, B;
  std::size_t count = 0;
  for (const auto& value : patch.values) {
    if (!value) continue;
    A[count] = value->A;
    B[count] = value->B;
    ++count;
  }
  if (count == 0) return false;
  if (count == patch.values.size()) return can_vanish(A) && can_vanish(B);
  const auto end = static_cast<std::ptrdiff_t>(count);
  const auto [a0, a1] = std::minmax_element(A.begin(), A.begin() + end);
  const auto [b0, b1] = std::minmax_element(B.begin(), B.begin() + end);
  return can_vanish_at_edge(*a0, *a1) && can_vanish_at_edge(*b0, *b1);
}

class SingularFinder {
 public:
  SingularFinder(const SlipFlow& flow, const FlowBox& box) : flow_(flow, box) {}

  std::vector<UnitPoint> find(int cells);
  const UnitFlow& flow() const { return flow_; }

 private:
  std::vector<Patch> first_patches(int cells);
  std::vector<Patch> quarters(const std::vector<Patch>& patches) const;
  void try_from(UnitPoint start);

  UnitFlow flow_;
  double A_scale_ = 0, B_scale_ = 0;
  std::vector<UnitPoint> found_;
};

std::vector<Patch> SingularFinder::first_patches(int cells) {
  const int count = std::max(1, (cells + 1) / 2);
  const std::size_t side = 2 * static_cast<std::size_t>(count) + 1;
  std::vector<std::optional<SlipFlowValue>> grid(side * side);
  const double size = 1.0 / count;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    grid[k] = flow_.at({0.5 * size * static_cast<double>(k % side), 0.5 * size * static_cast<double>(k / side)});
    if (!grid[k]) continue;
    A_scale_ = std::max(A_scale_, std::abs(grid[k]->A));
    B_scale_ = std::max(B_scale_, std::abs(grid[k]->B));
  }
  std::vector<Patch> patches;
  for (std::size_t j = 0; j + 2 < side; j += 2) {
    for (std::size_t i = 0; i + 2 < side; i += 2) {
      Patch patch{{0.5 * size * static_cast<double>(i), 0.5 * size * static_cast<double>(j)}, size, size, {}};
      for (std::size_t k = 0; k < 9; ++k) patch.values[k] = grid[(j + k / 3) * side + i + k % 3];
      if (is_candidate(patch)) patches.push_back(patch);
    }
  }
  return patches;
}

std::vector<Patch> SingularFinder::quarters(const std::vector<Patch>& patches) const {
  std::vector<Patch> parts;
  for (const Patch& patch : patches) {
    for (const std::size_t corner : {0u, 1u, 3u, 4u}) {
      Patch part{patch.point(corner), 0.5 * patch.width, 0.5 * patch.height, {}};
      for (std::size_t k = 0; k < 9; ++k) {
        const std::size_t i = k % 3, j = k / 3;
        const bool is_known = i % 2 == 0 && j % 2 == 0;
        part.values[k] = is_known ? patch.values[corner + i / 2 + 3 * (j / 2)] : flow_.at(part.point(k));
      }
      if (is_candidate(part)) parts.push_back(part);
    }
    if (parts.size() > tolerances::patches_max) break;
  }
  return parts;
}

void SingularFinder::try_from(UnitPoint p) {
  double last = 1;
  for (int k = 0; k < tolerances::singular_steps_max; ++k) {
    const auto value = flow_.at(p);
    const auto gradient = value ? flow_.gradient(p, tolerances::newton_difference) : std::nullopt;
    const auto step = gradient ? newton_step(*value, *gradient) : std::nullopt;
    if (!step) break;
    last = elementary::hypot(step->u, step->v);
    const double part = std::min(1.0, tolerances::singular_step_max / last);
    p = {p.u + part * step->u, p.v + part * step->v};
    if (last < tolerances::singular_step_exact || std::abs(p.u - 0.5) > 1 || std::abs(p.v - 0.5) > 1) break;
  }
  const auto value = flow_.at(p);
  if (!value || last > tolerances::singular_step || std::abs(value->A) > tolerances::singular_residual * A_scale_ ||
      std::abs(value->B) > tolerances::singular_residual * B_scale_)
    return;
  constexpr double edge = 0.5 + tolerances::box_edge_slack;
  if (std::abs(p.u - 0.5) > edge || std::abs(p.v - 0.5) > edge) return;
  for (const UnitPoint& q : found_)
    if (elementary::hypot(p.u - q.u, p.v - q.v) < tolerances::same_singular_point) return;
  found_.push_back(p);
}

std::vector<UnitPoint> SingularFinder::find(int cells) {
  std::vector<Patch> patches = first_patches(cells);
  for (int k = 0; k < tolerances::patch_refinements && !patches.empty(); ++k) {
    std::vector<Patch> parts = quarters(patches);
    if (parts.size() > tolerances::patches_max)
      break;  // A and B vanish along a line or nearly so: what there is must do
    patches = std::move(parts);
  }
  for (const Patch& patch : patches) try_from(patch.point(4));
  // Two points nearer to each other than the last patches: from all around the first, Newton's method falls to either.
  const double size = std::ldexp(1.0 / std::max(1, (cells + 1) / 2), -tolerances::patch_refinements);
  for (std::size_t k = 0; k < found_.size() && k < tolerances::singular_neighbours_of; ++k) {
    const UnitPoint p = found_[k];
    for (const double distance : {0.3 * size, 3 * size})
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) try_from({p.u + distance * i, p.v + distance * j});
  }
  std::sort(found_.begin(), found_.end(),
            [](const UnitPoint& p, const UnitPoint& q) { return p.u < q.u || (p.u == q.u && p.v < q.v); });
  return std::move(found_);
}

// K = [k11 k12; k21 k22] in (α, β), both in units of their own gradient so that angles mean something.
struct LocalFlow {
  double k11 = 0, k12 = 0, k21 = 0, k22 = 0;
  double half_trace() const { return 0.5 * (k11 + k22); }
  double determinant() const { return k11 * k22 - k12 * k21; }
  double size() const { return std::max({std::abs(k11), std::abs(k12), std::abs(k21), std::abs(k22)}); }
};

enum class Place { inside, on_side, outside };

// Where the eigenvector of λ lies (either way along it): in the quadrant α > 0, β < 0, on its side α = 0, or elsewhere.
Place place_of_eigenvector(const LocalFlow& k, double lambda) {
  // Rows of K − λ: the eigenvector is normal to the larger one.
  const double p1 = k.k11 - lambda, p2 = k.k12, q1 = k.k21, q2 = k.k22 - lambda;
  const bool by_first = elementary::hypot(p1, p2) > elementary::hypot(q1, q2);
  const double alpha = by_first ? -p2 : -q2, beta = by_first ? p1 : q1;
  const double length = elementary::hypot(alpha, beta);
  if (!(length > 0) || std::abs(alpha) <= tolerances::side_eigenvector * length) return Place::on_side;
  return alpha * beta < 0 ? Place::inside : Place::outside;
}

void classify(const LocalFlow& k, SingularPoint& point) {
  const double half = k.half_trace(), determinant = k.determinant();
  double square = half * half - determinant;
  if (std::abs(square) <= tolerances::equal_eigenvalues * half * half)
    square = 0;  // two equal eigenvalues, told apart by rounding only
  const double size = std::sqrt(std::abs(square));
  const std::complex<double> root = square < 0 ? std::complex<double>(0, size) : std::complex<double>(size, 0);
  point.eigenvalues[0] = half - root;
  point.eigenvalues[1] = half + root;
  const double zero = tolerances::equal_eigenvalues * k.size();
  const double low = point.eigenvalues[0].real(), high = point.eigenvalues[1].real();
  if (std::abs(low) <= zero || std::abs(high) <= zero) {
    point.kind = SingularKind::degenerate;
  } else if (square < 0) {
    point.kind = half < 0 ? SingularKind::stable_focus : SingularKind::unstable_focus;
  } else if (high < 0) {
    point.kind = SingularKind::stable_node;
    const bool fast_inside = place_of_eigenvector(k, low) == Place::inside;
    Place slow = place_of_eigenvector(k, high);
    // One eigenvalue, one eigenvector, on the side: β goes as τ k21 α, and must stay negative.
    if (slow == Place::on_side && square == 0) slow = k.k21 < 0 ? Place::inside : Place::outside;
    point.entry = slow != Place::outside ? SlipEntry::open_set : fast_inside ? SlipEntry::one : SlipEntry::none;
  } else if (low > 0) {
    point.kind = SingularKind::unstable_node;
  } else {
    point.kind = SingularKind::saddle;
    if (place_of_eigenvector(k, low) == Place::inside) point.entry = SlipEntry::one;
  }
  point.entered_from_slip = point.entry == SlipEntry::open_set;
}

SingularPoint describe(const UnitFlow& flow, UnitPoint p) {
  SingularPoint point;
  point.x = flow.x(p);
  point.rate = flow.rate(p);
  const auto value = flow.at(p);
  const auto gradient = flow.gradient(p, tolerances::jacobian_difference);
  if (!value || !gradient) return point;
  const double A_x = gradient->A_u / flow.width(), A_r = gradient->A_v / flow.height();
  const double B_x = gradient->B_u / flow.width(), B_r = gradient->B_v / flow.height();
  const double g = value->gain, h = value->rest;
  point.jacobian[0][0] = point.rate * A_x;
  point.jacobian[0][1] = point.rate * A_r;
  point.jacobian[1][0] = h * A_x - g * B_x;
  point.jacobian[1][1] = h * A_r - g * B_r;
  const double A_unit = elementary::hypot(gradient->A_u, gradient->A_v),
               B_unit = elementary::hypot(gradient->B_u, gradient->B_v);
  if (!(A_unit > 0 && B_unit > 0)) return point;
  LocalFlow k;
  k.k11 = A_x * point.rate + A_r * h;
  k.k12 = -A_r * g * (B_unit / A_unit);
  k.k21 = (B_x * point.rate + B_r * h) * (A_unit / B_unit);
  k.k22 = -B_r * g;
  classify(k, point);
  return point;
}

}  // namespace

std::vector<SingularPoint> singular_points(const SlipFlow& flow, const FlowBox& box, const SingularSearch& search) {
  if (!(box.x_low < box.x_high && box.rate_low < box.rate_high && search.cells >= 1 &&
        search.cells <= tolerances::flow_cells_max))
    throw InputError({}, "the box of a slip flow is empty, or its grid is",
                     "give low < high in both directions and 1 to 10000 cells");
  SingularFinder finder(flow, box);
  std::vector<SingularPoint> points;
  for (const UnitPoint& p : finder.find(search.cells)) points.push_back(describe(finder.flow(), p));
  return points;
}

}  // namespace routh::internal
