// The pairs of shapes that may touch, numbered in the order of (first, second), none of them kept: nearly all shapes of
// bodies that move freely may touch, and ten thousand of them make fifty million pairs.
//
// What is kept is what a row of the table of all pairs is made of: the classes that can touch at all (solid, point,
// plane, pin, hole), less the shapes on the same rigid piece, less those that neighbours and filters leave out. Both
// are lists of intervals, which many shapes share. Memory follows the shapes, their surfaces and the filters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "routh/model/description.h"

namespace routh {

namespace internal {
class ShapePairsBuilder;
}

// Two shapes that may touch, and how. `properties` follow from the rule or from an override; pairs of the same two
// surfaces share them.
struct ShapePair {
  int first = 0, second = 0;  // shapes, first < second
  const SurfaceProperties& properties;
};

class ShapePairs {
 public:
  std::size_t size() const { return row_.empty() ? 0 : row_.back(); }
  bool empty() const { return size() == 0; }
  // In some steps of bisection.
  ShapePair operator[](std::size_t pair) const;
  // Throws std::out_of_range.
  ShapePair at(std::size_t pair) const;
  // The number of the pair of two shapes, in any order, if they may touch.
  std::optional<int> find(int shape, int other) const;
  // In how many pairs a shape is.
  int count_of(int shape) const;
  // How two shapes of a pair meet.
  const SurfaceProperties& properties(int shape, int other) const;
  // Of every two surfaces that may meet.
  std::span<const SurfaceProperties> properties() const { return properties_; }
  std::span<SurfaceProperties> properties() { return properties_; }
  // No shapes may touch.
  void clear() { *this = {}; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = ShapePair;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = ShapePair;

    ShapePair operator*() const { return {first_, second_, pairs_->properties(first_, second_)}; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return pair_ == other.pair_; }

   private:
    friend class ShapePairs;
    Iterator(const ShapePairs& pairs, std::size_t pair);
    void place();

    const ShapePairs* pairs_;
    std::size_t pair_;
    int first_ = 0, second_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  friend class internal::ShapePairsBuilder;

  // What can touch what: solids touch solids, points and planes; points touch planes; pins touch holes.
  enum class Class : std::uint8_t { solid, point, plane, pin, hole };
  static constexpr std::size_t class_count = 5;
  // Shapes from `begin` to before `end`; `before`: how many of the class that the list is for stand in earlier ones.
  struct Interval {
    int begin = 0, end = 0, before = 0;
  };
  struct Place {
    Class kind = Class::solid;
    int surface = -1;
    int rigid = 0, left_out = 0;  // lists: of the same rigid piece; of neighbours and filters
  };

  int candidates(Class kind, int begin, int end) const;
  int listed_before(int list, Class kind, int shape) const;
  bool listed(int list, int shape) const;
  bool may_touch(int shape, int other) const;
  int rank(int first, int second) const;
  int second_of(int first, int rank) const;
  static std::uint64_t key(int surface, int other);

  std::vector<Place> places_;                       // by shape
  std::vector<int> touching_[class_count];          // by shape: how many before it can touch the class
  std::vector<std::size_t> list_begin_;             // of its intervals; one more than there are lists
  std::vector<Interval> intervals_;                 // ascending and apart within a list
  std::vector<std::size_t> row_;                    // by shape: the first pair with it as first; one more at the end
  std::vector<SurfaceProperties> properties_;       // of surfaces that meet
  std::unordered_map<std::uint64_t, int> meeting_;  // two surfaces → place in `properties_`
};

}  // namespace routh
