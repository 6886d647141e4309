#include "support/oracle.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <functional>

namespace oracle {
namespace {

constexpr int order = 32;
using Series = std::array<Real, order + 1>;

struct Direction {
  Real x = 0, y = 0;
};

// State along the impact. Works and impulses are totals from the start.
struct State {
  Real x = 0, y = 0;  // v_t
  Real in = 0, vn = 0, it1 = 0, it2 = 0, wn = 0, wt = 0;
  Real slip() const { return std::hypot(x, y); }
};

Real evaluate(const Series& p, Real t) {
  Real sum = p[order];
  for (int k = order - 1; k >= 0; --k) sum = sum * t + p[static_cast<std::size_t>(k)];
  return sum;
}

// Root of f in [lo, hi], where f changes sign, by bisection to the last bit.
Real bisect(const std::function<Real(Real)>& f, Real lo, Real hi) {
  const bool sign_lo = f(lo) > 0;
  for (int i = 0; i < 200; ++i) {
    const Real mid = lo + (hi - lo) / 2;
    if (mid <= lo || mid >= hi) break;
    ((f(mid) > 0) == sign_lo ? lo : hi) = mid;
  }
  return hi;
}

// One Taylor step of the slip equations about `from`.
struct Expansion {
  Series x{}, y{}, s{}, in{}, vn{}, it1{}, it2{}, wn{}, wt{};
  Real step = 0;

  State at(Real t) const {
    State z;
    z.x = evaluate(x, t), z.y = evaluate(y, t), z.in = evaluate(in, t), z.vn = evaluate(vn, t);
    z.it1 = evaluate(it1, t), z.it2 = evaluate(it2, t), z.wn = evaluate(wn, t), z.wt = evaluate(wt, t);
    return z;
  }
};

Expansion expand(const Problem& p, const State& from) {
  Expansion e;
  const Real mu = p.mu_kinetic;
  e.x[0] = from.x, e.y[0] = from.y, e.s[0] = from.slip(), e.in[0] = from.in, e.vn[0] = from.vn;
  e.it1[0] = from.it1, e.it2[0] = from.it2, e.wn[0] = from.wn, e.wt[0] = from.wt;
  for (std::size_t k = 0; k < order; ++k) {
    Real square = 0, product = 0, cross = 0;
    for (std::size_t i = 0; i <= k; ++i) square += e.x[i] * e.x[k - i] + e.y[i] * e.y[k - i];
    if (k > 0) {
      for (std::size_t i = 1; i < k; ++i) cross += e.s[i] * e.s[k - i];
      e.s[k] = (square - cross) / (2 * e.s[0]);
    }
    for (std::size_t i = 0; i <= k; ++i) product += e.vn[i] * e.s[k - i];
    const Real d = static_cast<Real>(k + 1);
    e.x[k + 1] = (e.s[k] * p.c1 - mu * (p.b11 * e.x[k] + p.b12 * e.y[k])) / d;
    e.y[k + 1] = (e.s[k] * p.c2 - mu * (p.b12 * e.x[k] + p.b22 * e.y[k])) / d;
    e.in[k + 1] = e.s[k] / d;
    e.vn[k + 1] = (p.a * e.s[k] - mu * (p.c1 * e.x[k] + p.c2 * e.y[k])) / d;
    e.it1[k + 1] = -mu * e.x[k] / d;
    e.it2[k + 1] = -mu * e.y[k] / d;
    e.wn[k + 1] = product / d;
    e.wt[k + 1] = -mu * square / d;
  }
  // The radius of convergence from the last coefficients of v_t and s; the remainder is then far below an ulp.
  Real radius = LDBL_MAX;
  for (std::size_t k = order - 4; k < order; ++k) {
    const Real size = std::fmax(std::fmax(std::fabs(e.x[k]), std::fabs(e.y[k])), std::fabs(e.s[k])) / e.s[0];
    if (size > 0) radius = std::fmin(radius, std::pow(size, -1 / static_cast<Real>(k)));
  }
  const Real rate = std::fabs(p.c1) + std::fabs(p.c2) + mu * (p.b11 + p.b22 + std::fabs(p.b12));
  e.step = std::fmin(0.2L * radius, rate > 0 ? 2 / rate : LDBL_MAX);
  return e;
}

struct Eigen2 {
  Real low, high;
  Direction low_vector, high_vector;
};

Eigen2 eigen(const Problem& p) {
  const Real mean = (p.b11 + p.b22) / 2, half = (p.b11 - p.b22) / 2;
  const Real radius = std::hypot(half, p.b12);
  const Real angle = radius > 0 ? std::atan2(p.b12, half) / 2 : 0;
  const Real high = mean + radius;
  const Real low = high > 0 ? (p.b11 * p.b22 - p.b12 * p.b12) / high : 0;
  return {low, high, {-std::sin(angle), std::cos(angle)}, {std::cos(angle), std::sin(angle)}};
}

Real dot(Direction u, Direction v) { return u.x * v.x + u.y * v.y; }

// dv_t/dI_n of a slip along `u`.
Direction drift(const Problem& p, Direction u) {
  const Real mu = p.mu_kinetic;
  return {p.c1 - mu * (p.b11 * u.x + p.b12 * u.y), p.c2 - mu * (p.b12 * u.x + p.b22 * u.y)};
}

// The impact in progress: where it is, in which stage, and when its law ends it.
class March {
 public:
  March(const Problem& p, Law law, const Options& options) : p_(p), law_(law), options_(options) {
    z_.x = p.vt1, z_.y = p.vt2, z_.vn = p.vn;
    stick_ = stick_constants(p, options);
  }

