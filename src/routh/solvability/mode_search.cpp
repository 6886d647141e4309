// One solution: modes guessed, repaired, or read off Lemke's solution of the problem with pyramids for cones; the exact
// cone by Newton's method on these modes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/contacts/friction_contact.h"
#include "routh/math/complementarity.h"
#include "routh/math/elementary.h"
#include "routh/solvability/mode_system.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal::mode_search {

namespace {

// What the modes lead to, right or wrong.
struct Trial {
  std::optional<Candidate> answer;
  Combination combination;  // with the directions found
  Eigen::VectorXd force;
  Eigen::VectorXd acceleration;
};

Trial attempt(const ScaledProblem& problem, Combination combination) {
  Trial trial;
  const bool aligned = settle_directions(problem, combination);
  trial.combination = combination;
  if (aligned) trial.answer = allowed_force(problem, combination);
  if (trial.answer) return trial;
  trial.force = ModeSystem(problem, combination).force();
  trial.acceleration = problem.inertia * trial.force + problem.free_acceleration;
  return trial;
}

// Each contact that breaks its inequality takes the mode on the other side of it.
Combination repaired(const ScaledProblem& problem, const Trial& trial) {
  Combination next = trial.combination;
  const double tolerance = tolerances::mode_answer_relative * size_of(trial.force, trial.acceleration);
  for (int c = 0; c < problem.count; ++c) {
    const double normal = trial.force[problem.row(c)];
    const Eigen::Vector2d friction = problem.tangent(trial.force, c), motion = problem.tangent(trial.acceleration, c);
    const ContactMode mode = next.mode(c);
    if (mode == ContactMode::free) {
      if (trial.acceleration[problem.row(c)] < -tolerance)
        set_mode(problem, next, c, problem.slips(c) ? ContactMode::slip : ContactMode::stick);
    } else if (normal < -tolerance) {
      set_mode(problem, next, c, ContactMode::free);
    } else if (mode == ContactMode::stick && friction.norm() > problem.static_friction(c) * normal + tolerance) {
      set_mode(problem, next, c, ContactMode::slip, -friction.normalized());
    } else if (mode == ContactMode::slip && !problem.slips(c) && problem.kinetic_friction(c) > 0 &&
               motion.dot(next.sigma(c)) < -tolerance) {
      set_mode(problem, next, c, ContactMode::stick);
    }
  }
  return next;
}

// Repairs the modes until they hold, come back, or the repairs allowed are used up.
std::optional<Candidate> attempt_and_repair(const ScaledProblem& problem, Combination combination) {
  std::vector<std::vector<ContactMode>> seen;
  for (int round = 0; round < tolerances::mode_repairs_max; ++round) {
    Trial trial = attempt(problem, combination);
    if (trial.answer) return trial.answer;
    if (!trial.force.allFinite()) return std::nullopt;
    seen.push_back(combination.modes);
    combination = repaired(problem, trial);
    if (std::find(seen.begin(), seen.end(), combination.modes) != seen.end()) return std::nullopt;
  }
  return std::nullopt;
}

Combination from_guess(const ScaledProblem& problem, std::span<const ContactMode> guess) {
  Combination combination = all_free(problem);
  for (int c = 0; c < problem.count; ++c) {
    const ContactMode mode = guess[static_cast<std::size_t>(c)];
    set_mode(problem, combination, c, problem.slips(c) && mode == ContactMode::stick ? ContactMode::slip : mode);
  }
  return combination;
}

bool begins(const ScaledProblem& problem, const Combination& combination, int contact) {
  return combination.mode(contact) == ContactMode::slip && !problem.slips(contact);
}

// Directions of beginning slip that a guess does not tell: where the contacts would go without friction there. Unlike
// the directions of forces these fit together on a rigid body.
Combination along_frictionless(const ScaledProblem& problem, Combination combination) {
  ScaledProblem smooth = problem;
  for (int c = 0; c < problem.count; ++c)
    if (begins(problem, combination, c)) smooth.friction[static_cast<std::size_t>(c)].kinetic_coefficient = 0;
  const Eigen::VectorXd force = ModeSystem(smooth, combination).force();
  const Eigen::VectorXd acceleration = problem.inertia * force + problem.free_acceleration;
  for (int c = 0; c < problem.count; ++c) {
    const Eigen::Vector2d motion = problem.tangent(acceleration, c);
    if (begins(problem, combination, c) && motion.norm() > 0)
      set_mode(problem, combination, c, ContactMode::slip, motion.normalized());
  }
  return combination;
}

// The same against the friction that would hold the contacts.
Combination against_holding(const ScaledProblem& problem, Combination combination) {
  Combination held = combination;
  for (int c = 0; c < problem.count; ++c)
    if (begins(problem, held, c)) set_mode(problem, held, c, ContactMode::stick);
  const Eigen::VectorXd force = ModeSystem(problem, held).force();
  for (int c = 0; c < problem.count; ++c) {
    const Eigen::Vector2d friction = problem.tangent(force, c);
    if (begins(problem, combination, c) && friction.norm() > 0)
      set_mode(problem, combination, c, ContactMode::slip, -friction.normalized());
  }
  return combination;
}

std::optional<Candidate> by_guess(const ScaledProblem& problem, std::span<const ContactMode> guess) {
  const Combination combination = from_guess(problem, guess);
  bool any = false;
  for (int c = 0; c < problem.count; ++c) any = any || begins(problem, combination, c);
  if (!any) return attempt_and_repair(problem, combination);
  const Combination smooth = along_frictionless(problem, combination);
  if (Trial trial = attempt(problem, smooth); trial.answer) return trial.answer;
  const Combination held = against_holding(problem, combination);
  if (Trial trial = attempt(problem, held); trial.answer) return trial.answer;
  return attempt_and_repair(problem, smooth);
}

// The pyramid of each resting contact, and which coefficient it has.
struct Pyramids {
  int edges = 8;                 // in space
  double turn = 0;               // of the first edge
  std::vector<double> friction;  // static until the contact has been seen to slip, then kinetic
};

// z = (normal forces; weights β of the edges; γ), w = (v̇_n; edgeᵀv̇_t + γ; μ λ_n − Σβ) [Stewart and Trinkle 1996, here
// for accelerations]. A contact that slips has one unknown, whose force is along (1, −μ σ).
class PyramidProblem {
 public:
  PyramidProblem(const ScaledProblem& problem, const Pyramids& pyramids) : problem_(problem) {
    const int edges = problem.dimension == Dimension::planar ? 2 : pyramids.edges;
    for (int c = 0; c < problem.count; ++c) {
      Eigen::Vector2d tail = Eigen::Vector2d::Zero();
      if (problem.slips(c)) tail = -problem.kinetic_friction(c) * problem.slip[static_cast<std::size_t>(c)];
      add(c, 1, tail, 1, Eigen::Vector2d::Zero());
    }
    for (int c = 0; c < problem.count; ++c) {
      const double mu = pyramids.friction[static_cast<std::size_t>(c)];
      if (problem.slips(c) || mu == 0) continue;
      coned_.push_back({c, static_cast<int>(columns_.size()), edges, mu});
      for (int k = 0; k < edges; ++k) {
        const double angle = pyramids.turn + 2 * std::numbers::pi * k / edges;
        const Eigen::Vector2d edge = problem.dimension == Dimension::planar
                                         ? Eigen::Vector2d(k == 0 ? 1.0 : -1.0, 0.0)
                                         : Eigen::Vector2d(elementary::cos(angle), elementary::sin(angle));
        add(c, 0, edge, 0, edge);
      }
    }
  }

