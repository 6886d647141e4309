// A Chebyshev–Lobatto panel: nodes on [−1, 1], the matrix that integrates a function from −1 to each node, and
// barycentric interpolation between the nodes. All tables are compile-time constants.
#pragma once

#include <array>
#include <cstddef>

#include "routh/math/double_double.h"
#include "routh/math/lanes.h"

namespace routh::internal {

inline constexpr std::size_t panel_nodes = 16;
struct alignas(32) PanelArray : std::array<double, panel_nodes> {};  // aligned for whole registers

namespace chebyshev_detail {

// cos(π j / n) by Taylor's series after reduction to [0, π/4].
constexpr DoubleDouble cos_pi_fraction(int j, int n) {
  constexpr DoubleDouble pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  j %= 2 * n;
  if (j > n) j = 2 * n - j;
  const bool negative = 2 * j > n;
  if (negative) j = n - j;
  const bool use_sine = 4 * j > n;
  const DoubleDouble x = use_sine ? pi * (n - 2 * j) / (2 * n) : pi * j / n;
  DoubleDouble term = use_sine ? x : DoubleDouble(1);
  DoubleDouble sum = term;
  for (int k = use_sine ? 1 : 0; k < 40; k += 2) {
    term = term * (-x * x / ((k + 1) * (k + 2)));
    sum = sum + term;
  }
  return negative ? -sum : sum;
}

struct Tables {
  PanelArray node{};                               // ascending, −1 … 1
  std::array<PanelArray, panel_nodes> integral{};  // integral[k][j]: weight of node k in ∫ from −1 to node j
  PanelArray weight{};                             // integral up to +1
  PanelArray barycentric{};
  PanelArray last_coefficient{}, last_but_one{};  // of T_15 and T_14, as sums over the nodes
};

constexpr Tables make_tables() {
  constexpr int n = static_cast<int>(panel_nodes) - 1;
  Tables t;
  for (int j = 0; j <= n; ++j) t.node[static_cast<std::size_t>(j)] = -cos_pi_fraction(j, n).high;
  // T_i at node j is (−1)^i cos(π i j / n); f = Σ'' a_i T_i with a_i = (2/n) Σ''_k f_k T_i(x_k).
  DoubleDouble cosine[2 * n];
  for (int m = 0; m < 2 * n; ++m) cosine[m] = cos_pi_fraction(m, n);
  const auto sign = [](int i) { return i % 2 ? -1.0 : 1.0; };
  const auto halved = [](int i) { return i == 0 || i == n ? 0.5 : 1.0; };
  const auto value = [&](int i, int j) { return i % 2 ? -cosine[i * j % (2 * n)] : cosine[i * j % (2 * n)]; };
  for (int j = 0; j <= n; ++j) {
    DoubleDouble primitive[n + 1];  // of T_i, from −1 to node j, halved at the ends
    const DoubleDouble x = -cosine[j];
    primitive[0] = halved(0) * (x + 1);
    primitive[1] = (x * x - 1) / 2;
    for (int i = 2; i <= n; ++i)
      primitive[i] = halved(i) * ((value(i + 1, j) / (i + 1) - value(i - 1, j) / (i - 1)) / 2 -
                                  DoubleDouble(sign(i)) / (i * i - 1));
    for (int k = 0; k <= n; ++k) {
      DoubleDouble sum = 0;
      for (int i = 0; i <= n; ++i) sum = sum + value(i, k) * primitive[i];
      t.integral[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)] = (2 * halved(k) * sum / n).high;
    }
  }
  for (std::size_t k = 0; k < panel_nodes; ++k) {
    t.weight[k] = t.integral[k][panel_nodes - 1];
    t.barycentric[k] = (k % 2 ? -1.0 : 1.0) * (k == 0 || k + 1 == panel_nodes ? 0.5 : 1.0);
    t.last_coefficient[k] = t.barycentric[k] / n;
    t.last_but_one[k] = 2 * t.barycentric[k] * t.node[k] / n;
  }
  return t;
}

inline constexpr Tables tables = make_tables();

}  // namespace chebyshev_detail

inline constexpr const PanelArray& panel_node = chebyshev_detail::tables.node;

template <std::size_t lanes>
inline constexpr std::size_t panel_registers = panel_nodes / lanes;

