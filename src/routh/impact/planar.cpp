// Routh's increment in the plane, in closed form.
//
// The slip direction σ is ±1 and every stretch is linear in the normal impulse I:
//   slip    dv_t/dI = c − μ b σ,   dv_n/dI = a − μ c σ,   dI_t/dI = −μ σ     [Elkaranshawy 2025, eqs. 15–18]
//   stick   dv_t/dI = 0,           dv_n/dI = a − c²/b,    dI_t/dI = −c/b     [eqs. 20, 25]
// so the five modes of Table 1, and those it lacks (v_t = 0 at the start, jam: dv_n/dI ≤ 0 until slip halts), are one
// walk from event to event: the end of compression, the halt of slip, the end of the impact. When slip has halted the
// contact sticks if μ_s ≥ μ_c = |c|/b and slips along the sign of c otherwise.
#include <cmath>
#include <limits>

#include "routh/impact/inertia.h"
#include "routh/impact/laws.h"
#include "routh/impact/normal_motion.h"
#include "routh/impact/recorder.h"

namespace routh::internal {

namespace {

constexpr int max_stretches = 8;  // four are possible

enum class Contact { slip, stick, reversal };

struct Stretch {
  Contact contact;
  double sigma;           // slip direction; 0 when sticking
  double normal_slope;    // dv_n/dI
  double slip_slope;      // dv_t/dI
  double friction_ratio;  // dI_t/dI
};

Stretch slip_along(const StrikeInput& in, double sigma, Contact contact) {
  const double mu = in.friction.kinetic_coefficient;
  const ContactInertia& d = in.inertia;
  return {contact, sigma, slip_slope(d.a, mu, d.c1 * sigma), d.c1 - mu * d.b11 * sigma, -mu * sigma};
}

// The stretch that begins with v_t = 0.
Stretch from_rest(const StrikeInput& in) {
  const ContactInertia& d = in.inertia;
  const bool holds = !(std::abs(d.c1) > in.friction.static_coefficient * d.b11);  // also for an infinite coefficient
  if (!holds) {
    const double sigma = d.c1 > 0 ? 1.0 : -1.0;
    const Stretch again = slip_along(in, sigma, Contact::reversal);
    if (again.slip_slope * sigma > 0) return again;
  }
  return {Contact::stick, 0, d.stick_slope, 0, d.b11 > 0 ? -d.c1 / d.b11 : 0};
}

PhaseKind kind_of(const Stretch& s) {
  switch (s.contact) {
    case Contact::stick:
      return PhaseKind::stick;
    case Contact::reversal:
      return PhaseKind::reversal;
    case Contact::slip:
      break;
  }
  return s.normal_slope < 0 ? PhaseKind::jam : PhaseKind::slip;
}

Mode mode_of(const Stretch& last, Stage halt_stage, double halt_impulse) {
  const bool from_start = halt_impulse == 0;
  switch (last.contact) {
    case Contact::slip:
      break;
    case Contact::stick:
      return from_start ? Mode::stick : mode_of_stick(halt_stage);
    case Contact::reversal:
      return from_start ? Mode::sliding : mode_of_reversal(halt_stage);
  }
  return Mode::sliding;
}

}  // namespace

void solve_planar(const StrikeInput& in, ImpactResult& out, Path* path) {
  using Event = NormalMotion::Event;
  constexpr double never = std::numeric_limits<double>::infinity();
  NormalMotion normal(in.law, in.velocity.n, in.restitution);
  double vt = in.velocity.t1;
  double tangential_impulse = 0;
  double tangential_work = 0;
  double halt_impulse = 0;
  Stage halt_stage = Stage::compression;
  Stretch s = vt != 0 ? slip_along(in, vt > 0 ? 1.0 : -1.0, Contact::slip) : from_rest(in);
  record_point(path, 0, in.velocity, Stage::compression);

  for (int stretch = 0;; ++stretch) {
    if (s.contact == Contact::stick && s.normal_slope <= locked_slope * in.inertia.a) {
      // D is singular along the sticking impulse: no normal impulse moves the contact any more.
      out.status = normal.lock(std::abs(in.velocity.n) + std::abs(in.velocity.t1));
      break;
    }
    NormalMotion::Next next = normal.next_event(s.normal_slope);
    const double to_halt = vt != 0 && vt * s.slip_slope < 0 ? -vt / s.slip_slope : never;
    bool halts = to_halt <= next.impulse;
    if (halts && next.impulse - to_halt > coincident * next.impulse) next.event = Event::none;
    if (!halts && to_halt - next.impulse <= coincident * next.impulse) halts = true;
    const double step = to_halt < next.impulse ? to_halt : next.impulse;
    if (!(step < never) || stretch == max_stretches) {
      // D singular and μ = μ_c, so that neither velocity can change; or magnitudes beyond the range of double.
      const bool in_range = std::isfinite(normal.impulse() + normal.velocity() + normal.work() + vt);
      out.status = in_range ? Status::no_solution : Status::overflow;
      break;
    }

    normal.advance(step, s.normal_slope);
    tangential_impulse += s.friction_ratio * step;
    tangential_work += s.friction_ratio * step * (vt + 0.5 * s.slip_slope * step);
    vt = halts ? 0 : vt + s.slip_slope * step;
    const Stage stage = normal.stage();
    normal.pass(next.event);
    if (step > 0) record_phase(out, {kind_of(s), stage, normal.impulse(), s.sigma, 0, {normal.velocity(), vt, 0}});
    record_point(path, normal.impulse(), {normal.velocity(), vt, 0}, stage);
    if (next.event == Event::impact_ends) break;
    if (halts) {
      halt_impulse = normal.impulse();
      halt_stage = stage;
      s = from_rest(in);
    }
  }
  out.mode = mode_of(s, halt_stage, halt_impulse);
  record_restitution(out, normal.restitution());
  out.relative_velocity = {normal.velocity(), vt, 0};
  out.impulse = {normal.impulse(), tangential_impulse, 0};
  out.energy.normal_work = normal.work();
  out.energy.tangential_work = tangential_work;
}

}  // namespace routh::internal
