#include "routh/model/model.h"

#include <algorithm>
#include <stdexcept>

namespace routh {

namespace {

// The first in [begin, end) for which the predicate, false and then true, holds; else `end`.
template <class Predicate>
int first_with(int begin, int end, Predicate holds) {
  while (begin < end) {
    const int middle = begin + (end - begin) / 2;
    if (holds(middle))
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

}  // namespace

std::uint64_t ShapePairs::key(int surface, int other) {
  const auto low = static_cast<std::uint32_t>(std::min(surface, other)),
             high = static_cast<std::uint32_t>(std::max(surface, other));
  return static_cast<std::uint64_t>(high) << 32 | low;
}

// Shapes in [begin, end) that can touch the class.
int ShapePairs::candidates(Class kind, int begin, int end) const {
  const std::vector<int>& before = touching_[static_cast<std::size_t>(kind)];
  return before[static_cast<std::size_t>(end)] - before[static_cast<std::size_t>(begin)];
}

// Of those in a list for the class, how many stand before the shape.
int ShapePairs::listed_before(int list, Class kind, int shape) const {
  const auto begin = intervals_.begin() + static_cast<std::ptrdiff_t>(list_begin_[static_cast<std::size_t>(list)]),
             end = intervals_.begin() + static_cast<std::ptrdiff_t>(list_begin_[static_cast<std::size_t>(list) + 1]);
  const auto after = std::partition_point(begin, end, [&](const Interval& it) { return it.begin < shape; });
  if (after == begin) return 0;
  const Interval& last = *(after - 1);
  return last.before + candidates(kind, last.begin, std::min(shape, last.end));
}

bool ShapePairs::listed(int list, int shape) const {
  const auto begin = intervals_.begin() + static_cast<std::ptrdiff_t>(list_begin_[static_cast<std::size_t>(list)]),
             end = intervals_.begin() + static_cast<std::ptrdiff_t>(list_begin_[static_cast<std::size_t>(list) + 1]);
  const auto after = std::partition_point(begin, end, [&](const Interval& it) { return it.begin <= shape; });
  return after != begin && shape < (after - 1)->end;
}

bool ShapePairs::may_touch(int shape, int other) const {
  const Place& it = places_[static_cast<std::size_t>(shape)];
  return candidates(it.kind, other, other + 1) > 0 && !listed(it.rigid, other) && !listed(it.left_out, other);
}

// Shapes after `first` and before `second` that may touch `first`.
int ShapePairs::rank(int first, int second) const {
  const Place& it = places_[static_cast<std::size_t>(first)];
  int count = candidates(it.kind, first + 1, second);
  for (const int list : {it.rigid, it.left_out})
    count -= listed_before(list, it.kind, second) - listed_before(list, it.kind, first + 1);
  return count;
}

// The one of that rank.
int ShapePairs::second_of(int first, int wanted) const {
  return first_with(first + 1, static_cast<int>(places_.size()) - 1,
                    [&](int second) { return rank(first, second + 1) > wanted; });
}

ShapePair ShapePairs::operator[](std::size_t pair) const {
  const auto after = std::upper_bound(row_.begin(), row_.end(), pair);
  const int first = static_cast<int>(after - row_.begin()) - 1;
  const int second = second_of(first, static_cast<int>(pair - row_[static_cast<std::size_t>(first)]));
  return {first, second, properties(first, second)};
}

ShapePair ShapePairs::at(std::size_t pair) const {
  if (pair >= size()) throw std::out_of_range("ShapePairs: no pair of this number");
  return (*this)[pair];
}

std::optional<int> ShapePairs::find(int shape, int other) const {
  if (shape == other || empty() || !may_touch(shape, other)) return std::nullopt;
  const int first = std::min(shape, other);
  return static_cast<int>(row_[static_cast<std::size_t>(first)]) + rank(first, std::max(shape, other));
}

int ShapePairs::count_of(int shape) const {
  if (empty()) return 0;
  const Place& it = places_[static_cast<std::size_t>(shape)];
  const int all = static_cast<int>(places_.size());
  return candidates(it.kind, 0, all) - listed_before(it.rigid, it.kind, all) - listed_before(it.left_out, it.kind, all);
}

const SurfaceProperties& ShapePairs::properties(int shape, int other) const {
  const int surface = places_[static_cast<std::size_t>(shape)].surface,
            opposite = places_[static_cast<std::size_t>(other)].surface;
  return properties_[static_cast<std::size_t>(meeting_.find(key(surface, opposite))->second)];
}

ShapePairs::Iterator::Iterator(const ShapePairs& pairs, std::size_t pair) : pairs_(&pairs), pair_(pair) { place(); }

void ShapePairs::Iterator::place() {
  if (pair_ >= pairs_->size()) return;
  const ShapePair it = (*pairs_)[pair_];
  first_ = it.first;
  second_ = it.second;
}

ShapePairs::Iterator& ShapePairs::Iterator::operator++() {
  ++pair_;
  const bool same_row = pair_ < pairs_->row_[static_cast<std::size_t>(first_) + 1];
  if (same_row && pairs_->may_touch(first_, second_ + 1))
    ++second_;
  else
    place();
  return *this;
}

}  // namespace routh
