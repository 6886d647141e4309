#include "routh/math/least_distance.h"

#include <Eigen/QR>
#include <algorithm>
#include <vector>

#include "routh/math/tolerances.h"

namespace routh::internal {

namespace {

// The columns of A that may be used, and the least-squares fit by them alone.
class PassiveSet {
 public:
  PassiveSet(const Eigen::MatrixXd& a, const Eigen::VectorXd& b)
      : a_(a), b_(b), member_(static_cast<std::size_t>(a.cols()), 0) {}

  bool has(Eigen::Index j) const { return member_[static_cast<std::size_t>(j)] != 0; }
  void insert(Eigen::Index j) { member_[static_cast<std::size_t>(j)] = 1; }
  std::ptrdiff_t size() const { return std::count(member_.begin(), member_.end(), char{1}); }
  void erase(Eigen::Index j) { member_[static_cast<std::size_t>(j)] = 0; }

  Eigen::VectorXd fit() const {
    std::vector<Eigen::Index> columns;
    for (Eigen::Index j = 0; j < a_.cols(); ++j)
      if (has(j)) columns.push_back(j);
    Eigen::VectorXd all = Eigen::VectorXd::Zero(a_.cols());
    if (columns.empty()) return all;
    const Eigen::MatrixXd chosen = a_(Eigen::all, columns);
    all(columns) = chosen.colPivHouseholderQr().solve(b_);
    return all;
  }

 private:
  const Eigen::MatrixXd& a_;
  const Eigen::VectorXd& b_;
  std::vector<char> member_;
};

// From u towards the fit s until the first passive entry would turn negative; those at zero leave the set.
void step_to_boundary(Eigen::VectorXd& u, const Eigen::VectorXd& s, PassiveSet& passive) {
  double part = 1;
  Eigen::Index blocking = -1;
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    if (!passive.has(j) || s[j] > 0) continue;
    const double ratio = u[j] > 0 ? u[j] / (u[j] - s[j]) : 0;
    if (blocking < 0 || ratio < part) {
      part = ratio;
      blocking = j;
    }
  }
  u += part * (s - u);
  for (Eigen::Index j = 0; j < u.size(); ++j) {
    if (!passive.has(j)) continue;
    if (j == blocking || (s[j] <= 0 && u[j] <= 0)) {
      u[j] = 0;
      passive.erase(j);
    }
  }
}

// The fit by the passive columns, and less of them until all their coefficients are positive.
void settle(Eigen::VectorXd& u, Eigen::VectorXd s, PassiveSet& passive) {
  for (Eigen::Index inner = 0; inner <= u.size(); ++inner) {
    bool inside = true;
    for (Eigen::Index j = 0; j < u.size(); ++j) inside = inside && (!passive.has(j) || s[j] > 0);
    if (inside) break;
    step_to_boundary(u, s, passive);
    s = passive.fit();
  }
  u = s.cwiseMax(0.0);
}

}  // namespace

NonnegativeFit nonnegative_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                         const Eigen::VectorXd& start) {
  const Eigen::Index count = a.cols();
  NonnegativeFit result{Eigen::VectorXd::Zero(count), b};
  Eigen::VectorXd& u = result.coefficients;
  PassiveSet passive(a, b);
  for (Eigen::Index j = 0; j < std::min(count, start.size()); ++j) {
    if (!(start[j] > 0)) continue;
    u[j] = start[j];
    passive.insert(j);
  }
  if (passive.size() > 0) {
    settle(u, passive.fit(), passive);
    result.residual = b - a * u;
  }
  const Eigen::VectorXd lengths = a.colwise().norm();
  // A column that rounding let in and threw out at once is not tried again until another has entered.
  std::vector<char> barred(static_cast<std::size_t>(count), 0);
  const double floor = tolerances::gradient_relative * b.norm();
  for (Eigen::Index outer = 0;
       outer < tolerances::active_set_rounds_per_column * count + tolerances::active_set_rounds_more; ++outer) {
    const Eigen::VectorXd gradient = a.transpose() * result.residual;
    Eigen::Index entering = -1;
    double best = floor;
    for (Eigen::Index j = 0; j < count; ++j) {
      if (passive.has(j) || barred[static_cast<std::size_t>(j)] != 0 || !(gradient[j] > best * lengths[j])) continue;
      best = gradient[j] / lengths[j];
      entering = j;
    }
    if (entering < 0) break;
    passive.insert(entering);
    Eigen::VectorXd s = passive.fit();
    if (s[entering] <= 0) {
      passive.erase(entering);
      barred[static_cast<std::size_t>(entering)] = 1;
      continue;
    }
    std::fill(barred.begin(), barred.end(), char{0});
    settle(u, std::move(s), passive);
    result.residual = b - a * u;
  }
  return result;
}

// With E = [Aᵀ; bᵀ] and f = (0, …, 0, 1), the residual r of min ‖E u − f‖, u ≥ 0, holds the answer: z = −r_z / r_last,
// r_last = 1/(1 + ‖z‖²); r = 0 is Farkas' proof that nothing fulfils A z ≥ b.
LeastDistance least_distance(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& start) {
  const Eigen::Index size = a.cols();
  std::vector<Eigen::Index> used;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    const double length = a.row(i).norm();
    if (length > 0) used.push_back(i);
    if (length == 0 && b[i] > 0) return {};
  }
  const Eigen::Index count = static_cast<Eigen::Index>(used.size());
  Eigen::MatrixXd e(size + 1, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index i = used[static_cast<std::size_t>(k)];
    const double length = a.row(i).norm();
    e.col(k) << a.row(i).transpose() / length, b[i] / length;
  }
  const double unit = count > 0 ? e.row(size).maxCoeff() : 0;
  if (unit <= 0) return {true, Eigen::VectorXd::Zero(size), Eigen::VectorXd::Zero(a.rows())};
  e.row(size) /= unit;
  Eigen::VectorXd first = Eigen::VectorXd::Zero(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index i = used[static_cast<std::size_t>(k)];
    if (i < start.size()) first[k] = start[i];
  }
  const NonnegativeFit fit = nonnegative_least_squares(e, Eigen::VectorXd::Unit(size + 1, size), first);
  const Eigen::VectorXd& r = fit.residual;
  if (!(r[size] > tolerances::infeasible_residual)) return {};
  const Eigen::VectorXd z = -r.head(size) / r[size];
  const double slack = tolerances::inequality_slack * (1 + z.norm());
  for (Eigen::Index k = 0; k < count; ++k)
    if (!(e.col(k).head(size).dot(z) >= e(size, k) - slack)) return {};
  LeastDistance nearest{true, z * unit, Eigen::VectorXd::Zero(a.rows())};
  nearest.active(used) = fit.coefficients;
  return nearest;
}

}  // namespace routh::internal
