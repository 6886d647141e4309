// A Chebyshev–Lobatto panel: nodes on [−1, 1], the matrix that integrates a function from −1 to each node, and
// barycentric interpolation between the nodes. All tables are compile-time constants.
#pragma once

#include <array>
#include <cstddef>

namespace routh {

inline constexpr std::size_t panel_nodes = 16;
using PanelArray = std::array<double, panel_nodes>;

namespace chebyshev_detail {

// cos(π j / n) by Taylor's series after reduction to [0, π/4].
constexpr long double cos_pi_fraction(int j, int n) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  j %= 2 * n;
  if (j > n) j = 2 * n - j;
  long double sign = 1;
  if (2 * j > n) {
    j = n - j;
    sign = -1;
  }
  const bool use_sine = 4 * j > n;
  const long double x = use_sine ? pi * (n - 2 * j) / (2 * n) : pi * j / n;
  long double term = use_sine ? x : 1.0L;
  long double sum = term;
  for (int k = use_sine ? 1 : 0; k < 40; k += 2) {
    term *= -x * x / ((k + 1) * (k + 2));
    sum += term;
  }
  return sign * sum;
}

struct Tables {
  PanelArray node{};                               // ascending, −1 … 1
  std::array<PanelArray, panel_nodes> integral{};  // integral[k][j]: weight of node k in ∫ from −1 to node j
  PanelArray weight{};                             // integral up to +1
  PanelArray barycentric{};
};

constexpr Tables make_tables() {
  constexpr int n = static_cast<int>(panel_nodes) - 1;
  Tables t;
  for (int j = 0; j <= n; ++j) t.node[static_cast<std::size_t>(j)] = static_cast<double>(-cos_pi_fraction(j, n));
  // T_i at node j is (−1)^i cos(π i j / n); f = Σ'' a_i T_i with a_i = (2/n) Σ''_k f_k T_i(x_k).
  const auto value = [](int i, int j) { return (i % 2 ? -1.0L : 1.0L) * cos_pi_fraction(i * j, n); };
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j) {
      const long double x = -cos_pi_fraction(j, n);
      long double sum = 0;
      for (int i = 0; i <= n; ++i) {
        const long double coefficient =
            2.0L / n * value(i, k) * (k == 0 || k == n ? 0.5L : 1.0L) * (i == 0 || i == n ? 0.5L : 1.0L);
        long double primitive = 0;
        if (i == 0)
          primitive = x + 1;
        else if (i == 1)
          primitive = (x * x - 1) / 2;
        else
          primitive = (value(i + 1, j) / (i + 1) - value(i - 1, j) / (i - 1)) / 2 -
                      (i % 2 ? -1.0L : 1.0L) / (static_cast<long double>(i) * i - 1);
        sum += coefficient * primitive;
      }
      t.integral[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)] = static_cast<double>(sum);
    }
  for (std::size_t k = 0; k < panel_nodes; ++k) {
    t.weight[k] = t.integral[k][panel_nodes - 1];
    t.barycentric[k] = (k % 2 ? -1.0 : 1.0) * (k == 0 || k + 1 == panel_nodes ? 0.5 : 1.0);
  }
  return t;
}

inline constexpr Tables tables = make_tables();

}  // namespace chebyshev_detail

inline constexpr const PanelArray& panel_node = chebyshev_detail::tables.node;

// Doubles in one register of the target.
#ifdef __AVX__
inline constexpr std::size_t lanes = 4;
#else
inline constexpr std::size_t lanes = 2;
#endif
using AlignedLanes = double __attribute__((vector_size(lanes * sizeof(double))));
using Lanes __attribute__((aligned(8), may_alias)) = AlignedLanes;  // loads and stores at any double's address

// out_j = scale ∫ f from −1 to node j, by the polynomial through f. This is the inner loop of the spatial impact:
// running sums in the compiler's vector type, because loops over plain arrays get shuffled.
inline void integrate_to_nodes(const PanelArray& f, double scale, PanelArray& out) {
  constexpr std::size_t count = panel_nodes / lanes;
  Lanes sum[count] = {};
  for (std::size_t k = 0; k < panel_nodes; ++k) {
    const double* column = chebyshev_detail::tables.integral[k].data();
    for (std::size_t i = 0; i < count; ++i) sum[i] += f[k] * *reinterpret_cast<const Lanes*>(column + lanes * i);
  }
  for (std::size_t i = 0; i < count; ++i) *reinterpret_cast<Lanes*>(out.data() + lanes * i) = scale * sum[i];
}

inline double dot(const PanelArray& f, const PanelArray& g) {
  double even = 0, odd = 0;
  for (std::size_t k = 0; k < panel_nodes; k += 2) {
    even += f[k] * g[k];
    odd += f[k + 1] * g[k + 1];
  }
  return even + odd;
}

inline double integrate_panel(const PanelArray& f) { return dot(f, chebyshev_detail::tables.weight); }

// Size of the two highest Chebyshev coefficients of f: how far the polynomial through f is from f.
inline double highest_coefficients(const PanelArray& f) {
  double even = 0.5 * (f[0] - f[panel_nodes - 1]);
  double odd = -0.5 * (f[0] + f[panel_nodes - 1]);
  for (std::size_t k = 1; k + 1 < panel_nodes; ++k) {
    const double g = k % 2 ? -f[k] : f[k];
    even += g;
    odd += g * panel_node[k];
  }
  even = even < 0 ? -even : even;
  odd = odd < 0 ? -odd : odd;
  return (even + 2 * odd) / static_cast<double>(panel_nodes - 1);
}

// Interpolation weights ℓ at x: f(x) = dot(f, ℓ).
inline PanelArray interpolation_weights(double x) {
  PanelArray w;
  for (std::size_t j = 0; j < panel_nodes; ++j) w[j] = chebyshev_detail::tables.barycentric[j] / (x - panel_node[j]);
  double sum = 0;
  for (const double value : w) sum += value;
  if (!(sum - sum == 0)) {  // x is a node
    for (std::size_t j = 0; j < panel_nodes; ++j) w[j] = x == panel_node[j] ? 1.0 : 0.0;
    return w;
  }
  const double inverse = 1 / sum;
  for (double& value : w) value *= inverse;
  return w;
}

// Weights ω with ∫ f from −1 to x = dot(f, ω), from the interpolation weights at x.
inline PanelArray integration_weights(const PanelArray& interpolation) {
  PanelArray w{};
  for (std::size_t k = 0; k < panel_nodes; ++k) w[k] = dot(interpolation, chebyshev_detail::tables.integral[k]);
  return w;
}

}  // namespace routh
