#include "simultaneous_oracle.h"

#include <Eigen/LU>
#include <cmath>

namespace testing_support {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using routh::SimultaneousProblem;

namespace {

constexpr double loose = 1e-8;

// x of [H Cᵀ; C 0](x, ν) = (f, c).
VectorXd bordered(const MatrixXd& h, const MatrixXd& c, const VectorXd& f, const VectorXd& target) {
  const Index n = h.rows(), m = c.rows();
  MatrixXd k = MatrixXd::Zero(n + m, n + m);
  k.topLeftCorner(n, n) = h;
  k.topRightCorner(n, m) = c.transpose();
  k.bottomLeftCorner(m, n) = c;
  VectorXd right(n + m);
  right << f, target;
  Eigen::FullPivLU<MatrixXd> lu(k);
  lu.setThreshold(1e-10);
  return lu.solve(right).head(n);
}

// Everything about the problem that no acting set changes.
struct Enumeration {
  const SimultaneousProblem& problem;
  VectorXd approach, wanted, weight;
  std::vector<char> strikes;
};

Enumeration prepare(const SimultaneousProblem& p) {
  const Index count = p.normal.rows();
  Enumeration all{p, p.normal * p.velocity, VectorXd::Zero(count), VectorXd::Zero(count), {}};
  for (Index j = 0; j < count; ++j) {
    const VectorXd a = p.normal.row(j).transpose();
    const VectorXd answer = bordered(p.mass_matrix, p.bilateral, a, VectorXd::Zero(p.bilateral.rows()));
    all.weight[j] = 1 / std::sqrt(a.dot(answer));
    all.strikes.push_back(all.approach[j] < -1e-10 ? 1 : 0);
    const double e = all.strikes.back() != 0 ? p.restitution[static_cast<std::size_t>(j)].normal : 1;
    if (std::abs(all.approach[j]) > 1e-10) all.wanted[j] = -e * all.approach[j];
  }
  return all;
}

bool twins(const Enumeration& all, Index i, Index j) {
  const MatrixXd& a = all.problem.normal;
  const double ei = all.problem.restitution[static_cast<std::size_t>(i)].normal;
  const double ej = all.problem.restitution[static_cast<std::size_t>(j)].normal;
  return ei == ej && (a.row(i) * all.weight[i] - a.row(j) * all.weight[j]).norm() < 1e-10;
}

// Bilateral rows and the tangential rows of the contacts in `set`.
MatrixXd free_rows(const SimultaneousProblem& p, unsigned set) {
  MatrixXd rows = p.bilateral;
  const Index tangents = p.tangential.rows() / p.normal.rows();
  for (Index j = 0; j < p.normal.rows(); ++j)
    if ((set >> j & 1U) != 0 && tangents > 0) rows = stacked(rows, p.tangential.middleRows(j * tangents, tangents));
  return rows;
}

// Weighted least squares over the striking contacts of `set`, with the rows `exact` at zero, by its normal equations.
VectorXd fitted(const Enumeration& all, unsigned set, const MatrixXd& exact) {
  const SimultaneousProblem& p = all.problem;
  const Index n = p.velocity.size();
  MatrixXd h = MatrixXd::Zero(n, n);
  VectorXd f = VectorXd::Zero(n);
  for (Index j = 0; j < p.normal.rows(); ++j) {
    const auto counts = [&](Index i) { return (set >> i & 1U) != 0 && all.strikes[static_cast<std::size_t>(i)] != 0; };
    bool counted = !counts(j);
    for (Index i = 0; i < j; ++i) counted = counted || (counts(i) && twins(all, i, j));
    if (counted) continue;
    const VectorXd a = p.normal.row(j).transpose() * all.weight[j];
    h += a * a.transpose();
    f += a * all.weight[j] * all.wanted[j];
  }
  return p.normal * bordered(h, exact, f, VectorXd::Zero(exact.rows()));
}

// The rules of the contacts in `set` as they can be met without pressing a striking one together: the best fit over all
// choices of those that end at zero.
VectorXd attained(const Enumeration& all, unsigned set, unsigned stuck) {
  const SimultaneousProblem& p = all.problem;
  const Index count = p.normal.rows();
  MatrixXd exact = free_rows(p, stuck);
  unsigned striking = 0;
  for (Index j = 0; j < count; ++j) {
    if ((set >> j & 1U) == 0) continue;
    if (all.strikes[static_cast<std::size_t>(j)] != 0)
      striking |= 1U << j;
    else if (all.wanted[j] == 0)
      exact = stacked(exact, p.normal.row(j));
  }
  VectorXd best;
  double least = 0;
  for (unsigned zero = 0; zero <= striking; zero = ((zero | ~striking) + 1U) & striking) {
    MatrixXd held = exact;
    for (Index j = 0; j < count; ++j)
      if ((zero >> j & 1U) != 0) held = stacked(held, p.normal.row(j));
    const VectorXd rule = fitted(all, striking, held);
    bool fits = true;
    double misfit = 0;
    for (Index j = 0; j < count; ++j) {
      if ((striking >> j & 1U) == 0) continue;
      fits = fits && rule[j] * all.weight[j] >= -loose;
      bool counted = false;
      for (Index i = 0; i < j; ++i) counted = counted || ((striking >> i & 1U) != 0 && twins(all, i, j));
      if (!counted) misfit += std::pow((rule[j] - all.wanted[j]) * all.weight[j], 2);
    }
    if (fits && (best.size() == 0 || misfit < least)) {
      best = rule;
      least = misfit;
    }
    if (zero == 0 && fits) return rule;  // nothing is pressed together: the fit itself
    if (zero == striking) break;
  }
  return best;
}

// Whether i = A_bᵀλ_b + A_tᵀλ_t + A_setᵀλ for some λ ≥ 0: by Carathéodory, for one with independent columns.
bool pushes(const Enumeration& all, unsigned set, unsigned stuck, const VectorXd& impulse) {
  const SimultaneousProblem& p = all.problem;
  const MatrixXd free = free_rows(p, stuck);
  for (unsigned part = set;; part = (part - 1) & set) {
    MatrixXd rows = free;
    for (Index j = 0; j < p.normal.rows(); ++j)
      if ((part >> j & 1U) != 0) rows = stacked(rows, p.normal.row(j));
    const MatrixXd columns = rows.transpose();
    VectorXd lambda = VectorXd::Zero(rows.rows());
    if (rows.rows() > 0) lambda = Eigen::FullPivLU<MatrixXd>(columns).setThreshold(1e-10).solve(impulse);
    const double size = impulse.norm();
    const bool reproduces = (columns * lambda - impulse).norm() <= loose * (1 + size);
    const VectorXd contact = lambda.tail(rows.rows() - free.rows());
    if (reproduces && (contact.size() == 0 || contact.minCoeff() >= -loose * (1 + size))) return true;
    if (part == 0) return false;
  }
}

}  // namespace

MatrixXd stacked(const MatrixXd& above, const MatrixXd& below) {
  MatrixXd both(above.rows() + below.rows(), std::max(above.cols(), below.cols()));
  both.topRows(above.rows()) = above;
  both.bottomRows(below.rows()) = below;
  return both;
}

VectorXd velocity_of(const SimultaneousProblem& p, const MatrixXd& rows, const VectorXd& target) {
  VectorXd momentum = p.mass_matrix * p.velocity;
  if (p.external_impulse.size() > 0) momentum += p.external_impulse;
  return bordered(p.mass_matrix, rows, momentum, target);
}

namespace {

// The velocity when those of `set` act and those of `stuck` stick as well; empty if that breaks a condition.
VectorXd answer_of(const Enumeration& all, unsigned set, unsigned stuck) {
  const SimultaneousProblem& p = all.problem;
  const Index count = p.normal.rows();
  const VectorXd rule = attained(all, set, stuck);
  MatrixXd rows = free_rows(p, stuck);
  VectorXd target = VectorXd::Zero(rows.rows() + count);
  for (Index j = 0; j < count; ++j) {
    if ((set >> j & 1U) == 0) continue;
    target[rows.rows()] = all.strikes[static_cast<std::size_t>(j)] != 0 ? rule[j] : all.wanted[j];
    rows = stacked(rows, p.normal.row(j));
  }
  const VectorXd aim = target.head(rows.rows()), v = velocity_of(p, rows, aim);
  if ((rows * v - aim).norm() > loose * (1 + v.norm())) return {};
  const VectorXd departure = p.normal * v;
  for (Index j = 0; j < count; ++j)
    if ((set >> j & 1U) == 0 && departure[j] < all.wanted[j] - loose / all.weight[j]) return {};
  VectorXd impulse = p.mass_matrix * (v - p.velocity);
  if (p.external_impulse.size() > 0) impulse -= p.external_impulse;
  // Where contacts stick, only those are pressed.
  return pushes(all, p.tangential.rows() > 0 ? stuck : set, stuck, impulse) ? v : VectorXd();
}

void add(const VectorXd& v, std::vector<VectorXd>& answers) {
  for (const VectorXd& other : answers)
    if ((other - v).norm() <= 1e-9 * (1 + v.norm())) return;
  answers.push_back(v);
}

// Every velocity after closing what the strike left with velocity v, those of `held` still sticking.
void close(const Enumeration& all, const VectorXd& v, unsigned held, std::vector<VectorXd>& answers) {
  if ((all.problem.normal * v).cwiseProduct(all.weight).minCoeff() >= -loose) return add(v, answers);
  SimultaneousProblem left = all.problem;
  left.velocity = v;
  left.external_impulse.resize(0);
  left.bilateral = free_rows(all.problem, held);
  const Enumeration rest{left, left.normal * v, VectorXd::Zero(left.normal.rows()), all.weight, all.strikes};
  const bool sticks = left.tangential.rows() > 0;
  for (unsigned set = 0; set < 1U << left.normal.rows(); ++set)
    for (unsigned stuck = sticks ? set : 0;; stuck = (stuck - 1) & set) {
      MatrixXd rows = free_rows(left, stuck);
      for (Index j = 0; j < left.normal.rows(); ++j)
        if ((set >> j & 1U) != 0) rows = stacked(rows, left.normal.row(j));
      const VectorXd after = velocity_of(left, rows, VectorXd::Zero(rows.rows()));
      const bool parts = (left.normal * after).cwiseProduct(all.weight).minCoeff() >= -loose;
      const unsigned pressed = sticks ? stuck | (held & set) : set;
      if (parts && pushes(rest, pressed, stuck, left.mass_matrix * (after - v))) add(after, answers);
      if (stuck == 0) break;
    }
}

}  // namespace

std::vector<VectorXd> all_answers(const SimultaneousProblem& p) {
  const Enumeration all = prepare(p);
  std::vector<VectorXd> answers;
  for (unsigned set = 0; set < 1U << p.normal.rows(); ++set)
    for (unsigned stuck = p.tangential.rows() > 0 ? set : 0;; stuck = (stuck - 1) & set) {
      const VectorXd v = answer_of(all, set, stuck);
      if (v.size() > 0) close(all, v, stuck, answers);
      if (stuck == 0) break;
    }
  return answers;
}

namespace {

MatrixXd random_matrix(Random& random, Index rows, Index columns) {
  MatrixXd a(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) a(i, j) = random.normal();
  return a;
}

void relate(Random& random, RowFamily family, MatrixXd& a) {
  const Index count = a.rows();
  if (family == RowFamily::independent) return;
  for (Index j = 2; j < count; ++j) {
    if (!random.chance(0.6)) continue;
    const Index i = random.below(static_cast<int>(j)), k = random.below(static_cast<int>(j));
    if (family == RowFamily::twins) a.row(j) = a.row(i);
    if (family == RowFamily::dependent)
      a.row(j) = random.uniform(0.2, 2) * a.row(i) + random.uniform(-1.5, 2) * a.row(k) +
                 random.uniform(-1, 1) * a.row(0) + random.uniform(0.1, 1) * a.row(1);
    if (family == RowFamily::opposed) a.row(j) = -random.uniform(0.2, 2) * a.row(i) - random.uniform(0, 1) * a.row(k);
  }
}

}  // namespace

SimultaneousProblem random_simultaneous(Random& random, RowFamily family) {
  SimultaneousProblem p;
  const Index count = 1 + random.below(6);
  const Index loops = random.below(3);
  const Index n = std::max<Index>(loops + count, 2) + random.below(static_cast<int>(13 - loops - count));
  const MatrixXd root = random_matrix(random, n, n);
  p.mass_matrix = root * root.transpose() + 0.5 * MatrixXd::Identity(n, n);
  p.bilateral = random_matrix(random, loops, n);
  if (loops == 2 && random.chance(0.3)) p.bilateral.row(1) = -2 * p.bilateral.row(0);
  p.normal = random_matrix(random, count, n);
  relate(random, family, p.normal);
  p.velocity = random_matrix(random, n, 1);
  // Closed loops and some resting contacts, by taking those parts out of a random velocity.
  MatrixXd held = p.bilateral;
  for (Index j = 0; j + 1 < count; ++j)
    if (random.chance(0.15)) held = stacked(held, p.normal.row(j));
  p.velocity = velocity_of(p, held, VectorXd::Zero(held.rows()));
  const bool turn = family != RowFamily::opposed && !random.chance(0.33);
  for (Index j = 0; j < count; ++j)
    if (turn && p.normal.row(j).dot(p.velocity) > 0) p.normal.row(j) *= -1;
  const double shared = random.uniform();
  const bool global = random.chance(0.3);
  for (Index j = 0; j < count; ++j) {
    routh::Restitution r;
    r.normal = global ? shared : random.uniform();
    for (Index i = 0; i < j; ++i)
      if (family == RowFamily::twins && (p.normal.row(i) - p.normal.row(j)).isZero(0) && random.chance(0.7))
        r.normal = p.restitution[static_cast<std::size_t>(i)].normal;
    p.restitution.push_back(r);
  }
  return p;
}

void add_tangents(Random& random, SimultaneousProblem& p) {
  const Index tangents = 1 + random.below(2);
  p.tangential = random_matrix(random, tangents * p.normal.rows(), p.velocity.size());
}

}  // namespace testing_support
