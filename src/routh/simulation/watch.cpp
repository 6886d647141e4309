#include "routh/simulation/watch.h"

#include <algorithm>
#include <cmath>

#include "routh/contact/geometry.h"
#include "routh/contact/machine_contacts.h"
#include "routh/contact/posed_shape.h"
#include "routh/dynamics/dynamics.h"
#include "routh/simulation/rounding.h"

namespace routh::internal {

namespace {

// Time until a gap closes on a parabola from these values; `everywhere` when it does not.
double closing_time(double gap, double rate, double pull) {
  const double square = rate * rate + 2 * pull * gap;
  if (!(pull > 0 || rate < 0) || square < 0) return WatchItem::everywhere;
  // Of the two forms of the root, that without a difference of like numbers.
  const double root = std::sqrt(square), time = rate > 0 ? (rate + root) / pull : 2 * gap / (root - rate);
  return time > 0 ? time : WatchItem::everywhere;
}

}  // namespace

Watch::Watch(const Model& model, const SimulationOptions& options)
    : model_(model),
      options_(options),
      bound_(model),
      search_(model, ContactSearch::HullMemory::none),
      state_(rest_state(model)),
      jacobian_(contact_rows(model), model.velocities) {}

bool Watch::is_released(ContactId id) const {
  return std::find(released_.begin(), released_.end(), id) != released_.end();
}

double Watch::depth_of(ContactId id) const {
  const auto it = std::find(released_.begin(), released_.end(), id);
  return it == released_.end() ? 0 : depths_[static_cast<std::size_t>(it - released_.begin())];
}

// Also by the name that it has here.
bool Watch::is_held(ContactId id) const {
  for (std::size_t i = 0; i < motion_->held().size(); ++i) {
    const ContactId held = motion_->held()[i].id, here = motion_->contacts()[i].id;
    if (held == id || (here == id && here.pair == held.pair)) return true;
  }
  return false;
}

// Whether the modes of a group can hold although the forces of least norm say otherwise: redundant contacts share a
// load in many ways.
bool Watch::still_holds(const std::vector<std::size_t>& group) const {
  ModesProblem problem = motion_->modes_problem(model_.dimension, group);
  const Eigen::Index rows = contact_rows(model_);
  const auto row_of = [&](std::size_t i) { return rows * static_cast<Eigen::Index>(i); };
  std::vector<ContactMode> guess;
  for (std::size_t a = 0; a < group.size(); ++a) {
    const HeldContact& each = motion_->held()[group[a]];
    if (each.mode != ContactMode::stick) problem.velocity[row_of(a) + 1] = each.direction.t1;
    if (each.mode != ContactMode::stick && rows == 3) problem.velocity[row_of(a) + 2] = each.direction.t2;
    problem.friction.push_back(each.friction);
    guess.push_back(each.mode);
  }
  const ModesReport report = find_modes(problem, guess);
  if (report.solutions.empty()) return false;
  for (std::size_t a = 0; a < guess.size(); ++a) {
    const bool smooth = motion_->held()[group[a]].friction.static_coefficient == 0;
    const ContactMode mode = report.solutions.front().modes[a];
    if (mode != guess[a] && !(smooth && mode != ContactMode::free)) return false;
  }
  return true;
}

void Watch::measure_forces(const State& state, WatchPoint& point) {
  fault_ = motion_->compute(model_, state, *force_, *workspace_);
  if (fault_ != MotionFault::none) {
    point.valid = false;
    return;
  }
  if (forces_ == Forces::ignored) return;
  const Eigen::Index rows = contact_rows(model_);
  const std::size_t count = motion_->held().size();
  const auto margin_of = [&](std::size_t i) {
    const auto force = motion_->force().segment(rows * static_cast<Eigen::Index>(i), rows);
    return motion_->held()[i].friction.static_coefficient * force[0] - force.tail(rows - 1).norm();
  };
  const auto sticks = [&](const HeldContact& each) { return each.mode == ContactMode::stick && each.id.pair >= 0; };
  const std::vector<std::vector<std::size_t>> redundant = motion_->redundant_groups();
  std::vector<bool> shared(count, false);  // their forces are not unique
  for (const std::vector<std::size_t>& group : redundant)
    for (const std::size_t i : group) shared[i] = true;
  for (std::size_t i = 0; i < count; ++i) {
    const HeldContact& each = motion_->held()[i];
    const Eigen::Index row = rows * static_cast<Eigen::Index>(i);
    const auto velocity = motion_->velocity().segment(row, rows);
    if (!shared[i]) {
      point.items.push_back({WatchKind::normal_force, each.id, 0, motion_->force()[row], 0, 0, {}});
      if (sticks(each)) point.items.push_back({WatchKind::friction, each.id, 0, margin_of(i), 0, 0, {}});
    }
    if (each.mode == ContactMode::slip && each.friction.static_coefficient > 0) {
      const double slip = velocity[1] * each.direction.t1 + (rows == 3 ? velocity[2] * each.direction.t2 : 0);
      // One that begins in a direction in which other contacts hold it, as an end of a rod whose other end sticks, does
      // not get faster than rounding: it has not halted.
      point.items.push_back(
          {WatchKind::slip, each.id, 0, each.beginning ? slip + tolerances::cancelled : slip, 0, 0, {}});
    }
  }
  for (const std::vector<std::size_t>& group : redundant) {
    double least = WatchItem::everywhere;  // what forces of least norm have left before one lets go
    for (const std::size_t i : group) {
      least = std::min(least, motion_->force()[rows * static_cast<Eigen::Index>(i)]);
      if (sticks(motion_->held()[i])) least = std::min(least, margin_of(i));
    }
    if (least < 0) least = still_holds(group) ? 1.0 : -1.0;
    point.items.push_back({WatchKind::modes, {}, static_cast<int>(group.front()), least, 0, 0, {}});
  }
}

WatchItem Watch::gap_item(const Contact& contact, const State& state) const {
  const ContactVector v = contact_velocity(model_, *workspace_, state.v, contact);
  WatchItem item{WatchKind::gap, contact.id, 0, contact.gap + depth_of(contact.id), v.n, 0, contact.normal};
  item.speed = std::sqrt(v.n * v.n + v.t1 * v.t1 + v.t2 * v.t2);
  return item;
}

// After compute_twists.
double Watch::turning() const {
  double square = 0;
  for (const Twist& twist : workspace_->link_twists) square = std::max(square, dot(twist.angular, twist.angular));
  return std::sqrt(square);
}

void Watch::measure(const State& state, WatchPoint& point, Velocities velocities) {
  ++looks_;
  point.items.clear();
  point.valid = true;
  if (motion_->held().empty()) {
    if (velocities == Velocities::unknown) compute_twists(model_, state.q, state.v, *workspace_);
  } else {
    measure_forces(state, point);
    if (!point.valid) return;
  }
  find_within(margin_, state);
  add_items(state, point);
}

void Watch::find_within(double margin, const State& state) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  search_.find(model_, *workspace_, state.q, margin < WatchItem::everywhere ? margin : infinite, contacts_);
}

