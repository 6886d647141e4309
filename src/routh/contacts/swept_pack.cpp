#include "routh/contacts/swept_pack.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "routh/contacts/tolerances.h"

namespace routh::internal {

namespace {

using Four = Lanes<4>;
using Two = Lanes<2>;

constexpr double nowhere[free_body] = {};

constexpr Four zero = {0, 0, 0, 0}, one = {1, 1, 1, 1};
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Four endless = {infinite, infinite, infinite, infinite};

[[gnu::always_inline]] inline double sum(const Four& x) { return (x[0] + x[2]) + (x[1] + x[3]); }

// Two numbers each of two lanes: those of lanes 0 and 2 or 1 and 3.
[[gnu::always_inline]] inline void load(const double* low, const double* high, Four& to) {
  Two a, b;
  std::memcpy(&a, low, sizeof a);
  std::memcpy(&b, high, sizeof b);
  to = __builtin_shufflevector(a, b, 0, 1, 2, 3);
}

// Rows of z of the four bodies → a register for each row.
[[gnu::always_inline]] inline void gather(const double* z, const int* place, Four* row) {
  const double* from[4];
  for (int l = 0; l < 4; ++l) from[l] = place[l] < 0 ? nowhere : z + place[l];
  for (int k = 0; k < free_body; k += 2) {
    Four even, odd;
    load(from[0] + k, from[2] + k, even);
    load(from[1] + k, from[3] + k, odd);
    row[k] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    row[k + 1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  }
}

[[gnu::always_inline]] inline void scatter(const Four* row, const int* place, double* z) {
  for (int k = 0; k < free_body; k += 2) {
    const Four even = __builtin_shufflevector(row[k], row[k + 1], 0, 4, 2, 6),
               odd = __builtin_shufflevector(row[k], row[k + 1], 1, 5, 3, 7);
    const Two part[4] = {__builtin_shufflevector(even, even, 0, 1), __builtin_shufflevector(odd, odd, 0, 1),
                         __builtin_shufflevector(even, even, 2, 3), __builtin_shufflevector(odd, odd, 2, 3)};
    for (int l = 0; l < 4; ++l)
      if (place[l] >= 0) std::memcpy(z + place[l] + k, &part[l], sizeof part[l]);
  }
}

[[gnu::always_inline]] inline void add_velocity(const Four* column, const Four* row, Four* v) {
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < free_body; ++k) v[r] += column[free_body * r + k] * row[k];
}

// First the normal, then the tangents within the disc that it allows.
[[gnu::always_inline]] inline void own_impulse(const SweptPack& it, const Four* v, Four* p) {
  p[0] = it.impulse[0] - v[0] * it.normal;
  p[0] = p[0] > zero ? p[0] : zero;
  p[1] = it.impulse[1] - v[1] * it.tangential;
  p[2] = it.impulse[2] - v[2] * it.tangential;
  const Four most = it.friction * p[0], square = p[1] * p[1] + p[2] * p[2];
  const auto slides = square > most * most;
  if (!(slides[0] || slides[1] || slides[2] || slides[3])) return;
  Four share;
  for (int l = 0; l < 4; ++l) share[l] = slides[l] ? most[l] / std::sqrt(square[l]) : 1;
  p[1] *= share;
  p[2] *= share;
}

template <int bodies>
[[gnu::always_inline]] inline void sweep_pack(SweptPack& it, double* z) {
  Four row[2][free_body], v[3] = {it.velocity[0], it.velocity[1], it.velocity[2]}, p[3];
  for (int b = 0; b < bodies; ++b) {
    gather(z, it.place[b], row[b]);
    add_velocity(it.column[b], row[b], v);
  }
  own_impulse(it, v, p);
  bool open = true;
  for (int l = 0; l < 4; ++l) open = open && p[0][l] == 0 && it.impulse[0][l] == 0 && it.last[0][l] == 0;
  if (open) it.idle = tolerances::sweeps_idle;
  Four change[3], size = zero;
  for (int r = 0; r < 3; ++r) {
    change[r] = p[r] - it.impulse[r];
    size += change[r] * change[r];
  }
  size *= it.mobility * it.mobility;
  const auto usable = size > 0 && size < endless;
  for (int r = 0; r < 3; ++r) {
    change[r] = usable ? change[r] : zero;
    it.impulse[r] = usable ? p[r] : it.impulse[r];
  }
  size = usable ? size : zero;
  it.changed = sum(size);
  for (int b = 0; b < bodies; ++b) {
    for (int k = 0; k < free_body; ++k)
      row[b][k] += it.column[b][k] * change[0] + it.column[b][free_body + k] * change[1] +
                   it.column[b][2 * free_body + k] * change[2];
    scatter(row[b], it.place[b], z);
  }
}

[[gnu::always_inline]] inline void square_root(const Four& x, Four& root) {
  for (int l = 0; l < 4; ++l) root[l] = std::sqrt(x[l]);
}

// ‖p − P_K(p − ρ û)‖², slip being ‖v_t‖: where x = p − ρ û lies inside the cone it is x, where it lies in the polar
// cone nothing, else the nearest point of the surface; of smooth contacts the cone is a ray.
[[gnu::always_inline]] inline void natural_square(const SweptPack& it, const Four* v, const Four& slip, const Four& rho,
                                                  Four& square) {
  const Four &mu = it.friction, &p0 = it.impulse[0], &p1 = it.impulse[1], &p2 = it.impulse[2];
  const Four x0 = p0 - rho * (v[0] + mu * slip), x1 = p1 - rho * v[1], x2 = p2 - rho * v[2];
  Four tangential;
  square_root(x1 * x1 + x2 * x2, tangential);
  const Four on_surface = (x0 + mu * tangential) / (one + mu * mu);
  Four normal = mu * tangential <= -x0 ? zero : on_surface;
  Four share = tangential > zero ? mu * normal / tangential : zero;
  const auto inside = tangential <= mu * x0;
  normal = inside ? x0 : normal;
  share = inside ? one : share;
  const auto smooth = mu == zero;
  normal = smooth ? (x0 > zero ? x0 : zero) : normal;
  share = smooth ? zero : share;
  const Four d0 = p0 - normal, d1 = smooth ? zero : p1 - share * x1, d2 = smooth ? zero : p2 - share * x2;
  square = d0 * d0 + d1 * d1 + d2 * d2;
}

[[gnu::always_inline]] inline void residual_of_pack(SweptPack& it, const double* z) {
  Four row[free_body], v[3] = {it.velocity[0], it.velocity[1], it.velocity[2]}, slip, natural, scaled;
  for (int b = 0; b < it.bodies; ++b) {
    gather(z, it.place[b], row);
    add_velocity(it.column[b], row, v);
  }
  square_root(v[1] * v[1] + v[2] * v[2], slip);
  natural_square(it, v, slip, one, natural);
  natural_square(it, v, slip, one / it.mobility, scaled);
  scaled *= it.mobility * it.mobility;
  it.natural = sum(natural);
  it.scaled = sum(scaled);
}

}  // namespace

SweptPack no_contacts() {
  SweptPack pack{};
  pack.normal = pack.tangential = pack.mobility = one;
  for (int l = 0; l < 4; ++l) pack.place[0][l] = pack.place[1][l] = pack.number[l] = -1;
  return pack;
}

void sweep_packs(std::span<SweptPack> packs, double* z) {
  on_widest_lanes([&](auto) __attribute__((always_inline)) {
    for (SweptPack& it : packs) {
      it.changed = 0;
      if (it.idle > 0)
        --it.idle;
      else if (it.bodies == 2)
        sweep_pack<2>(it, z);
      else
        sweep_pack<1>(it, z);
    }
  });
}

void carry_on_packs(std::span<SweptPack> packs, double share) {
  on_widest_lanes([&](auto) __attribute__((always_inline)) {
    const Four of = {share, share, share, share};
    for (SweptPack& it : packs)
      for (int r = 0; r < 3; ++r) {
        const Four here = it.impulse[r];
        it.impulse[r] += of * (here - it.last[r]);
        it.last[r] = here;
      }
  });
}

void find_residuals(std::span<SweptPack> packs, const double* z) {
  on_widest_lanes([&](auto) __attribute__((always_inline)) {
    for (SweptPack& it : packs) residual_of_pack(it, z);
  });
}

}  // namespace routh::internal
