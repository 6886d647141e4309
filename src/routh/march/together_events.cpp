// Where a step of `solve_together` ends early, and what happens there.
#include <algorithm>
#include <cmath>

#include "routh/impact/restitution.h"
#include "routh/march/together_state.h"
#include "routh/march/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal::together {

namespace {

// Restitution ends by what was given back: the impulse under Poisson's law, the energy under the energetic one, which
// stands in for those that do not march.
bool ends_by_impulse(Law law) {
  switch (law) {
    case Law::poisson:
      return true;
    case Law::energetic:
    case Law::newton:
    case Law::unified:
    case Law::classical:
      return false;
  }
  return false;
}

// The event functions: positive until the event, negative after it.
class Watch {
 public:
  Watch(const System& system, const Series& series) : system_(system), series_(series) {
    for (int i = 0; i < system.count(); ++i)
      if (system.contacts[static_cast<std::size_t>(i)].sprung())
        force_ = std::max({force_, series.r(system.row(i), 0), series.r(system.row(i), series.step())});
  }

  MarchEvent first() {
    best_ = {MarchEventKind::none, -1, series_.step()};
    for (int i = 0; i < system_.count(); ++i) {
      const Contact& c = system_.contacts[static_cast<std::size_t>(i)];
      const Eigen::Index n = system_.row(i);
      watch_normal(i, c, n);
      if (c.tangent == Tangent::straight || (c.tangent == Tangent::slip && system_.tangents == 1))
        seek(MarchEventKind::halt, i, [&](double t) { return along(c, n, t); });
      if (c.tangent == Tangent::straight && c.starting && system_.tangents == 2)
        seek(MarchEventKind::limit, i, [&](double t) { return begun() - along(c, n, t); });
      if (c.tangent == Tangent::straight && c.gains)
        seek(MarchEventKind::limit, i, [&](double t) {
          return tolerances::march_straight_drift_max * along(c, n, t) -
                 std::abs(c.direction[0] * series_.v(n + 2, t) - c.direction[1] * series_.v(n + 1, t));
        });
      if (c.tangent == Tangent::slip && system_.tangents == 2) {
        // A series that hardly turns does not feel the singularity at v_t = 0, and would step over it.
        const double least = tolerances::march_slip_fall_max * along(c, n, 0);
        seek(MarchEventKind::limit, i, [&](double t) { return along(c, n, t) - least; });
      }
      if (c.tangent == Tangent::stick && c.weight <= 0)
        seek(MarchEventKind::limit, i, [&](double t) { return begun() - speed(n, t); });
      if (c.tangent == Tangent::stick && c.weight > 0)
        seek(MarchEventKind::check, i, [&](double t) { return cone(c, n, t); });
    }
    return best_;
  }

 private:
  void watch_normal(int i, const Contact& c, Eigen::Index n) {
    switch (c.normal) {
      case Normal::free:
        return seek(MarchEventKind::struck, i, [&](double t) { return series_.v(n, t) + system_.rest_speed; });
      case Normal::compression:
        return seek(MarchEventKind::compression_ends, i, [&](double t) { return -series_.v(n, t); });
      case Normal::held:
        return seek(MarchEventKind::check, i,
                    [&](double t) { return series_.r(n, t) + tolerances::march_lift_off_force * force_; });
      case Normal::restitution:
        seek(MarchEventKind::spring_relaxed, i, [&](double t) { return series_.x(i, t); });
        seek(MarchEventKind::recompression, i, [&](double t) { return series_.v(n, t); });
        if (ends_by_impulse(c.surface->law))
          seek(MarchEventKind::impulse_reached, i,
               [&](double t) { return c.target_impulse - system_.impulse[n] - series_.impulse(n, t); });
    }
  }

  double begun() const { return std::max(tolerances::march_starting_slip_max, 10 * system_.rest_speed); }

  double along(const Contact& c, Eigen::Index n, double t) const {
    double sum = c.direction[0] * series_.v(n + 1, t);
    if (system_.tangents == 2) sum += c.direction[1] * series_.v(n + 2, t);
    return sum;
  }

  double speed(Eigen::Index n, double t) const {
    return elementary::hypot(series_.v(n + 1, t), system_.tangents == 2 ? series_.v(n + 2, t) : 0.0);
  }

  double cone(const Contact& c, Eigen::Index n, double t) const {
    if (!std::isfinite(c.mu_static)) return 1;
    const double t1 = series_.r(n + 1, t), t2 = system_.tangents == 2 ? series_.r(n + 2, t) : 0;
    return c.mu_static * series_.r(n, t) * (1 + tolerances::march_cone_excess) +
           tolerances::march_cone_rounding * force_ - elementary::hypot(t1, t2);
  }

  // The first fall of g through zero before the best event so far. g(0) = 0 is not a fall.
  template <class Function>
  void seek(MarchEventKind kind, int contact, const Function& g) {
    double low = 0;
    for (int j = 1; j <= tolerances::march_event_samples; ++j) {
      const double high = best_.time * j / tolerances::march_event_samples;
      const double end = g(high);
      if (end < 0) {
        best_ = {kind, contact, fall(g, low, high, end)};
        return;
      }
      low = high;
    }
  }

