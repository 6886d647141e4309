#include "routh/contacts/block_factor.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

#include "routh/contacts/tolerances.h"
#include "routh/math/lanes.h"

namespace routh::internal {

namespace {

using Graph = std::vector<std::vector<int>>;  // neighbours, ascending

Graph coupled_contacts(const BlockRows& d, int count) {
  Graph graph(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    for (int k = d.row_start[i]; k < d.row_start[i + 1]; ++k)
      if (const int j = d.column[k]; j != i) {
        graph[i].push_back(j);
        graph[j].push_back(i);  // a bare D need not have a symmetric structure
      }
  for (auto& neighbours : graph) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return graph;
}

// Eliminates the contact with the fewest neighbours, the first of them at a tie, and couples its neighbours with each
// other. `graph[i]` is afterwards what contact i was coupled with when its turn came.
std::vector<int> least_degree_order(Graph& graph) {
  std::set<std::pair<int, int>> queue;  // degree, contact
  for (int i = 0; i < static_cast<int>(graph.size()); ++i) queue.insert({static_cast<int>(graph[i].size()), i});
  std::vector<int> order, merged;
  order.reserve(graph.size());
  while (!queue.empty()) {
    const int i = queue.begin()->second;
    queue.erase(queue.begin());
    order.push_back(i);
    for (const int j : graph[i]) {
      queue.erase({static_cast<int>(graph[j].size()), j});
      merged.clear();
      std::set_union(graph[j].begin(), graph[j].end(), graph[i].begin(), graph[i].end(), std::back_inserter(merged));
      std::erase_if(merged, [i, j](int k) { return k == i || k == j; });
      graph[j] = merged;
      queue.insert({static_cast<int>(graph[j].size()), j});
    }
  }
  return order;
}

void store(const Matrix3& from, PaddedBlock& to) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) to.column[c][r] = from(r, c);
}

void add(const Matrix3& from, PaddedBlock& to) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) to.column[c][r] += from(r, c);
}

Matrix3 plain(const PaddedBlock& from) {
  Matrix3 to;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) to(r, c) = from.column[c][r];
  return to;
}

void subtract(const PaddedBlock& block, const Vector3& x, Vector3& from) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) from[r] -= block.column[c][r] * x[c];
}

// work[rows[k]] −= factor · blocks[k], the inner loop of the factorisation.
void eliminate(const PaddedBlock& factor, std::span<const int> rows, const PaddedBlock* blocks, PaddedBlock* work) {
  on_widest_lanes([&](auto count) __attribute__((always_inline)) {
    constexpr std::size_t lanes = count;
    using V = Lanes<lanes>;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      PaddedBlock& to = work[rows[k]];
      for (int c = 0; c < 3; ++c) {
        const double* by = blocks[k].column[c];
        for (std::size_t part = 0; part < 4; part += lanes) {
          const V& f0 = *reinterpret_cast<const V*>(factor.column[0] + part);
          const V& f1 = *reinterpret_cast<const V*>(factor.column[1] + part);
          const V& f2 = *reinterpret_cast<const V*>(factor.column[2] + part);
          V& sum = *reinterpret_cast<V*>(to.column[c] + part);
          sum = sum - f0 * by[0] - f1 * by[1] - f2 * by[2];
        }
      }
    }
  });
}

double dot(const std::vector<Vector3>& a, const std::vector<Vector3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

}  // namespace

void BlockFactor::analyse(const ContactSystem& system) {
  const int n = system.size();
  order_.resize(static_cast<std::size_t>(n));
  place_.resize(static_cast<std::size_t>(n));
  upper_start_.assign(1, 0);
  upper_row_.clear();
  // Where every contact is coupled with every other, as on one machine, any order is as good as another.
  const bool full = static_cast<int>(system.inertia.column.size()) == n * n;
  Graph graph;
  if (full) {
    std::iota(order_.begin(), order_.end(), 0);
  } else {
    graph = coupled_contacts(system.inertia, n);
    order_ = least_degree_order(graph);
  }
  for (int step = 0; step < n; ++step) place_[order_[step]] = step;
  for (int step = 0; step < n; ++step) {
    const auto first = static_cast<std::ptrdiff_t>(upper_row_.size());
    if (full)
      for (int later = step + 1; later < n; ++later) upper_row_.push_back(later);
    else
      for (const int j : graph[order_[step]]) upper_row_.push_back(place_[j]);
    std::sort(upper_row_.begin() + first, upper_row_.end());
    upper_start_.push_back(static_cast<int>(upper_row_.size()));
  }
  std::vector<int>& count = count_;
  count.assign(static_cast<std::size_t>(n) + 1, 0);
  for (const int later : upper_row_) ++count[later + 1];
  for (int step = 0; step < n; ++step) count[step + 1] += count[step];
  lower_start_ = count;
  lower_row_.resize(upper_row_.size());
  for (int step = 0; step < n; ++step)
    for (int k = upper_start_[step]; k < upper_start_[step + 1]; ++k) lower_row_[count[upper_row_[k]]++] = step;
  upper_.resize(upper_row_.size());
  lower_.resize(lower_row_.size());
  pivot_inverse_.resize(static_cast<std::size_t>(n));
  open_.resize(static_cast<std::size_t>(n));
  work_.assign(static_cast<std::size_t>(n), {});
  half_.resize(static_cast<std::size_t>(n));
  analysed_ = true;
}

