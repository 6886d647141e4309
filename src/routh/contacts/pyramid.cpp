#include "routh/contacts/pyramid.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"
#include "routh/math/complementarity.h"
#include "routh/math/elementary.h"

namespace routh::internal {

namespace {

// Columns of impulses: generators of the pyramids, every contact in units in which its mobility is one.
struct Generators {
  std::vector<int> contact;
  std::vector<Vector3> direction;  // p = Σ direction z
  std::vector<Vector3> measured;   // w = measured · v⁺
};

}  // namespace

void PyramidFans::widen(int contacts) {
  centre.assign(static_cast<std::size_t>(contacts), 0.0);
  width = 2 * M_PI / tolerances::pyramid_sides;
}

void PyramidFans::narrow(const std::vector<Vector3>& impulse, const std::vector<Vector3>& velocity) {
  for (std::size_t i = 0; i < centre.size(); ++i) {
    const Vector3 &p = impulse[i], &v = velocity[i];
    const bool slides = v.tail<2>().norm() > 0 && p[0] > 0;
    centre[i] = slides ? elementary::atan2(-v[2], -v[1]) : elementary::atan2(p[2], p[1]);
  }
  width *= tolerances::pyramid_narrowing;
}

// Angles of the sides from the centre: close to it on both sides, and around.
double PyramidFans::side(int index) const {
  const double angles[tolerances::pyramid_sides] = {0,          width,          -width,          2 * width,
                                                    -2 * width, M_PI_2 + width, -M_PI_2 - width, M_PI};
  return angles[index];
}

bool solve_pyramids(const ContactSystem& system, const PyramidFans& fans, std::vector<Vector3>& impulse) {
  const int n = system.size();
  if (!system.formed() || n > tolerances::pyramid_contacts) return false;
  const auto rows = static_cast<Eigen::Index>(3) * n;
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(rows, rows);
  Eigen::VectorXd v(rows), scale(n);
  for (int i = 0; i < n; ++i) scale[i] = 1 / std::sqrt(system.mobility[i]);
  double unit = 0;
  for (int i = 0; i < n; ++i) unit = std::max(unit, scale[i] * system.free_velocity[i].norm());
  if (!(unit > 0)) return false;
  for (int i = 0; i < n; ++i) {
    v.segment<3>(3 * i) = scale[i] / unit * system.free_velocity[i];
    for (int k = system.inertia.row_start[i]; k < system.inertia.row_start[i + 1]; ++k) {
      const int j = system.inertia.column[k];
      d.block<3, 3>(3 * i, 3 * j) = scale[i] * scale[j] * system.inertia.block[k];
    }
  }
  // Bilateral rows are solved for: p_b = −D_bb⁻¹(D_bu p_u + v_b). They come last.
  int contacts = n;
  while (contacts > 0 && system.kind[contacts - 1] == ConeKind::bilateral) --contacts;
  const Eigen::Index u = 3 * contacts, b = rows - u;
  Eigen::MatrixXd follow;  // D_bb⁻¹[D_bu v_b]
  if (b > 0) {
    Eigen::MatrixXd bilateral = d.bottomRightCorner(b, b);
    bilateral.diagonal().array() += tolerances::pyramid_lift;
    Eigen::MatrixXd right(b, u + 1);
    right << d.bottomLeftCorner(b, u), v.tail(b);
    follow = bilateral.partialPivLu().solve(right);
    d.topLeftCorner(u, u) -= d.topRightCorner(u, b) * follow.leftCols(u);
    v.head(u) -= d.topRightCorner(u, b) * follow.col(u);
  }

  const int sides = system.planar() ? 2 : tolerances::pyramid_sides;
  Generators g;
  std::vector<int> first(static_cast<std::size_t>(contacts) + 1, 0);
  for (int i = 0; i < contacts; ++i) {
    const bool cone = system.kind[i] == ConeKind::cone;
    first[i] = static_cast<int>(g.contact.size());
    g.contact.push_back(i);
    g.direction.push_back(cone ? Vector3(Vector3::UnitX()) : system.ray[i]);
    g.measured.push_back(Vector3::UnitX());
    for (int k = 0; cone && k < sides; ++k) {
      const double angle = system.planar() ? k * M_PI : fans.centre[i] + fans.side(k);
      g.contact.push_back(i);
      g.direction.emplace_back(0, elementary::cos(angle), elementary::sin(angle));
      g.measured.push_back(g.direction.back());
    }
  }
  first[contacts] = static_cast<int>(g.contact.size());
  const auto count = static_cast<Eigen::Index>(g.contact.size());
  std::vector<int> slack;  // contacts with a slip speed of their own
  for (int i = 0; i < contacts; ++i)
    if (system.kind[i] == ConeKind::cone) slack.push_back(i);
  const auto size = count + static_cast<Eigen::Index>(slack.size());
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(size);
  for (Eigen::Index r = 0; r < count; ++r) {
    const Eigen::RowVectorXd row = g.measured[r].transpose() * d.block(3 * g.contact[r], 0, 3, u);
    q[r] = g.measured[r].dot(v.segment<3>(3 * g.contact[r]));
    for (Eigen::Index c = 0; c < count; ++c) m(r, c) = row.segment<3>(3 * g.contact[c]).dot(g.direction[c]);
  }
  for (std::size_t k = 0; k < slack.size(); ++k) {
    const int i = slack[k];
    const Eigen::Index row = count + static_cast<Eigen::Index>(k);
    const double mu = system.friction[i];
    const double root = std::sqrt(1 + mu);  // of this row, so that large friction leaves pivots above rounding
    m(row, first[i]) = mu / root;
    for (int c = first[i] + 1; c < first[i + 1]; ++c) {
      m(row, c) = -1 / root;
      m(c, row) = 1;
    }
  }
  // Lemke's path is as good as its digits; where they do not do, more of them, and other covering vectors, which take
  // other paths.
  Eigen::VectorXd cover = Eigen::VectorXd::Ones(size);
  ComplementarityResult found;
  bool solved = false;
  const bool renews = size <= tolerances::pyramid_renewed_rows;
  const int paths = renews ? tolerances::pyramid_lemke_paths : tolerances::pyramid_lemke_paths_large;
  for (int path = 0; path < paths && !solved; ++path) {
    found = solve_complementarity(m, q, cover, renews && path > 0 ? LemkeDigits::renewed : LemkeDigits::pivoted);
    solved =
        found.end == ComplementarityEnd::solved && (size == 0 || found.w.minCoeff() >= -tolerances::pyramid_approach);
    for (Eigen::Index k = 0; k < size && (path > 0 || !renews); ++k)
      cover[k] = 1 + static_cast<double>((k * (path + 1)) % tolerances::pyramid_lemke_paths);
  }
  if (!solved) return false;
  Eigen::VectorXd p = Eigen::VectorXd::Zero(rows);
  for (Eigen::Index c = 0; c < count; ++c) p.segment<3>(3 * g.contact[c]) += found.z[c] * g.direction[c];
  if (b > 0) p.tail(b) = -follow.leftCols(u) * p.head(u) - follow.col(u);
  impulse.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) impulse[i] = unit * scale[i] * p.segment<3>(3 * i);
  return true;
}

}  // namespace routh::internal
