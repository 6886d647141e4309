// The referee's integration against another one, in long double: extrapolated midpoint steps (Gragg, Bulirsch, Stoer)
// of fixed length, events by halving the step itself, slip in space as (ln s, φ) in a time of its own that does not end
// where slip halts. It shares the law of the contact with the referee, and no code.
//
//   dt = s/(s + S) dτ     d ln s/dτ = σᵀw/(s + S)     dφ/dτ = σ⊥ᵀw/(s + S)     w = f_t + F c − μ_k F b σ
//   S = T₀ (‖f_t + F c‖ + μ_k F tr b), so that neither grows faster than e^(τ/T₀)
//
// Slip that begins in space follows the direction with σ⊥ᵀw = 0 until s is 1e-5 of the speeds: φ is then off by as
// much, and v_t by 1e-10.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "routh/impact/solve.h"
#include "routh/referee/referee.h"
#include "support/random_problems.h"

namespace referee_extended {

using namespace routh;
using namespace testing_support;
using Real = long double;

constexpr Real pi = 3.14159265358979323846264338327950288L;

enum Entry { time_, depth, vn, slip1, slip2, in, it1, it2, work, entries };
using State = std::array<Real, entries>;
struct Pair {
  Real x = 0, y = 0;
};

struct Answer {
  bool separates = false;
  bool gave_up = false;  // slip creeps along a direction in which it all but keeps its speed
  Real vn = 0, vt1 = 0, vt2 = 0, in = 0, it1 = 0, it2 = 0, duration = 0, compression = 0, restitution = 0;
  std::string phases;  // s: slips, S: another direction of slip, t: sticks
};

class Contact {
 public:
  Contact(const AccelerationProblem& problem, Real stiffness, Real damping)
      : d_(problem.contact.inertia), k_(stiffness), c_(damping), planar_(d_.dimension == Dimension::planar) {
    const ImpactProblem& p = problem.contact;
    mu_static_ = p.friction.static_coefficient, mu_ = p.friction.kinetic_coefficient;
    fn_ = problem.free_acceleration.n, f_ = {problem.free_acceleration.t1, problem.free_acceleration.t2};
    y_ = {0, 0, p.velocity.n, 0, 0, 0, 0, 0, 0};
    unit_ = 1 / std::sqrt(d_.a * k_);
    const Pair v{p.velocity.t1, p.velocity.t2};
    speed_ = std::max({std::abs(y_[vn]), std::abs(v.x), std::abs(v.y),
                       std::max({std::abs(fn_), std::abs(f_.x), std::abs(f_.y)}) * unit_});
    const Real size = std::hypot(v.x, v.y);
    if (size > 0)
      begin_slip(v, size);
    else
      choose();
  }

  Answer run() {
    const Real length = unit_ / 5;
    // A contact lasts some 3 to 60 units; one that is not over by far is held.
    for (int k = 0; k < steps_max; ++k) {
      if (y_[time_] > 500 * unit_) return finish(false);
      const State next = step(length);
      if (!happened(next)) {
        y_ = next;
        continue;
      }
      Real low = 0, high = length;
      State at = next;
      for (int half = 0; half < 80; ++half) {
        const Real middle = (low + high) / 2;
        const State y = step(middle);
        if (happened(y))
          high = middle, at = y;
        else
          low = middle;
      }
      y_ = at;
      if (lets_go(y_)) return finish(true);
      pass();
    }
    answer_.gave_up = true;
    return answer_;
  }

 private:
  static constexpr int steps_max = 20000;