  ComplementarityResult solve(const Eigen::VectorXd& stretch) const {
    const Eigen::Index forces = static_cast<Eigen::Index>(columns_.size());
    const Eigen::Index size = forces + static_cast<Eigen::Index>(coned_.size());
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(size);
    const Eigen::MatrixXd columns = assemble(columns_), rows = assemble(rows_);
    m.topLeftCorner(forces, forces) = rows.transpose() * (problem_.inertia * columns);
    q.head(forces) = rows.transpose() * problem_.free_acceleration;
    for (std::size_t k = 0; k < coned_.size(); ++k) {
      const Cone& cone = coned_[k];
      const Eigen::Index gamma = forces + static_cast<Eigen::Index>(k);
      m(gamma, cone.contact) = cone.friction;
      m.col(gamma).segment(cone.first, cone.edges).setOnes();
      m.row(gamma).segment(cone.first, cone.edges).setConstant(-1);
    }
    Eigen::VectorXd cover(size);
    for (Eigen::Index i = 0; i < size; ++i) cover[i] = 1 + stretch[i % stretch.size()];
    return solve_complementarity(m, q, cover);
  }

  Eigen::VectorXd force(const Eigen::VectorXd& z) const {
    const Eigen::MatrixXd columns = assemble(columns_);
    return columns * z.head(columns.cols());
  }

