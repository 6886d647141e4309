// The contacts of a step: which strike, jam and take part, their problem, and what rests by rule.
#include <algorithm>
#include <cmath>

#include "routh/contact/machine_contacts.h"
#include "routh/impact/restitution.h"
#include "routh/math/elementary.h"
#include "routh/simulation/moreau_parts.h"
#include "routh/simulation/rounding.h"
#include "routh/solvability/single_contact.h"

namespace routh::internal {

namespace {

// The time after which g + u t + ½ a t² first falls to zero, from g ≥ 0; −1 where it does not within `length`.
double closing_time(double g, double u, double a, double length) {
  if (!(g > 0)) return u < 0 ? 0 : -1;
  const double discriminant = u * u - 2 * a * g;
  if (discriminant < 0) return -1;
  // The form without cancellation: t = 2g / (−u + √…).
  const double below = -u + std::sqrt(discriminant);
  if (!(below > 0)) return -1;
  const double t = 2 * g / below;
  return t <= length ? t : -1;
}

}  // namespace

// Contacts that slip and would close, alone on their trees, where friction presses them in harder than they can push
// off, A = a − μ cᵀσ ≤ 0 [Liu 2007, eq. 6]. No force holds them: they jam, and the law of their surfaces says what the
// impact of a jam leaves. The plastic answer of a step would stop them for good, whatever its length.
void MoreauStep::find_wedged(double length, const Eigen::VectorXd& force, const State& state) {
  wedging_.clear();
  std::fill(closed_on_.begin(), closed_on_.end(), 0);
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    it.wedged = false;
    const bool closes = contacts_[i].gap + length * std::min(it.free_velocity.n, it.velocity.n) <= 0;
    if (closes || contacts_[i].gap <= allowed) rows_.visit_trees(i, [&](std::size_t tree) { ++closed_on_[tree]; });
    if (closes && contacts_[i].kind != ContactKind::limit && length * it.velocity.n <= allowed &&
        moreau::slip_speed(it.velocity) > tolerances::stick_speed_relative * scales_.speed() &&
        contact_friction(model_, contacts_[i]).kinetic_coefficient > 0)
      wedging_.push_back(i);
  }
  std::erase_if(wedging_, [&](std::size_t i) {
    bool alone = true;
    rows_.visit_trees(i, [&](std::size_t tree) { alone = alone && closed_on_[tree] == 1; });
    return !alone;
  });
  if (wedging_.empty()) return;
  rows_.respond(factor_, loops_, wedging_);
  for (const std::size_t i : wedging_) {
    StepContact& it = step_contacts_[i];
    const std::size_t only[] = {i};
    rows_.inertia(only, problem_);
    const auto& D = std::get<Eigen::MatrixXd>(problem_.inertia);
    const double slip = moreau::slip_speed(it.velocity);
    const double mu = std::min(contact_friction(model_, contacts_[i]).kinetic_coefficient, widest_friction);
    double A = D(0, 0) - mu * D(0, 1) * it.velocity.t1 / slip;
    if (D.rows() == 3) A -= mu * D(0, 2) * it.velocity.t2 / slip;
    if (A > (implicit_ ? tolerances::wedge_looked_at * D(0, 0) : 0)) continue;
    const bool closed = contacts_[i].gap <= allowed && !(it.velocity.n < 0);
    it.wedged = closed || implicit_ ? jams(i, closed, force, state) : true;
  }
}

// A ≤ 0 with M itself and, where the contact is closed, f_n < 0: what acts now presses, the centrifugal forces of its
// surfaces included.
bool MoreauStep::jams(std::size_t contact, bool closed, const Eigen::VectorXd& force, const State& state) {
  if (builder_.prepare_forces(model_, state, *workspace_) >= 0) return false;
  const AccelerationProblem problem = builder_.force_problem(model_, *workspace_, contacts_[contact]);
  ContactVector free = problem.free_acceleration;
  if (force.size() > 0) {
    Eigen::MatrixXd response(model_.velocities, contact_rows(model_));
    builder_.response(response);
    free.n += response.col(0).dot(force);
  }
  const double mu = std::min(contact_friction(model_, contacts_[contact]).kinetic_coefficient, widest_friction);
  const SlipVerdict verdict =
      judge_slip(problem.contact.inertia, mu, slip_of(step_contacts_[contact].velocity).direction, free);
  return closed ? verdict.mode == SlipMode::inconsistent : verdict.A <= 0;
}

