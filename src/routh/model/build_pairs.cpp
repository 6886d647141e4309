// Which pairs of shapes may touch.
//
// All pairs of classes that can touch, less two lists for each shape: what is on the same rigid piece, and what
// neighbours and filters leave out. Both are made for bodies, and shared by their shapes, so that the work follows the
// shapes and the filters and not the number of pairs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "routh/model/surface_rule.h"

namespace routh::internal {

namespace {

using Key = std::uint64_t;
Key ordered_key(int a, int b) { return static_cast<Key>(a) << 32 | static_cast<Key>(b); }
Key unordered_key(int a, int b) { return ordered_key(std::min(a, b), std::max(a, b)); }

// A name of a filter: a shape, or a body with all its shapes.
struct Side {
  int shape = -1;
  int body = -1;
};

// What filters and neighbours leave out of pairs on different rigid pieces.
class PairFilters {
 public:
  explicit PairFilters(const ModelDraft& draft) : draft_(draft), model_(draft.model), bodies_(model_.bodies.size()) {
    for (std::size_t i = 0; i < model_.shapes.size(); ++i)
      body(model_.shapes[i].body).shapes.push_back(static_cast<int>(i));
    for (const Joint& joint : model_.joints)
      if (joint.parent > 0) {
        body(joint.parent).neighbours.push_back(joint.child);
        body(joint.child).neighbours.push_back(joint.parent);
      }
    for (const FilterDescription& filter : draft_.description.filters)
      if (filter.rule == FilterDescription::Rule::exclude) exclude(filter);
    for (const FilterDescription& filter : draft_.description.filters)
      if (filter.rule == FilterDescription::Rule::include) include(filter);
  }

  const std::vector<int>& shapes_of(int index) const { return bodies_[static_cast<std::size_t>(index)].shapes; }
  // Whether its shapes are left out of different pairs.
  bool differs_by_shape(int index) const { return bodies_[static_cast<std::size_t>(index)].differs; }

  // Shapes that this one may not touch, on other rigid pieces, in order.
  std::vector<int> left_out(int shape) const {
    const int own = model_.shapes[shape].body;
    const Carrier& carrier = bodies_[static_cast<std::size_t>(own)];
    std::vector<int> others;
    const auto consider = [&](int other) {
      if (!rigid(own, model_.shapes[other].body) && leaves_out(shape, other)) others.push_back(other);
    };
    for (const std::vector<int>* near : {&carrier.neighbours, &carrier.excluded})
      for (const int other : *near)
        for (const int i : shapes_of(other)) consider(i);
    for (const int i : carrier.excluded_shapes) consider(i);
    if (const auto it = named_.find(shape); it != named_.end()) {
      for (const int i : it->second.shapes) consider(i);
      for (const int other : it->second.bodies)
        for (const int i : shapes_of(other)) consider(i);
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    return others;
  }

 private:
  struct Carrier {
    std::vector<int> shapes, neighbours, excluded, excluded_shapes;
    bool differs = false;
  };
  // What one shape is excluded with.
  struct Named {
    std::vector<int> shapes, bodies;
  };

  Carrier& body(int index) { return bodies_[static_cast<std::size_t>(index)]; }

  Side side(const FilterDescription& filter, const std::string& name) const {
    Side side{draft_.shapes.find(name), draft_.bodies.find(name)};
    if (side.shape < 0 && side.body < 0)
      throw InputError(filter.where, fmt::format("contacts: there is no shape or body '{}'", printable(name)),
                       suggestion(name));
    if (side.shape >= 0 && side.body >= 0) {
      if (shapes_of(side.body) != std::vector<int>{side.shape})
        throw InputError(filter.where, fmt::format("contacts: '{}' is the name of a shape and of a body", name),
                         "rename one of them");
      side.shape = -1;
    }
    return side;
  }

  std::string suggestion(const std::string& name) const {
    const std::string shape = draft_.shapes.suggestion(name);
    return shape.starts_with("did") ? shape : draft_.bodies.suggestion(name);
  }

  int body_of(const Side& side) const { return side.shape >= 0 ? model_.shapes[side.shape].body : side.body; }
  std::vector<int> shapes_of(const Side& side) const {
    return side.shape >= 0 ? std::vector<int>{side.shape} : shapes_of(side.body);
  }

  bool rigid(int a, int b) const { return model_.bodies[a].link == model_.bodies[b].link; }

  // A body and the one it hangs from, which is not the world: the world's shapes are what machines strike.
  bool neighbours(int a, int b) const {
    const auto hangs_from = [&](int child, int parent) {
      return parent > 0 && child > 0 && model_.joints[child - 1].parent == parent;
    };
    return hangs_from(a, b) || hangs_from(b, a);
  }

  void exclude(const FilterDescription& filter) {
    const Side first = side(filter, filter.first), second = side(filter, filter.second);
    const int a = body_of(first), b = body_of(second);
    if (first.shape < 0 && second.shape < 0) {
      if (!excluded_bodies_.insert(unordered_key(a, b)).second) return;
      body(a).excluded.push_back(b);
      body(b).excluded.push_back(a);
      return;
    }
    body(a).differs = body(b).differs = true;
    if (first.shape >= 0 && second.shape >= 0) {
      if (!excluded_shapes_.insert(unordered_key(first.shape, second.shape)).second) return;
      named_[first.shape].shapes.push_back(second.shape);
      named_[second.shape].shapes.push_back(first.shape);
      return;
    }
    const int shape = first.shape >= 0 ? first.shape : second.shape, whole = first.shape >= 0 ? b : a;
    if (!excluded_mixed_.insert(ordered_key(shape, whole)).second) return;
    named_[shape].bodies.push_back(whole);
    body(whole).excluded_shapes.push_back(shape);
  }

  // Only neighbours need it; other pairs are there already.
  void include(const FilterDescription& filter) {
    const Side first = side(filter, filter.first), second = side(filter, filter.second);
    const int a = body_of(first), b = body_of(second);
    if (rigid(a, b))
      throw InputError(
          filter.where,
          fmt::format("contacts: '{}' and '{}' cannot move against each other", filter.first, filter.second),
          "remove this entry of `include`");
    if (!neighbours(a, b)) return;
    body(a).differs = body(b).differs = true;
    for (const int i : shapes_of(first))
      for (const int j : shapes_of(second)) included_.insert(unordered_key(i, j));
  }

  bool leaves_out(int shape, int other) const {
    const int a = model_.shapes[shape].body, b = model_.shapes[other].body;
    return excluded_bodies_.contains(unordered_key(a, b)) || excluded_shapes_.contains(unordered_key(shape, other)) ||
           excluded_mixed_.contains(ordered_key(shape, b)) || excluded_mixed_.contains(ordered_key(other, a)) ||
           (neighbours(a, b) && !included_.contains(unordered_key(shape, other)));
  }

  const ModelDraft& draft_;
  const Model& model_;
  std::vector<Carrier> bodies_;
  std::unordered_set<Key> excluded_shapes_, excluded_bodies_, excluded_mixed_, included_;
  std::unordered_map<int, Named> named_;  // by shape
};

}  // namespace

class ShapePairsBuilder {
 public:
  explicit ShapePairsBuilder(const ModelDraft& draft) : draft_(draft), model_(draft.model), filters_(draft) {}

