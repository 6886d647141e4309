#include "routh/solvability/diagnosis_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/impact/restitution.h"
#include "routh/math/elementary.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal {

namespace {

std::string number(double value) { return fmt::format("{:.4g}", value); }

// Two numbers that differ, with as many digits as it takes to tell them apart.
struct Pair {
  std::string first, second;
};
Pair tell_apart(double first, double second) {
  Pair pair{number(first), number(second)};
  for (int digits = 5; digits <= 17 && first != second && pair.first == pair.second; ++digits)
    pair = {fmt::format("{:.{}g}", first, digits), fmt::format("{:.{}g}", second, digits)};
  return pair;
}

const Friction& friction_of(const ContactDiagnosis& d) { return d.problem.contact.friction; }

bool is_spatial(const ContactDiagnosis& d) { return d.problem.contact.inertia.dimension == Dimension::spatial; }

std::string direction_words(const ContactDiagnosis& d, SlipDirection direction) {
  if (!is_spatial(d)) return direction.t1 > 0 ? "along +t" : "along −t";
  return fmt::format("along ({}, {})", number(direction.t1), number(direction.t2));
}

// What lowers or raises a posture across a threshold, the nearest two.
std::string posture_words(const std::vector<PostureHint>& hints) {
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(hints.size(), 2); ++k) {
    const PostureHint& hint = hints[k];
    const bool same_joint = k > 0 && hint.joint == hints[k - 1].joint;
    text += fmt::format("{}{}{} {} {}", k == 0 ? "" : " or ", same_joint ? "" : hint.joint + " ",
                        hint.to < hint.from ? "below" : "above", number(hint.to), hint.unit);
  }
  return text;
}

std::string impact_words(const ContactDiagnosis& d) {
  const ImpactResult& impact = d.impact;
  if (impact.status == ImpactStatus::no_impact) return "Slip swerves out of the jam at once: the impulse is zero.";
  if (!usable(impact.status))
    return fmt::format("The {} law has no answer: {}.", name(impact.law), explain(impact.status));
  const ContactVector& v = impact.relative_velocity;
  const double slip = elementary::hypot(v.t1, v.t2);
  const double before = std::abs(d.slip.speed);
  std::string text = fmt::format("After the impact ({} law) the bodies ", name(impact.law));
  text += v.n > 0 ? fmt::format("part at {} m/s", number(v.n)) : "stay in contact";
  text += slip <= tolerances::unmentioned_slip_relative * before ? " without slip"
                                                                 : fmt::format(" with {} m/s of slip", number(slip));
  return text + fmt::format(", normal impulse {} N s.", number(impact.impulse.n));
}

void add_jam(const ContactDiagnosis& d, const std::vector<PostureHint>& hints, std::vector<std::string>& out) {
  const SlipVerdict& s = d.sliding;
  const std::string direction = direction_words(d, d.slip.direction);
  const Pair friction = tell_apart(friction_of(d).kinetic_coefficient, s.direction_friction);
  const std::string cause =
      s.A < 0 ? fmt::format(
                    "kinetic friction {} exceeds {}, above which slip {} presses the bodies together (A = {} "
                    "1/kg), and the other forces press too",
                    friction.first, friction.second, direction, number(s.A))
              : fmt::format(
                    "with kinetic friction {} slip {} does not push the bodies apart any more (A = 0), and the "
                    "other forces press them together",
                    number(s.direction_friction), direction);
  out.push_back(fmt::format(
      "Jams: {} (B = {} m/s²). No finite force holds it (M4 inconsistent, dynamic wedging): a tangential impact "
      "follows.",
      cause, number(s.B)));
  out.push_back(impact_words(d));
  out.push_back(fmt::format("The cause is the configuration. To free it: lower kinetic friction below {}{}{}.",
                            number(s.direction_friction), hints.empty() ? "" : ", or move ", posture_words(hints)));
}