// Of the contacts that close within the part and rebound for longer than a step, when the first does; −1: none. A
// bounce of speed e s under the pull a lasts 2 e s / a.
double MoreauStep::find_first_strike(double length, const StepMemory& memory) {
  double first = -1;
  striking_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    it.strikes_at = -1;
    if (it.wedged && contacts_[i].gap <= tolerances::overlap_left_relative * scales_.length) {
      it.strikes_at = first = 0;
      continue;
    }
    // What carried load is closed: where its surfaces roll and slide into each other they do not strike.
    if (moreau::known_force(memory, contacts_[i].id)) continue;
    const double a = (it.free_velocity.n - it.velocity.n) / length;
    const double t = closing_time(contacts_[i].gap, it.velocity.n, a, length);
    if (t < 0) continue;
    const double speed = -(it.velocity.n + a * t);
    if (!(speed > 0)) continue;
    const double rebound = speed * restitution_at(contact_restitution(model_, contacts_[i]), speed).coefficient;
    const bool outlasts =
        2 * rebound > step_ * std::max(0.0, -a) && rebound * step_ > tolerances::rebound_seen_relative * scales_.length;
    if (!outlasts && !it.wedged) continue;
    it.strikes_at = t;
    if (first < 0 || t < first) first = t;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    double& at = step_contacts_[i].strikes_at;
    if (at < 0) continue;
    if (at <= first + tolerances::same_strike_share * step_)
      striking_.push_back(contacts_[i].id);
    else
      at = -1;
  }
  return first;
}

// Contacts that take part: those that would be closed at the end of the part, and those that carried load in the last
// step: what the others do to them may be all that presses them, and without them the others' problem is another one.
void MoreauStep::choose(double length) {
  chosen_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    it.chosen = it.strikes_at < 0 && (contacts_[i].gap + length * it.free_velocity.n <= 0 ||
                                      moreau::known_force(*memory_, contacts_[i].id) != nullptr);
    if (!it.chosen) continue;
    chosen_.push_back(i);
    set_friction(i);
  }
  if (chosen_.size() > tolerances::newton_contacts_most) choose_near(length);
}

// Static where it sticks: after a step in which it slipped, friction was just kinetic.
void MoreauStep::set_friction(std::size_t contact) {
  StepContact& it = step_contacts_[contact];
  const Friction friction = contact_friction(model_, contacts_[contact]);
  bool sticks = moreau::slip_speed(it.velocity) <= tolerances::stick_speed_relative * scales_.speed();
  if (const ContactVector* const known = sticks ? nullptr : moreau::known_force(*memory_, contacts_[contact].id))
    sticks = std::abs(moreau::slip_speed(*known) - friction.kinetic_coefficient * known->n) >
             tolerances::stick_force_relative * moreau::slip_speed(*known);
  it.friction = sticks ? friction.static_coefficient : friction.kinetic_coefficient;
}

// At the end of the part: with all its friction, for less holds it, whatever slip the residual left.
bool MoreauStep::slides(const StepContact& it) const {
  return it.impulse.n > 0 && moreau::slip_speed(it.after) > tolerances::stick_speed_relative * scales_.speed() &&
         moreau::slip_speed(it.impulse) >= (1 - tolerances::stick_force_relative) * it.friction * it.impulse.n;
}

// In a crowd impulses press contacts together that would not close by themselves: those take part from the start that
// would close if all their speed turned upon them.
void MoreauStep::choose_near(double length) {
  chosen_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    StepContact& it = step_contacts_[i];
    const double speed = std::abs(it.free_velocity.n) + moreau::slip_speed(it.free_velocity);
    if (!it.chosen && it.strikes_at < 0 && contacts_[i].gap <= length * speed) {
      it.chosen = true;
      set_friction(i);
    }
    if (it.chosen) chosen_.push_back(i);
  }
}

void MoreauStep::solve(double length, const StepMemory& memory) {
  for (int round = 0;; ++round) {
    double residual = 0;
    half_.setZero();
    if (!chosen_.empty()) {
      rows_.respond(factor_, loops_, chosen_);
      const int sweeps = round == 0 ? tolerances::step_sweeps : tolerances::joining_sweeps;
      for (const std::vector<std::size_t>& island : rows_.islands(chosen_))
        residual = std::max(residual, solve_island(length, island, memory, sweeps));
    }
    velocity_ = half_;
    factor_.finish_solve(velocity_);
    velocity_ += free_;
    bool joined = false;
    for (std::size_t i = 0; i < contacts_.size(); ++i) joined = joins(i, length) || joined;
    joined = join_far(length) || joined;
    // Contacts at static friction that slip all the same have their kinetic friction.
    for (const std::size_t i : chosen_) {
      StepContact& it = step_contacts_[i];
      const double kinetic = contact_friction(model_, contacts_[i]).kinetic_coefficient;
      if (it.friction == kinetic || !slides(it)) continue;
      it.friction = kinetic;
      joined = true;
    }
    if (!joined || round >= tolerances::joining_rounds) {
      residual_ = std::max(residual_, residual);
      return keep_at_rest(length);
    }
    chosen_.clear();
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (step_contacts_[i].chosen) chosen_.push_back(i);
    if (chosen_.size() > tolerances::newton_contacts_most) choose_near(length);
  }
}