 private:
  struct Cone {
    int contact, first, edges;
    double friction;
  };

  void add(int contact, double normal, const Eigen::Vector2d& tail, double row_normal,
           const Eigen::Vector2d& row_tail) {
    Eigen::VectorXd column = Eigen::VectorXd::Zero(problem_.inertia.rows()), row = column;
    const int first = problem_.row(contact);
    column[first] = normal;
    row[first] = row_normal;
    column.segment(first + 1, problem_.rows - 1) = tail.head(problem_.rows - 1);
    row.segment(first + 1, problem_.rows - 1) = row_tail.head(problem_.rows - 1);
    columns_.push_back(std::move(column));
    rows_.push_back(std::move(row));
  }

  Eigen::MatrixXd assemble(const std::vector<Eigen::VectorXd>& vectors) const {
    Eigen::MatrixXd matrix(problem_.inertia.rows(), static_cast<Eigen::Index>(vectors.size()));
    for (std::size_t k = 0; k < vectors.size(); ++k) matrix.col(static_cast<Eigen::Index>(k)) = vectors[k];
    return matrix;
  }

  const ScaledProblem& problem_;
  std::vector<Eigen::VectorXd> columns_, rows_;
  std::vector<Cone> coned_;
};

// The modes with only those contacts closed that carry force. Where redundant contacts begin to slip, the share of each
// changes the acceleration; Lemke's answer carries by as few as determine it.
Combination carrying(const ScaledProblem& problem, Combination meant, const Eigen::VectorXd& force, double tolerance) {
  for (int c = 0; c < problem.count; ++c)
    if (force[problem.row(c)] <= tolerance) set_mode(problem, meant, c, ContactMode::free);
  return meant;
}

std::optional<Candidate> by_modes(const ScaledProblem& problem, const Combination& meant, const Combination& carried) {
  if (Trial trial = attempt(problem, meant); trial.answer) return trial.answer;
  if (std::optional<Candidate> found = attempt_and_repair(problem, carried)) return found;
  return attempt_and_repair(problem, meant);
}

// Lemke with static coefficients; contacts that slip in the answer get the kinetic one and it is repeated. Each round
// adds at least one, so that it ends.
std::optional<Candidate> by_pyramids(const ScaledProblem& problem, Pyramids pyramids, const Eigen::VectorXd& stretch) {
  pyramids.friction.clear();
  for (int c = 0; c < problem.count; ++c) pyramids.friction.push_back(problem.static_friction(c));
  for (int round = 0; round <= problem.count; ++round) {
    const PyramidProblem pyramid(problem, pyramids);
    const ComplementarityResult lemke = pyramid.solve(stretch);
    if (lemke.end != ComplementarityEnd::solved) return std::nullopt;
    const Eigen::VectorXd force = pyramid.force(lemke.z);
    const Eigen::VectorXd acceleration = problem.inertia * force + problem.free_acceleration;
    const double tolerance = tolerances::pyramid_modes_relative * size_of(force, acceleration);
    const Combination meant = modes_of(problem, acceleration, tolerance);
    if (std::optional<Candidate> found = by_modes(problem, meant, carrying(problem, meant, force, tolerance)))
      return found;
    bool changed = false;
    for (int c = 0; c < problem.count; ++c) {
      double& mu = pyramids.friction[static_cast<std::size_t>(c)];
      if (meant.mode(c) != ContactMode::slip || problem.slips(c) || mu == problem.kinetic_friction(c)) continue;
      mu = problem.kinetic_friction(c);
      changed = true;
    }
    if (!changed) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

// Contacts at rest have static friction; where one begins to slip nevertheless, kinetic friction decides, and the
// problem is solved once more.
std::optional<Candidate> by_contact_problem(const ScaledProblem& problem) {
  FrictionContactProblem contacts;
  contacts.dimension = problem.dimension;
  contacts.inertia = problem.inertia;
  contacts.velocity = problem.free_acceleration;
  contacts.slip = problem.slip;
  contacts.friction.resize(static_cast<std::size_t>(problem.count));
  for (int i = 0; i < problem.count; ++i)
    contacts.friction[static_cast<std::size_t>(i)] =
        problem.slips(i) ? problem.kinetic_friction(i) : problem.static_friction(i);
  ContactsOptions options;
  options.uniqueness = false;
  FrictionContactSolver solver;
  for (int round = 0; round <= problem.count; ++round) {
    const ContactsSolution& solution = solver.solve(contacts, options);
    if (solution.status != ContactsStatus::solved) return std::nullopt;
    Candidate found;
    found.force = solution.impulse;
    found.acceleration = solution.velocity;
    found.combination = modes_of(problem, found.acceleration,
                                 tolerances::mode_answer_relative * size_of(found.force, found.acceleration));
    // The solver leaves rounding where a contact opens; the mode is without force.
    for (int i = 0; i < problem.count; ++i)
      if (found.combination.mode(i) == ContactMode::free) found.force.segment(problem.row(i), problem.rows).setZero();
    found.acceleration = problem.inertia * found.force + problem.free_acceleration;
    bool weaker = false;
    for (int i = 0; i < problem.count; ++i) {
      double& mu = contacts.friction[static_cast<std::size_t>(i)];
      if (found.combination.mode(i) != ContactMode::slip || mu == problem.kinetic_friction(i)) continue;
      mu = problem.kinetic_friction(i);
      weaker = true;
    }
    if (weaker) continue;
    if (!holds(problem, found)) return std::nullopt;
    judge_uniqueness(problem, ModeSystem(problem, found.combination), found);
    return found;
  }
  return std::nullopt;
}

std::optional<Candidate> search_modes(const ScaledProblem& problem, std::span<const ContactMode> guess) {
  if (static_cast<int>(guess.size()) == problem.count) {
    if (std::optional<Candidate> found = by_guess(problem, guess)) return found;
  }
  // Paths that differ by the pyramid and by the covering vector, the plain one first.
  for (int path = 0; path < tolerances::pyramid_paths; ++path) {
    Pyramids pyramids;
    pyramids.edges = path < 4 ? 8 : 16;
    pyramids.turn = 0.17 * path;
    Eigen::VectorXd stretch = Eigen::VectorXd::Zero(7);
    for (Eigen::Index i = 0; i < stretch.size(); ++i)
      stretch[i] = path * std::fmod(0.618 * static_cast<double>(i + 1) * path, 1.0);
    if (std::optional<Candidate> found = by_pyramids(problem, pyramids, stretch)) return found;
  }
  return by_contact_problem(problem);
}

}  // namespace routh::internal::mode_search