  Real force(const State& y) const { return k_ * y[depth] - c_ * y[vn]; }
  // v̇_t without friction, and the friction that would hold it.
  Pair load(Real F) const { return {d_.c1 * F + f_.x, d_.c2 * F + f_.y}; }
  Pair holding(Real F) const {
    const Pair g = load(F);
    if (planar_) return {-g.x / static_cast<Real>(d_.b11), 0};
    const Real b11 = d_.b11, b12 = d_.b12, b22 = d_.b22, det = b11 * b22 - b12 * b12;
    return {-(b22 * g.x - b12 * g.y) / det, -(b11 * g.y - b12 * g.x) / det};
  }
  Real grip(Real F) const {
    const Pair t = holding(F);
    return mu_static_ * F - std::hypot(t.x, t.y);
  }
  Pair slipping(Real F, Pair s) const {
    const Pair g = load(F);
    if (planar_) return {g.x - mu_ * F * static_cast<Real>(d_.b11) * s.x, 0};
    return {g.x - mu_ * F * (d_.b11 * s.x + d_.b12 * s.y), g.y - mu_ * F * (d_.b12 * s.x + d_.b22 * s.y)};
  }
  Real scale(Real F) const {
    const Pair g = load(F);
    return unit_ * (std::hypot(g.x, g.y) + mu_ * std::abs(F) * (d_.b11 + d_.b22));
  }
  Pair direction(const State& y) const {
    if (planar_) return {sign_, 0};
    const Real phi = begins_ ? begun(force(y), y[slip2]) : y[slip2];
    return {std::cos(phi), std::sin(phi)};
  }
  Real across(Real F, Real phi) const {
    const Pair s{std::cos(phi), std::sin(phi)}, w = slipping(F, s);
    return s.x * w.y - s.y * w.x;
  }
  // The direction nearest to `phi` to which φ is drawn.
  Real begun(Real F, Real phi) const {
    Real low = phi - 0.2L, high = phi + 0.2L;
    for (int half = 0; half < 70; ++half) (across(F, (low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    return low;
  }

  State rates(const State& y) const {
    const Real F = force(y);
    const Pair s = direction(y);
    const Pair T = sticks_ ? holding(F) : Pair{-mu_ * F * s.x, -mu_ * F * s.y};
    State r{};
    Real pace = 1;
    if (!sticks_) {
      const Pair w = slipping(F, s);
      if (planar_) {
        r[slip1] = w.x;
      } else if (begins_) {
        r[slip1] = s.x * w.x + s.y * w.y;  // s itself
      } else {
        const Real size = std::exp(y[slip1]), sum = size + scale(F);
        pace = size / sum;
        r[slip1] = (s.x * w.x + s.y * w.y) / sum / pace;
        r[slip2] = (s.x * w.y - s.y * w.x) / sum / pace;
      }
    }
    r[time_] = 1, r[depth] = -y[vn], r[vn] = d_.a * F + d_.c1 * T.x + d_.c2 * T.y + fn_;
    r[in] = F, r[it1] = T.x, r[it2] = T.y, r[work] = F * y[vn];
    for (Real& each : r) each *= pace;
    return r;
  }

  // Gragg's midpoint rule in n substeps, extrapolated to n → ∞ in powers of 1/n².
  State step(Real h) const {
    constexpr int columns = 9;
    std::array<State, columns> table;
    for (int j = 0; j < columns; ++j) {
      const int n = 2 * (j + 1);
      State before = y_, now = y_, r = rates(y_);
      for (int e = 0; e < entries; ++e) now[e] += h / n * r[e];
      for (int m = 1; m < n; ++m) {
        r = rates(now);
        for (int e = 0; e < entries; ++e) {
          const Real after = before[e] + 2 * h / n * r[e];
          before[e] = now[e], now[e] = after;
        }
      }
      r = rates(now);
      for (int e = 0; e < entries; ++e) now[e] = (before[e] + now[e] + h / n * r[e]) / 2;
      // `now` becomes T_{j,j} on the way along the row, whose entries replace those of the last one.
      for (int m = 1; m <= j; ++m) {
        const Real q = static_cast<Real>(n) / (2 * (j - m + 1));
        const State last = table[static_cast<std::size_t>(m - 1)];
        table[static_cast<std::size_t>(m - 1)] = now;
        for (int e = 0; e < entries; ++e) now[e] += (now[e] - last[e]) / (q * q - 1);
      }
      table[static_cast<std::size_t>(j)] = now;
    }
    return table[columns - 1];
  }

  bool turns(const State& y) const { return compresses_ ? y[vn] >= 0 : y[vn] < 0; }
  bool lets_go(const State& y) const { return !compresses_ && y[vn] > 0 && force(y) <= 0; }
  bool tangents_end(const State& y) const {
    if (sticks_) return grip(force(y)) < 0;
    if (begins_) return y[slip1] < 0;
    return planar_ ? y[slip1] * sign_ < 0 : y[slip1] < std::log(speed_) - 25;
  }
  bool has_begun(const State& y) const { return begins_ && y[slip1] >= 1e-5L * speed_; }
  bool happened(const State& y) const { return turns(y) || lets_go(y) || tangents_end(y) || has_begun(y); }

  void pass() {
    if (turns(y_)) {
      book();
      compresses_ = !compresses_, y_[vn] = 0;
    }
    if (has_begun(y_)) {
      y_[slip2] = begun(force(y_), y_[slip2]), y_[slip1] = std::log(y_[slip1]);
      begins_ = false;
    } else if (tangents_end(y_)) {
      choose();
    }
  }

  void add_slip() {
    sticks_ = false;
    answer_.phases += answer_.phases.find('s') == std::string::npos ? 's' : 'S';
  }

  void begin_slip(Pair v, Real size) {
    add_slip();
    sign_ = v.x > 0 ? 1 : -1;
    y_[slip1] = planar_ ? v.x : std::log(size);
    y_[slip2] = planar_ ? 0 : std::atan2(v.y, v.x);
  }

  // Without slip: stick where friction can, else the direction σ in which slip grows by itself.
  void choose() {
    const bool free = std::hypot(f_.x, f_.y) == 0;
    const Real F = force(y_) > 0 || !free ? std::max<Real>(force(y_), 0) : speed_ / (d_.a * unit_);
    y_[slip1] = y_[slip2] = 0, begins_ = false;
    if (grip(F) >= 0) {
      sticks_ = true, answer_.phases += 't';
      return;
    }
    add_slip();
    if (planar_) return void(sign_ = load(F).x > 0 ? 1 : -1);
    begins_ = true;
    constexpr int points = 3600;
    for (int k = 0; k < points; ++k) {
      const Real low = 2 * pi * k / points, high = 2 * pi * (k + 1) / points;
      if (!(across(F, low) > 0 && across(F, high) <= 0)) continue;  // φ is drawn there
      const Pair s{std::cos(low), std::sin(low)}, w = slipping(F, s);
      if (s.x * w.x + s.y * w.y > -1e-2L * std::hypot(load(F).x, load(F).y)) return void(y_[slip2] = low);
    }
    ADD_FAILURE() << "no direction for slip to begin";
  }

  void book() {
    (compresses_ ? answer_.compression : answer_.restitution) += y_[work] - booked_;
    booked_ = y_[work];
  }

  Answer finish(bool separates) {
    book();
    const Pair s = direction(y_);
    const Real size = sticks_ ? 0 : planar_ || begins_ ? std::abs(y_[slip1]) : std::exp(y_[slip1]);
    answer_.separates = separates, answer_.duration = y_[time_];
    answer_.vn = y_[vn], answer_.vt1 = size * s.x, answer_.vt2 = size * s.y;
    answer_.in = y_[in], answer_.it1 = y_[it1], answer_.it2 = y_[it2];
    return answer_;
  }

  ContactInertia d_;
  Real k_, c_, mu_ = 0, mu_static_ = 0, fn_ = 0, unit_ = 0, speed_ = 0, sign_ = 1, booked_ = 0;
  bool planar_, sticks_ = false, begins_ = false, compresses_ = true;
  Pair f_;
  State y_{};
  Answer answer_;
};

double compare(const AccelerationProblem& problem, const CompliantContact& contact, const Answer& want, double bound) {
  const CompliantCourse got = integrate_contact(problem, contact);
  EXPECT_EQ(got.end == CourseEnd::separates, want.separates) << name(got.end) << ' ' << want.phases;
  if (!want.separates || got.end != CourseEnd::separates) return 0;
  const ContactVector& v = problem.contact.velocity;
  const Real speed = std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2), std::abs(static_cast<double>(want.vn))});
  const Real impulse = std::max({want.in, std::abs(want.it1), std::abs(want.it2)});
  const Real errors[] = {(got.velocity.n - want.vn) / speed,
                         (got.velocity.t1 - want.vt1) / speed,
                         (got.velocity.t2 - want.vt2) / speed,
                         (got.impulse.n - want.in) / impulse,
                         (got.impulse.t1 - want.it1) / impulse,
                         (got.impulse.t2 - want.it2) / impulse,
                         (got.duration - want.duration) / want.duration,
                         (got.compression_work - want.compression) / want.compression,
                         (got.restitution_work - want.restitution) / want.compression};
  double worst = 0;
  for (const Real error : errors) worst = std::max(worst, static_cast<double>(std::abs(error)));
  EXPECT_LT(worst, bound) << want.phases << ": v = (" << want.vn << ", " << want.vt1 << ", " << want.vt2 << ") in "
                          << want.duration << " s; the referee: (" << got.velocity.n << ", " << got.velocity.t1 << ", "
                          << got.velocity.t2 << ") in " << got.duration << " s";
  return worst;
}

CompliantContact contact_for(const AccelerationProblem& problem, double duration, double restitution) {
  const double a = problem.contact.inertia.a, k = static_cast<double>(pi * pi) / (duration * duration * a);
  return {k, damping_for(restitution) * std::sqrt(k / a), 0};
}

struct Case {
  const char* what;
  double a, c, b, mu_static, mu;
  ContactVector velocity, free;
  std::set<std::string> phases;  // that occur, over durations and dashpots
};

// In the plane every mode of an impact, alone and under other forces, and Painlevé's.
TEST(RefereeInExtendedPrecision, EveryModeOfThePlane) {
  const Case cases[] = {
      {"slides", 1.6, 1.2, 3.4, 0.1, 0.1, {-0.5, 2, 0}, {}, {"s"}},
      {"slides, then sticks", 1.6, 1.2, 3.4, 0.8, 0.8, {-0.5, 0.3, 0}, {}, {"st"}},
      {"slides, then back", 1.6, 1.2, 3.4, 0.2, 0.2, {-0.5, -0.1, 0}, {}, {"sS"}},
      {"sticks", 1.6, 1.2, 3.4, 0.8, 0.8, {-0.5, 0, 0}, {}, {"t"}},
      {"begins to slide", 1.6, 1.2, 3.4, 0.2, 0.2, {-0.5, 0, 0}, {}, {"s"}},
      {"jams, then sticks", 1, 1, 2, 2, 2, {-0.1, 1, 0}, {}, {"st"}},
      {"under forces", 1.6, 1.2, 3.4, 0.3, 0.25, {-0.5, -0.1, 0}, {-9.81, 2, 0}, {"sS"}},
      {"under forces, sticks and lets slip go", 1.6, 1.2, 3.4, 0.6, 0.5, {-0.5, 0.1, 0}, {-9.81, 30, 0}, {"stS"}},
      {"M_s⁴: inconsistent", 1, 1, 2, 2, 2, {0, 1, 0}, {-5, 0, 0}, {"st"}},
      {"M_s³, a small approach", 1, 1, 2, 2, 2, {-1e-3, 1, 0}, {5, 0, 0}, {"s", "st"}},
      {"A = 0", 1, 1, 2, 1, 1, {-0.1, 1, 0}, {-3, 0, 0}, {"st"}},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.what);
    AccelerationProblem p;
    p.contact.inertia = planar_inertia(each.a, each.c, each.b);
    p.contact.friction = {each.mu_static, each.mu};
    p.contact.velocity = each.velocity;
    p.free_acceleration = each.free;
    std::set<std::string> phases;
    double worst = 0;
    for (const double duration : {1e-2, 1e-4, 1e-6})
      for (const double e : {1.0, 0.5, 0.05}) {
        SCOPED_TRACE(testing::Message() << "duration " << duration << ", e " << e);
        const CompliantContact contact = contact_for(p, duration, e);
        const Answer want = Contact(p, contact.stiffness, contact.damping).run();
        phases.insert(want.phases);
        worst = std::max(worst, compare(p, contact, want, 1e-9));
      }
    std::string found;
    for (const std::string& one : phases) found += one + ' ';
    std::printf("%s: %s%.1e\n", each.what, found.c_str(), worst);
    for (const std::string& wanted : each.phases) EXPECT_TRUE(phases.contains(wanted)) << wanted;
  }
}

