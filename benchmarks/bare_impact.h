// The yardstick of planar impact: energetic restitution and nothing else: no phases, no ledger, no checks, no status.
#pragma once

#include <cmath>

namespace bench {

struct Bare {
  double a, b, c, vn, vt, mu_s, mu, e;
};
struct BareAnswer {
  double i_n, i_t;
};

inline BareAnswer solve_bare(const Bare& p) {
  double vn = p.vn, vt = p.vt, in = 0, it = 0, work = 0, target = 0;
  bool compressing = true;
  for (int stretch = 0; stretch < 6; ++stretch) {
    double f = 0;
    bool sticks = false;
    if (vt != 0) {
      f = vt > 0 ? -p.mu : p.mu;
    } else {
      f = -p.c / p.b;
      sticks = std::fabs(f) <= p.mu_s;
      if (!sticks) f = f > 0 ? p.mu : -p.mu;
    }
    const double dn = p.a + p.c * f, dt = sticks ? 0 : p.c + p.b * f;
    double step = 1e300;
    if (compressing) {
      if (dn > 0) step = -vn / dn;
    } else {
      const double rest = target - work;
      step = 2 * rest / (vn + std::sqrt(vn * vn + 2 * dn * rest));
    }
    const bool halts = vt * dt < 0 && -vt / dt < step;
    if (halts) step = -vt / dt;
    work += step * (vn + 0.5 * dn * step);
    vn += dn * step;
    in += step;
    it += f * step;
    if (halts) {
      vt = 0;
      continue;
    }
    vt += dt * step;
    if (!compressing) break;
    compressing = false;
    vn = 0;
    target = work - p.e * p.e * work;
  }
  return {in, it};
}

}  // namespace bench
