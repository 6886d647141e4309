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

double rounded_up(double x) { return x * (1 + tolerances::way_rounding_relative); }
double rounded_down(double x) { return x * (1 - tolerances::way_rounding_relative); }

}  // namespace

ContactSearch::ContactSearch(const Model& model, HullMemory memory)
    : places_(model.shapes.size()),
      way_(model.shapes.size(), 0.0),
      way_allowed_(model.shapes.size(), 0.0),
      reach_(model.shapes.size(), 0.0),
      memory_(memory) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Shape& shape = model.shapes[i];
    const double radius = bounding_radius(shape_at(model, shape, {}));
    const bool turns_in_itself = shape.kind == ShapeKind::point || shape.kind == ShapeKind::sphere;
    places_[i].radius = radius;
    places_[i].mesh = shape.kind == ShapeKind::mesh;
    places_[i].bounded = std::isfinite(radius);
    places_[i].steady = places_[i].bounded || shape.link < 0;
    // Of a plane the least turn moves points without end.
    places_[i].arm = turns_in_itself ? 0 : radius;
    places_[i].used = model.pairs.count_of(static_cast<int>(i)) > 0;
  }
  list_unbounded(model);
  for (int dof = model.velocities - 1; dof >= 0; --dof) {
    const Dof& it = model.dofs[static_cast<std::size_t>(dof)];
    if (it.coordinate >= 0 && (std::isfinite(it.properties.lower) || std::isfinite(it.properties.upper)))
      limited_.push_back(dof);
  }
  for (int i = 0; i < static_cast<int>(places_.size()); ++i)
    if (const Place& it = places_[static_cast<std::size_t>(i)]; it.used && it.bounded) boxed_.push_back(i);
}

// The pairs with a shape that has no box, in order.
void ContactSearch::list_unbounded(const Model& model) {
  const int count = static_cast<int>(places_.size());
  const auto has_box = [&](int shape) { return places_[static_cast<std::size_t>(shape)].bounded; };
  for (int one = 0; one < count; ++one) {
    if (has_box(one) || !places_[static_cast<std::size_t>(one)].used) continue;
    for (int other = 0; other < count; ++other)
      if (has_box(other) || other > one)
        if (const auto pair = model.pairs.find(one, other))
          unbounded_.push_back({*pair, std::min(one, other), std::max(one, other), nothing_known});
  }
  std::sort(unbounded_.begin(), unbounded_.end(),
            [](const Candidate& a, const Candidate& b) { return a.pair < b.pair; });
}

void ContactSearch::forget() {
  std::fill(way_.begin(), way_.end(), 0.0);
  memory_of_.clear();
  memories_.clear();
  candidates_.clear();
  placed_ = listed_ = false;
}

