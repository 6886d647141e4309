// Which pairs of shapes may touch.
//
// Shapes are grouped by body and by what they can touch at all, so that the work follows the number of pairs there are
// and not the square of the number of shapes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "routh/model/surface_rule.h"

namespace routh::internal {

namespace {

// What can touch what: solids touch solids, points and planes; points touch planes; pins touch holes.
enum class Class { solid, point, plane, pin, hole };
constexpr int class_count = 5;

Class class_of(ShapeKind kind) {
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

constexpr std::pair<Class, Class> touching_classes[] = {{Class::solid, Class::solid},
                                                        {Class::solid, Class::point},
                                                        {Class::solid, Class::plane},
                                                        {Class::point, Class::plane},
                                                        {Class::pin, Class::hole}};

bool can_touch(ShapeKind a, ShapeKind b) {
  const Class first = class_of(a), second = class_of(b);
  return std::any_of(std::begin(touching_classes), std::end(touching_classes), [&](const auto& classes) {
    return classes == std::pair{first, second} || classes == std::pair{second, first};
  });
}

using Key = std::uint64_t;
Key ordered_key(int a, int b) { return static_cast<Key>(a) << 32 | static_cast<Key>(b); }
Key unordered_key(int a, int b) { return ordered_key(std::min(a, b), std::max(a, b)); }

// A name of a filter: a shape, or a body with all its shapes.
struct Side {
  int shape = -1;
  int body = -1;
};

class PairFinder {
 public:
  explicit PairFinder(const ModelDraft& draft) : draft_(draft), model_(draft.model) {
    shapes_of_.resize(model_.bodies.size());
    for (std::size_t i = 0; i < model_.shapes.size(); ++i)
      shapes_of_[model_.shapes[i].body].push_back(static_cast<int>(i));
    for (std::size_t body = 0; body < shapes_of_.size(); ++body)
      for (const int i : shapes_of_[body]) {
        auto& groups = groups_[static_cast<int>(class_of(model_.shapes[i].kind))];
        if (groups.empty() || groups.back().body != static_cast<int>(body))
          groups.push_back({static_cast<int>(body), {}});
        groups.back().shapes.push_back(i);
      }
  }

  std::vector<Key> find() {
    for (const FilterDescription& filter : draft_.description.filters)
      if (filter.rule == FilterDescription::Rule::exclude) exclude(filter);
    for (const FilterDescription& filter : draft_.description.filters)
      if (filter.rule == FilterDescription::Rule::include) include(filter);
    for (const auto& [first, second] : touching_classes)
      add_classes(groups_[static_cast<int>(first)], groups_[static_cast<int>(second)]);
    settle();
    return std::move(pairs_);
  }

 private:
  struct Group {
    int body;
    std::vector<int> shapes;
  };

  Side side(const FilterDescription& filter, const std::string& name) const {
    Side side{draft_.shapes.find(name), draft_.bodies.find(name)};
    if (side.shape < 0 && side.body < 0)
      throw InputError(filter.where, fmt::format("contacts: there is no shape or body '{}'", printable(name)),
                       suggestion(name));
    if (side.shape >= 0 && side.body >= 0) {
      if (shapes_of_[side.body] != std::vector<int>{side.shape})
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
    return side.shape >= 0 ? std::vector<int>{side.shape} : shapes_of_[side.body];
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
    if (first.shape >= 0 && second.shape >= 0)
      excluded_shapes_.insert(unordered_key(first.shape, second.shape));
    else if (first.shape < 0 && second.shape < 0)
      excluded_bodies_.insert(unordered_key(first.body, second.body));
    else if (first.shape >= 0)
      excluded_mixed_.insert(ordered_key(first.shape, second.body));
    else
      excluded_mixed_.insert(ordered_key(second.shape, first.body));
  }

  bool excluded_bodies(int a, int b) const {
    return !excluded_bodies_.empty() && excluded_bodies_.contains(unordered_key(a, b));
  }

  bool excluded(int a, int b) const {
    if (!excluded_shapes_.empty() && excluded_shapes_.contains(unordered_key(a, b))) return true;
    return !excluded_mixed_.empty() && (excluded_mixed_.contains(ordered_key(a, model_.shapes[b].body)) ||
                                        excluded_mixed_.contains(ordered_key(b, model_.shapes[a].body)));
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
    if (!neighbours(a, b) || excluded_bodies(a, b)) return;
    for (const int i : shapes_of(first))
      for (const int j : shapes_of(second))
        if (can_touch(model_.shapes[i].kind, model_.shapes[j].kind)) add(i, j);
  }

  void add_classes(const std::vector<Group>& first, const std::vector<Group>& second) {
    const bool same = &first == &second;
    for (std::size_t i = 0; i < first.size(); ++i)
      for (std::size_t j = same ? i + 1 : 0; j < second.size(); ++j) add_groups(first[i], second[j]);
  }

  void add_groups(const Group& first, const Group& second) {
    if (rigid(first.body, second.body) || neighbours(first.body, second.body) ||
        excluded_bodies(first.body, second.body))
      return;
    for (const int i : first.shapes)
      for (const int j : second.shapes) add(i, j);
  }

  void add(int a, int b) {
    if (excluded(a, b)) return;
    pairs_.push_back(unordered_key(a, b));
    if (pairs_.size() > 2 * max_pairs) settle();
  }

  void settle() {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    if (pairs_.size() > max_pairs)
      refuse({"model", model_.name, draft_.description.where},
             fmt::format("more than {} pairs of shapes may touch", max_pairs),
             "exclude pairs of bodies under `contacts`, or use fewer shapes");
  }

  const ModelDraft& draft_;
  const Model& model_;
  std::vector<std::vector<int>> shapes_of_;
  std::array<std::vector<Group>, class_count> groups_;
  std::unordered_set<Key> excluded_shapes_, excluded_bodies_, excluded_mixed_;
  std::vector<Key> pairs_;
};

}  // namespace

void build_pairs(ModelDraft& draft) {
  const SurfaceRule rule(draft);
  const std::vector<Key> keys = PairFinder(draft).find();
  draft.model.pairs.reserve(keys.size());
  for (const Key key : keys) {
    const int first = static_cast<int>(key >> 32), second = static_cast<int>(key & 0xffffffffu);
    draft.model.pairs.push_back({first, second, rule.of(first, second)});
  }
}

}  // namespace routh::internal