// In space slip counts as halted at 1e-9 of the speed, and begins anew with 1e-8 of it: its direction is lost at zero.
// A contact that can jam (μ ‖c‖ > a) multiplies what it begins with while it does.
TEST(RefereeInExtendedPrecision, InSpace) {
  constexpr std::uint64_t seed = 20261121;
  Random random(seed);
  std::map<std::string, int> phases;
  int compared = 0, given_up = 0;
  double worst = 0, worst_of_jams = 0;
  for (int k = 0; k < scaled(40, 40); ++k) {
    AccelerationProblem p;
    p.contact = random_spatial(random);
    p.contact.surface_velocity = {};
    p.contact.restitution = {};
    p.contact.restitution.normal = random.uniform(0.05, 1);
    if (!std::isfinite(p.contact.friction.static_coefficient) ||
        solve_impact(p.contact, Law::energetic).has(Warning::ill_conditioned))
      continue;
    const double duration = std::pow(10, random.uniform(-6, -2)), size = random.uniform(0, 2) / duration;
    if (random.chance(0.7))
      p.free_acceleration = {0.1 * size * random.normal(), 0.1 * size * random.normal(), 0.1 * size * random.normal()};
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", problem " << k << ": " << describe(to_oracle(p.contact)));
    const CompliantContact contact = contact_for(p, duration, p.contact.restitution.normal);
    const Answer want = Contact(p, contact.stiffness, contact.damping).run();
    if (want.gave_up) {
      ++given_up;
      continue;
    }
    const bool can_jam =
        p.contact.friction.kinetic_coefficient * std::hypot(p.contact.inertia.c1, p.contact.inertia.c2) >
        p.contact.inertia.a;
    double& most = can_jam ? worst_of_jams : worst;
    most = std::max(most, compare(p, contact, want, can_jam ? 1e-5 : 1e-7));
    ++phases[want.phases], compared += want.separates;
  }
  for (const auto& [phase, count] : phases) std::printf("%s %d, ", phase.c_str(), count);
  std::printf("seed %llu: %d compared, worst %.1e, where it can jam %.1e\n", static_cast<unsigned long long>(seed),
              compared, worst, worst_of_jams);
  EXPECT_GT(compared, scaled(40, 40) / 2);
  EXPECT_LE(given_up, 1 + scaled(40, 40) / 20);
  for (const char* mode : {"s", "st", "sS"}) EXPECT_GT(phases[mode], 0) << mode;
}

}  // namespace referee_extended
