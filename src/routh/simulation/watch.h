// What could happen on the way: looks for the first event on the dense output of a step.
//
// Gaps are looked at with their rates, and with bounds of how fast they change and accelerate on the step
// (motion_bound.h). Two shapes do not meet between two looks where their gaps there add up to more than they can lose,
// or where a plane that parts them at a look, which turns with the faces or edges that meet, still does as far as their
// motions can carry them; elsewhere there is another look half-way. Of two shapes that are held together, without a
// face between them, features are listed before they can meet: looks follow each other within a small turn. Points over
// planes are watched one by one, also those of a hull that are not the lowest: a gap of theirs that closes and opens
// again is followed until it can be no deeper than `unseen_depth`. Forces, friction, slip and user functions have no
// rates: a parabola through three looks tells where one may have been below zero in between. A gap that only grazes
// zero, from above, is no strike.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "routh/contact/contact_search.h"
#include "routh/math/bracket.h"
#include "routh/simulation/contact_motion.h"
#include "routh/simulation/gap_course.h"
#include "routh/simulation/motion_bound.h"
#include "routh/simulation/simulator.h"
#include "routh/simulation/tolerances.h"

namespace routh::internal {

enum class WatchKind { gap, normal_force, friction, slip, modes, user };

struct WatchItem {
  static constexpr double everywhere = std::numeric_limits<double>::max();  // the value of what is not there

  WatchKind kind = WatchKind::gap;
  ContactId id;   // of a contact
  int index = 0;  // of a user event; of redundant contacts: the place of the first among those held
  double value = 0;
  double rate = 0;   // of a gap, per second
  double speed = 0;  // of a gap: of the points that face each other
  Vector3 normal;    // of a gap

  bool same_as(const WatchItem& other) const { return kind == other.kind && id == other.id && index == other.index; }
};

// All that is watched at one moment; values below zero have happened.
struct WatchPoint {
  double theta = 0;
  std::vector<WatchItem> items;  // in a fixed order
  bool valid = true;             // false: the motion is not defined here
  std::vector<Pose> poses;       // of the links; not on courses
  std::vector<Twist> twists;

  // Two shapes within the margin: their least gap, and a plane that parts them.
  struct Pair {
    int pair = 0;
    double gap = WatchItem::everywhere;
    double depth = 0;             // in that: what they overlapped when they were let go
    Vector3 normal;               // from the second shape to the first
    bool fixed_to_second = true;  // the plane, to that shape; else to the first
    bool on_face = false;         // of that shape; else the plane turns, and stays along the edges that meet:
    Vector3 point;                // of the contact
    std::array<Vector3, 2> tilt;  // ṅ, two to try
    bool held = false;            // a contact of theirs is held
    bool has_plane = true;        // where contacts are held: one of them lies on a face
    // Where an end of a capsule is held on an edge: how far the other end is above the plane across that contact's
    // normal [m]. Below zero its side touches.
    double overhang = WatchItem::everywhere;
  };
  std::vector<Pair> pairs;  // by index

  const Pair* find_pair(int pair) const {
    const auto it = std::lower_bound(pairs.begin(), pairs.end(), pair,
                                     [](const Pair& each, int wanted) { return each.pair < wanted; });
    return it == pairs.end() || it->pair != pair ? nullptr : &*it;
  }

  // Null when it is not among them.
  const WatchItem* find(const WatchItem& item) const {
    const auto it = std::find_if(items.begin(), items.end(), [&](const auto& each) { return each.same_as(item); });
    return it == items.end() ? nullptr : &*it;
  }
};

struct WatchResult {
  bool found = false;
  double theta = 1;
  std::vector<WatchItem> items;  // what happens there
};

// The states of a step. `at(θ)` gives the one at the fraction θ of it.
class StepView {
 public:
  virtual ~StepView() = default;
  virtual bool at(double theta, State& state) = 0;
  // More than |q̈| of each degree of freedom on the step.
  virtual void bound_accelerations(Eigen::VectorXd& bound) = 0;
};

class Watch {
 public:
  Watch(const Model& model, const SimulationOptions& options);