// The gaps of `contacts_`, and of vertices that are followed, and what the user watches.
void Watch::add_items(const State& state, WatchPoint& point) const {
  for (const Contact& contact : contacts_)
    if (!is_held(contact.id)) point.items.push_back(gap_item(contact, state));
  for (const ContactId id : followed_) {
    if (point.find({WatchKind::gap, id, 0, 0, 0, 0, {}}) || is_held(id)) continue;
    if (const auto contact = find_contact(model_, *workspace_, state.q, id, ContactAge::fresh))
      point.items.push_back(gap_item(*contact, state));
  }
  add_pairs(point);
  for (std::size_t k = 0; user_ && k < user_->size(); ++k) {
    const double sense = k < user_sense_.size() ? user_sense_[k] : 1;
    point.items.push_back({WatchKind::user, {}, static_cast<int>(k), sense * (*user_)[k].value(state), 0, 0, {}});
  }
}

// Of `contacts_`, which are in the order of their pairs; and where the links are.
void Watch::add_pairs(WatchPoint& point) const {
  point.poses = workspace_->link_poses;
  point.twists = workspace_->link_twists;
  point.pairs.clear();
  double separation = 0;  // along the normal of the last
  for (const Contact& contact : contacts_) {
    if (contact.kind == ContactKind::limit) continue;
    const auto [first, second] = features_of(contact.id.feature);
    const bool held = is_held(contact.id), on_first = first.kind == FeatureKind::face;
    const bool on_face = on_first || second.kind == FeatureKind::face;
    if (point.pairs.empty() || point.pairs.back().pair != contact.id.pair) {
      point.pairs.emplace_back().pair = contact.id.pair;
      separation = -WatchItem::everywhere;
    }
    WatchPoint::Pair& it = point.pairs.back();
    if (held) it.overhang = std::min(it.overhang, overhang_of(contact));
    if (held && !it.held) it.held = true, it.has_plane = false, it.gap = WatchItem::everywhere;
    // Of held contacts one with a face, on which the others lie; otherwise that whose normal parts the shapes best.
    if (it.held) {
      if (!held || !on_face || it.has_plane) continue;
    } else {
      const double depth = depth_of(contact.id);
      it.gap = std::min(it.gap, contact.gap + depth);
      it.depth = std::max(it.depth, depth);
      const double here = separation_along(contact);
      if (!(here > separation)) continue;
      separation = here;
    }
    it.normal = contact.normal;
    it.fixed_to_second = !on_first;
    it.on_face = on_face;
    it.has_plane = true;
    if (on_face) continue;
    it.point = contact.point;
    it.tilt = tilts_of(contact);
  }
}