  // Regula falsi with the Illinois weight; next to one end of the bracket a step away from it, which closes it.
  template <class Function>
  static double fall(const Function& g, double low, double high, double end) {
    double begin = g(low);
    // g may begin at zero, rise and fall before the first sample: look for the hump.
    const double first = low;
    for (int k = 0; k < 30 && begin <= 0; ++k) {
      low = first + 0.5 * (high - first);
      begin = g(low);
      if (begin <= 0) high = low, end = begin;
    }
    if (begin <= 0) return first;
    if (!(end < 0)) return high;
    const double least = tolerances::march_event_time * high;
    for (int k = 0; k < 80 && high - low > 2 * least; ++k) {
      double middle = (low * end - high * begin) / (end - begin);
      middle = middle > low && middle < high ? std::clamp(middle, low + least, high - least) : 0.5 * (low + high);
      const double value = g(middle);
      if (value == 0) return middle;
      if ((value < 0) == (end < 0)) {
        high = middle, end = value;
        begin *= 0.5;
      } else {
        low = middle, begin = value;
        end *= 0.5;
      }
      if (middle == low && middle == high) break;
    }
    return high;
  }

  const System& system_;
  const Series& series_;
  double force_ = 0;
  MarchEvent best_;
};

void release(Contact& c) {
  c.normal = Normal::free;
  c.x = 0;
  c.k = c.surface->stiffness;
  c.tangent = Tangent::none;
  c.follows = false;
}

void hold(System& system, Contact& c, Eigen::Index n) {
  release(c);
  c.normal = Normal::held;
  system.v[n] = 0;
}

// e of the speed that compression has reached. An approach that is a seed's, or rounding, is none.
RestitutionValue restitution_of(const System& system, const Contact& c) {
  const double speed = c.greatest_approach > system.faint() ? c.greatest_approach * system.speed_unit : 0;
  RestitutionValue e = restitution_at(c.surface->restitution, speed);
  e.in_range = e.in_range || speed == 0;
  return e;
}

void end_compression(System& system, Contact& c, Eigen::Index n) {
  system.v[n] = 0;
  const RestitutionValue e = restitution_of(system, c);
  if (!e.in_range) system.out_of_range = true;
  c.e = e.coefficient;
  if (c.e == 0) return hold(system, c, n);
  c.normal = Normal::restitution;
  if (ends_by_impulse(c.surface->law)) {
    c.compression_impulse += system.impulse[n] - c.stretch_impulse;
    c.stretch_impulse = system.impulse[n];
    c.target_impulse = system.impulse[n] + c.e * c.compression_impulse - c.restitution_impulse;
    return;
  }
  const double energy = c.energy();
  if (!(energy > 0)) return;
  c.put_in += energy - c.stretch_energy;
  const double share = std::clamp((c.e * c.e * c.put_in - c.given_back) / energy, 0.0, 1.0);
  c.x *= share;
  c.k /= share;
  if (!(c.k <= tolerances::march_stiffness_max)) return hold(system, c, n);
  c.stretch_energy = c.energy();
}

// Ends every compression that ends at this instant: of two contacts side by side both are held, or none.
void end_compressions(System& system, const Series& series, const MarchEvent& event) {
  for (int i = 0; i < system.count(); ++i) {
    Contact& c = system.contacts[static_cast<std::size_t>(i)];
    const Eigen::Index n = system.row(i);
    const bool here = c.normal == Normal::compression && c.x > 0 && std::abs(system.v[n]) <= system.rest_speed &&
                      series.v(n, event.time) >= series.v(n, 0.9 * event.time);
    if (i == event.contact || here) end_compression(system, c, n);
  }
}

// Contacts whose friction at rest is at its limit here: all of them, so that none is preferred.
void mark_limits(System& system, const Series& series, double time) {
  for (int i = 0; i < system.count(); ++i) {
    Contact& c = system.contacts[static_cast<std::size_t>(i)];
    if (c.tangent != Tangent::stick || !(c.weight > 0) || !c.sprung()) continue;
    const Eigen::Index n = system.row(i);
    const double t1 = series.r(n + 1, time), t2 = system.tangents == 2 ? series.r(n + 2, time) : 0;
    if (elementary::hypot(t1, t2) > c.mu_static * series.r(n, time) * tolerances::march_cone_reached) c.follows = true;
  }
}

}  // namespace

MarchEvent next_event(const System& system, const Series& series) { return Watch(system, series).first(); }

void engage(System& system, int i) {
  Contact& c = system.contacts[static_cast<std::size_t>(i)];
  const Eigen::Index n = system.row(i);
  c.normal = Normal::compression;
  c.x = 0;
  c.k = c.surface->stiffness;
  c.greatest_approach = std::max(0.0, -system.v[n]);
  c.e = restitution_of(system, c).coefficient;  // until compression ends
  c.put_in = c.given_back = c.stretch_energy = 0;
  c.compression_impulse = c.restitution_impulse = 0;
  c.stretch_impulse = system.impulse[n];
  ++c.compressions;
}

void pass(System& system, const Series& series, const MarchEvent& event) {
  if (event.contact < 0) return;
  Contact& c = system.contacts[static_cast<std::size_t>(event.contact)];
  const Eigen::Index n = system.row(event.contact);
  switch (event.kind) {
    case MarchEventKind::none:
    case MarchEventKind::limit:  // the modes are chosen anew before every step
      break;
    case MarchEventKind::check:
      system.at_limit = true;
      mark_limits(system, series, event.time);
      break;
    case MarchEventKind::compression_ends:
      end_compressions(system, series, event);
      break;
    case MarchEventKind::recompression:
      system.v[n] = 0;
      c.normal = Normal::compression;
      c.given_back += c.stretch_energy - c.energy();
      c.stretch_energy = c.energy();
      c.restitution_impulse += system.impulse[n] - c.stretch_impulse;
      c.stretch_impulse = system.impulse[n];
      ++c.compressions;
      break;
    case MarchEventKind::spring_relaxed:
    case MarchEventKind::impulse_reached:
      release(c);
      break;
    case MarchEventKind::struck:
      engage(system, event.contact);
      break;
    case MarchEventKind::halt:
      system.set_tangent(system.v, event.contact, Eigen::Vector2d::Zero());
      break;
  }
}

}  // namespace routh::internal::together