// Contacts that touched and were at rest stay so where static friction can hold them all, though the problem has
// another motion, too: a drawer that squeezes itself in its guides. The rule of the event engine.
void MoreauStep::keep_at_rest(double length) {
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  choices_.clear();
  resting_.clear();
  std::fill(closed_on_.begin(), closed_on_.end(), 0);
  // Of machines that move elsewhere contacts are not asked: the search would cost limp robots more than their steps.
  for (std::size_t k = 0; k < touched_.size(); ++k)
    if (std::abs(looked_.v[static_cast<Eigen::Index>(k)]) > tolerances::stick_speed_relative * scales_.speed())
      closed_on_[static_cast<std::size_t>(rows_.tree_of(static_cast<int>(k)))] = 1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const StepContact& it = step_contacts_[i];
    const double speed = std::abs(it.velocity.n) + moreau::slip_speed(it.velocity);
    const bool rests =
        it.strikes_at < 0 && contacts_[i].gap <= allowed && speed <= tolerances::stick_speed_relative * scales_.speed();
    if (rests)
      resting_.push_back(i);
    else if (it.chosen)
      rows_.visit_trees(i, [&](std::size_t tree) { closed_on_[tree] = 1; });
  }
  // What the residual of the problem leaves, of all contacts, is no motion.
  double least = 0;
  for (const std::size_t i : resting_) {
    const ContactVector& free = step_contacts_[i].free_velocity;
    least = std::max(least, tolerances::rest_left * (std::abs(free.n) + moreau::slip_speed(free)));
  }
  const auto leaves = [&](std::size_t i) { return leaves_rest(i, length, least); };
  if (std::none_of(resting_.begin(), resting_.end(), leaves)) return;
  // What is pushed by what is not at rest has no choice.
  std::vector<std::size_t> all = chosen_;
  all.insert(all.end(), resting_.begin(), resting_.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  bool responded = false;
  const std::vector<std::vector<std::size_t>> islands = rows_.islands(resting_);
  for (const std::vector<std::size_t>& island : islands) {
    if (island.size() < 2 || island.size() > tolerances::rest_contacts_most) continue;
    bool alone = true, moves = false;
    for (const std::size_t i : island) {
      moves = moves || leaves(i);
      rows_.visit_trees(i, [&](std::size_t tree) { alone = alone && closed_on_[tree] == 0; });
    }
    if (!alone || !moves) continue;
    if (!responded) rows_.respond(factor_, loops_, all);
    responded = true;
    keep_island(length, island);
  }
}

// Of those in the problem; others may come nearer within what overlap is allowed. Closing its gap is no motion.
bool MoreauStep::leaves_rest(std::size_t contact, double length, double least) const {
  const StepContact& it = step_contacts_[contact];
  return it.chosen &&
         std::abs(it.after.n + std::max(0.0, contacts_[contact].gap) / length) + moreau::slip_speed(it.after) > least;
}

void MoreauStep::keep_island(double length, const std::vector<std::size_t>& island) {
  const Eigen::Index d = contact_rows(model_), size = static_cast<Eigen::Index>(island.size());
  rows_.inertia(island, problem_);
  problem_.friction.clear();
  problem_.velocity.resize(d * size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t k = island[static_cast<std::size_t>(i)];
    const ContactVector& free = step_contacts_[k].free_velocity;
    const double entries[3] = {free.n + std::max(0.0, contacts_[k].gap) / length, free.t1, free.t2};
    for (Eigen::Index r = 0; r < d; ++r) problem_.velocity[d * i + r] = entries[r];
    problem_.friction.push_back(std::min(contact_friction(model_, contacts_[k]).static_coefficient, widest_friction));
  }
  if (!rest_.find(problem_, island_impulse_)) return;
  const double greatest = island_impulse_.cwiseAbs().maxCoeff();
  Event event;
  event.kind = EventKind::stick;
  event.time = looked_.time;
  event.position = looked_.q;
  event.velocity_before = event.velocity_after = looked_.v;
  event.warn(Warning::motion_not_unique);
  bool begins = false;
  for (std::size_t i = 0; i < island.size(); ++i) {
    StepContact& it = step_contacts_[island[i]];
    const ContactVector old = it.impulse;
    it.impulse = contact_entries(island_impulse_, i, d);
    it.friction = problem_.friction[i];
    if (it.chosen) rows_.add_response(island[i], {-old.n, -old.t1, -old.t2}, half_);
    if (!it.chosen) chosen_.insert(std::lower_bound(chosen_.begin(), chosen_.end(), island[i]), island[i]);
    it.chosen = true;
    rows_.add_response(island[i], it.impulse, half_);
    begins = begins || (it.impulse.n > tolerances::rest_share_least * greatest &&
                        !moreau::known_force(*memory_, contacts_[island[i]].id));
    event.contacts.push_back({.id = contacts_[island[i]].id,
                              .name = contact_name(model_, contacts_[island[i]]),
                              .velocity_before = it.velocity,
                              .velocity_after = {},
                              .impulse = {},
                              .friction = it.friction});
  }
  velocity_ = half_;
  factor_.finish_solve(velocity_);
  velocity_ += free_;
  for (std::size_t i = 0; i < contacts_.size(); ++i) step_contacts_[i].after = relative(i, velocity_);
  // Told once, when contacts begin to rest.
  if (begins) choices_.push_back(std::move(event));
}

