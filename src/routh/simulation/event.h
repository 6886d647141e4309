// What happened at an instant: which contacts, by which rule, and where the energy went.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "routh/base/names.h"
#include "routh/contact/contact.h"
#include "routh/impact/solve.h"

namespace routh {

enum class EventKind {
  impact,             // surfaces strike
  tangential_impact,  // a sliding contact wedges: the velocity jumps without a collision
  slip,               // a contact begins to slip, or its slip reverses
  stick,              // slip stops and sticks, or a contact begins without slip
  detach,             // the normal force of a contact fell to zero
  zeno,               // infinitely many bounces were completed: the contact rests from here on
  limit,              // a joint strikes the end of its range
  profile,            // a drive, force or belt changes its rate
  user,               // a function of the user changed its sign
  impulse,            // an impulse from outside acts; contacts that are closed answer in the events that follow
  crowd,              // events of several contacts came too close together: the machine was stepped through them
};
constexpr auto names_of(EventKind) {
  return name_table<EventKind>({
      {EventKind::impact, "impact"},
      {EventKind::tangential_impact, "tangential_impact"},
      {EventKind::slip, "slip"},
      {EventKind::stick, "stick"},
      {EventKind::detach, "detach"},
      {EventKind::zeno, "zeno"},
      {EventKind::limit, "limit"},
      {EventKind::profile, "profile"},
      {EventKind::user, "user"},
      {EventKind::impulse, "impulse"},
      {EventKind::crowd, "crowd"},
  });
}
inline constexpr int event_kind_count = static_cast<int>(count_of<EventKind>);
// Of a collision; a contact that jams strikes nothing: it carried load already.
constexpr bool is_strike(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
    case EventKind::limit:
      return true;
    case EventKind::tangential_impact:
    case EventKind::slip:
    case EventKind::stick:
    case EventKind::detach:
    case EventKind::zeno:
    case EventKind::profile:
    case EventKind::user:
    case EventKind::impulse:
    case EventKind::crowd:
      return false;
  }
  return false;
}
// Of a contact that carries load there, or from there on.
constexpr bool is_of_closed_contacts(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
    case EventKind::tangential_impact:
    case EventKind::slip:
    case EventKind::stick:
    case EventKind::zeno:
    case EventKind::limit:
      return true;
    case EventKind::detach:
    case EventKind::profile:
    case EventKind::user:
    case EventKind::impulse:
    case EventKind::crowd:
      return false;
  }
  return false;
}

// Which rule gave the impulses of an event.
enum class ImpactRule {
  none,          // no impulse
  single,        // one contact: the law of its pair of surfaces
  simultaneous,  // several: Newton's rule and oblique projection (impact/simultaneous.h)
  together,      // several: all advanced in one impulse parameter (march/together.h)
  // What the contacts forbid is taken out of q̇: the last of infinitely many bounces, slip under infinite friction.
  projection,
};
constexpr auto names_of(ImpactRule) {
  return name_table<ImpactRule>({
      {ImpactRule::none, "none"},
      {ImpactRule::single, "single"},
      {ImpactRule::simultaneous, "simultaneous"},
      {ImpactRule::together, "together"},
      {ImpactRule::projection, "projection"},
  });
}

// One contact's share of an event. Contact vectors are relative to the surfaces, normal first.
struct EventContact {
  ContactId id;
  std::string name;
  ContactVector velocity_before, velocity_after;  // [m/s]
  ContactVector impulse;                          // [N s]
  ImpactMode mode = ImpactMode::none;             // of an impact of one contact
  double restitution = 0;                         // e used
  // μ_k used by an impact. Of a change of modes: the μ_s that decided it, where the event warns of friction_changed.
  double friction = 0;
  // Of an impact of one contact under a law that follows the increment of impulse: its phases, and where slip swerves
  // in space the points between their ends without which straight lines would not follow the path.
  std::vector<Phase> phases = {};
  std::vector<PathPoint> path = {};
};

struct Event {
  double time = 0;
  EventKind kind = EventKind::impact;
  ImpactRule rule = ImpactRule::none;
  Law law = Law::energetic;                         // of an impact of one contact
  std::vector<EventContact> contacts;               // ordered by id
  std::string label;                                // of a profile, an impulse or a user event: its name
  EnergyLedger energy;                              // all zero where velocities do not jump
  std::uint32_t warnings = 0;                       // bits of Warning
  Eigen::VectorXd velocity_before, velocity_after;  // q̇
  Eigen::VectorXd position;                         // q
  double error_bound = 0;  // zeno: at most so much was the normal speed that was left out [m/s]
  double duration = 0;     // crowd: it lasted so long, up to `time` [s]

  bool has(Warning w) const { return (warnings & static_cast<std::uint32_t>(w)) != 0; }
  void warn(Warning w) { warnings |= static_cast<std::uint32_t>(w); }
};

using WarningCounts = std::array<long, warning_count>;  // events that carry each Warning, in the order of its bits
void count_warnings(const Event& event, WarningCounts& counts);

}  // namespace routh
