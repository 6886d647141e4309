#include "routh/referee/referee.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "routh/impact/compliance_parts.h"
#include "routh/impact/inertia.h"
#include "routh/impact/restitution.h"
#include "routh/impact/solve.h"
#include "routh/referee/tolerances.h"

namespace routh::internal {

namespace {

constexpr double pi = 3.14159265358979323846;

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

double speed_of(const ContactVector& v, const ContactVector& w) { return std::max(largest(v), largest(w)); }

// Routh's answer where the bodies, if they only touch, are pressed.
ImpactResult rigid_answer(const AccelerationProblem& problem, double e) {
  ImpactProblem p = problem.contact;
  p.restitution = {};
  p.restitution.normal = e;
  p.load = problem.free_acceleration.n < 0 ? Load::pressed : Load::unknown;
  return solve_impact(p, Law::energetic);
}

RefereeTrial attempt(const AccelerationProblem& problem, double duration, double damping, double ratio) {
  RefereeTrial trial;
  const double a = problem.contact.inertia.a;
  trial.duration = duration;
  trial.contact.stiffness = pi / duration * (pi / duration) / a;
  trial.contact.damping = damping * std::sqrt(trial.contact.stiffness / a);
  trial.contact.tangential_ratio = ratio;
  trial.course = integrate_contact(problem, trial.contact);
  const CompliantCourse& course = trial.course;
  const bool lets_go = course.end == CourseEnd::separates;
  if (lets_go && course.compression_work < 0)
    trial.energetic = std::min(1.0, std::sqrt(std::max(0.0, -course.restitution_work / course.compression_work)));
  if (lets_go && course.compression_impulse > 0)
    trial.poisson = course.restitution_impulse / course.compression_impulse;
  const ContactVector before = minus(problem.contact.velocity, problem.contact.surface_velocity);
  if (lets_go && before.n < 0) trial.newton = -course.velocity.n / before.n;
  trial.rigid = rigid_answer(problem, trial.energetic);
  const ContactVector apart = minus(course.velocity, trial.rigid.relative_velocity);
  const double speed = std::max(speed_of(before, course.velocity), largest(trial.rigid.relative_velocity));
  trial.difference = speed > 0 ? largest(apart) / speed : 0;
  return trial;
}

// Whether a stiffer contact would give the same. What is left falls in proportion to the duration, so that two
// durations that are close to each other must agree the better.
bool has_settled(const RefereeTrial& softer, const RefereeTrial& stiff, const ContactVector& before) {
  const double shorter = stiff.duration, longer = softer.duration;
  const double left = std::max(1.0, shorter / (longer - shorter));
  const double speed = speed_of(before, stiff.course.velocity);
  return left * largest(minus(stiff.course.velocity, softer.course.velocity)) <= tolerances::referee_agreement * speed;
}

void explain(const AccelerationProblem& problem, RefereeReport& report) {
  const RefereeTrial& stiff = report.trials.back();
  const CompliantCourse& course = stiff.course;
  auto& say = report.sentences;
  switch (course.end) {
    case CourseEnd::no_impact:
      say.push_back("No force arises: the bodies separate, or only touch and nothing presses them.");
      return;
    case CourseEnd::detaches:
      say.push_back(
          "No force arises: the bodies touch without approach and the other forces pull them apart. A spring that is "
          "not "
          "yet pressed lets go, however stiff it is; where the rigid equations have a second solution (B > 0 and A < "
          "0), "
          "the smallest approach leads to that one: give one to see it.");
      return;
    case CourseEnd::failed:
      say.push_back("The integration gave up: one direction is too stiff beside the other, or the friction too great.");
      return;
    case CourseEnd::stays:
      say.push_back("The contact stays: the other forces hold it, so that it amounts to a restitution of 0.");
      break;
    case CourseEnd::separates:
      break;
  }
  switch (report.verdict) {
    case RefereeVerdict::converges:
      say.push_back(
          largest(problem.free_acceleration) == 0 && stiff.contact.tangential_ratio == 0
              ? "Without other forces the velocities are Routh's at any stiffness: they depend on the impulse "
                "alone, and the stiffness decides only how long it takes."
          : report.trials.size() == 1
              ? "Agrees with Routh's answer to " + digits(stiff.difference) + " of the largest speed."
              : "Converges to Routh's answer as the contact gets stiffer: the difference falls from " +
                    digits(report.trials.front().difference) + " to " + digits(stiff.difference) +
                    " of the largest speed.");
      break;
    case RefereeVerdict::differs:
      say.push_back("Has a limit that is not Routh's: " + digits(stiff.difference) + " of the largest speed apart.");
      if (stiff.contact.tangential_ratio > 0)
        say.push_back(
            "The tangential spring stores work and gives it back, which Routh's increment, with rigid tangents, does "
            "not "
            "know; how much depends on k_t/k, not on the stiffness.");
      break;
    case RefereeVerdict::unsettled:
      say.push_back(report.trials.size() == 1
                        ? "One contact shows no limit: ask for several durations, shorter ones."
                        : "Not settled yet: the stiffest two contacts differ; ask for shorter durations.");
      break;
    case RefereeVerdict::no_impact:
      break;
  }
  if (course.jams)
    say.push_back("It jams: under contact force the approach grows from " +
                  digits(std::max(0.0, -(problem.contact.velocity.n - problem.contact.surface_velocity.n))) + " to " +
                  digits(course.fastest_approach) + " m/s before slip halts.");
  if (course.end != CourseEnd::separates) return;
  std::string amounts = "It amounts to a restitution of " + digits(stiff.energetic) + " by works, ";
  if (stiff.newton > 0) amounts += digits(stiff.newton) + " by velocities, ";
  say.push_back(amounts + digits(stiff.poisson) + " by impulses; the dashpot was made for " + digits(report.asked) +
                ".");
}

}  // namespace

double damping_for(double restitution) {
  const double e = std::max(restitution, tolerances::referee_restitution_min);
  if (e >= 1) return 0;
  double low = 0, high = 2;
  while (spring_dashpot(high).restitution > e) high *= 2;
  for (int k = 0; k < tolerances::referee_bisections; ++k) {
    const double middle = 0.5 * (low + high);
    (spring_dashpot(middle).restitution > e ? low : high) = middle;
  }
  return high;
}

RefereeReport referee(const AccelerationProblem& problem, const RefereeOptions& options) {
  RefereeReport report;
  const ContactVector before = minus(problem.contact.velocity, problem.contact.surface_velocity);
  report.asked = restitution_at(problem.contact.restitution, std::max(0.0, -before.n)).coefficient;
  std::vector<double> durations = options.durations;
  if (durations.empty()) {
    double next = tolerances::referee_first_duration;
    for (int k = 0; k < tolerances::referee_durations; ++k, next /= 10) durations.push_back(next);
  }
  std::sort(durations.begin(), durations.end(), std::greater<>());
  durations.erase(std::unique(durations.begin(), durations.end()), durations.end());
  const double damping = damping_for(report.asked);
  for (const double duration : durations)
    report.trials.push_back(attempt(problem, duration, damping, options.tangential_ratio));
  const RefereeTrial& stiff = report.trials.back();
  const bool compared = stiff.course.end == CourseEnd::separates || stiff.course.end == CourseEnd::stays;
  if (compared) {
    const bool settled =
        report.trials.size() > 1 && has_settled(report.trials[report.trials.size() - 2], stiff, before);
    if (usable(stiff.rigid.status) && stiff.difference <= tolerances::referee_agreement)
      report.verdict = RefereeVerdict::converges;
    else
      report.verdict = settled ? RefereeVerdict::differs : RefereeVerdict::unsettled;
  }
  explain(problem, report);
  return report;
}

}  // namespace routh::internal