  // Contacts that touch at the start of the step and are not held: they were let go, or bounced.
  const std::vector<ContactId>& released() const { return released_; }
  void set_user_events(const std::vector<UserEvent>* events) { user_ = events; }
  // Ignored: closed contacts stay so, and as they are, whatever their forces and slip do.
  enum class Forces { watched, ignored };
  void set_forces(Forces forces) { forces_ = forces; }
  // Of all free motion of the machine, whatever its state. Null: not known beforehand.
  void set_uniform_acceleration(const Eigen::VectorXd* acceleration);
  // A user event happened at `time`: its function is zero there, on whichever side rounding puts it.
  void user_event_happened(int index, double time);

  // About as long as the step to come [s]; 0: not known. What `begin` finds depends on it.
  void expect_step(double h) { expected_step_ = h > 0 ? h : tolerances::usual_step; }
  // Begins at a state, before the first step from there. Null: what touches there and is not held is released.
  void begin(const State& state, const std::vector<ContactId>* released, const Eigen::VectorXd& force,
             ContactMotion& motion, Workspace& workspace);
  // After a step of size h. When nothing is found the end of the step becomes the next beginning.
  WatchResult look(StepView& view, double h, const Eigen::VectorXd& force, ContactMotion& motion, Workspace& workspace);
  long looks() const { return looks_; }
  // The greatest angular speed of any link at the start [rad/s].
  double start_turning() const { return start_turning_; }
  // How long after the start a gap would close if it went on as a parabola [s]; `everywhere` where none would, or where
  // accelerations are not known beforehand and nothing bounced just now.
  double likely_strike() const { return likely_strike_; }
  MotionFault fault() const { return fault_; }  // of the last moment at which the motion was not defined

 private:
  enum class Velocities { unknown, known };  // of the links, in the workspace
  void measure(const State& state, WatchPoint& point, Velocities velocities = Velocities::unknown);
  void find_within(double margin, const State& state);  // into `contacts_`
  void add_items(const State& state, WatchPoint& point) const;
  void add_pairs(WatchPoint& point) const;
  double separation_along(const Contact& contact) const;
  std::array<Vector3, 2> tilts_of(const Contact& contact) const;
  double overhang_of(const Contact& contact) const;
  void release(const State& state, const std::vector<ContactId>* released);
  double released_depth(double gap, const State& state) const;
  void add_released(ContactId id, double gap, const State& state);
  void expect_strike(const State& state);
  void find_courses(const State& state);
  void measure_courses(WatchPoint& point) const;
  WatchItem item_of(const GapCourse& course, double theta) const;
  bool is_held(ContactId id) const;
  double turning() const;
  void measure_forces(const State& state, WatchPoint& point);
  bool measure_at(double theta, WatchPoint& point);
  bool measure_pair(int pair, WatchPoint& point);  // at its moment: where the links are, and this pair alone
  // One item alone; false where it is not defined. Where a gap has other features by then, the least gap
  // of the two shapes.
  bool measure_one(double theta, const WatchItem& of, WatchItem& item, ContactAge age = ContactAge::known);
  WatchItem gap_item(const Contact& contact, const State& state) const;
  const WatchItem* nearest_of_pair(const WatchPoint& point, const WatchItem& item) const;
  bool holds_pair(int pair) const;
  bool stays_parted(const WatchPoint& point, const WatchPoint::Pair& it, double time) const;
  bool stays_over(const WatchPoint& point, const WatchPoint::Pair& it, double time) const;
  bool stays_between(const WatchPoint& point, const WatchPoint::Pair& it, const Vector3& nu, double time) const;
  double turn_between(const WatchPoint& a, const WatchPoint& b, int shape) const;
  bool may_roll_over(const WatchPoint::Pair& from, const WatchPoint::Pair& to, double span) const;
  double border_clearance(const WatchPoint& point, int pair) const;
  bool may_hide(const WatchPoint& a, const WatchPoint& b, int pair) const;
  bool find_entry(const WatchPoint& a, const WatchPoint& b, int pair, int depth, double& theta);
  double least_after(const WatchItem& item, double time) const;
  enum class Free { unknown, clear };  // between two looks: the pairs that are not held
  bool needs_look(const WatchPoint& a, const WatchPoint& b, Free& free, double& theta);
  void follow(ContactId id);
  void follow_vertices(WatchPoint& a, WatchPoint& b, int pair);
  void follow_vertices(WatchPoint& a, WatchPoint& b);
  double acceleration_between(const WatchItem& from, const WatchItem& to, double span) const;
  bool dips(const WatchItem& from, double low, const WatchItem& to, double high, double& theta);
  WatchResult search_between(WatchPoint& a, WatchPoint& b, int depth, Free free);
  WatchResult search(const WatchPoint& a, const WatchPoint& b);
  bool falls_back(const WatchItem& from, double end, double& theta);
  bool turns_below(const WatchPoint& a, const WatchPoint& b, const WatchItem& from, double& theta);
  bool find_dip(const WatchPoint& a, const WatchPoint& b, double& theta);
  bool find_dip_of_three(const WatchPoint& a, const WatchPoint& b, const WatchPoint& c, double& theta);
  WatchResult search_three(const WatchPoint& a, const WatchPoint& b, const WatchPoint& c);
  // What happens between two looks: how it begins and ends.
  struct Change {
    WatchItem from, to;
    ContactAge age = ContactAge::known;
    double estimate = 0;  // of the moment
    double before = 0;    // the last moment seen at which it had not happened
  };
  void find_beginning(double theta, Change& change);
  void find_changes(const WatchPoint& a, const WatchPoint& b);
  Bracket locate(const Change& change, double low, double high);
  void arm_user_events(const State& state);
  double value_of(const WatchItem& item, const WatchPoint& point) const;
  bool is_released(ContactId id) const;
  double depth_of(ContactId id) const;
  double margin_for(double speed, double h) const;
  bool still_holds(const std::vector<std::size_t>& group) const;