void Watch::user_event_happened(int index, double time) {
  if (time != fired_time_) fired_.clear();
  fired_time_ = time;
  fired_.push_back({index, user_sense_[static_cast<std::size_t>(index)]});
}

// Positive until it has happened; zero while it is on the side from which its direction does not count, and where the
// function is zero: it is on its way to whatever it becomes.
void Watch::arm_user_events(const State& state) {
  const std::size_t count = user_ ? user_->size() : 0;
  user_sense_.resize(count, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    if (user_sense_[k] != 0) continue;
    const UserEvent& event = (*user_)[k];
    const double value = event.value(state);
    if (value == 0) continue;
    const double sign = value < 0 ? -1.0 : 1.0;
    const bool falls = sign > 0;
    if (event.direction == UserEvent::Direction::both || (event.direction == UserEvent::Direction::falling) == falls)
      user_sense_[k] = sign;
  }
}

void Watch::begin(const State& state, const std::vector<ContactId>* released, const Eigen::VectorXd& force,
                  ContactMotion& motion, Workspace& workspace) {
  force_ = &force;
  motion_ = &motion;
  workspace_ = &workspace;
  user_sense_.clear();
  arm_user_events(state);
  // From a zero it goes on to the other side, from which it can come back at once or only after it was there.
  if (state.time == fired_time_)
    for (const Fired& each : fired_) {
      const auto k = static_cast<std::size_t>(each.index);
      user_sense_[k] = (*user_)[k].direction == UserEvent::Direction::both ? -each.sense : 0;
    }
  compute_velocities(model_, state.q, state.v, workspace);
  start_state_ = state;
  followed_.clear();
  bound_.begin(workspace, state.v);
  start_turning_ = turning();
  start_speed_ = contact_speed_bound(model_, workspace, state.v);
  // The step to come is not known yet: hardly more than a few times what is expected.
  start_margin_ = margin_ = std::max(tolerances::unseen_depth * size_of(state),
                                     margin_for(start_speed_, tolerances::spare_room * expected_step_));
  find_within(margin_, state);
  release(state, released);
  start_.theta = 0;
  start_.items.clear();
  start_.valid = true;
  if (!motion.held().empty()) measure_forces(state, start_);
  if (start_.valid) add_items(state, start_);
  expect_strike(state);
}

void Watch::set_uniform_acceleration(const Eigen::VectorXd* acceleration) {
  uniform_acceleration_ = acceleration;
  courses_known_ = acceleration && gaps_have_courses(model_);
}

// A step that ends soon after the next strike needs few looks, and can be ended at the strike by interpolation.
void Watch::expect_strike(const State& state) {
  likely_strike_ = WatchItem::everywhere;
  const bool free = motion_->held().empty();
  const bool uniform = free && uniform_acceleration_ && force_->size() == 0;
  on_courses_ = uniform && courses_known_ && (!user_ || user_->empty());
  const auto left = [&](const WatchItem& item) { return item.rate > 0 && is_released(item.id); };
  const auto bounced = [&](const WatchItem& item) { return item.kind == WatchKind::gap && left(item); };
  if (!start_.valid || (!uniform && std::none_of(start_.items.begin(), start_.items.end(), bounced))) return;
  if (on_courses_) find_courses(state);
  if (free && !uniform && motion_->compute(model_, state, *force_, *workspace_) != MotionFault::none) return;
  const Eigen::VectorXd& acceleration = uniform ? *uniform_acceleration_ : motion_->acceleration();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const WatchItem* const item = start_.find({WatchKind::gap, contact.id, 0, 0, 0, 0, {}});
    if (!item) continue;
    double pull = 0;
    if (on_courses_) {
      pull = courses_[i].pull_at_start();
    } else {
      contact_jacobian(model_, *workspace_, contact, jacobian_);
      pull = -jacobian_.row(0).dot(acceleration);
      if (contact.kind == ContactKind::surfaces)  // as if the points that face each other stayed the same
        pull += dot(contact.normal, point_drift(model_, *workspace_, contact.body_b, contact.point).linear -
                                        point_drift(model_, *workspace_, contact.body_a, contact.point).linear);
    }
    likely_strike_ =
        std::min(likely_strike_, closing_time(left(*item) ? 0 : std::max(0.0, item->value), item->rate, pull));
  }
}