// From the impulses of the step before; of a crowd, from those of the round before. Returns the residual.
double MoreauStep::solve_island(double length, std::span<const std::size_t> island, const StepMemory& memory,
                                int sweeps) {
  const Eigen::Index d = contact_rows(model_), size = static_cast<Eigen::Index>(island.size());
  problem_.friction.resize(island.size());
  problem_.velocity.resize(d * size);
  start_.assign(static_cast<std::size_t>(d * size), 0.0);
  bool warm = false;
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::size_t k = island[static_cast<std::size_t>(i)];
    const StepContact& it = step_contacts_[k];
    problem_.friction[static_cast<std::size_t>(i)] = it.friction;
    problem_.velocity[d * i] = it.free_velocity.n + std::max(0.0, contacts_[k].gap) / length;
    problem_.velocity[d * i + 1] = it.free_velocity.t1;
    if (d == 3) problem_.velocity[d * i + 2] = it.free_velocity.t2;
    const bool again = it.solved && island.size() > tolerances::newton_contacts_most;
    const ContactVector* const known = again ? &it.impulse : moreau::known_force(memory, contacts_[k].id);
    if (!known) continue;
    warm = true;
    const double entries[3] = {known->n, known->t1, known->t2}, unit = again ? 1 : length;
    for (Eigen::Index r = 0; r < d; ++r) start_[static_cast<std::size_t>(d * i + r)] = unit * entries[r];
  }
  const double residual = solve_problem(island, options_.residual,
                                        warm ? std::span<const double>(start_) : std::span<const double>(), sweeps);
  for (Eigen::Index i = 0; i < size; ++i) {
    StepContact& it = step_contacts_[island[static_cast<std::size_t>(i)]];
    it.impulse = contact_entries(island_impulse_, static_cast<std::size_t>(i), d);
    it.solved = true;
  }
  return residual;
}

// Whether the contact problem has numbers: positions may be so large that their squares have none.
bool MoreauStep::problem_is_finite() const {
  if (!problem_.velocity.allFinite()) return false;
  if (const auto* const dense = std::get_if<Eigen::MatrixXd>(&problem_.inertia)) return dense->allFinite();
  const auto* const blocks = std::get_if<BlockMatrix>(&problem_.inertia);
  return !blocks ||
         std::all_of(blocks->values.begin(), blocks->values.end(), [](double v) { return std::isfinite(v); });
}

// The contact problem of an island, with the velocities and frictions of `problem_`: its impulses, which `half_` feels.
// Returns its residual.
double MoreauStep::solve_problem(std::span<const std::size_t> island, double residual, std::span<const double> start,
                                 int sweeps) {
  const bool crowd = island.size() > tolerances::newton_contacts_most;
  if (crowd) {
    island_impulse_.setZero(problem_.velocity.size());
    if (!start.empty()) island_impulse_ = Eigen::Map<const Eigen::VectorXd>(start.data(), island_impulse_.size());
    const double reached = sweep(island, residual, sweeps);
    if (reached <= residual || island.size() > tolerances::newton_instead_most) return reached;
    respond(island, -1);
  }
  rows_.inertia(island, problem_);
  if (!problem_is_finite()) {
    island_impulse_.setZero(problem_.velocity.size());
    status_ = SimulationStatus::non_finite;
    trouble_ = "what contacts feel within a step";
    return 0;
  }
  const double enough = crowd ? residual : tolerances::step_residual_enough;
  const ContactsSolution& solution =
      solver_.solve(problem_, moreau::contact_options(std::min(residual, tolerances::step_residual), enough), start);
  island_impulse_ = solution.impulse;
  if (solution.residual > enough) {  // the better of the two is taken
    const double reached = sweep(island, enough, tolerances::step_sweeps);
    if (reached <= solution.residual) return reached;
    respond(island, -1);
    island_impulse_ = solution.impulse;
  }
  respond(island, 1);
  return solution.residual;
}

