#include "routh/math/sine_cosine.h"

#include <cmath>
#include <cstring>

#include "routh/math/sine_cosine_lanes.h"

namespace routh::internal {

namespace {

constexpr std::size_t width = 4;

// Of `count` ≤ 4 angles.
[[gnu::always_inline]] inline void one_register(const double* x, std::size_t count, double* sine, double* cosine) {
  Lanes<width> angle = {}, s, c;
  std::memcpy(&angle, x, count * sizeof(double));
  if (reducible<width>(angle)) {
    sine_cosine_lanes<width>(angle, s, c);
    std::memcpy(sine, &s, count * sizeof(double));
    std::memcpy(cosine, &c, count * sizeof(double));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    sine[i] = std::sin(x[i]);
    cosine[i] = std::cos(x[i]);
  }
}

}  // namespace

void sine_cosine(const double* x, std::size_t count, double* __restrict sine, double* __restrict cosine) {
  on_widest_lanes([&](auto) __attribute__((always_inline)) {
    std::size_t i = 0;
    for (; i + width <= count; i += width) one_register(x + i, width, sine + i, cosine + i);
    if (i < count) one_register(x + i, count - i, sine + i, cosine + i);
  });
}

}  // namespace routh::internal