template <std::size_t lanes>
[[gnu::always_inline]] inline const Lanes<lanes>& part(const PanelArray& a, std::size_t i) {
  return *reinterpret_cast<const Lanes<lanes>*>(a.data() + lanes * i);
}
template <std::size_t lanes>
[[gnu::always_inline]] inline Lanes<lanes>& part(PanelArray& a, std::size_t i) {
  return *reinterpret_cast<Lanes<lanes>*>(a.data() + lanes * i);
}

// Sums over a panel: nodes j, j + 4, j + 8 and j + 12 go into the sum of lane j, and the four sums are added crosswise,
// whatever the width of the registers.
template <std::size_t lanes>
struct LaneSum {
  Lanes<lanes> sum[4 / lanes] = {};

  [[gnu::always_inline]] void add(std::size_t i, const Lanes<lanes>& x) { sum[i % (4 / lanes)] += x; }
  [[gnu::always_inline]] double total() const {
    if constexpr (lanes == 4)
      return (sum[0][0] + sum[0][2]) + (sum[0][1] + sum[0][3]);
    else
      return (sum[0][0] + sum[1][0]) + (sum[0][1] + sum[1][1]);
  }
};

// out_j = scale ∫ f from −1 to node j, by the polynomial through f.
template <std::size_t lanes = own_lanes>
[[gnu::always_inline]] inline void integrate_to_nodes(const PanelArray& f, double scale, PanelArray& out) {
  Lanes<lanes> sum[panel_registers<lanes>] = {};
  for (std::size_t k = 0; k < panel_nodes; ++k)
    for (std::size_t i = 0; i < panel_registers<lanes>; ++i)
      sum[i] += f[k] * part<lanes>(chebyshev_detail::tables.integral[k], i);
  for (std::size_t i = 0; i < panel_registers<lanes>; ++i) part<lanes>(out, i) = scale * sum[i];
}

template <std::size_t lanes = own_lanes>
[[gnu::always_inline]] inline double dot(const PanelArray& f, const PanelArray& g) {
  LaneSum<lanes> sum;
  for (std::size_t i = 0; i < panel_registers<lanes>; ++i) sum.add(i, part<lanes>(f, i) * part<lanes>(g, i));
  return sum.total();
}

template <std::size_t lanes = own_lanes>
[[gnu::always_inline]] inline double integrate_panel(const PanelArray& f) {
  return dot<lanes>(f, chebyshev_detail::tables.weight);
}

// Size of the two highest Chebyshev coefficients of f: how far the polynomial through f is from f.
template <std::size_t lanes = own_lanes>
[[gnu::always_inline]] inline double highest_coefficients(const PanelArray& f) {
  const double last = dot<lanes>(f, chebyshev_detail::tables.last_coefficient);
  const double before = dot<lanes>(f, chebyshev_detail::tables.last_but_one);
  return (last < 0 ? -last : last) + (before < 0 ? -before : before);
}

// Interpolation weights ℓ at x: f(x) = dot(f, ℓ).
template <std::size_t lanes = own_lanes>
[[gnu::always_inline]] inline PanelArray interpolation_weights(double x) {
  PanelArray w;
  LaneSum<lanes> total;
  for (std::size_t i = 0; i < panel_registers<lanes>; ++i) {
    part<lanes>(w, i) = part<lanes>(chebyshev_detail::tables.barycentric, i) / (x - part<lanes>(panel_node, i));
    total.add(i, part<lanes>(w, i));
  }
  const double sum = total.total();
  if (!(sum - sum == 0)) {  // x is a node
    for (std::size_t j = 0; j < panel_nodes; ++j) w[j] = x == panel_node[j] ? 1.0 : 0.0;
    return w;
  }
  const double inverse = 1 / sum;
  for (std::size_t i = 0; i < panel_registers<lanes>; ++i) part<lanes>(w, i) = part<lanes>(w, i) * inverse;
  return w;
}

// Weights ω with ∫ f from −1 to x = dot(f, ω), from the interpolation weights at x.
template <std::size_t lanes = own_lanes>
[[gnu::always_inline]] inline PanelArray integration_weights(const PanelArray& interpolation) {
  PanelArray w{};
  for (std::size_t k = 0; k < panel_nodes; ++k) w[k] = dot<lanes>(interpolation, chebyshev_detail::tables.integral[k]);
  return w;
}

}  // namespace routh::internal
