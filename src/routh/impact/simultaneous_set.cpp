#include "routh/impact/simultaneous_set.h"

#include <algorithm>
#include <cmath>

#include "routh/impact/tolerances.h"
#include "routh/math/dense_qr.h"
#include "routh/math/least_distance.h"

namespace routh::internal {

namespace {

// The complementarity problem with given g and given sticking contacts: X w ≥ b for the change w of the velocity.
struct Round {
  bool feasible = true;
  Eigen::VectorXd wanted;   // g
  Eigen::MatrixXd normal;   // X: normals off the sticking rows
  Eigen::VectorXd free;     // velocity after the bilateral and sticking rows alone
  Eigen::VectorXd change;   // w
  Eigen::VectorXd support;  // non-negative multipliers with X support = w
};

Round pose(const SimultaneousRows& rows, const ActingSet& set, Eigen::VectorXd wanted) {
  Round round;
  const Eigen::MatrixXd sticking = orthonormal_basis(project_off(rows.loops, sticking_columns(rows, set)));
  round.wanted = std::move(wanted);
  round.normal = project_off(sticking, rows.normal);
  Eigen::VectorXd y = rows.before + rows.push;
  for (int pass = 0; pass < 2; ++pass) {
    y -= rows.loops * (rows.loops.transpose() * y);
    y -= sticking * (sticking.transpose() * y);
  }
  round.free = y;
  round.change = Eigen::VectorXd::Zero(rows.size());
  round.support = Eigen::VectorXd::Zero(rows.contacts());
  return round;
}

// The change again from the rows that hold it alone, to full accuracy; kept if it proves right.
void polish(const std::vector<Eigen::Index>& holding, const Eigen::VectorXd& b, Round& round) {
  const Eigen::MatrixXd x = round.normal(Eigen::all, holding);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(tolerances::simultaneous_rank);
  factor.compute(x.transpose());
  const Eigen::VectorXd right = b(holding), change = factor.solve(right);
  factor.compute(x);
  const Eigen::VectorXd multipliers = factor.solve(change);
  const bool holds = (round.normal.transpose() * change - b).minCoeff() >= -tolerances::simultaneous_equal;
  if (holds && multipliers.minCoeff() >= -tolerances::simultaneous_equal) {
    round.change = change;
    round.support(holding) = multipliers.cwiseMax(0.0);
  } else {
    round.support = nonnegative_fit(round.normal, round.change);
  }
}

// Which rows hold the least w with Xᵀw ≥ b. If some w₀ has Xᵀw₀ = b, as where all rules can be met, then w₀ = X λ + r
// with λ ≥ 0 and r in the polar cone, and w = X λ: no question of feasibility arises. Otherwise by the distance of a
// polyhedron, which may be empty.
std::vector<Eigen::Index> holding_rows(const std::vector<Eigen::Index>& movable, const Eigen::VectorXd& b,
                                       Round& round) {
  const Eigen::MatrixXd x = round.normal(Eigen::all, movable);
  const Eigen::VectorXd right = b(movable);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(tolerances::simultaneous_rank);
  factor.compute(x.transpose());
  const Eigen::VectorXd through = factor.solve(right);
  Eigen::VectorXd active;
  if ((x.transpose() * through - right).cwiseAbs().maxCoeff() <= tolerances::simultaneous_fit) {
    active = nonnegative_fit(x, through);
    round.change = x * active;
  } else {
    const LeastDistance nearest = least_distance(x.transpose(), right);
    round.feasible = nearest.exists;
    if (!nearest.exists) return {};
    active = nearest.active;
    round.change = nearest.point;
  }
  std::vector<Eigen::Index> holding;
  for (std::size_t k = 0; k < movable.size(); ++k)
    if (active[static_cast<Eigen::Index>(k)] > 0) holding.push_back(movable[k]);
  return holding;
}

void solve(Round& round) {
  Eigen::VectorXd b = round.wanted - round.normal.transpose() * round.free;
  std::vector<Eigen::Index> movable;
  for (Eigen::Index j = 0; j < b.size(); ++j) {
    if (!round.normal.col(j).isZero(0)) {
      movable.push_back(j);
      continue;
    }
    if (b[j] > tolerances::simultaneous_equal) round.feasible = false;
    b[j] = std::min(b[j], 0.0);
  }
  if (!round.feasible || movable.empty() || b.maxCoeff() <= 0) return;
  const std::vector<Eigen::Index> holding = holding_rows(movable, b, round);
  if (round.feasible && !holding.empty()) polish(holding, b, round);
}

std::size_t at(Eigen::Index j) { return static_cast<std::size_t>(j); }

void take_over(const SimultaneousRows& rows, const Round& round, ActingState& state) {
  state.velocity = round.free + round.change;
  state.velocity -= rows.loops * (rows.loops.transpose() * state.velocity).eval();  // large impulses, large rounding
  state.impulse = state.velocity - rows.before - rows.push;
  state.impulse -= rows.loops * (rows.loops.transpose() * state.impulse).eval();
  share_impulse(rows, round.support, state);
}

// Contacts whose departure is what was asked for act.
std::vector<char> acting(const Round& round) {
  const Eigen::VectorXd departure = round.normal.transpose() * (round.free + round.change);
  std::vector<char> set(at(departure.size()), 0);
  for (Eigen::Index j = 0; j < departure.size(); ++j)
    set[at(j)] = std::abs(departure[j] - round.wanted[j]) <= tolerances::simultaneous_equal ? 1 : 0;
  return set;
}

// Whether rounding left a contact below what it asks for: no answer then.
bool falls_short(const Round& round) {
  const Eigen::VectorXd departure = round.normal.transpose() * (round.free + round.change);
  return departure.size() > 0 && (departure - round.wanted).minCoeff() < -tolerances::simultaneous_violation;
}

// Whether rounding left what is attainable below both its rule and zero.
bool asks_too_little(const SimultaneousRows& rows, const Round& round) {
  return rows.contacts() > 0 &&
         (round.wanted - rows.wanted.cwiseMin(0.0)).minCoeff() < -tolerances::simultaneous_violation;
}

// What −y⁻ offers with the loops closed, and no contact more than its own rule. Loops that were closed before leave
// every rule as it is: 1 ≥ e.
Eigen::VectorXd offered_departure(const SimultaneousRows& rows) {
  const Eigen::VectorXd closed = rows.before - rows.loops * (rows.loops.transpose() * rows.before);
  return rows.wanted.cwiseMin(-(rows.normal.transpose() * closed));
}

// Each contact by its own rule and no more, whether or not those that act could depart as it asks together.
void settle_for_own_rules(const SimultaneousRows& rows, ActingState& state) {
  Round round = pose(rows, state.set, rows.wanted);
  solve(round);
  if (!round.feasible) {
    round = pose(rows, state.set, offered_departure(rows));
    solve(round);
  }
  ++state.rounds;
  state.settled = round.feasible && !falls_short(round);
  if (!state.settled) return;
  state.set.normal = acting(round);
  take_over(rows, round, state);
}

// The acting contacts when those of `sticking` stick, whether they are pressed or not. All act at first; those that
// would pull are released together, so that their order does not matter.
ActingState settle_normals(const SimultaneousRows& rows, const std::vector<char>& sticking) {
  ActingState state;
  state.set = {std::vector<char>(at(rows.contacts()), 1), sticking};
  for (Eigen::Index j = 0; j < rows.contacts(); ++j)
    if (rows.role[at(j)] == ContactRole::separates) state.set.normal[at(j)] = 0;
  const int most = 4 * static_cast<int>(rows.contacts()) + 10;
  while (state.rounds < most && !state.settled) {
    ++state.rounds;
    Round round = pose(rows, state.set, attainable_departure(rows, state.set));
    solve(round);
    // With all contacts counted, what they ask for is attainable.
    std::vector<char> next = round.feasible ? acting(round) : std::vector<char>(at(rows.contacts()), 1);
    const bool reproduces = next == state.set.normal;
    state.settled = round.feasible && reproduces && !falls_short(round) && !asks_too_little(rows, round);
    state.set.normal = std::move(next);
    if (state.settled) take_over(rows, round, state);
    if (reproduces) break;
  }
  if (!state.settled) settle_for_own_rules(rows, state);
  return state;
}

// The contacts that the impulses of `state` press: they stick, as do those that are held. One whose impulse is not
// unique stays as it was.
std::vector<char> pressed(const SimultaneousRows& rows, const ActingState& state, const std::vector<char>& held) {
  std::vector<char> set = held;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j) {
    if (state.set.normal[at(j)] == 0) continue;
    const bool undecided = state.normal_unique[at(j)] == 0 && state.set.tangential[at(j)] != 0;
    if (state.normal[j] > tolerances::simultaneous_equal || undecided) set[at(j)] = 1;
  }
  return set;
}

// Every set of sticking contacts, for the ones that are pressed exactly where they stick: of these the one with most
// sticking, and then with least energy.
ActingState search_sticking(const SimultaneousRows& rows, int most_searched, const std::vector<char>& held) {
  ActingState best;
  const Eigen::Index count = rows.contacts();
  if (count > most_searched) return best;
  std::ptrdiff_t most = -1;
  int rounds = 0;
  for (unsigned bits = 0; bits < 1U << count; ++bits) {
    std::vector<char> sticking(at(count), 0);
    for (Eigen::Index j = 0; j < count; ++j) sticking[at(j)] = static_cast<char>(bits >> j & 1U);
    const std::ptrdiff_t number = std::count(sticking.begin(), sticking.end(), char{1});
    if (number < most) continue;
    ActingState state = settle_normals(rows, sticking);
    rounds += state.rounds;
    if (!state.settled || pressed(rows, state, held) != sticking) continue;
    if (number == most && !(state.velocity.norm() < best.velocity.norm())) continue;
    most = number;
    best = std::move(state);
  }
  best.rounds = rounds;
  return best;
}

}  // namespace

ActingState settle_acting_set(const SimultaneousRows& rows, int most_searched, const std::vector<char>& held) {
  std::vector<char> sticking(at(rows.contacts()), 0);
  if (rows.tangents == 0) return settle_normals(rows, sticking);
  const std::vector<char> always = held.empty() ? sticking : held;
  for (Eigen::Index j = 0; j < rows.contacts(); ++j)
    sticking[at(j)] = always[at(j)] != 0 || rows.role[at(j)] != ContactRole::separates ? 1 : 0;
  int rounds = 0;
  for (Eigen::Index k = 0; k < rows.contacts() + 4; ++k) {
    ActingState state = settle_normals(rows, sticking);
    rounds += state.rounds;
    if (!state.settled) break;
    std::vector<char> next = pressed(rows, state, always);
    if (next == sticking) {
      state.rounds = rounds;
      return state;
    }
    sticking = std::move(next);
  }
  ActingState state = search_sticking(rows, most_searched, always);
  state.rounds += rounds;
  return state;
}

}  // namespace routh::internal