void add_cohesion(const ContactDiagnosis& d, const std::vector<PostureHint>& hints, std::vector<std::string>& out) {
  const SlipVerdict& s = d.sliding;
  const Pair friction = tell_apart(friction_of(d).kinetic_coefficient, s.direction_friction);
  if (s.A < 0)
    out.push_back(fmt::format(
        "Detaches, by rule: the answer is not unique (M3 indeterminate). Kinetic friction {} exceeds {} in the "
        "direction of slip (A = {} 1/kg) while the other forces pull apart (B = {} m/s²), so that no force and λ_n = "
        "{} N both obey the laws.",
        friction.first, friction.second, number(s.A), number(s.B), number(-s.B / s.A)));
  else
    out.push_back(fmt::format(
        "Touches without force, by rule: the answer is not unique (M3 indeterminate). With kinetic friction {} slip "
        "does not push the bodies apart (A = 0), and the other forces neither press nor pull (B = 0), so that every "
        "normal force obeys the laws.",
        number(s.direction_friction)));
  if (s.A < 0)
    out.push_back("A constraint that kept the contact would act as glue: false cohesion. The rule takes no force.");
  if (!hints.empty()) out.push_back(fmt::format("The answer is unique again with {}.", posture_words(hints)));
}

void add_margins_of_slip(const ContactDiagnosis& d, const std::vector<PostureHint>& hints,
                         std::vector<std::string>& out) {
  const double limit = d.sliding.direction_friction;
  const Pair friction = tell_apart(limit, friction_of(d).kinetic_coefficient);
  if (std::isfinite(limit))
    out.push_back(fmt::format("It would jam if kinetic friction rose to {} (now {}){}{}.", friction.first,
                              friction.second, hints.empty() ? "" : ", or with ", posture_words(hints)));
  else
    out.push_back("No friction makes slip in this direction jam.");
}

void add_slide(const ContactDiagnosis& d, const std::vector<PostureHint>& hints, std::vector<std::string>& out) {
  const SlipVerdict& s = d.sliding;
  out.push_back(fmt::format("Slides {} at {} m/s with a normal force of {} N (M2: A = {} 1/kg > 0, B = {} m/s² < 0).",
                            direction_words(d, d.slip.direction), number(d.slip.speed), number(s.normal_force),
                            number(s.A), number(s.B)));
  add_margins_of_slip(d, hints, out);
}

void add_detachment(const ContactDiagnosis& d, std::vector<std::string>& out) {
  if (d.problem.free_acceleration.n == 0)
    out.push_back(
        "Touches without force: the other forces neither press the bodies together nor pull them apart (B = 0).");
  else
    out.push_back(fmt::format(
        "Detaches: the other forces pull the bodies apart at B = {} m/s². The cause is forces and inertia, not the "
        "configuration.",
        number(d.problem.free_acceleration.n)));
  if (d.rest.answer == RestAnswer::several)
    out.push_back(
        "The answer is not unique: friction could also hold the contact (false cohesion). The rule takes no "
        "force.");
}

void add_stick(const ContactDiagnosis& d, std::vector<std::string>& out) {
  const RestVerdict& r = d.rest;
  out.push_back(fmt::format("Sticks: it needs a friction coefficient of {}, and {} is available; normal force {} N.",
                            number(r.friction_demand), number(friction_of(d).static_coefficient),
                            number(r.stick_force.n)));
  if (r.answer == RestAnswer::several) out.push_back("The answer is not unique: it could also begin to slip.");
}

void add_start(const ContactDiagnosis& d, std::vector<std::string>& out) {
  const RestVerdict& r = d.rest;
  const RestSolution& s = r.chosen();
  const Pair friction = tell_apart(r.friction_demand, friction_of(d).static_coefficient);
  const std::string slips = fmt::format("Begins to slip {} at {} m/s²: ", direction_words(d, s.direction),
                                        number(elementary::hypot(s.acceleration.t1, s.acceleration.t2)));
  if (std::isfinite(r.friction_demand))
    out.push_back(slips + fmt::format("sticking needs a friction coefficient of {}, and static friction is {}.",
                                      friction.first, friction.second));
  else
    out.push_back(slips + "no friction makes it stick, since the contact would have to pull.");
  if (r.answer == RestAnswer::several) out.push_back("The answer is not unique: see the table of solutions.");
}