// Of `contacts_`, which are those of `start_`; nothing is held.
void Watch::find_courses(const State& state) {
  courses_.clear();
  for (const Contact& contact : contacts_) {
    contact_jacobian(model_, *workspace_, contact, jacobian_);
    courses_.push_back(gap_course(model_, *workspace_, contact, jacobian_.row(0).dot(state.v),
                                  jacobian_.row(0).dot(*uniform_acceleration_)));
    courses_.back().gap += depth_of(contact.id);
  }
}

WatchItem Watch::item_of(const GapCourse& course, double theta) const {
  const double time = theta * h_;
  return {WatchKind::gap, course.id, 0, course.gap_at(time), course.rate_at(time), 0, course.normal};
}

void Watch::measure_courses(WatchPoint& point) const {
  point.items.clear();
  point.valid = true;
  for (const GapCourse& course : courses_) point.items.push_back(item_of(course, point.theta));
}

// These, or what of `contacts_` touches and is not held.
void Watch::release(const State& state, const std::vector<ContactId>* released) {
  if (released && released != &released_) released_ = *released;
  if (!released) {
    released_.clear();
    for (const Contact& contact : contacts_)
      if (contact.gap <= tolerances::unseen_depth * size_of(state) && !is_held(contact.id))
        released_.push_back(contact.id);
  }
  depths_.assign(released_.size(), 0.0);
  for (const Contact& contact : contacts_) {
    const auto it = std::find(released_.begin(), released_.end(), contact.id);
    if (it == released_.end()) continue;
    depths_[static_cast<std::size_t>(it - released_.begin())] = released_depth(contact.gap, state);
  }
}

double Watch::released_depth(double gap, const State& state) const {
  return std::max(0.0, -1.5 * gap) +
         (forces_ == Forces::ignored ? tolerances::touch_rounding : 1.6 * tolerances::gap_rounding) * size_of(state);
}

void Watch::add_released(ContactId id, double gap, const State& state) {
  released_.push_back(id);
  depths_.push_back(released_depth(gap, state));
}

// What is further apart hardly meets within h of a moment at which no gap changed faster than `speed`.
double Watch::margin_for(double speed, double h) const {
  return std::isfinite(speed) ? tolerances::speeds_grow * speed * h + tolerances::margin_least : WatchItem::everywhere;
}

bool Watch::measure_at(double theta, WatchPoint& point) {
  point.theta = theta;
  if (on_courses_) {
    measure_courses(point);
    return true;
  }
  if (theta == moment_) {
    measure(state_, point, Velocities::known);
    return point.valid;
  }
  moment_ = -1;
  if (!view_->at(theta, state_)) return point.valid = false;
  measure(state_, point);
  return point.valid;
}

bool Watch::measure_pair(int pair, WatchPoint& point) {
  ++looks_;
  moment_ = -1;
  if (!view_->at(point.theta, state_)) return point.valid = false;
  compute_twists(model_, state_.q, state_.v, *workspace_);
  moment_ = point.theta;
  const ShapePair shapes = model_.pairs[static_cast<std::size_t>(pair)];
  Manifold manifold(margin_);
  find_pair_contacts(posed_shape(model_, *workspace_, shapes.first), posed_shape(model_, *workspace_, shapes.second),
                     manifold);
  contacts_.clear();
  add_contacts(model_, {pair, shapes.first, shapes.second}, manifold, contacts_);
  add_pairs(point);
  return true;
}