bool BlockFactor::factorise(const ContactSystem& system, const DiagonalBlocks& blocks, double lift) {
  if (!analysed_) analyse(system);
  const BlockRows& d = system.inertia;
  for (int i = 0; i < system.size(); ++i) {
    const int contact = order_[i];
    for (int k = lower_start_[i]; k < lower_start_[i + 1]; ++k) work_[lower_row_[k]] = {};
    for (int k = upper_start_[i]; k < upper_start_[i + 1]; ++k) work_[upper_row_[k]] = {};
    const Matrix3& b = blocks.velocity[contact];
    open_[i] = b.isZero(0);
    store(blocks.impulse[contact] + lift * system.mobility[contact] * b, work_[i]);
    for (int k = d.row_start[contact]; k < d.row_start[contact + 1] && !open_[i]; ++k)
      add(b * d.block[k], work_[place_[d.column[k]]]);
    for (int k = lower_start_[i]; k < lower_start_[i + 1]; ++k) {
      const int earlier = lower_row_[k];
      if (open_[i]) {  // its impulse depends on nobody's
        lower_[k] = {};
        continue;
      }
      const Matrix3 factor = plain(work_[earlier]) * pivot_inverse_[earlier];
      store(factor, lower_[k]);
      if (open_[earlier] || factor.isZero(0)) continue;
      const auto first = static_cast<std::size_t>(upper_start_[earlier]);
      const auto count = static_cast<std::size_t>(upper_start_[earlier + 1]) - first;
      eliminate(lower_[k], {upper_row_.data() + first, count}, upper_.data() + first, work_.data());
    }
    for (int k = upper_start_[i]; k < upper_start_[i + 1]; ++k) upper_[k] = work_[upper_row_[k]];
    pivot_inverse_[i] = plain(work_[i]).inverse();
    if (!pivot_inverse_[i].allFinite()) return false;
  }
  return true;
}

void BlockFactor::solve_again(const std::vector<Vector3>& y, std::vector<Vector3>& x) {
  if (rank_ == Rank::low) return low_rank_.solve_again(y, x);
  const int n = static_cast<int>(order_.size());
  for (int i = 0; i < n; ++i) {
    Vector3 sum = y[order_[i]];
    for (int k = lower_start_[i]; k < lower_start_[i + 1]; ++k) subtract(lower_[k], half_[lower_row_[k]], sum);
    half_[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    Vector3 sum = half_[i];
    for (int k = upper_start_[i]; k < upper_start_[i + 1]; ++k) subtract(upper_[k], half_[upper_row_[k]], sum);
    half_[i].noalias() = pivot_inverse_[i] * sum;
  }
  x.resize(y.size());
  for (int i = 0; i < n; ++i) x[order_[i]] = half_[i];
}

bool BlockFactor::solve(const ContactSystem& system, const DiagonalBlocks& blocks, double lift,
                        const std::vector<Vector3>& y, std::vector<Vector3>& x) {
  if (!system.formed()) return iterate(system, blocks, lift, y, x);
  if (rank_ == Rank::unknown) rank_ = low_rank_.factorise(system) ? Rank::low : Rank::full;
  if (rank_ == Rank::low) return low_rank_.solve(system, blocks, lift, y, x);
  if (!factorise(system, blocks, lift)) return false;
  solve_again(y, x);
  return std::all_of(x.begin(), x.end(), [](const Vector3& v) { return v.allFinite(); });
}

bool BlockFactor::iterate(const ContactSystem& system, const DiagonalBlocks& blocks, double lift,
                          const std::vector<Vector3>& y, std::vector<Vector3>& x) {
  const std::size_t n = y.size();
  std::vector<Vector3>&r = krylov_.r, &r0 = krylov_.r0, &p = krylov_.p, &v = krylov_.v, &s = krylov_.s;
  std::vector<Vector3>&t = krylov_.t, &ph = krylov_.ph, &sh = krylov_.sh, &image = krylov_.image;
  const auto multiply = [&](const std::vector<Vector3>& in, std::vector<Vector3>& out) {
    system.respond(in, image);
    for (std::size_t i = 0; i < n; ++i)
      out[i] = blocks.impulse[i] * in[i] +
               blocks.velocity[i] * (image[i] - system.free_velocity[i] + lift * system.mobility[i] * in[i]);
  };
  const auto precondition = [&](const std::vector<Vector3>& in, std::vector<Vector3>& out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = pivot_inverse_[i] * in[i];
  };
  for (auto* vector : {&r, &r0, &p, &v, &s, &t, &ph, &sh, &image}) vector->assign(n, Vector3::Zero());
  pivot_inverse_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    Matrix3 block = system.inertia.block[i];
    block.diagonal().array() += std::max(lift, tolerances::lift_relative) * system.mobility[i];
    pivot_inverse_[i] = (blocks.impulse[i] + blocks.velocity[i] * block).inverse();
    if (!pivot_inverse_[i].allFinite()) return false;
  }
  x.assign(n, Vector3::Zero());
  r = r0 = y;
  double rho = 1, alpha = 1, omega = 1;
  const double target = tolerances::krylov_relative * std::sqrt(dot(y, y));
  for (int step = 0; step < tolerances::krylov_steps; ++step) {
    const double next = dot(r0, r);
    if (next == 0) return false;
    const double beta = step == 0 ? 0 : next / rho * (alpha / omega);
    rho = next;
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    precondition(p, ph);
    multiply(ph, v);
    alpha = rho / dot(r0, v);
    if (!std::isfinite(alpha)) return false;
    for (std::size_t i = 0; i < n; ++i) s[i] = r[i] - alpha * v[i];
    precondition(s, sh);
    multiply(sh, t);
    const double tt = dot(t, t);
    omega = tt > 0 ? dot(t, s) / tt : 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * ph[i] + omega * sh[i];
      r[i] = s[i] - omega * t[i];
    }
    if (std::sqrt(dot(r, r)) <= target) return true;
    if (omega == 0) return false;
  }
  return std::sqrt(dot(r, r)) <= tolerances::krylov_usable * std::sqrt(dot(y, y));
}

}  // namespace routh::internal