  Answer run();

 private:
  enum class Stage { compression, restitution, over };

  void slip();
  void rest();
  // A stretch with constant dv/dI_n, up to `limit` of normal impulse. True when the impact ended in it.
  bool straight(Real vn_slope, Direction vt_slope, Direction it_slope, Real limit);
  bool try_straight_slip();
  bool halted_now() const;
  void halt();
  void march_step();
  Direction restart_direction() const;

  // What is left to the end of the stage; it grows through zero there.
  Real gauge(const State& z) const;
  void finish_stage(const State& z);
  void note_approach(Real vn) { out_.greatest_approach = std::fmax(out_.greatest_approach, -vn); }
  void note_fastest(const Expansion& e, Real t0, Real t1);

  Problem p_;
  Law law_;
  Options options_;
  StickConstants stick_;
  State z_;
  Stage stage_ = Stage::compression;
  Real stage_in_ = 0, stage_wn_ = 0;  // totals when the present stage began
  Real slip_start_ = 0, slip_max_ = 0, slip_min_ = 0;
  bool resting_ = false;
  Answer out_;
};

// In restitution the impact can also turn back to compression: that is watched apart, by the sign of v_n.
Real March::gauge(const State& z) const {
  if (stage_ == Stage::compression) return z.vn;
  const Real e = p_.restitution;
  switch (law_) {
    case Law::newton:
      return z.vn + e * p_.vn;
    case Law::poisson:
      return out_.restitution_impulse + (z.in - stage_in_) - e * out_.compression_impulse;
    case Law::energetic:
      return out_.restitution_work + (z.wn - stage_wn_) + e * e * out_.compression_work;
  }
  return 0;
}

void March::finish_stage(const State& z) {
  const Real impulse = z.in - stage_in_, work = z.wn - stage_wn_;
  z_ = z;
  stage_in_ = z.in, stage_wn_ = z.wn;
  if (stage_ == Stage::compression) {
    out_.compression_impulse += impulse, out_.compression_work += work;
    stage_ = Stage::restitution;
    z_.vn = 0;
    if (p_.restitution == 0 || gauge(z_) >= 0) stage_ = Stage::over;
    return;
  }
  out_.restitution_impulse += impulse, out_.restitution_work += work;
  stage_ = Stage::over;
}

bool March::straight(Real vn_slope, Direction vt_slope, Direction it_slope, Real limit) {
  const State start = z_;
  const auto at = [&](Real d) {
    State z = start;
    z.in += d, z.vn += vn_slope * d;
    z.x += vt_slope.x * d, z.y += vt_slope.y * d;
    z.it1 += it_slope.x * d, z.it2 += it_slope.y * d;
    z.wn += d * (start.vn + vn_slope * d / 2);
    z.wt += d * (it_slope.x * (start.x + vt_slope.x * d / 2) + it_slope.y * (start.y + vt_slope.y * d / 2));
    return z;
  };
  Real done = 0;
  while (stage_ != Stage::over) {
    if (stage_ == Stage::compression && z_.vn >= 0 && vn_slope >= 0) {  // halted at maximum compression
      finish_stage(at(done));
      continue;
    }
    // The normal velocity falls through zero: compression again.
    if (stage_ == Stage::restitution && vn_slope < 0) {
      const Real back = done + z_.vn / -vn_slope;
      const State z = at(std::fmin(back, limit));
      if (gauge(z) < 0) {
        if (back >= limit) {
          z_ = z;
          return false;
        }
        out_.restitution_impulse += z.in - stage_in_, out_.restitution_work += z.wn - stage_wn_;
        stage_in_ = z.in, stage_wn_ = z.wn, z_ = z, z_.vn = 0;
        stage_ = Stage::compression, out_.recompressed = true, done = back;
        continue;
      }
    }
    if (stage_ == Stage::compression && vn_slope <= 0) {
      if (!std::isfinite(limit)) {  // a jam that never halts: D is not positive semidefinite
        out_.outcome = Outcome::gave_up;
        return true;
      }
      z_ = at(limit);
      note_approach(z_.vn);
      return false;
    }
    Real hi = limit;
    if (!std::isfinite(hi)) {
      hi = done > 0 ? 2 * done : std::fabs(p_.vn) / p_.a + start.in + start.slip() / p_.a;
      if (!(hi > done)) hi = done + 1 / p_.a;
      while (gauge(at(hi)) < 0) hi = done + 2 * (hi - done);
    }
    if (gauge(at(hi)) < 0) {
      z_ = at(limit);
      return false;
    }
    // The stretch of a compression is linear: its root is exact. The others are bracketed.
    done = stage_ == Stage::compression && start.vn < 0 ? std::fmin(start.vn / -vn_slope, hi)
                                                        : bisect([&](Real d) { return gauge(at(d)); }, done, hi);
    finish_stage(at(done));
  }
  return true;
}

// A direction that is invariant, exactly or because it has settled there, needs no march.
bool March::try_straight_slip() {
  const Real s = z_.slip();
  const Direction u{z_.x / s, z_.y / s};
  const Direction f = drift(p_, u);
  const Real across = u.x * f.y - u.y * f.x, along = dot(u, f);
  const Real mu = p_.mu_kinetic;
  const Real rate = std::fabs(p_.c1) + std::fabs(p_.c2) + mu * (p_.b11 + p_.b22);
  // d(across)/dφ at constant frame: −cᵀu − μ(u⊥ᵀ b u⊥ − uᵀ b u)
  const Direction w{-u.y, u.x};
  const Real bww = p_.b11 * w.x * w.x + 2 * p_.b12 * w.x * w.y + p_.b22 * w.y * w.y;
  const Real buu = p_.b11 * u.x * u.x + 2 * p_.b12 * u.x * u.y + p_.b22 * u.y * u.y;
  const Real slope = -(p_.c1 * u.x + p_.c2 * u.y) - mu * (bww - buu);
  const bool settled = std::fabs(across) <= 1e-19L * std::fabs(slope) && slope < -1e-3L * rate;
  if (across != 0 && !(settled && options_.straight_shortcut)) return false;
  if (across == 0 && !options_.straight_shortcut && rate > 0) return false;
  const Real cu = p_.c1 * u.x + p_.c2 * u.y;
  if (p_.a - mu * cu < 0) out_.jammed = true;
  const Real limit = along < 0 ? s / -along : INFINITY;
  if (!straight(p_.a - mu * cu, {along * u.x, along * u.y}, {-mu * u.x, -mu * u.y}, limit)) halt();
  return true;
}

// Slip has come to rest when it is negligible and its direction is settling on an attracting one.
bool March::halted_now() const {
  const Real s = z_.slip();
  if (s == 0) return true;
  if (s > 1e-20L * slip_max_) return false;
  const Direction u{z_.x / s, z_.y / s}, w{-u.y, u.x};
  const Direction f = drift(p_, u);
  const Real mu = p_.mu_kinetic;
  const Real bww = p_.b11 * w.x * w.x + 2 * p_.b12 * w.x * w.y + p_.b22 * w.y * w.y;
  const Real buu = p_.b11 * u.x * u.x + 2 * p_.b12 * u.x * u.y + p_.b22 * u.y * u.y;
  const Real slope = -(p_.c1 * u.x + p_.c2 * u.y) - mu * (bww - buu);
  const Real rate = std::fabs(p_.c1) + std::fabs(p_.c2) + mu * (p_.b11 + p_.b22);
  return dot(u, f) < 0 && slope <= 0 && std::fabs(dot(w, f)) < 1e-3L * rate;
}

void March::halt() {
  z_.x = z_.y = 0;
  resting_ = true;
  out_.halted = true;
  out_.halt_impulse = z_.in;
  out_.halted_in_restitution = stage_ == Stage::restitution;
}

// Where dv_n/dτ grows through zero between two samples, compression is fastest there.
void March::note_fastest(const Expansion& e, Real t0, Real t1) {
  const auto rate = [&](Real t) {
    const State z = e.at(t);
    return p_.a * z.slip() - p_.mu_kinetic * (p_.c1 * z.x + p_.c2 * z.y);
  };
  if (rate(t0) < 0 && rate(t1) > 0) note_approach(e.at(bisect(rate, t0, t1)).vn);
  note_approach(e.at(t1).vn);
}

void March::march_step() {
  const Expansion e = expand(p_, z_);
  constexpr int samples = 32;
  State left = z_;
  for (int i = 1; i <= samples; ++i) {
    const Real t0 = e.step * (i - 1) / samples, t1 = e.step * i / samples;
    const State right = e.at(t1);
    if (right.vn < left.vn) out_.jammed = true;
    const bool back = stage_ == Stage::restitution && right.vn < 0;
    const Real turn_back = back ? bisect([&](Real t) { return evaluate(e.vn, t); }, t0, t1) : t1;
    const State watched = back ? e.at(turn_back) : right;
    if (gauge(watched) >= 0) {
      const Real t = bisect([&](Real x) { return gauge(e.at(x)); }, t0, turn_back);
      note_fastest(e, t0, t);
      finish_stage(e.at(t));
      return;
    }
    if (back) {
      out_.restitution_impulse += watched.in - stage_in_, out_.restitution_work += watched.wn - stage_wn_;
      stage_in_ = watched.in, stage_wn_ = watched.wn, z_ = watched, z_.vn = 0;
      stage_ = Stage::compression, out_.recompressed = true;
      return;
    }
    note_fastest(e, t0, t1);
    left = right;
  }
  z_ = left;
}

void March::slip() {
  slip_start_ = slip_max_ = slip_min_ = z_.slip();
  while (stage_ != Stage::over && !resting_ && out_.outcome != Outcome::gave_up) {
    if (++out_.steps > options_.max_steps) {
      out_.outcome = Outcome::gave_up;
      break;
    }
    const Real s = z_.slip();
    slip_max_ = std::fmax(slip_max_, s);
    slip_min_ = std::fmin(slip_min_, s);
    if (s > 2 * slip_min_) out_.dip = std::fmin(out_.dip, slip_min_ / slip_start_);
    if (halted_now()) {
      halt();
    } else if (!try_straight_slip()) {
      march_step();
    }
  }
  if (!resting_) out_.dip = std::fmin(out_.dip, slip_min_ / slip_start_);
}

// (μ b + k)σ = c, ‖σ‖ = 1, k > 0: the norm falls monotonically with k, and is above one at k = 0 when slip restarts.
Direction March::restart_direction() const {
  const Eigen2 q = eigen(p_);
  const Real low = std::fmax(q.low, 0), mu = p_.mu_kinetic;
  const Direction c{p_.c1, p_.c2};
  const Real cl = dot(c, q.low_vector), ch = dot(c, q.high_vector);
  const auto norm = [&](Real k) { return std::hypot(cl / (mu * low + k), ch / (mu * q.high + k)) - 1; };
  Real hi = std::hypot(p_.c1, p_.c2) * 2;
  const Real k = bisect(norm, hi * LDBL_EPSILON * LDBL_EPSILON, hi);
  const Real u = cl / (mu * low + k), w = ch / (mu * q.high + k);
  Direction d{u * q.low_vector.x + w * q.high_vector.x, u * q.low_vector.y + w * q.high_vector.y};
  const Real length = std::hypot(d.x, d.y);
  return {d.x / length, d.y / length};
}

void March::rest() {
  if (p_.mu_static >= stick_.critical_friction) {
    out_.stuck = true;
    if (stick_.slope <= options_.stick_tolerance * p_.a) {
      out_.outcome = Outcome::locked;
      return;
    }
    straight(stick_.slope, {0, 0}, {-stick_.ratio1, -stick_.ratio2}, INFINITY);
    return;
  }
  out_.restarted = true;
  const Direction u = restart_direction();
  const Real k = dot(u, drift(p_, u)), mu = p_.mu_kinetic;
  straight(p_.a - mu * (p_.c1 * u.x + p_.c2 * u.y), {k * u.x, k * u.y}, {-mu * u.x, -mu * u.y}, INFINITY);
}

Answer March::run() {
  const Direction before{z_.x, z_.y};
  const Real s = z_.slip();
  const Real slope = s > 0 ? p_.a - p_.mu_kinetic * (p_.c1 * z_.x + p_.c2 * z_.y) / s : 1;
  const bool without_collision = p_.vn == 0 && p_.pressed && slope < 0;
  if (p_.vn > 0 || (p_.vn == 0 && !without_collision)) {
    out_.outcome = Outcome::no_impact;
  } else if (without_collision && law_ == Law::newton) {
    out_.outcome = Outcome::undefined;
  } else {
    note_approach(p_.vn);
    if (s > 0) {
      slip();
    } else {
      halt();
    }
    if (stage_ != Stage::over && resting_) rest();
  }
  if (out_.outcome == Outcome::locked && stage_ == Stage::compression) {
    out_.compression_impulse += z_.in - stage_in_, out_.compression_work += z_.wn - stage_wn_;
  }
  out_.vn = z_.vn, out_.vt1 = z_.x, out_.vt2 = z_.y;
  out_.in = z_.in, out_.it1 = z_.it1, out_.it2 = z_.it2;
  out_.normal_work = z_.wn, out_.tangential_work = z_.wt;
  if (z_.slip() > 0 && s > 0) {
    out_.turn = std::atan2(before.x * z_.y - before.y * z_.x, before.x * z_.x + before.y * z_.y);
  }
  return out_;
}

}  // namespace

StickConstants stick_constants(const Problem& p, const Options& options) {
  const Eigen2 q = eigen(p);
  const Direction c{p.c1, p.c2};
  StickConstants k;
  k.slope = p.a;
  const auto add = [&](Real value, Direction u) {
    if (value <= options.rank_tolerance * q.high || value <= 0) return;
    const Real r = dot(c, u) / value;
    k.ratio1 += r * u.x, k.ratio2 += r * u.y;
    k.slope -= r * dot(c, u);
  };
  add(q.high, q.high_vector);
  add(q.low, q.low_vector);
  k.critical_friction = std::hypot(k.ratio1, k.ratio2);
  return k;
}

Answer solve(const Problem& problem, Law law, const Options& options) { return March(problem, law, options).run(); }

std::string describe(const Problem& p) {
  char text[640];
  std::snprintf(text, sizeof text,
                "D: a=%.17Lg c=(%.17Lg, %.17Lg) b=(%.17Lg, %.17Lg, %.17Lg) v=(%.17Lg, %.17Lg, %.17Lg) mu_s=%.17Lg "
                "mu_k=%.17Lg e=%.17Lg%s",
                p.a, p.c1, p.c2, p.b11, p.b12, p.b22, p.vn, p.vt1, p.vt2, p.mu_static, p.mu_kinetic, p.restitution,
                p.pressed ? " pressed" : "");
  return text;
}

}  // namespace oracle
