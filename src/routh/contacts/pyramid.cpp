#include "routh/contacts/pyramid.h"

#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"
#include "routh/math/elementary.h"

namespace routh::internal {

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

void PyramidSolver::Generators::clear() {
  contact.clear();
  direction.clear();
  measured.clear();
}

void PyramidSolver::Generators::add(int of, const Vector3& along, const Vector3& measure) {
  contact.push_back(of);
  direction.push_back(along);
  measured.push_back(measure);
}

// False where nothing moves.
bool PyramidSolver::take_up(const ContactSystem& system) {
  const int n = system.size();
  const auto rows = static_cast<Eigen::Index>(3) * n;
  d_.setZero(rows, rows);
  v_.resize(rows);
  scale_.resize(n);
  for (int i = 0; i < n; ++i) scale_[i] = 1 / std::sqrt(system.mobility[i]);
  unit_ = 0;
  for (int i = 0; i < n; ++i) unit_ = std::max(unit_, scale_[i] * system.free_velocity[i].norm());
  if (!(unit_ > 0)) return false;
  for (int i = 0; i < n; ++i) {
    v_.segment<3>(3 * i) = scale_[i] / unit_ * system.free_velocity[i];
    for (int k = system.inertia.row_start[i]; k < system.inertia.row_start[i + 1]; ++k) {
      const int j = system.inertia.column[k];
      d_.block<3, 3>(3 * i, 3 * j) = scale_[i] * scale_[j] * system.inertia.block[k];
    }
  }
  contacts_ = n;
  while (contacts_ > 0 && system.kind[contacts_ - 1] == ConeKind::bilateral) --contacts_;
  return true;
}

// p_b = −D_bb⁻¹(D_bu p_u + v_b).
void PyramidSolver::solve_for_bilateral() {
  const Eigen::Index u = 3 * contacts_, b = v_.size() - u;
  if (b == 0) return;
  bilateral_ = d_.bottomRightCorner(b, b);
  bilateral_.diagonal().array() += tolerances::pyramid_lift;
  right_.resize(b, u + 1);
  right_.leftCols(u) = d_.bottomLeftCorner(b, u);
  right_.col(u) = v_.tail(b);
  factor_.compute(bilateral_);
  follow_ = factor_.solve(right_);
  product_.noalias() = d_.topRightCorner(u, b) * follow_.leftCols(u);
  d_.topLeftCorner(u, u) -= product_;
  velocity_.noalias() = d_.topRightCorner(u, b) * follow_.col(u);
  v_.head(u) -= velocity_;
}

void PyramidSolver::list_generators(const ContactSystem& system, const PyramidFans& fans) {
  const int sides = system.planar() ? 2 : tolerances::pyramid_sides;
  generators_.clear();
  first_.clear();
  slack_.clear();
  for (int i = 0; i < contacts_; ++i) {
    const bool cone = system.kind[i] == ConeKind::cone;
    if (cone) slack_.push_back(i);
    first_.push_back(static_cast<int>(generators_.contact.size()));
    generators_.add(i, cone ? Vector3(Vector3::UnitX()) : system.ray[i], Vector3::UnitX());
    for (int k = 0; cone && k < sides; ++k) {
      const double angle = system.planar() ? k * M_PI : fans.centre[i] + fans.side(k);
      const Vector3 side(0, elementary::cos(angle), elementary::sin(angle));
      generators_.add(i, side, side);
    }
  }
  first_.push_back(static_cast<int>(generators_.contact.size()));
}

void PyramidSolver::fill_rows(const ContactSystem& system) {
  const Generators& g = generators_;
  const auto count = static_cast<Eigen::Index>(g.contact.size());
  const auto size = count + static_cast<Eigen::Index>(slack_.size());
  m_.setZero(size, size);
  q_.setZero(size);
  for (Eigen::Index r = 0; r < count; ++r) {
    row_.noalias() = g.measured[r].transpose() * d_.block(3 * g.contact[r], 0, 3, 3 * contacts_);
    q_[r] = g.measured[r].dot(v_.segment<3>(3 * g.contact[r]));
    for (Eigen::Index c = 0; c < count; ++c) m_(r, c) = row_.segment<3>(3 * g.contact[c]).dot(g.direction[c]);
  }
  for (std::size_t k = 0; k < slack_.size(); ++k) {
    const int i = slack_[k];
    const Eigen::Index row = count + static_cast<Eigen::Index>(k);
    const double mu = system.friction[i];
    const double root = std::sqrt(1 + mu);  // of this row, so that large friction leaves pivots above rounding
    m_(row, first_[i]) = mu / root;
    for (int c = first_[i] + 1; c < first_[i + 1]; ++c) {
      m_(row, c) = -1 / root;
      m_(c, row) = 1;
    }
  }
}

// Lemke's path is as good as its digits; where they do not do, more of them, and other covering vectors, which take
// other paths. Null where none leads to a solution.
const ComplementarityResult* PyramidSolver::follow_paths() {
  const Eigen::Index size = q_.size();
  cover_.setOnes(size);
  const bool renews = size <= tolerances::pyramid_renewed_rows;
  const int paths = renews ? tolerances::pyramid_lemke_paths : tolerances::pyramid_lemke_paths_large;
  for (int path = 0; path < paths; ++path) {
    const ComplementarityResult& found =
        lemke_.solve(m_, q_, cover_, renews && path > 0 ? LemkeDigits::renewed : LemkeDigits::pivoted);
    if (found.end == ComplementarityEnd::solved && (size == 0 || found.w.minCoeff() >= -tolerances::pyramid_approach))
      return &found;
    for (Eigen::Index k = 0; k < size && (path > 0 || !renews); ++k)
      cover_[k] = 1 + static_cast<double>((k * (path + 1)) % tolerances::pyramid_lemke_paths);
  }
  return nullptr;
}

bool PyramidSolver::solve(const ContactSystem& system, const PyramidFans& fans, std::vector<Vector3>& impulse) {
  const int n = system.size();
  if (!system.formed() || n > tolerances::pyramid_contacts) return false;
  if (!take_up(system)) return false;
  solve_for_bilateral();
  list_generators(system, fans);
  fill_rows(system);
  const ComplementarityResult* const found = follow_paths();
  if (!found) return false;
  p_.setZero(v_.size());
  for (std::size_t c = 0; c < generators_.contact.size(); ++c)
    p_.segment<3>(3 * generators_.contact[c]) += found->z[static_cast<Eigen::Index>(c)] * generators_.direction[c];
  const Eigen::Index u = 3 * contacts_, b = v_.size() - u;
  if (b > 0) {
    p_.tail(b).noalias() = -follow_.leftCols(u) * p_.head(u);
    p_.tail(b) -= follow_.col(u);
  }
  impulse.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) impulse[i] = unit_ * scale_[i] * p_.segment<3>(3 * i);
  return true;
}

}  // namespace routh::internal
