// One contact through a spring, a dashpot and Coulomb friction, integrated in time.
#pragma once

#include <vector>

#include "routh/impact/problem.h"
#include "routh/impact/result.h"

namespace routh::internal {

struct CompliantContact {
  double stiffness = 0;         // k [N/m] > 0
  double damping = 0;           // c [N s/m] ≥ 0
  double tangential_ratio = 0;  // k_t/k ≥ 0; 0: rigid tangents
};

enum class CourseEnd {
  separates,
  stays,      // the other forces hold it: it does not let go within the time that is looked at
  no_impact,  // it separates already, or is not pressed
  detaches,   // touching without approach, and the other forces pull it away: no force arises
  failed,     // the integration gave up
};
constexpr auto names_of(CourseEnd) {
  return name_table<CourseEnd>({{CourseEnd::separates, "separates"},
                                {CourseEnd::stays, "stays"},
                                {CourseEnd::no_impact, "no_impact"},
                                {CourseEnd::detaches, "detaches"},
                                {CourseEnd::failed, "failed"}});
}

struct CoursePoint {
  double time = 0;  // [s]
  double indentation = 0;
  ContactVector velocity;  // relative
  ContactVector force;     // [N]
};

struct CompliantCourse {
  CourseEnd end = CourseEnd::failed;
  ContactVector velocity;  // relative, at the end
  ContactVector impulse;
  double duration = 0;    // of the contact [s]
  double peak_force = 0;  // normal [N]
  // Of the normal force while the bodies approach, and while they separate.
  double compression_work = 0, restitution_work = 0;
  double compression_impulse = 0, restitution_impulse = 0;
  double fastest_approach = 0;  // the greatest −v_n
  bool jams = false;            // approach grows under contact force
  std::vector<CoursePoint> points;
};

// `problem`: its contact with finite friction, without push; what it says of restitution is not looked at.
CompliantCourse integrate_contact(const AccelerationProblem& problem, const CompliantContact& contact);

CompliantCourse integrate_rigid_tangents(const AccelerationProblem& problem, const CompliantContact& contact);
CompliantCourse integrate_tangential_spring(const AccelerationProblem& problem, const CompliantContact& contact);

}  // namespace routh::internal