// From the impulses that the island has.
double MoreauStep::sweep(std::span<const std::size_t> island, double residual, int sweeps) {
  rows_.response(island, columns_);
  respond(island, 1);
  return sweeps_.solve(columns_, problem_.velocity, problem_.friction, residual, sweeps, island_impulse_, half_)
      .residual;
}

// half_ += sign · Y p of an island.
void MoreauStep::respond(std::span<const std::size_t> island, double sign) {
  for (std::size_t i = 0; i < island.size(); ++i) {
    const ContactVector p = contact_entries(island_impulse_, i, contact_rows(model_));
    rows_.add_response(island[i], {sign * p.n, sign * p.t1, sign * p.t2}, half_);
  }
}

// Islands whose contacts may share their load in other ways: `least_forces` finds the least, where somebody looks.
void MoreauStep::keep_shares(double length) {
  shares_.clear();
  const double allowed = tolerances::overlap_left_relative * scales_.length;
  for (const std::vector<std::size_t>& island : rows_.islands(chosen_)) {
    Share share;
    std::vector<std::size_t> closed;
    for (const std::size_t i : island)
      if (contacts_[i].gap + length * step_contacts_[i].after.n <= allowed) closed.push_back(i);
    if (closed.size() < 2 || closed.size() > tolerances::rest_contacts_most) continue;
    rows_.inertia(closed, share.problem);
    if (!std::holds_alternative<Eigen::MatrixXd>(share.problem.inertia)) continue;  // chains, which share little
    const Eigen::Index d = contact_rows(model_);
    share.problem.dimension = model_.dimension;
    share.problem.velocity.setZero(d * static_cast<Eigen::Index>(closed.size()));
    share.force.resize(share.problem.velocity.size());
    for (const std::size_t i : closed) {
      const StepContact& it = step_contacts_[i];
      const double p[3] = {it.impulse.n / length, it.impulse.t1 / length, it.impulse.t2 / length};
      for (Eigen::Index r = 0; r < d; ++r) share.force[d * static_cast<Eigen::Index>(share.contacts.size()) + r] = p[r];
      const double slip = slides(it) ? moreau::slip_speed(it.after) : 0;
      share.problem.friction.push_back(it.friction);
      share.problem.slip.push_back(slip > 0 ? Eigen::Vector2d(it.after.t1 / slip, it.after.t2 / slip)
                                            : Eigen::Vector2d(0, 0));
      ActiveContact shown;
      shown.contact = contacts_[i];
      if (slip > 0) shown.mode = ContactMode::slip, shown.direction = {it.after.t1 / slip, it.after.t2 / slip};
      share.contacts.push_back(std::move(shown));
    }
    shares_.push_back(std::move(share));
  }
}

std::vector<ActiveContact> MoreauStep::least_forces() const {
  std::vector<ActiveContact> least = active_;
  if (least.empty()) return least;
  StepRest rest;
  for (const Share& share : shares_) {
    Eigen::VectorXd force = share.force;
    rest.lessen(share.problem, force);
    for (std::size_t k = 0; k < share.contacts.size(); ++k) {
      ActiveContact shown = share.contacts[k];
      shown.force = contact_entries(force, k, contact_rows(model_));
      const auto at = std::find_if(least.begin(), least.end(),
                                   [&](const ActiveContact& each) { return !(each.contact.id < shown.contact.id); });
      if (at != least.end() && at->contact.id == shown.contact.id)
        at->force = shown.force;
      else if (shown.force.n > 0)
        least.insert(at, std::move(shown));
    }
  }
  return least;
}

void MoreauStep::remember_forces(double length, StepMemory& memory) {
  memory.forces.clear();
  for (const std::size_t i : chosen_) {
    const ContactVector& p = step_contacts_[i].impulse;
    if (p.n > 0) memory.forces.push_back({contacts_[i].id, {p.n / length, p.t1 / length, p.t2 / length}});
  }
  // Those that joined late stand last.
  std::sort(memory.forces.begin(), memory.forces.end(),
            [](const StepMemory::Known& a, const StepMemory::Known& b) { return a.id < b.id; });
}

}  // namespace routh::internal