bool Watch::measure_one(double theta, const WatchItem& of, WatchItem& item, ContactAge age) {
  if (on_courses_) {
    const auto same = [&](const GapCourse& course) { return course.id == of.id; };
    const auto it = std::find_if(courses_.begin(), courses_.end(), same);
    item = it == courses_.end() ? of : item_of(*it, theta);
    return it != courses_.end();
  }
  if (of.kind != WatchKind::gap) {
    if (!measure_at(theta, probe_)) return false;
    const WatchItem* const found = probe_.find(of);
    item = found ? *found : of;
    if (!found) item.value = WatchItem::everywhere, item.rate = 0;
    return true;
  }
  ++looks_;
  moment_ = -1;
  if (!view_->at(theta, state_)) return false;
  compute_twists(model_, state_.q, state_.v, *workspace_);
  moment_ = theta;
  if (const auto contact = find_contact(model_, *workspace_, state_.q, of.id, age)) {
    item = gap_item(*contact, state_);
    return true;
  }
  item = of;
  item.value = WatchItem::everywhere, item.rate = 0;
  // Other features of the two shapes may have met before these did; where some touch all along, the least gap is theirs
  // and tells nothing.
  if (holds_pair(of.id.pair)) return true;
  find_within(margin_, state_);
  for (const Contact& contact : contacts_)
    if (contact.id.pair == of.id.pair && contact.gap < item.value) item = gap_item(contact, state_);
  return true;
}

WatchResult Watch::look(StepView& view, double h, const Eigen::VectorXd& force, ContactMotion& motion,
                        Workspace& workspace) {
  view_ = &view;
  h_ = h;
  force_ = &force;
  motion_ = &motion;
  workspace_ = &workspace;
  moment_ = -1;
  looks_before_ = looks_;
  entry_looks_ = 0;
  undecided_ = false;
  if (!view.at(1, state_)) return {true, 1, {}};
  double turn = start_turning_ * h, needed = 0;
  followed_.clear();
  if (on_courses_) {
    end_speed_ = start_speed_ + 2 * h * uniform_acceleration_->lpNorm<1>();
    needed = margin_for(std::max(start_speed_, end_speed_), h);
  } else {
    compute_twists(model_, state_.q, state_.v, workspace);
    end_speed_ = contact_speed_bound(model_, workspace, state_.v);
    turn = std::max(turn, turning() * h);
    view.bound_accelerations(acceleration_bound_);
    bound_.end(workspace, state_.v, acceleration_bound_, h);
    const double way = bound_.speed() * h;  // what is further apart cannot meet on the step
    needed = std::isfinite(way) ? way + tolerances::unseen_depth * size_of(state_) : WatchItem::everywhere;
  }
  // With room for a longer step to come, for which this will be the start.
  const double end_margin = margin_ = std::max(needed, margin_for(end_speed_, tolerances::spare_room * h));
  end_.theta = 1;
  if (on_courses_) {
    if (needed > start_margin_) {
      measure(start_state_, start_);
      find_courses(start_state_);
    }
    measure_courses(end_);
  } else {
    measure(state_, end_, Velocities::known);
    if (!end_.valid) return {true, 1, {}};
    margin_ = needed;
    if (needed > start_margin_) measure(start_state_, start_);
  }
  const bool without_rates = !motion.held().empty() || (user_ && !user_->empty());
  const int parts =
      std::clamp(static_cast<int>(std::ceil(turn / tolerances::look_turn_most)), without_rates ? 2 : 1, 64);
  const WatchPoint* before = nullptr;
  WatchPoint *first = &start_, *last = nullptr;
  for (int k = 1; k <= parts; ++k, before = first, first = last) {
    last = &end_;
    if (k < parts) {
      WatchPoint& middle = middle_[static_cast<std::size_t>(k) % middle_.size()];
      if (!measure_at(static_cast<double>(k) / parts, middle)) return {true, middle.theta, {}};
      last = &middle;
    }
    const WatchResult result = search_between(*first, *last, 0, Free::unknown);
    if (without_rates && before) {
      WatchPoint found;
      if (!result.found || measure_at(result.theta, found)) {
        if (WatchResult earlier = search_three(*before, *first, result.found ? found : *last); earlier.found)
          return earlier;
      }
    }
    if (result.found) return result;
  }
  std::swap(start_, end_);
  start_.theta = 0;
  start_margin_ = end_margin;
  start_speed_ = end_speed_;
  if (view.at(1, state_)) arm_user_events(start_state_ = state_);
  for (std::size_t k = released_.size(); k-- > 0;) {
    const WatchItem* const item = start_.find({WatchKind::gap, released_[k], 0, 0, 0, 0, {}});
    if (item && item->value <= tolerances::unseen_depth * size_of(state_)) continue;
    released_.erase(released_.begin() + static_cast<std::ptrdiff_t>(k));
    depths_.erase(depths_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return {};
}

}  // namespace routh::internal
