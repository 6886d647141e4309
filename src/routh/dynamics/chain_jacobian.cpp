#include "routh/dynamics/chain_jacobian.h"

#include <algorithm>
#include <cstring>

#include "routh/dynamics/tree_algebra.h"
#include "routh/math/elementary.h"
#include "routh/math/sine_cosine_lanes.h"

namespace routh::internal {

namespace {

constexpr std::size_t width = 4;

// Angles too large for a whole register; apart, so that the registers of the usual case stay as they are.
[[gnu::cold, gnu::noinline]] void one_by_one(const double* angle, double* s, double* c) {
  for (std::size_t k = 0; k < width; ++k) {
    s[k] = elementary::sin(angle[k]);
    c[k] = elementary::cos(angle[k]);
  }
}

}  // namespace

ChainJacobian::ChainJacobian(const Model& model) {
  const std::size_t count = model.links.size();
  steps_.reserve(count);
  chains_.reserve(count);
  std::vector<std::size_t> depth(count, 1);
  std::size_t all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    steps_.push_back(make_step(model.links[i]));
    if (model.links[i].parent >= 0) depth[i] += depth[static_cast<std::size_t>(model.links[i].parent)];
    all += depth[i];
  }
  members_.reserve(all);
  all += (width - 1) * count;
  coordinates_.reserve(all);
  masks_.reserve(all);
  constants_.reserve(all);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    add_chain(model, static_cast<int>(i));
    longest = std::max(longest, coordinates_.size() - chains_.back().first_angle);
  }
  sine_.resize(longest);
  cosine_.resize(longest);
  frames_.resize(longest);
}

// The third column of Rz(a) Rx(b) is (sin a sin b, −cos a sin b, cos b); c is what remains.
ChainJacobian::Step ChainJacobian::make_step(const Link& link) {
  const Matrix3& F = link.rotation;
  const double slant = elementary::hypot(F.r0.z, F.r1.z), size = elementary::hypot(slant, F.r2.z);
  const double cb = F.r2.z / size, sb = slant / size;
  const double ca = slant > 0 ? -F.r1.z / slant : 1, sa = slant > 0 ? F.r0.z / slant : 0;
  const double x = ca * F.r0.x + sa * F.r1.x, y = ca * F.r1.x - sa * F.r0.x;
  const Vector3& o = link.offset;
  Step step;
  step.first = {Register{ca, sa, 0, 0}, Register{-cb * sa, cb * ca, sb, 0}, Register{sb * sa, -sb * ca, cb, 0},
                Register{o.x, o.y, o.z, 0}};
  step.kind = link.kind;
  step.q = link.q;
  step.cosine = cb;
  step.sine = sb;
  step.offset = {ca * o.x + sa * o.y, ca * o.y - sa * o.x, o.z};
  step.before = elementary::atan2(sa, ca);
  step.after = elementary::atan2(cb * y + sb * F.r2.x, x);
  return step;
}

void ChainJacobian::add_chain(const Model& model, int index) {
  const Link& link = model.links[static_cast<std::size_t>(index)];
  Chain chain{members_.size(), 0, coordinates_.size(), false};
  if (link.parent >= 0) {
    const Chain before = chains_[static_cast<std::size_t>(link.parent)];
    for (std::size_t k = 0; k < before.count; ++k) members_.push_back(members_[before.first + k]);
  }
  members_.push_back({index, link.v, link.kind});
  chain.count = members_.size() - chain.first;
  int dofs = 0;
  for (std::size_t k = chain.first; k < members_.size(); ++k) dofs += velocity_count(members_[k].kind);
  chain.moves_with_all = dofs == model.velocities;
  const auto step = [&](std::size_t k) -> const Step& {
    return steps_[static_cast<std::size_t>(members_[chain.first + k].link)];
  };
  for (std::size_t k = 0; k < chain.count || k % width != 0; ++k) {
    bool turns = false, slides = false;
    if (k < chain.count) switch (step(k).kind) {
        case LinkKind::turn:
          turns = true;
          break;
        case LinkKind::slide:
          slides = true;
          break;
        case LinkKind::ball:
        case LinkKind::floating:
          break;
      }
    coordinates_.push_back(k < chain.count ? step(k).q : link.q);
    masks_.push_back(turns ? -1 : 0);
    constants_.push_back((turns || slides ? step(k).after : 0) + (k + 1 < chain.count ? step(k + 1).before : 0));
  }
  chains_.push_back(chain);
}

// From the coordinates straight to registers: a load of what was just stored entry by entry would have to wait for it.
[[gnu::always_inline]] inline void ChainJacobian::find_angles(const double* q, const Chain& chain) {
  const int* const at = coordinates_.data() + chain.first_angle;
  for (std::size_t i = 0; i < chain.count; i += width) {
    LaneBits<width> mask;
    Register angle, s, c;
    std::memcpy(&mask, masks_.data() + chain.first_angle + i, sizeof mask);
    std::memcpy(&angle, constants_.data() + chain.first_angle + i, sizeof angle);
    const Register own = {q[at[i]], q[at[i + 1]], q[at[i + 2]], q[at[i + 3]]};
    angle += reinterpret_cast<Register>(reinterpret_cast<LaneBits<width>>(own) & mask);
    if (reducible<width>(angle)) [[likely]] {
      sine_cosine_lanes<width>(angle, s, c);
    } else {
      one_by_one(reinterpret_cast<const double*>(&angle), reinterpret_cast<double*>(&s), reinterpret_cast<double*>(&c));
    }
    std::memcpy(sine_.data() + i, &s, sizeof s);
    std::memcpy(cosine_.data() + i, &c, sizeof c);
  }
}