void add_strike(const ContactDiagnosis& d, std::vector<std::string>& out) {
  const ContactVector& v = d.problem.contact.velocity;
  const double approach = d.problem.contact.surface_velocity.n - v.n;  // the unified map knows no other speed
  out.push_back(fmt::format("Strikes at {} m/s.", number(approach)));
  out.push_back(impact_words(d));
  const double e = restitution_at(d.problem.contact.restitution, approach).coefficient;
  const Pair words = tell_apart(e, d.bounds.restitution_bound);
  switch (d.region) {
    case AdmissibleRegion::sticks:
    case AdmissibleRegion::slips:
      out.push_back(
          fmt::format("By Aghili's unified law this pair of friction and restitution is consistent: the contact {} and "
                      "gains no energy.",
                      name(d.region)));
      break;
    case AdmissibleRegion::stick_gains:
      out.push_back("By Aghili's unified law the contact would stick and gain energy: " +
                    (e > d.bounds.restitution_bound ? fmt::format("e = {} exceeds e* = {}.", words.first, words.second)
                                                    : fmt::format("with e_t = {} even e = 0 does.",
                                                                  number(d.problem.contact.restitution.tangential))));
      break;
    case AdmissibleRegion::slip_jams:
      out.push_back(fmt::format(
          "By Aghili's unified law the contact would slip where some directions jam: kinetic friction {} is "
          "not below μ* = {}.",
          number(friction_of(d).kinetic_coefficient), number(d.bounds.jamming_friction)));
      break;
  }
}

void add_jam_in_other_directions(const ContactDiagnosis& d, const std::vector<PostureHint>& hints,
                                 std::vector<std::string>& out) {
  if (!d.cone.dips || d.verdict == ContactVerdict::jams || d.verdict == ContactVerdict::false_cohesion) return;
  const Pair friction = tell_apart(friction_of(d).kinetic_coefficient, d.bounds.jamming_friction);
  std::string text = fmt::format("Kinetic friction {} exceeds μ* = {}: slip ", friction.first, friction.second);
  if (is_spatial(d))
    text += fmt::format("within {:.3g}° of ({}, {}) would jam under a normal load",
                        d.cone.half_angle * 180 / std::numbers::pi, number(d.cone.jam.t1), number(d.cone.jam.t2));
  else
    text += fmt::format("{} would jam under a normal load", direction_words(d, d.cone.jam));
  if (d.slip.speed == 0 && !hints.empty()) text += fmt::format("; no longer with {}", posture_words(hints));
  out.push_back(text + ".");
}

}  // namespace

std::vector<std::string> diagnosis_sentences(const ContactDiagnosis& d, const std::vector<PostureHint>& hints) {
  std::vector<std::string> out;
  switch (d.verdict) {
    case ContactVerdict::strikes:
      add_strike(d, out);
      break;
    case ContactVerdict::separates:
      out.push_back("Separates: the bodies move apart.");
      break;
    case ContactVerdict::detaches:
      add_detachment(d, out);
      break;
    case ContactVerdict::slides:
      add_slide(d, hints, out);
      break;
    case ContactVerdict::false_cohesion:
      add_cohesion(d, hints, out);
      break;
    case ContactVerdict::jams:
      add_jam(d, hints, out);
      break;
    case ContactVerdict::sticks:
      add_stick(d, out);
      break;
    case ContactVerdict::starts_slipping:
      add_start(d, out);
      break;
    case ContactVerdict::unsolvable:
      out.push_back("Unsolvable: D is singular in a direction that must be held, and no force obeys the laws.");
      break;
    case ContactVerdict::unknown:
      out.push_back(
          "Touches; whether it holds depends on the other forces, which the file does not give (add "
          "free_acceleration, or force).");
      if (d.slip.speed > 0) add_margins_of_slip(d, hints, out);
      break;
  }
  add_jam_in_other_directions(d, hints, out);
  if (d.sliding.marginal && d.known == FreeAcceleration::given && d.slip.speed > 0)
    out.push_back("A or B is zero to rounding: the verdict stands on a boundary.");
  return out;
}

}  // namespace routh::internal