  ShapePairs build() {
    place_shapes();
    list_rigid();
    list_left_out();
    count_rows();
    find_meetings();
    return std::move(pairs_);
  }

 private:
  using Class = ShapePairs::Class;
  static constexpr int class_count = static_cast<int>(ShapePairs::class_count);
  // Shapes of one class on one body.
  struct Group {
    int link = -1;
    std::vector<int> shapes;
  };
  using Groups = std::array<std::vector<Group>, ShapePairs::class_count>;

  static Class class_of(ShapeKind kind) {
    switch (kind) {
      case ShapeKind::point:
        return Class::point;
      case ShapeKind::sphere:
      case ShapeKind::capsule:
      case ShapeKind::box:
      case ShapeKind::cylinder:
      case ShapeKind::ellipsoid:
      case ShapeKind::mesh:
        return Class::solid;
      case ShapeKind::half_space:
      case ShapeKind::strip:
        return Class::plane;
      case ShapeKind::pin:
        return Class::pin;
      case ShapeKind::hole:
        return Class::hole;
    }
    return Class::point;
  }

  static bool can_touch(Class a, Class b) {
    const auto either = [&](Class one, Class other) { return (a == one && b == other) || (a == other && b == one); };
    return (a == Class::solid && b == Class::solid) || either(Class::solid, Class::point) ||
           either(Class::solid, Class::plane) || either(Class::point, Class::plane) || either(Class::pin, Class::hole);
  }

  void place_shapes() {
    const std::size_t count = model_.shapes.size();
    pairs_.places_.resize(count);
    for (std::vector<int>& touching : pairs_.touching_) touching.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
      ShapePairs::Place& it = pairs_.places_[i];
      it.kind = class_of(model_.shapes[i].kind);
      it.surface = model_.shapes[i].surface;
      for (int c = 0; c < class_count; ++c) {
        std::vector<int>& touching = pairs_.touching_[c];
        touching[i + 1] = touching[i] + (can_touch(it.kind, static_cast<Class>(c)) ? 1 : 0);
      }
    }
    pairs_.list_begin_.assign(1, 0);
  }

