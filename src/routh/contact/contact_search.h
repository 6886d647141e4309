// find_contacts for many postures of one machine, each not far from the one before: pairs that are far apart cost next
// to nothing.
//
// Every shape has a way: the sum, over the calls, of the farthest that any of its points moved from one to the next,
//
//   |Δ origin| + arm · |ΔR|,      |ΔR| = 2 sin(angle/2) = ‖R₁ − R₀‖_F/√2,    arm: radius about the shape's origin
//
// A gap that was at least g when it was looked at is at least g − Δway_a − Δway_b now, whatever the motion. Pairs are
// left alone until that reaches the margin: what the two shapes reach together, the same for all or each its own. Which
// pairs have to be asked at all comes from a tree of boxes, each shape's own and a skin: as long as no shape's way has
// used up its skin, a pair whose boxes do not overlap is farther apart than the margin. After that the tree is built
// anew, in O(n log n).
//
// Pairs with half-spaces, strips and holes have no boxes and are always asked; where such a shape moves, looked at.
//
// Hulls that have come near are searched from where the last search ended (PairMemory).
//
// The contacts are those of find_contacts, in the same order and to the same bits, whatever was asked for before. Only
// where rounding decides which of the features of two hulls are nearest may the last digits depend on it.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "routh/contact/box_tree.h"
#include "routh/contact/contact.h"
#include "routh/contact/geometry.h"

namespace routh::internal {

class ContactSearch {
 public:
  // Whether hulls are searched from where the last search ended. Without, contacts depend on the posture alone, to the
  // last bit.
  enum class HullMemory { kept, none };
  explicit ContactSearch(const Model& model, HullMemory memory = HullMemory::kept);

  // As find_contacts: after compute_kinematics, `contacts` emptied first. `model` is the one it was made with; shapes
  // may have been moved on their bodies (place_shape), but not changed in size.
  void find(const Model& model, const Workspace& workspace, const ConstVector& q, double margin,
            std::vector<Contact>& contacts);
  // The contacts whose gap is at most the sum of what their two shapes reach ([m], at least 0, by shape), and the joint
  // limits within a margin of their own: a fast shape among slow ones makes no pairs of the slow.
  void find(const Model& model, const Workspace& workspace, const ConstVector& q, std::span<const double> reach,
            double limit_margin, std::vector<Contact>& contacts);
  // Forgets all gaps; needless but to free what later calls would not use.
  void forget();

  // What the calls so far have cost.
  struct Counts {
    long calls = 0;
    long trees = 0;     // built
    long asked = 0;     // pairs whose remaining gap was compared with the margin
    long measured = 0;  // of these, pairs whose bounding spheres and boxes were compared
    long examined = 0;  // of these, pairs whose contacts were sought
  };
  const Counts& counts() const { return counts_; }

 private:
  // What does not change and what is known of a shape.
  struct Place {
    Pose pose;
    bool used = false;     // in a pair
    bool bounded = false;  // has a box
    bool mesh = false;
    bool steady = true;  // bounds of its gaps may be kept: it is bounded, or does not move
    double radius = 0;   // [m] of the sphere about its origin that holds it
    double arm = 0;      // [m] the same, but 0 where turning moves no point
    double step = 0;     // [m] its way in the last call
    double skin = 0;     // [m] beyond its box, in the tree
  };
  struct Candidate {
    int pair = 0, first = 0, second = 0;
    double left_alone_to = 0;  // no look while ways and margin are less
  };

  void add_limits(const Model& model, const ConstVector& q, double margin, std::vector<Contact>& contacts) const;
  void place_shapes(const Model& model, const Workspace& workspace);
  void begin(const Model& model, const Workspace& workspace, const ConstVector& q, double limit_margin,
             std::vector<Contact>& contacts);
  void find_within_reach(const Model& model, const Workspace& workspace, const ConstVector& q, double limit_margin,
                         std::vector<Contact>& contacts);
  bool tree_holds() const;
  void build_tree(const Model& model);
  void list_unbounded(const Model& model);
  void list_candidates(const Model& model);
  void add_candidate(int pair, int first, int second);
  PairMemory* memory_of(const Candidate& candidate);
  void ask(const Model& model, Candidate& candidate, double margin, std::vector<Contact>& contacts);

  std::vector<Place> places_;               // by shape
  std::vector<double> way_;                 // by shape [m]
  std::vector<double> way_allowed_;         // by shape: of `way_` + `reach_`, while the tree holds
  std::vector<double> reach_;               // by shape: two are asked as far apart as both reach together [m]
  std::vector<PairMemory> memories_;        // of pairs of hulls that have come near
  std::unordered_map<int, int> memory_of_;  // by pair: index in `memories_`
  std::vector<Candidate> unbounded_;        // pairs without boxes
  std::vector<Candidate> candidates_;       // ordered by pair
  std::vector<Candidate> before_;           // those of the tree before
  std::vector<int> boxed_;                  // shapes in the tree
  std::vector<Box> boxes_;                  // theirs
  std::vector<BoxTree::Pair> overlaps_;     // of these
  std::vector<int> count_, sorted_;         // of a counting sort
  BoxTree tree_;
  std::size_t seen_before_ = 0;  // of `before_`, while candidates are listed
  std::vector<int> limited_;     // degrees of freedom with limits, the last first
  HullMemory memory_ = HullMemory::kept;
  bool placed_ = false, listed_ = false;
  Counts counts_;
};

}  // namespace routh::internal