  const Model& model_;
  SimulationOptions options_;
  MotionBound bound_;
  ContactSearch search_;
  Eigen::VectorXd acceleration_bound_;
  std::vector<ContactId> followed_;  // vertices over planes, of the look under way, that no list of contacts may have
  std::vector<ContactId> released_;
  std::vector<double> depths_;  // of the released: how far each may overlap by rounding
  const std::vector<UserEvent>* user_ = nullptr;
  std::vector<double> user_sense_;  // sign of each user event at the start
  struct Fired {
    int index = 0;
    double sense = 0;  // that it had
  };
  std::vector<Fired> fired_;  // user events that happened at fired_time_
  double fired_time_ = -tolerances::never;
  WatchPoint start_, end_, probe_;
  std::array<WatchPoint, 3> middle_;  // the last looks within the step
  WatchPoint there_, dip_;            // of a search
  std::vector<Change> changes_;       // between two looks
  State state_, start_state_;
  std::vector<Contact> contacts_;
  // Of the look under way.
  StepView* view_ = nullptr;
  const Eigen::VectorXd* force_ = nullptr;
  ContactMotion* motion_ = nullptr;
  Workspace* workspace_ = nullptr;
  double h_ = 0;
  double expected_step_ = tolerances::usual_step;
  double margin_ = 0;        // [m]: contacts further apart are not looked at
  double start_margin_ = 0;  // that of start_
  double start_speed_ = 0;   // [m/s] or [rad/s]: no gap changed faster there
  double end_speed_ = 0;     // nor here
  double start_turning_ = 0;
  double likely_strike_ = WatchItem::everywhere;
  const Eigen::VectorXd* uniform_acceleration_ = nullptr;
  bool courses_known_ = false;      // every gap of a free flight of the machine has a closed form
  bool on_courses_ = false;         // and the step under way is one
  std::vector<GapCourse> courses_;  // of `start_.items`
  Eigen::MatrixXd jacobian_;        // of one contact
  double moment_ = -1;              // θ of the look under way whose velocities the workspace holds; −1: none
  long looks_ = 0;
  long looks_before_ = 0;   // the step under way
  long entry_looks_ = 0;    // on it, at pairs that are not held
  bool undecided_ = false;  // whether such a pair meets on it
  Forces forces_ = Forces::watched;
  MotionFault fault_ = MotionFault::none;
};

}  // namespace routh::internal