void ContactSearch::add_limits(const Model& model, const ConstVector& q, double margin,
                               std::vector<Contact>& contacts) const {
  if (!std::isfinite(margin)) return add_limit_contacts(model, q, margin, contacts);
  for (const int dof : limited_) add_limit_contacts(model, q, dof, margin, contacts);
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

// Whether pairs whose boxes did not overlap are farther apart than their shapes reach, still.
bool ContactSearch::tree_holds() const {
  if (!listed_) return false;
  return std::all_of(boxed_.begin(), boxed_.end(), [&](int i) {
    const auto k = static_cast<std::size_t>(i);
    return way_[k] + reach_[k] <= way_allowed_[k];
  });
}

void ContactSearch::build_tree(const Model& model) {
  ++counts_.trees;
  boxes_.clear();
  for (const int i : boxed_) {
    const auto k = static_cast<std::size_t>(i);
    Place& it = places_[k];
    const Shape& shape = model.shapes[k];
    // Reaches may grow by as much as they are before the tree is of no use, and ways by some steps; but in a crowd the
    // pairs listed grow with the cube of the skin.
    const double room = std::min(reach_[k] + tolerances::skin_steps * it.step,
                                 std::max(reach_[k], tolerances::skin_most_relative * it.radius));
    it.skin = reach_[k] + room + (shape.link < 0 ? 0 : tolerances::skin_relative * it.radius);
    way_allowed_[k] = rounded_down(way_[k] + it.skin);
    const Box box = box_around(shape_at(model, shape, it.pose));
    const double grown = rounded_up(it.skin);
    const Vector3 skin = {grown, grown, grown};
    boxes_.push_back({box.low - skin, box.high + skin});
  }
  tree_.build(boxes_);
  overlaps_.clear();
  tree_.find_overlaps(overlaps_);
  list_candidates(model);
  listed_ = true;
}

// The pairs of the model among the overlaps, and those without boxes, in order: a counting sort by the first shape, and
// a sort of the few of each by the second.
void ContactSearch::list_candidates(const Model& model) {
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
  std::swap(candidates_, before_);
  candidates_.clear();
  seen_before_ = 0;
  auto unbounded = unbounded_.begin();
  for (int first = 0, begin = 0; first < static_cast<int>(places_.size()); ++first) {
    const int end = count_[static_cast<std::size_t>(first)];
    std::sort(sorted_.begin() + begin, sorted_.begin() + end);
    for (; begin < end; ++begin) {
      const int second = sorted_[static_cast<std::size_t>(begin)];
      for (; unbounded != unbounded_.end() && unbounded->first == first && unbounded->second < second; ++unbounded)
        add_candidate(unbounded->pair, first, unbounded->second);
      if (const auto pair = model.pairs.find(first, second)) add_candidate(*pair, first, second);
    }
    for (; unbounded != unbounded_.end() && unbounded->first == first; ++unbounded)
      add_candidate(unbounded->pair, first, unbounded->second);
  }
}

// In the order of the pairs; what is known of one is kept.
void ContactSearch::add_candidate(int pair, int first, int second) {
  while (seen_before_ < before_.size() && before_[seen_before_].pair < pair) ++seen_before_;
  const bool known = seen_before_ < before_.size() && before_[seen_before_].pair == pair;
  candidates_.push_back({pair, first, second, known ? before_[seen_before_].left_alone_to : nothing_known});
}

// Of two solid shapes, one of them a mesh.
PairMemory* ContactSearch::memory_of(const Candidate& it) {
  const Place &a = places_[static_cast<std::size_t>(it.first)], &b = places_[static_cast<std::size_t>(it.second)];
  if (memory_ == HullMemory::none || !(a.mesh || b.mesh) || !a.bounded || !b.bounded) return nullptr;
  const auto [known, is_new] = memory_of_.try_emplace(it.pair, static_cast<int>(memories_.size()));
  if (is_new) memories_.emplace_back();
  return &memories_[static_cast<std::size_t>(known->second)];
}

void ContactSearch::ask(const Model& model, Candidate& it, double margin, std::vector<Contact>& contacts) {
  const auto i = static_cast<std::size_t>(it.first), j = static_cast<std::size_t>(it.second);
  ++counts_.measured;
  const PosedShape a = shape_at(model, model.shapes[i], places_[i].pose),
                   b = shape_at(model, model.shapes[j], places_[j].pose);
  double bound = gap_bound(a, b, margin);
  if (!(bound > margin && margin >= 0)) {
    ++counts_.examined;
    Manifold manifold(margin);
    manifold.set_memory(memory_of(it));
    if (std::isfinite(margin))
      manifold.set_horizon(tolerances::gap_horizon_share * (places_[i].radius + places_[j].radius));
    find_pair_contacts(a, b, manifold);
    add_contacts(model, {it.pair, it.first, it.second}, manifold, contacts);
    // A strip has no gap with what lies beside it, and a pin is within its hole.
    if (places_[i].bounded && places_[j].bounded) {
      const double known = manifold.gap_bound();
      bound = std::max(
          bound, known - tolerances::bounding_box_relative * (std::abs(known) + places_[i].radius + places_[j].radius));
    }
  }
  const bool kept = places_[i].steady && places_[j].steady && std::isfinite(bound);
  it.left_alone_to = kept ? rounded_down(bound + way_[i] + way_[j]) : nothing_known;
}

void ContactSearch::find(const Model& model, const Workspace& workspace, const ConstVector& q, double margin,
                         std::vector<Contact>& contacts) {
  if (margin >= 0 && std::isfinite(margin)) {
    std::fill(reach_.begin(), reach_.end(), 0.5 * margin);
    return find_within_reach(model, workspace, q, margin, contacts);
  }
  begin(model, workspace, q, margin, contacts);
  counts_.asked += static_cast<long>(model.pairs.size());
  int number = 0;
  for (const ShapePair pair : model.pairs) {
    Candidate it{number++, pair.first, pair.second, 0};
    ask(model, it, margin, contacts);
  }
}

void ContactSearch::find(const Model& model, const Workspace& workspace, const ConstVector& q,
                         std::span<const double> reach, double limit_margin, std::vector<Contact>& contacts) {
  std::copy(reach.begin(), reach.end(), reach_.begin());
  find_within_reach(model, workspace, q, limit_margin, contacts);
}

void ContactSearch::begin(const Model& model, const Workspace& workspace, const ConstVector& q, double limit_margin,
                          std::vector<Contact>& contacts) {
  contacts.clear();
  ++counts_.calls;
  add_limits(model, q, limit_margin, contacts);
  place_shapes(model, workspace);
}

// The same, of the reaches that are set.
void ContactSearch::find_within_reach(const Model& model, const Workspace& workspace, const ConstVector& q,
                                      double limit_margin, std::vector<Contact>& contacts) {
  begin(model, workspace, q, limit_margin, contacts);
  if (!tree_holds()) build_tree(model);
  counts_.asked += static_cast<long>(candidates_.size());
  for (Candidate& it : candidates_) {
    const auto i = static_cast<std::size_t>(it.first), j = static_cast<std::size_t>(it.second);
    const double margin = reach_[i] + reach_[j];
    if (!(it.left_alone_to > rounded_up(way_[i] + way_[j] + margin))) ask(model, it, margin, contacts);
  }
}

}  // namespace routh::internal
