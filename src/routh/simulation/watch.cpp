#include "routh/simulation/watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/dynamics/kinematics.h"
#include "routh/simulation/rounding.h"

namespace routh {

namespace {

constexpr double gap_rounding = 5e-16;  // beside the size of the machine
constexpr double everywhere = std::numeric_limits<double>::max();
constexpr double spare_room = 4;      // steps may grow by as much before the gaps at their start are looked at anew
constexpr double clear = 1e-9;        // [m]: a contact that was let go counts as others do beyond this gap
constexpr double largest_turn = 0.7;  // [rad] of any link between two looks at the gaps
constexpr double held_slip = 1e-12;   // [m/s]: what rounding makes of a slip that cannot begin
constexpr double faint_slip = 1e-9;   // [m/s]: of slip that has hardly begun rounding makes dips

bool same(const WatchItem& a, const WatchItem& b) { return a.kind == b.kind && a.id == b.id && a.index == b.index; }

const WatchItem* find(const WatchPoint& point, const WatchItem& item) {
  const auto it =
      std::find_if(point.items.begin(), point.items.end(), [&](const auto& each) { return same(each, item); });
  return it == point.items.end() ? nullptr : &*it;
}

// Smallest value between the ends of the cubic with these end values and slopes, slopes per length of the interval.
double hermite_minimum(double a, double slope_a, double b, double slope_b) {
  // Where the derivative, a parabola, rises through zero.
  const double p = 6 * (a - b) + 3 * (slope_a + slope_b), q = 6 * (b - a) - 4 * slope_a - 2 * slope_b;
  double t = 0.5;
  if (std::abs(p) > 1e-14 * std::abs(q)) {
    const double root = std::sqrt(std::max(0.0, q * q - 4 * p * slope_a));
    t = (-q + root) / (2 * p);
  } else if (q != 0) {
    t = -slope_a / q;
  }
  t = std::clamp(t, 0.0, 1.0);
  const double u = 1 - t;
  return a * (1 + 2 * t) * u * u + slope_a * t * u * u + b * t * t * (3 - 2 * t) - slope_b * t * t * u;
}

}  // namespace

Watch::Watch(const Model& model, const SimulationOptions& options)
    : model_(model), options_(options), state_(rest_state(model)) {}

bool Watch::is_released(ContactId id) const {
  return std::find(released_.begin(), released_.end(), id) != released_.end();
}

double Watch::depth_of(ContactId id) const {
  const auto it = std::find(released_.begin(), released_.end(), id);
  return it == released_.end() ? 0 : depths_[static_cast<std::size_t>(it - released_.begin())];
}

std::vector<ContactId> Watch::touching(const State& state, const ContactMotion& motion, Workspace& workspace) {
  compute_kinematics(model_, state.q, workspace);
  find_contacts(model_, workspace, state.q, clear * size_of(state), contacts_);
  std::vector<ContactId> ids;
  for (const Contact& contact : contacts_)
    if (std::none_of(motion.held().begin(), motion.held().end(),
                     [&](const auto& each) { return each.id == contact.id; }))
      ids.push_back(contact.id);
  return ids;
}

// Whether the modes can hold although the forces of least norm say otherwise: redundant contacts share a load in many
// ways.
bool Watch::still_holds(const State& state) {
  if (motion_->prepare(model_, state, *force_, *workspace_) != MotionFault::none) return false;
  ModesProblem problem;
  problem.dimension = model_.dimension;
  problem.inertia = motion_->inertia();
  problem.free_acceleration = motion_->free_acceleration();
  problem.velocity = motion_->velocity();
  std::vector<ContactMode> guess;
  const Eigen::Index rows = contact_rows(model_);
  for (std::size_t i = 0; i < motion_->held().size(); ++i) {
    const HeldContact& each = motion_->held()[i];
    const Eigen::Index row = rows * static_cast<Eigen::Index>(i);
    problem.velocity[row] = 0;
    problem.velocity[row + 1] = each.mode == ContactMode::stick ? 0 : each.direction.t1;
    if (rows == 3) problem.velocity[row + 2] = each.mode == ContactMode::stick ? 0 : each.direction.t2;
    problem.friction.push_back(each.friction);
    guess.push_back(each.mode);
  }
  const ModesReport report = find_modes(problem, guess);
  if (report.solutions.empty()) return false;
  for (std::size_t i = 0; i < guess.size(); ++i) {
    const bool smooth = motion_->held()[i].friction.static_coefficient == 0;
    const ContactMode mode = report.solutions.front().modes[i];
    if (mode != guess[i] && !(smooth && mode != ContactMode::free)) return false;
  }
  return true;
}

void Watch::measure_forces(const State& state, WatchPoint& point) {
  fault_ = motion_->compute(model_, state, *force_, *workspace_);
  if (fault_ != MotionFault::none) {
    point.valid = false;
    return;
  }
  const Eigen::Index rows = contact_rows(model_);
  const bool redundant = motion_->redundant();
  double least = everywhere;  // what forces of least norm have left before one lets go
  for (std::size_t i = 0; i < motion_->held().size(); ++i) {
    const HeldContact& each = motion_->held()[i];
    const Eigen::Index row = rows * static_cast<Eigen::Index>(i);
    const auto force = motion_->force().segment(row, rows);
    const auto velocity = motion_->velocity().segment(row, rows);
    const bool limit = each.id.pair < 0;
    const double margin = each.friction.static_coefficient * force[0] - force.tail(rows - 1).norm();
    if (redundant) {
      least = std::min(least, force[0]);
      if (each.mode == ContactMode::stick && !limit) least = std::min(least, margin);
    } else {
      point.items.push_back({WatchKind::normal_force, each.id, 0, force[0], 0, 0, {}});
      if (each.mode == ContactMode::stick && !limit)
        point.items.push_back({WatchKind::friction, each.id, 0, margin, 0, 0, {}});
    }
    if (each.mode == ContactMode::slip && each.friction.static_coefficient > 0) {
      const double slip = velocity[1] * each.direction.t1 + (rows == 3 ? velocity[2] * each.direction.t2 : 0);
      // One that begins in a direction in which other contacts hold it, as an end of a rod whose other end sticks, does
      // not get faster than rounding: it has not halted.
      point.items.push_back({WatchKind::slip, each.id, 0, each.beginning ? slip + held_slip : slip, 0, 0, {}});
    }
  }
  if (redundant && least < 0) least = still_holds(state) ? 1.0 : -1.0;
  if (redundant) point.items.push_back({WatchKind::modes, {}, 0, least, 0, 0, {}});
}

WatchItem Watch::gap_item(const Contact& contact, const State& state) const {
  const ContactVector v = contact_velocity(model_, *workspace_, state.v, contact);
  WatchItem item{WatchKind::gap, contact.id, 0, contact.gap + depth_of(contact.id), v.n, 0, contact.normal};
  item.speed = std::sqrt(v.n * v.n + v.t1 * v.t1 + v.t2 * v.t2);
  return item;
}

void Watch::measure(const State& state, WatchPoint& point) {
  ++looks_;
  point.items.clear();
  point.valid = true;
  if (motion_->held().empty()) {
    compute_velocities(model_, state.q, state.v, *workspace_);
  } else {
    measure_forces(state, point);
    if (!point.valid) return;
    // still_holds leaves the kinematics of the same state.
  }
  find_contacts(model_, *workspace_, state.q, margin_, contacts_);
  for (const Contact& contact : contacts_) {
    const auto held = [&](const HeldContact& each) { return each.id == contact.id; };
    if (std::any_of(motion_->held().begin(), motion_->held().end(), held)) continue;
    point.items.push_back(gap_item(contact, state));
  }
  for (std::size_t k = 0; user_ && k < user_->size(); ++k) {
    const double sense = k < user_sense_.size() ? user_sense_[k] : 1;
    point.items.push_back({WatchKind::user, {}, static_cast<int>(k), sense * (*user_)[k].value(state), 0, 0, {}});
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

void Watch::begin(const State& state, std::vector<ContactId> released, const Eigen::VectorXd& force,
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
  released_ = std::move(released);
  depths_.assign(released_.size(), 0.0);
  compute_kinematics(model_, state.q, workspace);
  const double rounding = 8e-16 * size_of(state);
  for (std::size_t k = 0; k < released_.size(); ++k)
    if (const auto contact = find_contact(model_, workspace, state.q, released_[k]))
      depths_[k] = std::max(0.0, -1.5 * contact->gap) + rounding;
  compute_velocities(model_, state.q, state.v, workspace);
  start_state_ = state;
  start_speed_ = contact_speed_bound(model_, workspace, state.v);
  // The step to come is not known yet: hardly more than a few times the last.
  start_margin_ = margin_ = margin_for(start_speed_, spare_room * h_);
  measure(state, start_);
  start_.theta = 0;
}

// What is further apart cannot meet within h of a moment at which no gap changed faster than `speed`.
double Watch::margin_for(double speed, double h) const {
  constexpr double gather = 2, least = 1e-3;  // speeds may grow on the way
  return std::isfinite(speed) ? gather * speed * h + least : everywhere;
}

bool Watch::measure_at(double theta, WatchPoint& point) {
  point.theta = theta;
  if (!view_->at(theta, state_)) return point.valid = false;
  measure(state_, point);
  return point.valid;
}

bool Watch::measure_one(double theta, const WatchItem& of, WatchItem& item, bool among_all) {
  if (of.kind != WatchKind::gap || among_all) {
    if (!measure_at(theta, probe_)) return false;
    const WatchItem* const found = find(probe_, of);
    item = found ? *found : of;
    if (!found) item.value = everywhere, item.rate = 0;
    return true;
  }
  ++looks_;
  if (!view_->at(theta, state_)) return false;
  compute_velocities(model_, state_.q, state_.v, *workspace_);
  if (const auto contact = find_contact(model_, *workspace_, state_.q, of.id)) {
    item = gap_item(*contact, state_);
    return true;
  }
  // Other features of the two shapes may have met before these did.
  item = of;
  item.value = everywhere, item.rate = 0;
  find_contacts(model_, *workspace_, state_.q, margin_, contacts_);
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
  if (!view.at(1, state_)) return {true, 1, {}};
  compute_velocities(model_, state_.q, state_.v, workspace);
  end_speed_ = contact_speed_bound(model_, workspace, state_.v);
  const double needed = margin_for(std::max(start_speed_, end_speed_), h);
  // With room for a longer step to come, for which this will be the start.
  const double end_margin = margin_ = std::max(needed, margin_for(end_speed_, spare_room * h));
  if (!measure_at(1, end_)) return {true, 1, {}};
  double turn = 0;
  for (const Twist& twist : workspace.link_twists) turn = std::max(turn, norm(twist.angular) * h);
  margin_ = needed;
  if (needed > start_margin_) measure(start_state_, start_);
  const bool without_rates = !motion.held().empty() || (user_ && !user_->empty());
  const int parts = std::clamp(static_cast<int>(std::ceil(turn / largest_turn)), without_rates ? 2 : 1, 64);
  WatchPoint before, first = start_;
  for (int k = 1; k <= parts; ++k) {
    if (k < parts) {
      if (!measure_at(static_cast<double>(k) / parts, middle_)) return {true, middle_.theta, {}};
    }
    WatchPoint last = k < parts ? middle_ : end_;
    const WatchResult result = search_between(first, last, 0);
    if (without_rates && k > 1 && (!result.found || measure_at(result.theta, last))) {
      if (WatchResult earlier = search_three(before, first, last); earlier.found) return earlier;
    }
    if (result.found) return result;
    if (without_rates) before = std::move(first);
    first = std::move(last);
  }
  start_ = end_;
  start_.theta = 0;
  start_margin_ = end_margin;
  start_speed_ = end_speed_;
  if (view.at(1, state_)) arm_user_events(start_state_ = state_);
  for (std::size_t k = released_.size(); k-- > 0;) {
    const WatchItem* const item = find(start_, {WatchKind::gap, released_[k], 0, 0, 0, 0, {}});
    if (item && item->value <= clear * size_of(state_)) continue;
    released_.erase(released_.begin() + static_cast<std::ptrdiff_t>(k));
    depths_.erase(depths_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return {};
}

// Of the gaps of the item's pair of shapes the least, whichever features face each other there; null when there is
// none.
const WatchItem* Watch::nearest_of_pair(const WatchPoint& point, const WatchItem& item) const {
  const WatchItem* nearest = nullptr;
  for (const WatchItem& each : point.items)
    if (each.kind == WatchKind::gap && each.id.pair == item.id.pair && (!nearest || each.value < nearest->value))
      nearest = &each;
  return nearest;
}

// Whether two shapes might meet between the two moments without showing it at either: they can come near in that time,
// and the features that face each other change, or the side on which they do.
bool Watch::may_hide(const WatchPoint& a, const WatchPoint& b) const {
  const double span = (b.theta - a.theta) * h_, fastest = std::max(start_speed_, end_speed_);
  for (const WatchItem& from : a.items) {
    if (from.kind != WatchKind::gap || from.id.pair < 0) continue;
    const WatchItem *const to = find(b, from), *const nearest = to ? to : nearest_of_pair(b, from);
    const double speed = std::isfinite(fastest) ? fastest : std::max(from.speed, nearest ? nearest->speed : 0);
    if (from.value + (nearest ? nearest->value : 0) > 1.5 * speed * span) continue;
    if (!to || dot(from.normal, to->normal) < 0.95) return true;
  }
  return false;
}

WatchResult Watch::search_between(const WatchPoint& a, const WatchPoint& b, int depth) {
  constexpr int deepest = 16;
  if (depth == deepest || !may_hide(a, b)) return search(a, b);
  WatchPoint half;
  if (!measure_at(0.5 * (a.theta + b.theta), half)) return {true, half.theta, {}};
  WatchResult early = search_between(a, half, depth + 1);
  return early.found ? early : search_between(half, b, depth + 1);
}

double Watch::value_of(const WatchItem& item, const WatchPoint& point) const {
  const WatchItem* found = find(point, item);
  if (!found && item.kind == WatchKind::gap) found = nearest_of_pair(point, item);
  return found ? found->value : everywhere;
}

// A gap that closes and opens again between the two: true when it passes below zero, with the moment of its minimum.
bool Watch::find_dip(const WatchPoint& a, const WatchPoint& b, double& theta) {
  const double span = (b.theta - a.theta) * h_;
  for (const WatchItem& from : a.items) {
    if (from.kind != WatchKind::gap || !(from.rate < 0)) continue;
    const WatchItem* const to = find(b, from);
    if (!to || !(to->rate > 0)) continue;
    const double lowest = hermite_minimum(from.value, from.rate * span, to->value, to->rate * span);
    if (lowest > 0.1 * (from.value + to->value)) continue;
    WatchItem left = from, right = *to;
    double low = a.theta, high = b.theta;
    for (int k = 0; k < 60 && high - low > 1e-15; ++k) {
      // Where the rate would vanish if it grew evenly.
      double middle = low + (high - low) * left.rate / (left.rate - right.rate);
      if (k % 3 == 2 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
      WatchItem now;
      if (!measure_one(middle, from, now) || now.value == everywhere) break;
      if (now.value < 0) {
        theta = middle;
        return true;
      }
      (now.rate < 0 ? low : high) = middle;
      (now.rate < 0 ? left : right) = now;
      const double span_now = (high - low) * h_;
      const double least = std::min(left.value, right.value);
      if (hermite_minimum(left.value, left.rate * span_now, right.value, right.rate * span_now) > 0.5 * least) break;
    }
  }
  return false;
}

// The same for what has no rates, between three moments at which it is above zero.
bool Watch::find_dip_of_three(const WatchPoint& a, const WatchPoint& b, const WatchPoint& c, double& theta) {
  constexpr double suspicious = 0.5;  // of the least value seen: a parabola that falls so far is followed
  constexpr int rounds = 10;
  for (const WatchItem& from : a.items) {
    if (from.kind == WatchKind::gap) continue;
    double t[3] = {a.theta, b.theta, c.theta}, f[3] = {from.value, value_of(from, b), value_of(from, c)};
    for (int round = 0; round < rounds; ++round) {
      const double least = std::min({f[0], f[1], f[2]});
      if (!(least > (from.kind == WatchKind::slip ? faint_slip : 0)) || f[1] == everywhere || f[2] == everywhere) break;
      const double p = (f[1] - f[0]) / (t[1] - t[0]), q = (f[2] - f[1]) / (t[2] - t[1]), bend = (q - p) / (t[2] - t[0]);
      if (!(bend > 0)) break;
      const double at = 0.5 * (t[0] + t[1]) - 0.5 * p / bend;
      const double lowest = f[0] + (at - t[0]) * (p + (at - t[1]) * bend);
      if (!(at > t[0] && at < t[2]) || at == t[1] || lowest > suspicious * least) break;
      WatchItem now;
      if (!measure_one(at, from, now)) break;
      if (now.value < 0) {
        theta = at;
        return true;
      }
      // The parabola was right, and this is the bottom.
      if (lowest > 0 && std::abs(now.value - lowest) < 0.1 * lowest) break;
      // The lower of the two in the middle, its neighbours around it.
      const bool left = at < t[1], lower = now.value < f[1];
      if (lower) {
        const int end = left ? 2 : 0;
        t[end] = t[1], f[end] = f[1], t[1] = at, f[1] = now.value;
      } else {
        const int end = left ? 0 : 2;
        t[end] = at, f[end] = now.value;
      }
    }
  }
  return false;
}

WatchResult Watch::search_three(const WatchPoint& a, const WatchPoint& b, const WatchPoint& c) {
  double theta = 1;
  WatchPoint low;
  if (!find_dip_of_three(a, b, c, theta) || !measure_at(theta, low)) return {};
  return search(low.theta < b.theta ? a : b, low);
}

// The moment at which the item falls below zero, between `low`, where it has not, and `high`, where it has. Newton's
// steps for gaps, whose rates are known; otherwise regula falsi with the Illinois rule; bisection where these leave the
// bracket or creep, and for modes, which jump. A contact that was let go at the start of the step is divided by the
// time since. One that is new, such as a corner under which another's face comes, is there once it is found among all.
double Watch::locate(const WatchItem& item, double low, double high, bool is_new) {
  const bool gap = item.kind == WatchKind::gap;
  bool zero = false;  // the last gap, to rounding
  const bool divided = gap && low == 0 && is_released(item.id);
  double f_low = divided ? std::max(item.rate * h_, 0.0) : item.value, f_high = 0, f = 0, slope = 0;
  const auto evaluate = [&](double theta) {
    WatchItem now;
    if (!measure_one(theta, item, now, is_new)) return false;
    f = now.value;
    slope = now.rate * h_;
    zero = gap && f <= 0 && f >= -gap_rounding * size_of(state_);
    if (divided) slope = (slope - f / theta) / theta, f /= theta;
    return true;
  };
  if (!evaluate(high)) return high;
  f_high = f;
  double theta = high;
  enum class Side { unknown, before, after } last = Side::unknown;  // of the root, the last point
  const double smallest = 1e-15 * std::max(1.0, 0.1 / std::max(h_, 1e-300));
  for (int k = 0; k < 100 && high - low > std::max(smallest, 4e-16 * high); ++k) {
    double next = gap && slope < 0 ? theta - f / slope : (low * f_high - high * f_low) / (f_high - f_low);
    if (gap && std::abs(next - theta) < (zero ? 1e-2 * theta : smallest)) return theta;
    if (k % 5 == 4 || item.kind == WatchKind::modes || (!gap && !(f_low > 0)) || !(next > low && next < high))
      next = 0.5 * (low + high);
    if (!(next > low && next < high)) break;
    theta = next;
    if (!evaluate(theta)) {
      high = theta;
      f_high = -std::abs(f_low);
      slope = 0;
      continue;
    }
    if (f == 0) return theta;
    const Side now = f < 0 ? Side::after : Side::before;
    if (f < 0) {
      high = theta, f_high = f;
      if (now == last) f_low *= 0.5;
    } else {
      low = theta, f_low = f;
      if (now == last) f_high *= 0.5;
    }
    last = now;
  }
  return high;
}

WatchResult Watch::search(const WatchPoint& a, const WatchPoint& b) {
  WatchPoint last = b;
  const auto happened = [&](const WatchPoint& point) {
    return std::any_of(point.items.begin(), point.items.end(), [](const WatchItem& each) { return each.value < 0; });
  };
  const auto begins = [&](const WatchItem& item) {
    const WatchItem* const from = find(a, item);
    return from ? *from : WatchItem{item.kind, item.id, item.index, 0, 0, 0, {}};
  };
  WatchResult result;
  double theta = 1;
  for (int round = 0; round < 8; ++round) {
    if (!happened(last)) {
      if (!find_dip(a, last, theta) || !measure_at(theta, last) || !happened(last)) return result;
    }
    result = {true, last.theta, {}};
    for (const WatchItem& item : last.items)
      if (item.value < 0)
        result.theta = std::min(result.theta, locate(begins(item), a.theta, last.theta, !find(a, item)));
    WatchPoint there;
    if (!measure_at(result.theta, there)) return result;
    // What happens within rounding of the first happens with it.
    for (const WatchItem& item : last.items) {
      const double size = std::abs(begins(item).value) + std::abs(item.value);
      const double rounding = item.kind == WatchKind::gap ? gap_rounding * size_of(state_) : 0;
      if (item.value < 0 && value_of(item, there) <= 1e-9 * size + rounding) result.items.push_back(item);
    }
    // Before that, something else may have happened that is undone at the end of the interval, or on the way.
    const auto other = [&](const WatchItem& item) {
      return item.value < 0 && std::none_of(result.items.begin(), result.items.end(),
                                            [&](const WatchItem& each) { return same(each, item); });
    };
    if (std::any_of(there.items.begin(), there.items.end(), other)) {
      last = there;
      std::erase_if(last.items, [&](const WatchItem& item) { return item.value < 0 && !other(item); });
    } else if (!find_dip(a, there, theta) || !(theta < result.theta) || !measure_at(theta, last)) {
      return result;
    }
  }
  return result;
}

}  // namespace routh
