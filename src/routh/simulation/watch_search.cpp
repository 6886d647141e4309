// Where between two looks something happens, and when.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "routh/contact/geometry.h"
#include "routh/dynamics/dynamics.h"
#include "routh/math/bracket.h"
#include "routh/simulation/rounding.h"
#include "routh/simulation/watch.h"

namespace routh::internal {

namespace {

// Smallest value between the ends of the cubic with these end values and slopes, slopes per length of the interval.
double hermite_minimum(double a, double slope_a, double b, double slope_b) {
  // Where the derivative, a parabola, rises through zero.
  const double p = 6 * (a - b) + 3 * (slope_a + slope_b), q = 6 * (b - a) - 4 * slope_a - 2 * slope_b;
  // Of the two forms of that root the one in which nothing cancels.
  const double root = std::sqrt(std::max(0.0, q * q - 4 * p * slope_a));
  const double above = q > 0 ? -2 * slope_a : root - q, below = q > 0 ? q + root : 2 * p;
  const double t = below != 0 ? std::clamp(above / below, 0.0, 1.0) : 0.5;
  const double u = 1 - t;
  return a * (1 + 2 * t) * u * u + slope_a * t * u * u + b * t * t * (3 - 2 * t) - slope_b * t * t * u;
}

// Whether the cubic from zero with the first slope to b with the other rises from the beginning, as fast as it goes on.
bool leaves_at_once(double slope, double b, double slope_b) {
  if (!(slope > 0.05 * std::max(std::abs(b), std::abs(slope_b)))) return false;
  const double p = 3 * b - 2 * slope - slope_b, q = slope_b - 2 * b + slope;  // slope + p t + q t² times t
  const double least = p < 0 && q > 0 && -p < 2 * q ? slope - p * p / (4 * q) : std::min(slope, b);
  return least > 0.3 * slope;
}

// Where the parabola from a > 0 with this slope to b < 0 passes zero, as a part of the way.
double parabola_root(double a, double slope, double b) {
  const double bend = b - a - slope;
  return 2 * a / (-slope + std::sqrt(std::max(0.0, slope * slope - 4 * bend * a)));
}

}  // namespace

// Of the gaps of the item's pair of shapes the least, whichever features face each other there; null when there is
// none.
const WatchItem* Watch::nearest_of_pair(const WatchPoint& point, const WatchItem& item) const {
  const WatchItem* nearest = nullptr;
  for (const WatchItem& each : point.items)
    if (each.kind == WatchKind::gap && each.id.pair == item.id.pair && (!nearest || each.value < nearest->value))
      nearest = &each;
  return nearest;
}

// A moment at which the two shapes are more than `unseen_depth` inside each other, between two looks at them. Where
// that cannot be decided the step has to be shorter, which makes every bound tighter.
bool Watch::find_entry(const WatchPoint& a, const WatchPoint& b, int pair, int depth, double& theta) {
  if (undecided_ || !may_hide(a, b, pair)) return false;
  if (depth == tolerances::look_halvings_most || ++entry_looks_ > tolerances::entry_looks_most) {
    undecided_ = true;
    return false;
  }
  WatchPoint half;
  half.theta = 0.5 * (a.theta + b.theta);
  const bool seen = measure_pair(pair, half);
  const WatchPoint::Pair* const it = half.find_pair(pair);
  if (!seen || (it && it->gap < -tolerances::unseen_depth)) {
    theta = half.theta;
    return true;
  }
  return find_entry(a, half, pair, depth + 1, theta) || find_entry(half, b, pair, depth + 1, theta);
}

// Whether something may happen between the two looks that neither shows, with a moment to look at. Pairs that are not
// held are looked at alone, once: what is clear between two looks is so between any others within that time.
bool Watch::needs_look(const WatchPoint& a, const WatchPoint& b, Free& free, double& theta) {
  if (on_courses_) return false;
  const auto any_pair = [&](const auto& needs) {
    const auto needs_first = [&](const WatchPoint::Pair& each) { return needs(each.pair); };
    const auto needs_later = [&](const WatchPoint::Pair& each) { return !a.find_pair(each.pair) && needs(each.pair); };
    return std::any_of(a.pairs.begin(), a.pairs.end(), needs_first) ||
           std::any_of(b.pairs.begin(), b.pairs.end(), needs_later);
  };
  if (free == Free::unknown) {
    if (any_pair([&](int pair) { return !holds_pair(pair) && find_entry(a, b, pair, 0, theta); })) return true;
    free = Free::clear;
  }
  theta = 0.5 * (a.theta + b.theta);
  return any_pair([&](int pair) { return holds_pair(pair) && may_hide(a, b, pair); });
}

// Where something has happened by the second moment, what is found bounds the time in which something else could have
// happened before; what may hide in that time is looked for.
WatchResult Watch::search_between(WatchPoint& a, WatchPoint& b, int depth, Free free) {
  follow_vertices(a, b);
  const auto happened = [](const WatchItem& item) { return item.value < 0; };
  WatchResult found;
  WatchPoint first;
  WatchPoint* end = &b;
  if (!on_courses_ && std::any_of(b.items.begin(), b.items.end(), happened)) {
    found = search(a, b);
    if (found.found && !found.items.empty() && found.theta > a.theta) {
      if (!measure_at(found.theta, first)) return found;
      end = &first;
    }
  }
  WatchPoint between;
  double theta = 0;
  const bool halve = needs_look(a, *end, free, theta);
  if (halve && (depth == tolerances::look_halvings_most || looks_ - looks_before_ >= tolerances::looks_most))
    undecided_ = true;
  if (undecided_) return {true, 0.5 * (a.theta + b.theta), {}};
  if (!halve) return end == &b && !found.found ? search(a, b) : found;
  if (!measure_at(theta, between)) return {true, theta, {}};
  WatchResult early = search_between(a, between, depth + 1, free);
  if (early.found) return early;
  WatchResult late = search_between(between, *end, depth + 1, free);
  return late.found ? late : found;
}

double Watch::value_of(const WatchItem& item, const WatchPoint& point) const {
  const WatchItem* found = point.find(item);
  if (!found && item.kind == WatchKind::gap) found = nearest_of_pair(point, item);
  return found ? found->value : WatchItem::everywhere;
}

// A contact that was let go, or bounced, may come back and leave again before the next look: whether it is below zero
// where a parabola would have brought it back, or half-way.
bool Watch::falls_back(const WatchItem& from, double end, double& theta) {
  WatchItem now;
  const auto below = [&](double at) {
    theta = at;
    return at > 0 && at < end && measure_one(at, from, now) && now.value < 0;
  };
  if (below(tolerances::fall_looked_at * end)) return true;
  const double bend =
      now.value == WatchItem::everywhere ? 0 : (now.rate - from.rate) / (tolerances::fall_looked_at * end);
  return (bend < 0 && below(-3 * from.rate / bend)) || below(0.5 * end);
}

// Whether a gap that falls at the first look and rises at the second passes below zero, with the moment of its minimum.
bool Watch::turns_below(const WatchPoint& a, const WatchPoint& b, const WatchItem& from, double& theta) {
  const double span = (b.theta - a.theta) * h_;
  const WatchItem* const to = b.find(from);
  if (a.theta == 0 && from.rate >= 0 && is_released(from.id) && !(to && to->value < 0)) {
    const bool leaves = to && leaves_at_once(from.rate * span, to->value, to->rate * span);
    return !leaves && falls_back(from, b.theta, theta);
  }
  if (!(from.rate < 0) || !to || !(to->rate > 0)) return false;
  const double lowest = hermite_minimum(from.value, from.rate * span, to->value, to->rate * span);
  if (lowest > 0.1 * (from.value + to->value)) return false;
  WatchItem left = from, right = *to;
  double low = a.theta, high = b.theta;
  for (int k = 0; k < 60 && high - low > tolerances::rounding; ++k) {
    // Where the rate would vanish if it grew evenly.
    double middle = low + (high - low) * left.rate / (left.rate - right.rate);
    if (k % 3 == 2 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
    WatchItem now;
    if (!measure_one(middle, from, now) || now.value == WatchItem::everywhere) break;
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
  return false;
}

// A gap that closes and opens again between the two: true when it passes below zero, with a moment at which it does.
bool Watch::find_dip(const WatchPoint& a, const WatchPoint& b, double& theta) {
  for (const WatchItem& from : a.items) {
    if (from.kind != WatchKind::gap) continue;
    if (turns_below(a, b, from, theta)) return true;
    const WatchItem* const to = b.find(from);
    if (to && dips(from, a.theta, *to, b.theta, theta)) return true;
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
      if (!(least > (from.kind == WatchKind::slip ? tolerances::slip_rounding : 0)) || f[1] == WatchItem::everywhere ||
          f[2] == WatchItem::everywhere)
        break;
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
// steps for gaps, whose rates are known, from where a parabola does, as those of free flights; otherwise regula falsi
// with the Illinois rule; bisection where these leave the bracket or creep, and for modes, which jump. A contact that
// was let go at the start of the step is divided by the time since. One that is new, such as a corner under which
// another's face comes, is there once its features face each other. With the last moment seen before.
Bracket Watch::locate(const Change& change, double low, double high) {
  const WatchItem& item = change.from;
  const bool gap = item.kind == WatchKind::gap;
  bool zero = false;  // the last gap, to rounding
  const bool divided = gap && low == 0 && is_released(item.id);
  double f_low = divided ? std::max(item.rate * h_, 0.0) : item.value, f_high = 0, f = 0, slope = 0;
  double theta = high;
  const auto take = [&](const WatchItem& now) {
    f = now.value;
    slope = now.rate * h_;
    zero = gap && f <= 0 && f >= -tolerances::gap_rounding * size_of(state_);
    if (divided) slope = (slope - f / theta) / theta, f /= theta;
  };
  const auto evaluate = [&] {
    WatchItem now;
    if (!measure_one(theta, item, now, change.age)) return false;
    take(now);
    return true;
  };
  take(change.to);
  f_high = f;
  enum class Side { unknown, before, after } last = Side::unknown;  // of the root, the last point
  const double smallest = tolerances::rounding * std::max(1.0, 0.1 / h_);
  for (int k = 0; k < 100 && high - low > smallest; ++k) {
    double next = gap && slope < 0 ? theta - f / slope : (low * f_high - high * f_low) / (f_high - f_low);
    if (k == 0 && gap && !divided) next = change.estimate;
    if (gap && std::abs(next - theta) < (zero ? 0.01 * theta : smallest)) return {low, theta};
    // Newton's steps square their error: after one this small the next would change nothing.
    const double last_step = tolerances::newton_last_share * theta;
    if (gap && k > 0 && slope < 0 && std::abs(next - theta) < last_step && next > low && next < high)
      return {low, next};
    if (k % 5 == 4 || item.kind == WatchKind::modes || (!gap && !(f_low > 0)) || !(next > low && next < high))
      next = 0.5 * (low + high);
    if (!(next > low && next < high)) break;
    theta = next;
    if (!evaluate()) {
      high = theta;
      f_high = -std::abs(f_low);
      slope = 0;
      continue;
    }
    if (f == 0) return {low, theta};
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
  return {low, high};
}

// Of a gap that no list had at the first moment: its value there, if its features face each other; from now on it is
// followed by name.
void Watch::find_beginning(double theta, Change& change) {
  follow(change.to.id);
  WatchItem now;
  if (!measure_one(theta, change.to, now, change.age) || !now.same_as(change.to) || now.value == WatchItem::everywhere)
    return;
  if (theta == 0 && now.value <= tolerances::unseen_depth * size_of(start_state_) && !is_released(now.id)) {
    add_released(now.id, now.value, start_state_);
    now.value += depth_of(now.id);
  }
  change.from = now;
}

// In the order in which they seem to happen.
void Watch::find_changes(const WatchPoint& a, const WatchPoint& b) {
  changes_.clear();
  for (const WatchItem& to : b.items) {
    if (!(to.value < 0)) continue;
    const WatchItem* const from = a.find(to);
    Change change{from ? *from : WatchItem{to.kind, to.id, to.index, 0, 0, 0, {}}, to,
                  from ? ContactAge::known : ContactAge::fresh};
    if (!from && to.kind == WatchKind::gap) find_beginning(a.theta, change);
    const double span = b.theta - a.theta, value = change.from.value;
    change.estimate = a.theta;
    if (value > 0) {
      const double part = to.kind == WatchKind::gap ? parabola_root(value, change.from.rate * h_ * span, to.value)
                                                    : value / (value - to.value);
      change.estimate += span * (part > 0 && part < 1 ? part : 0.5);
    }
    changes_.push_back(change);
  }
  std::sort(changes_.begin(), changes_.end(), [](const Change& x, const Change& y) {
    return std::tie(x.estimate, x.to.kind, x.to.id, x.to.index) < std::tie(y.estimate, y.to.kind, y.to.id, y.to.index);
  });
}

WatchResult Watch::search(const WatchPoint& a, const WatchPoint& b) {
  const WatchPoint* last = &b;
  WatchResult result;
  double theta = 1;
  // Every round finds something that happens before what the last one found.
  constexpr int most_rounds = 64;
  for (int round = 0; round < most_rounds; ++round) {
    find_changes(a, *last);
    if (changes_.empty()) {
      if (!find_dip(a, *last, theta) || !measure_at(theta, dip_)) return result;
      last = &dip_;
      find_changes(a, dip_);
      if (changes_.empty()) return result;
    }
    result = {true, last->theta, {}};
    for (Change& each : changes_) {
      Change change = each;
      // What has not happened at the moment found so far happens later.
      if (result.theta < last->theta) {
        WatchItem now;
        if (measure_one(result.theta, change.from, now, change.age)) change.to = now;
        if (!(change.to.value < 0)) continue;
      }
      const Bracket moment = locate(change, a.theta, result.theta);
      each.before = moment.low;
      each.estimate = result.theta = moment.high;
    }
    if (!measure_at(result.theta, there_)) return result;
    // What happens within rounding of the first happens with it.
    const Change* sunk = nullptr;  // one that comes into being there, below zero
    for (const Change& change : changes_) {
      const bool gap = change.to.kind == WatchKind::gap, first = change.estimate == result.theta;
      // A gap whose features do not face each other there has not closed, but stands for the one that did.
      const WatchItem* const now =
          gap && first && !there_.find(change.to) ? nearest_of_pair(there_, change.to) : there_.find(change.to);
      if (!now) continue;
      const double size = std::abs(change.from.value) + std::abs(change.to.value), value = now->value;
      const bool deep = gap && value < -tolerances::unseen_depth;
      if (!(value <= tolerances::same_event_share * size + (gap ? tolerances::gap_rounding * size_of(state_) : 0)))
        continue;
      if (deep && !first) continue;
      if (deep) sunk = &change;
      result.items.push_back(*now);
    }
    // Before that, something else may have happened that is undone at the end of the interval, or on the way; or under
    // another name: gaps do not jump below zero.
    const auto other = [&](const WatchItem& item) {
      return item.value < 0 && std::none_of(result.items.begin(), result.items.end(),
                                            [&](const WatchItem& each) { return each.same_as(item); });
    };
    const auto deep = [&](const WatchItem& item) {
      return item.kind == WatchKind::gap && item.value < -tolerances::unseen_depth;
    };
    const auto entered_before = [&] {
      return sunk && sunk->before > a.theta && measure_at(sunk->before, dip_) &&
             std::any_of(dip_.items.begin(), dip_.items.end(), deep);
    };
    if (std::any_of(there_.items.begin(), there_.items.end(), other)) {
      std::swap(dip_, there_);
      std::erase_if(dip_.items, [&](const WatchItem& item) { return item.value < 0 && !other(item); });
    } else if (!entered_before() &&
               (!find_dip(a, there_, theta) || !(theta < result.theta) || !measure_at(theta, dip_))) {
      return result;
    }
    last = &dip_;
  }
  // Too much happens on one step to be told apart: without items it is tried again, shorter.
  if (!on_courses_) result.items.clear();
  return result;
}

}  // namespace routh::internal