  // For shapes of this class. Returns its number.
  int add_list(const std::vector<int>& shapes, Class kind) {
    const std::size_t first = pairs_.intervals_.size();
    for (const int shape : shapes) {
      if (pairs_.intervals_.size() > first && pairs_.intervals_.back().end == shape) {
        pairs_.intervals_.back().end = shape + 1;
        continue;
      }
      int before = 0;
      if (pairs_.intervals_.size() > first) {
        const ShapePairs::Interval& last = pairs_.intervals_.back();
        before = last.before + pairs_.candidates(kind, last.begin, last.end);
      }
      pairs_.intervals_.push_back({shape, shape + 1, before});
    }
    pairs_.list_begin_.push_back(pairs_.intervals_.size());
    return static_cast<int>(pairs_.list_begin_.size()) - 2;
  }

  void list_rigid() {
    std::map<int, std::vector<int>> of_link;
    for (std::size_t i = 0; i < model_.shapes.size(); ++i)
      of_link[model_.shapes[i].link].push_back(static_cast<int>(i));
    for (const auto& [link, shapes] : of_link) each_class(shapes, shapes, &ShapePairs::Place::rigid);
  }

  // One list for each class among the shapes, of `listed`.
  void each_class(const std::vector<int>& shapes, const std::vector<int>& listed, int ShapePairs::Place::*list) {
    std::array<int, ShapePairs::class_count> made;
    made.fill(-1);
    for (const int i : shapes) {
      ShapePairs::Place& it = pairs_.places_[static_cast<std::size_t>(i)];
      int& number = made[static_cast<std::size_t>(it.kind)];
      if (number < 0) number = add_list(listed, it.kind);
      it.*list = number;
    }
  }

  void list_left_out() {
    for (int body = 0; body < static_cast<int>(model_.bodies.size()); ++body) {
      const std::vector<int>& shapes = filters_.shapes_of(body);
      if (shapes.empty()) continue;
      if (!filters_.differs_by_shape(body)) {
        each_class(shapes, filters_.left_out(shapes.front()), &ShapePairs::Place::left_out);
        continue;
      }
      for (const int i : shapes) each_class({i}, filters_.left_out(i), &ShapePairs::Place::left_out);
    }
  }

  void count_rows() {
    const int count = static_cast<int>(model_.shapes.size());
    pairs_.row_.assign(1, 0);
    for (int i = 0; i < count; ++i)
      pairs_.row_.push_back(pairs_.row_.back() + static_cast<std::size_t>(pairs_.rank(i, count)));
    if (pairs_.size() > max_pairs)
      refuse({"model", model_.name, draft_.description.where},
             fmt::format("more than {} pairs of shapes may touch", max_pairs),
             "exclude pairs of bodies under `contacts`, or use fewer shapes");
  }

  // How surfaces meet that may: found by one pair of their shapes.
  void find_meetings() {
    const SurfaceRule rule(draft_);
    std::map<int, Groups> groups;
    for (int body = 0; body < static_cast<int>(model_.bodies.size()); ++body)
      for (const int i : filters_.shapes_of(body)) {
        const ShapePairs::Place& it = pairs_.places_[static_cast<std::size_t>(i)];
        std::vector<Group>& of_class = groups[it.surface][static_cast<std::size_t>(it.kind)];
        if (of_class.empty() || model_.shapes[of_class.back().shapes.front()].body != body)
          of_class.push_back({model_.bodies[body].link, {}});
        of_class.back().shapes.push_back(i);
      }
    std::vector<std::pair<int, int>> found;
    for (auto one = groups.begin(); one != groups.end(); ++one)
      for (auto other = one; other != groups.end(); ++other)
        if (const auto pair = first_pair(one->second, other->second)) {
          found.push_back(*pair);
          if (found.size() > max_meetings)
            refuse({"model", model_.name, draft_.description.where},
                   fmt::format("more than {} pairs of surfaces may meet", max_meetings),
                   "let shapes share their surfaces");
        }
    std::sort(found.begin(), found.end());
    for (const auto& [first, second] : found) {
      const int a = model_.shapes[first].surface, b = model_.shapes[second].surface;
      pairs_.meeting_.emplace(ShapePairs::key(a, b), static_cast<int>(pairs_.properties_.size()));
      pairs_.properties_.push_back(rule.of(first, second));
    }
  }

  std::optional<std::pair<int, int>> first_pair(const Groups& some, const Groups& others) const {
    for (int a = 0; a < class_count; ++a)
      for (int b = 0; b < class_count; ++b) {
        if (!can_touch(static_cast<Class>(a), static_cast<Class>(b))) continue;
        for (const Group& one : some[static_cast<std::size_t>(a)])
          for (const Group& other : others[static_cast<std::size_t>(b)]) {
            if (one.link == other.link) continue;
            for (const int i : one.shapes)
              for (const int j : other.shapes)
                if (pairs_.may_touch(i, j)) return std::pair(std::min(i, j), std::max(i, j));
          }
      }
    return std::nullopt;
  }

  const ModelDraft& draft_;
  const Model& model_;
  PairFilters filters_;
  ShapePairs pairs_;
};

void build_pairs(ModelDraft& draft) { draft.model.pairs = ShapePairsBuilder(draft).build(); }

}  // namespace routh::internal
