// The Jacobian of a point along the links that carry it, in vector registers. Private to the module.
//
// Frames in the manner of [Denavit and Hartenberg 1955]: the constant rotation to the parent is Rz(a) Rx(b) Rz(c), and
// Rz(c) Rz(q) joins with Rz(a) of the next link to one turn. A link then costs two turns of two axes each and one sum
// for its origin; an axis is one register, three entries and an unused one. Offsets stay general, so that parallel axes
// are no exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routh/math/lanes.h"
#include "routh/model/model.h"

namespace routh::internal {

class ChainJacobian {
 public:
  explicit ChainJacobian(const Model& model);

  // Whether every degree of freedom of the model moves the link.
  bool moves_with_all(int link) const { return chains_[static_cast<std::size_t>(link)].moves_with_all; }

  // Columns of the degrees of freedom of `link` and of what carries it, each three entries at J + stride · column;
  // others are left alone. `point` is in the frame of the link.
  void compute(const double* q, int link, const Vector3& point, double* J, std::ptrdiff_t stride);

 private:
  using Register = Lanes<4>;
  // The alignment that AVX asks for; the compiler's own is that of the portable build.
  struct alignas(32) Frame {
    Register x, y, z, p;  // axes and origin
  };
  struct alignas(32) Step {
    Frame first;  // of a link that stands on the world: after Rx(b)
    LinkKind kind;
    int q;
    double cosine, sine;   // of b
    Vector3 offset;        // after Rz(a)
    double before, after;  // a, c
  };
  struct Member {
    int link, v;
    LinkKind kind;
  };
  struct Chain {
    std::size_t first, count;  // members
    std::size_t first_angle;
    bool moves_with_all;
  };
  struct Columns {
    double* J;
    std::ptrdiff_t stride;
  };

  static Step make_step(const Link& link);
  void add_chain(const Model& model, int index);
  void find_angles(const double* q, const Chain& chain);
  static void place(const Step& step, const double* q, Frame& frame);
  void place_all(const double* q, const Chain& chain);
  static void set(const Columns& to, int column, const Register& a);
  static void set_cross(const Columns& to, int column, const Register& a, const Register& r);
  void fill(const Chain& chain, const Vector3& point, const Columns& to) const;

  std::vector<Step> steps_;      // by link
  std::vector<Chain> chains_;    // by link
  std::vector<Member> members_;  // from the world to each link
  // Of every member of every chain, filled up to whole registers: an angle is its constant, and q where the mask is
  // set.
  std::vector<int> coordinates_;
  std::vector<std::int64_t> masks_;
  std::vector<double> constants_;
  std::vector<double> sine_, cosine_;
  std::vector<Frame> frames_;
};

}  // namespace routh::internal
