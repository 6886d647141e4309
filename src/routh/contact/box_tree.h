// A tree of boxes along the world's axes, for finding all pairs of boxes that overlap in O(n log n + pairs).
#pragma once

#include <span>
#include <vector>

#include "routh/math/spatial.h"

namespace routh::internal {

struct Box {
  Vector3 low, high;
};

inline bool overlap(const Box& a, const Box& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

// Built anew for every set of boxes, halving them at the median along the axis on which their middles spread most.
// Storage is reused.
class BoxTree {
 public:
  struct Pair {
    int first = 0, second = 0;  // indices of boxes, first < second
  };

  void build(std::span<const Box> boxes);
  // Appends every pair of boxes that overlap, once, in no particular order.
  void find_overlaps(std::vector<Pair>& pairs) const;

 private:
  struct Node {
    Box box;
    int first = 0, last = 0;  // of `leaves_`
    int right = -1;           // second child, the first one follows its parent; −1: none
  };
  struct Leaf {
    Box box;
    int index = 0;
  };

  int split(int first, int last);
  void within(int node, std::vector<Pair>& pairs) const;
  void between(int a, int b, std::vector<Pair>& pairs) const;

  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
};

}  // namespace routh::internal
