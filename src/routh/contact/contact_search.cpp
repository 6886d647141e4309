#include "routh/contact/contact_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/contact/far_apart.h"
#include "routh/contact/machine_contacts.h"
#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

constexpr double nothing_known = -std::numeric_limits<double>::infinity();
// 1/√2: of ‖R₁ − R₀‖_F it makes 2 sin(angle/2).
constexpr double half_root = 0.70710678118654752;

double square(const Vector3& v) { return dot(v, v); }

// The farthest that a point within `arm` of the origin moves from one pose to the other, or more.
double way_between(const Pose& from, const Pose& to, double arm) {
  double way = std::sqrt(square(to.position - from.position));
  if (arm > 0) {
    const Matrix3 &R = from.rotation, &S = to.rotation;
    const double turn = square(S.r0 - R.r0) + square(S.r1 - R.r1) + square(S.r2 - R.r2);
    if (turn > 0) way += arm * (half_root * std::sqrt(turn) + tolerances::turn_rounding);
  }
  return way;
}

// Of PairMemory.
constexpr int none_yet = -1, of_other_shapes = -2;

double rounded_up(double x) { return x * (1 + tolerances::way_rounding_relative); }
double rounded_down(double x) { return x * (1 - tolerances::way_rounding_relative); }

}  // namespace

ContactSearch::ContactSearch(const Model& model)
    : places_(model.shapes.size()),
      way_(model.shapes.size(), 0.0),
      way_allowed_(model.shapes.size(), 0.0),
      left_alone_to_(model.pairs.size(), nothing_known),
      row_(model.shapes.size() + 1, 0) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Shape& shape = model.shapes[i];
    const double radius = bounding_radius(shape_at(model, shape, {}));
    const bool turns_in_itself = shape.kind == ShapeKind::point || shape.kind == ShapeKind::sphere;
    places_[i].radius = radius;
    places_[i].bounded = std::isfinite(radius);
    places_[i].steady = places_[i].bounded || shape.link < 0;
    // Of a plane the least turn moves points without end.
    places_[i].arm = turns_in_itself ? 0 : radius;
  }
  second_.reserve(model.pairs.size());
  for (int pair = 0; pair < static_cast<int>(model.pairs.size()); ++pair) {
    const auto [first, second] = std::pair(model.pairs[static_cast<std::size_t>(pair)].first,
                                           model.pairs[static_cast<std::size_t>(pair)].second);
    Place &a = places_[static_cast<std::size_t>(first)], &b = places_[static_cast<std::size_t>(second)];
    a.used = b.used = true;
    second_.push_back(second);
    ++row_[static_cast<std::size_t>(first) + 1];
    const auto kind = [&](int shape) { return model.shapes[static_cast<std::size_t>(shape)].kind; };
    const bool hulls = kind(first) == ShapeKind::mesh || kind(second) == ShapeKind::mesh;
    memory_of_.push_back(hulls && a.bounded && b.bounded ? none_yet : of_other_shapes);
    if (!a.bounded || !b.bounded) unbounded_.push_back({pair, first, second});
  }
  for (std::size_t i = 1; i < row_.size(); ++i) row_[i] += row_[i - 1];
  for (int i = 0; i < static_cast<int>(places_.size()); ++i)
    if (const Place& it = places_[static_cast<std::size_t>(i)]; it.used && it.bounded) boxed_.push_back(i);
}

void ContactSearch::forget() {
  std::fill(way_.begin(), way_.end(), 0.0);
  std::fill(left_alone_to_.begin(), left_alone_to_.end(), nothing_known);
  for (int& index : memory_of_)
    if (index >= 0) index = none_yet;
  memories_.clear();
  placed_ = listed_ = false;
}

void ContactSearch::place_shapes(const Model& model, const Workspace& workspace) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& it = places_[i];
    if (!it.used) continue;
    const Shape& shape = model.shapes[i];
    const Pose pose =
        shape.link < 0 ? shape.in_link : workspace.link_poses[static_cast<std::size_t>(shape.link)] * shape.in_link;
    it.step = placed_ ? way_between(it.pose, pose, it.arm) : 0;
    if (it.step > 0) way_[i] = rounded_up(way_[i] + it.step);
    it.pose = pose;
  }
  placed_ = true;
}

// Whether pairs whose boxes did not overlap are farther apart than the margin, still.
bool ContactSearch::tree_holds(double margin) const {
  if (!listed_) return false;
  return std::all_of(boxed_.begin(), boxed_.end(), [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    return way_[k] + 0.5 * margin <= way_allowed_[k];
  });
}

void ContactSearch::build_tree(const Model& model, double margin) {
  ++counts_.trees;
  boxes_.clear();
  for (const int i : boxed_) {
    const auto k = static_cast<std::size_t>(i);
    Place& it = places_[k];
    const Shape& shape = model.shapes[k];
    // Margins may grow by as much as they are before the tree is of no use.
    it.skin = margin + tolerances::skin_steps * it.step + (shape.link < 0 ? 0 : tolerances::skin_relative * it.radius);
    way_allowed_[k] = rounded_down(way_[k] + it.skin);
    const Box box = box_around(shape_at(model, shape, it.pose));
    const double grown = rounded_up(it.skin);
    const Vector3 skin = {grown, grown, grown};
    boxes_.push_back({box.low - skin, box.high + skin});
  }
  tree_.build(boxes_);
  overlaps_.clear();
  tree_.find_overlaps(overlaps_);
  list_candidates();
  listed_ = true;
}