// What slides, or turns by a quaternion, from the frame it has at q = 0 (but for Rz(c) of a slide).
inline void ChainJacobian::place(const Step& step, const double* q, Frame& frame) {
  switch (step.kind) {
    case LinkKind::slide:
      frame.p += q[step.q] * frame.z;
      return;
    case LinkKind::turn:
    case LinkKind::ball:
    case LinkKind::floating:
      break;
  }
  const bool floating = step.kind == LinkKind::floating;
  const Matrix3 R = quaternion_matrix(q + step.q + (floating ? 3 : 0));
  const Register x = frame.x, y = frame.y, z = frame.z;
  if (floating) {
    frame = {Register{R.r0.x, R.r1.x, R.r2.x, 0}, Register{R.r0.y, R.r1.y, R.r2.y, 0},
             Register{R.r0.z, R.r1.z, R.r2.z, 0}, Register{q[step.q], q[step.q + 1], q[step.q + 2], 0}};
    return;
  }
  const double c = elementary::cos(step.after), s = elementary::sin(step.after);
  const Register tx = c * x + s * y, ty = c * y - s * x;
  frame.x = tx * R.r0.x + ty * R.r1.x + z * R.r2.x;
  frame.y = tx * R.r0.y + ty * R.r1.y + z * R.r2.y;
  frame.z = tx * R.r0.z + ty * R.r1.z + z * R.r2.z;
}

// Frames of all members but for the turns of axes about z, which the next member takes along.
[[gnu::always_inline]] inline void ChainJacobian::place_all(const double* q, const Chain& chain) {
  const Member* const members = members_.data() + chain.first;
  const Step* step = &steps_[static_cast<std::size_t>(members[0].link)];
  Frame at = step->first;
  for (std::size_t k = 0;; ++k) {
    if (step->kind != LinkKind::turn) [[unlikely]]
      place(*step, q, at);
    frames_[k] = at;
    if (k + 1 == chain.count) return;
    const double c = cosine_[k], s = sine_[k];
    step = &steps_[static_cast<std::size_t>(members[k + 1].link)];
    const Register x = c * at.x + s * at.y, y = c * at.y - s * at.x;
    at.p += step->offset.x * x + step->offset.y * y + step->offset.z * at.z;
    at.x = x;
    at.y = step->cosine * y + step->sine * at.z;
    at.z = step->cosine * at.z - step->sine * y;
  }
}

[[gnu::always_inline]] inline void ChainJacobian::set(const Columns& to, int column, const Register& a) {
  double* const entries = to.J + to.stride * column;
  for (std::size_t i = 0; i < 3; ++i) entries[i] = a[i];
}

// a × r
[[gnu::always_inline]] inline void ChainJacobian::set_cross(const Columns& to, int column, const Register& a,
                                                            const Register& r) {
  const Register zxy = a * __builtin_shufflevector(r, r, 1, 2, 0, 3) - __builtin_shufflevector(a, a, 1, 2, 0, 3) * r;
  double* const entries = to.J + to.stride * column;
  entries[0] = zxy[1];
  entries[1] = zxy[2];
  entries[2] = zxy[0];
}

[[gnu::always_inline]] inline void ChainJacobian::fill(const Chain& chain, const Vector3& point,
                                                       const Columns& to) const {
  // The point turns in place of the last axes.
  const Frame& end = frames_[chain.count - 1];
  const double c = cosine_[chain.count - 1], s = sine_[chain.count - 1];
  const double px = c * point.x - s * point.y, py = s * point.x + c * point.y;
  const Register at = (end.x * px + end.y * py + end.z * point.z) + end.p;
  for (std::size_t k = 0; k < chain.count; ++k) {
    const Member& member = members_[chain.first + k];
    const Frame& frame = frames_[k];
    const Register r = at - frame.p;
    int column = member.v;
    switch (member.kind) {
      case LinkKind::slide:
        set(to, column, frame.z);
        break;
      case LinkKind::floating:
        for (std::size_t i = 0; i < 3; ++i, ++column)
          for (std::size_t row = 0; row < 3; ++row)
            to.J[to.stride * column + static_cast<std::ptrdiff_t>(row)] = row == i;
        [[fallthrough]];
      case LinkKind::ball:
        set_cross(to, column++, frame.x, r);
        set_cross(to, column++, frame.y, r);
        [[fallthrough]];
      case LinkKind::turn:
        set_cross(to, column, frame.z, r);
        break;
    }
  }
}

void ChainJacobian::compute(const double* q, int link, const Vector3& point, double* J, std::ptrdiff_t stride) {
  // Copies, not references: the first angle waits for `q`.
  const Chain* const chain = &chains_[static_cast<std::size_t>(link)];
  on_widest_lanes([ =, this, &point ](auto) __attribute__((always_inline)) {
    find_angles(q, *chain);
    place_all(q, *chain);
    fill(*chain, point, {J, stride});
  });
}

}  // namespace routh::internal
