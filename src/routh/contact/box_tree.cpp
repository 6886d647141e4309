#include "routh/contact/box_tree.h"

#include <algorithm>

#include "routh/contact/tolerances.h"

namespace routh::internal {

namespace {

Box around(const Box& a, const Box& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

Vector3 doubled_middle(const Box& box) { return box.low + box.high; }

}  // namespace

void BoxTree::build(std::span<const Box> boxes) {
  nodes_.clear(), leaves_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i) leaves_.push_back({boxes[i], static_cast<int>(i)});
  if (!leaves_.empty()) split(0, static_cast<int>(leaves_.size()));
}

int BoxTree::split(int first, int last) {
  const auto here = static_cast<std::size_t>(nodes_.size());
  Box box = leaves_[static_cast<std::size_t>(first)].box;
  Vector3 least = doubled_middle(box), most = least;
  for (int i = first + 1; i < last; ++i) {
    const Box& each = leaves_[static_cast<std::size_t>(i)].box;
    box = around(box, each);
    const Vector3 middle = doubled_middle(each);
    least = {std::min(least.x, middle.x), std::min(least.y, middle.y), std::min(least.z, middle.z)};
    most = {std::max(most.x, middle.x), std::max(most.y, middle.y), std::max(most.z, middle.z)};
  }
  nodes_.push_back({box, first, last, -1});
  if (last - first <= tolerances::box_tree_leaf_max) return static_cast<int>(here);
  const Vector3 spread = most - least;
  const auto halve = [&](double Vector3::*along) {
    const auto before = [along](const Leaf& a, const Leaf& b) {
      const double of_a = a.box.low.*along + a.box.high.*along, of_b = b.box.low.*along + b.box.high.*along;
      return of_a != of_b ? of_a < of_b : a.index < b.index;
    };
    const auto begin = leaves_.begin();
    std::nth_element(begin + first, begin + (first + last) / 2, begin + last, before);
  };
  halve(spread.x >= spread.y && spread.x >= spread.z ? &Vector3::x : spread.y >= spread.z ? &Vector3::y : &Vector3::z);
  split(first, (first + last) / 2);
  const int right = split((first + last) / 2, last);
  nodes_[here].right = right;
  return static_cast<int>(here);
}

void BoxTree::find_overlaps(std::vector<Pair>& pairs) const {
  if (!nodes_.empty()) within(0, pairs);
}

void BoxTree::within(int node, std::vector<Pair>& pairs) const {
  const Node& it = nodes_[static_cast<std::size_t>(node)];
  if (it.right >= 0) {
    within(node + 1, pairs);
    within(it.right, pairs);
    between(node + 1, it.right, pairs);
    return;
  }
  for (int i = it.first; i < it.last; ++i)
    for (int j = i + 1; j < it.last; ++j) {
      const Leaf &a = leaves_[static_cast<std::size_t>(i)], &b = leaves_[static_cast<std::size_t>(j)];
      if (overlap(a.box, b.box)) pairs.push_back({std::min(a.index, b.index), std::max(a.index, b.index)});
    }
}

void BoxTree::between(int a, int b, std::vector<Pair>& pairs) const {
  const Node &of_a = nodes_[static_cast<std::size_t>(a)], &of_b = nodes_[static_cast<std::size_t>(b)];
  if (!overlap(of_a.box, of_b.box)) return;
  const bool split_a = of_a.right >= 0 && (of_b.right < 0 || of_a.last - of_a.first >= of_b.last - of_b.first);
  if (split_a) {
    between(a + 1, b, pairs);
    between(of_a.right, b, pairs);
  } else if (of_b.right >= 0) {
    between(a, b + 1, pairs);
    between(a, of_b.right, pairs);
  } else {
    for (int i = of_a.first; i < of_a.last; ++i) {
      const Leaf& one = leaves_[static_cast<std::size_t>(i)];
      for (int j = of_b.first; j < of_b.last; ++j) {
        const Leaf& other = leaves_[static_cast<std::size_t>(j)];
        if (overlap(one.box, other.box))
          pairs.push_back({std::min(one.index, other.index), std::max(one.index, other.index)});
      }
    }
  }
}

}  // namespace routh::internal