// The pairs of the model among the overlaps, and those without boxes, in order: a counting sort by the first shape, and
// a sort of the few of each by the second.
void ContactSearch::list_candidates() {
  const auto first_of = [&](const BoxTree::Pair& it) {
    return static_cast<std::size_t>(boxed_[static_cast<std::size_t>(it.first)]);
  };
  count_.assign(places_.size() + 1, 0);
  for (const BoxTree::Pair& it : overlaps_) ++count_[first_of(it) + 1];
  for (std::size_t i = 1; i < count_.size(); ++i) count_[i] += count_[i - 1];
  sorted_.resize(overlaps_.size());
  for (const BoxTree::Pair& it : overlaps_)
    sorted_[static_cast<std::size_t>(count_[first_of(it)]++)] = boxed_[static_cast<std::size_t>(it.second)];
  // Each count has become the end of its shape's part.
  candidates_.clear();
  auto unbounded = unbounded_.begin();
  for (int first = 0, begin = 0; first < static_cast<int>(places_.size()); ++first) {
    const int end = count_[static_cast<std::size_t>(first)];
    std::sort(sorted_.begin() + begin, sorted_.begin() + end);
    for (; begin < end; ++begin) {
      const int second = sorted_[static_cast<std::size_t>(begin)];
      for (; unbounded != unbounded_.end() && unbounded->first == first && unbounded->second < second; ++unbounded)
        candidates_.push_back(*unbounded);
      add_candidate(first, second);
    }
    for (; unbounded != unbounded_.end() && unbounded->first == first; ++unbounded) candidates_.push_back(*unbounded);
  }
}

// If the two are a pair of the model.
void ContactSearch::add_candidate(int first, int second) {
  const int begin = row_[static_cast<std::size_t>(first)], end = row_[static_cast<std::size_t>(first) + 1];
  // Where a shape meets all that come after it, the place is known.
  int pair = begin + second - first - 1;
  if (pair >= end || second_[static_cast<std::size_t>(pair)] != second) {
    const auto it = std::lower_bound(second_.begin() + begin, second_.begin() + end, second);
    if (it == second_.begin() + end || *it != second) return;
    pair = static_cast<int>(it - second_.begin());
  }
  candidates_.push_back({pair, first, second});
}

PairMemory* ContactSearch::memory_of(std::size_t pair) {
  int& index = memory_of_[pair];
  if (index == of_other_shapes) return nullptr;
  if (index == none_yet) {
    index = static_cast<int>(memories_.size());
    memories_.emplace_back();
  }
  return &memories_[static_cast<std::size_t>(index)];
}

void ContactSearch::ask(const Model& model, const Candidate& it, double margin, std::vector<Contact>& contacts) {
  const auto i = static_cast<std::size_t>(it.first), j = static_cast<std::size_t>(it.second);
  const auto pair = static_cast<std::size_t>(it.pair);
  ++counts_.measured;
  const PosedShape a = shape_at(model, model.shapes[i], places_[i].pose),
                   b = shape_at(model, model.shapes[j], places_[j].pose);
  double bound = gap_bound(a, b, margin);
  if (!(bound > margin && margin >= 0)) {
    ++counts_.examined;
    Manifold manifold(margin);
    manifold.set_memory(memory_of(pair));
    if (std::isfinite(margin))
      manifold.set_horizon(tolerances::gap_horizon_share * (places_[i].radius + places_[j].radius));
    find_pair_contacts(a, b, manifold);
    add_contacts(model, it.pair, manifold, contacts);
    // A strip has no gap with what lies beside it, and a pin is within its hole.
    if (places_[i].bounded && places_[j].bounded) {
      const double known = manifold.gap_bound();
      bound = std::max(
          bound, known - tolerances::bounding_box_relative * (std::abs(known) + places_[i].radius + places_[j].radius));
    }
  }
  const bool kept = places_[i].steady && places_[j].steady && std::isfinite(bound);
  left_alone_to_[pair] = kept ? rounded_down(bound + way_[i] + way_[j]) : nothing_known;
}

void ContactSearch::find(const Model& model, const Workspace& workspace, const ConstVector& q, double margin,
                         std::vector<Contact>& contacts) {
  contacts.clear();
  ++counts_.calls;
  add_limit_contacts(model, q, margin, contacts);
  place_shapes(model, workspace);
  const auto ask_if_near = [&](const Candidate& it) {
    const double needed =
        rounded_up(way_[static_cast<std::size_t>(it.first)] + way_[static_cast<std::size_t>(it.second)] + margin);
    if (!(left_alone_to_[static_cast<std::size_t>(it.pair)] > needed)) ask(model, it, margin, contacts);
  };
  if (!(margin >= 0) || !std::isfinite(margin)) {
    counts_.asked += static_cast<long>(model.pairs.size());
    for (int pair = 0; pair < static_cast<int>(model.pairs.size()); ++pair)
      ask(model, {pair, model.pairs[static_cast<std::size_t>(pair)].first, second_[static_cast<std::size_t>(pair)]},
          margin, contacts);
    return;
  }
  if (!tree_holds(margin)) build_tree(model, margin);
  counts_.asked += static_cast<long>(candidates_.size());
  for (const Candidate& it : candidates_) ask_if_near(it);
}

}  // namespace routh::internal
