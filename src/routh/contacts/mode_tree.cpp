#include "routh/contacts/mode_tree.h"

#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"
#include "routh/math/dense_qr.h"
#include "routh/math/least_distance.h"

namespace routh::internal {

namespace {

// What a contact does in a case.
struct Way {
  CaseMode mode = CaseMode::any;
  SlipSector sector = {};  // of `slips`
};
using Ways = std::vector<Way>;

Eigen::Vector2d between(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return (a + b).normalized(); }

// Directions around, each a share of a right angle from the next; a multiple of four.
std::vector<Eigen::Vector2d> directions_around(int count) {
  std::vector<Eigen::Vector2d> all = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  while (static_cast<int>(all.size()) < count) {
    std::vector<Eigen::Vector2d> finer;
    for (std::size_t k = 0; k < all.size(); ++k) {
      finer.push_back(all[k]);
      finer.push_back(between(all[k], all[(k + 1) % all.size()]));
    }
    all = std::move(finer);
  }
  return all;
}

// y without what points against a sector: the nearest with y·v_t ≥ 0 for every v_t in it.
Eigen::Vector2d along_sector(const Eigen::Vector2d& y, const SlipSector& sector) {
  const double from = y.dot(sector.from), to = y.dot(sector.to);
  if (from >= 0 && to >= 0) return y;
  const Eigen::Vector2d without_from = y - from * sector.from, without_to = y - to * sector.to;
  if (from < 0 && without_from.dot(sector.to) >= 0) return without_from;
  if (to < 0 && without_to.dot(sector.from) >= 0) return without_to;
  return Eigen::Vector2d::Zero();
}

// Rows 3 i, 3 i + 1, 3 i + 2 of contact i, scaled by the root of its mobility; velocities in units of the largest.
class ModeTree {
 public:
  using Offering = std::function<Offer(const std::vector<Vector3>& impulse)>;

  ModeTree(const ContactSystem& system, const Offering& offer) : system_(system), offer_(offer) {
    const int n = system.size();
    d_.setZero(3 * n, 3 * n);
    free_.resize(3 * n);
    for (int i = 0; i < n; ++i) scale_.push_back(1 / std::sqrt(system.mobility[i]));
    for (int i = 0; i < n; ++i) {
      free_.segment<3>(3 * i) = scale_[i] * system.free_velocity[i];
      for (int k = system.inertia.row_start[i]; k < system.inertia.row_start[i + 1]; ++k) {
        const int j = system.inertia.column[k];
        d_.block<3, 3>(3 * i, 3 * j) = scale_[i] * scale_[j] * system.inertia.block[k];
      }
    }
    unit_ = free_.size() > 0 ? free_.cwiseAbs().maxCoeff() : 0;
    if (!(unit_ > 0)) unit_ = 1;
    free_ /= unit_;
  }

  ModeTreeResult run() {
    Ways ways(system_.kind.size());
    for (std::size_t i = 0; i < ways.size(); ++i)
      if (system_.kind[i] == ConeKind::bilateral) ways[i].mode = CaseMode::sticks;
    examine(ways);
    if (accepted_)
      result_.end = ModeTreeEnd::accepted;
    else if (!undecided_ && cases_ <= most_cases())
      result_.end = ModeTreeEnd::complete;
    return std::move(result_);
  }

 private:
  // One case: the impulses it allows, one a column, and the rows of v⁺ that it speaks of.
  struct Case {
    std::vector<Eigen::VectorXd> edges;  // unit impulses, of contacts; multiples are at least zero
    std::vector<Eigen::Index> zero;      // rows in which v⁺ vanishes
    std::vector<Eigen::Index> positive;  // and is at least zero
    std::vector<Eigen::Index> negative;  // and at most
    std::vector<Eigen::Index> free;      // rows of impulses of any sign: bilateral ones
    // v⁺_t, in the two rows from there on, which are among those that vanish but for this, is within a sector.
    struct Slip {
      Eigen::Index row;
      SlipSector sector;
    };
    std::vector<Slip> slips;
  };

  int most_cases() const { return system_.planar() ? tolerances::tree_cases_most : tolerances::tree_cases_sectors; }

  void add_edge(Case& out, int contact, const Vector3& direction) const {
    Eigen::VectorXd edge = Eigen::VectorXd::Zero(free_.size());
    edge.segment<3>(static_cast<Eigen::Index>(3) * contact) = direction.normalized();
    out.edges.push_back(std::move(edge));
  }

  void add_contact(Case& out, int i, const Way& way) const {
    const Eigen::Index row = static_cast<Eigen::Index>(3) * i;
    const CaseMode mode = way.mode;
    if (system_.kind[i] == ConeKind::bilateral) {
      for (int r = 0; r < 3; ++r) {
        out.zero.push_back(row + r);
        out.free.push_back(row + r);
      }
      return;
    }
    (mode == CaseMode::any || mode == CaseMode::open ? out.positive : out.zero).push_back(row);
    if (mode == CaseMode::open) return;
    if (system_.kind[i] == ConeKind::ray) return add_edge(out, i, system_.ray[i]);
    if (!system_.planar()) return add_in_space(out, i, way);
    const double mu = system_.friction[i];
    // Slip to one side, friction to the other.
    if (mode != CaseMode::slips_minus) add_edge(out, i, {1, -mu, 0});
    if (mode != CaseMode::slips_plus) add_edge(out, i, {1, mu, 0});
    if (mode == CaseMode::sticks) out.zero.push_back(row + 1);
    if (mode == CaseMode::slips_plus) out.positive.push_back(row + 1);
    if (mode == CaseMode::slips_minus) out.negative.push_back(row + 1);
  }

  // Pyramids about the cone, or about the part of it that opposes a sector of slip: between its two edges and where the
  // planes that touch the cone there meet.
  void add_in_space(Case& out, int i, const Way& way) const {
    const Eigen::Index row = static_cast<Eigen::Index>(3) * i;
    const double mu = system_.friction[i];
    const auto add = [&](const Eigen::Vector2d& push) { add_edge(out, i, {1, mu * push[0], mu * push[1]}); };
    if (way.mode == CaseMode::sticks || way.mode == CaseMode::slips)
      for (const int r : {1, 2}) out.zero.push_back(row + r);
    if (way.mode == CaseMode::slips) {
      const Eigen::Vector2d &from = way.sector.from, &to = way.sector.to, middle = between(from, to);
      out.slips.push_back({row + 1, way.sector});
      for (const Eigen::Vector2d& slip : {from, Eigen::Vector2d(middle / middle.dot(from)), to}) add(-slip);
      return;
    }
    static const std::vector<Eigen::Vector2d> around = directions_around(tolerances::tree_pyramid_sides);
    const double outer = 1 / between(around[0], around[1]).dot(around[0]);
    for (const Eigen::Vector2d& direction : around) add(outer * direction);
  }

  Case case_of(const Ways& ways) const {
    Case out;
    for (int i = 0; i < system_.size(); ++i) add_contact(out, i, ways[static_cast<std::size_t>(i)]);
    return out;
  }

  // What the case lets y be: of one sign in rows of one sign, nothing in rows that it says nothing of.
  static Eigen::VectorXd allowed(const Eigen::VectorXd& y, const Case& of) {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(y.size());
    for (const Eigen::Index row : of.zero) out[row] = y[row];
    for (const Eigen::Index row : of.positive) out[row] = std::max(0.0, y[row]);
    for (const Eigen::Index row : of.negative) out[row] = std::min(0.0, y[row]);
    for (const Case::Slip& slip : of.slips)
      out.segment<2>(slip.row) = along_sector(out.segment<2>(slip.row), slip.sector);
    return out;
  }

  // Whether y, allowed by the case, refutes it: y·v < 0, and no impulse of the case, up to a great size, makes up for
  // it.
  bool refutes(const Eigen::VectorXd& y, const Case& of) const {
    const Eigen::VectorXd z = d_.transpose() * y;
    double helps = 0;
    for (const Eigen::VectorXd& edge : of.edges) helps += std::max(0.0, edge.dot(z));
    for (const Eigen::Index row : of.free) helps += std::abs(z[row]);
    return -y.dot(free_) > tolerances::refuted_impulse * helps + tolerances::refuted_distance * y.norm();
  }

  // A x = b, x ≥ 0: multiples of the impulses first, then slacks.
  struct System {
    std::vector<Eigen::Index> rows;
    Eigen::MatrixXd impulses, a;
    Eigen::VectorXd b;
  };
  System system_of(const Case& of) const {
    System out;
    for (const auto* part : {&of.zero, &of.positive, &of.negative})
      out.rows.insert(out.rows.end(), part->begin(), part->end());
    const auto edges = static_cast<Eigen::Index>(of.edges.size()), free = static_cast<Eigen::Index>(of.free.size());
    const auto count = static_cast<Eigen::Index>(out.rows.size()), zero = static_cast<Eigen::Index>(of.zero.size());
    const auto positive = static_cast<Eigen::Index>(of.positive.size());
    out.impulses = Eigen::MatrixXd::Zero(free_.size(), edges + 2 * free);
    for (Eigen::Index k = 0; k < edges; ++k) out.impulses.col(k) = of.edges[static_cast<std::size_t>(k)];
    for (Eigen::Index k = 0; k < free; ++k)
      for (const int side : {0, 1})
        out.impulses(of.free[static_cast<std::size_t>(k)], edges + 2 * k + side) = side == 0 ? 1 : -1;
    const Eigen::Index slacks = edges + 2 * free, slips = slacks + count - zero;
    out.a = Eigen::MatrixXd::Zero(count, slips + 2 * static_cast<Eigen::Index>(of.slips.size()));
    out.a.leftCols(slacks) = (d_ * out.impulses)(out.rows, Eigen::all);
    for (Eigen::Index k = zero; k < count; ++k) out.a(k, slacks + k - zero) = k - zero < positive ? -1 : 1;
    for (std::size_t k = 0; k < of.slips.size(); ++k) {
      const auto at = std::find(out.rows.begin(), out.rows.end(), of.slips[k].row) - out.rows.begin();
      const Eigen::Index column = slips + 2 * static_cast<Eigen::Index>(k);
      out.a.block<2, 1>(at, column) = -of.slips[k].sector.from;
      out.a.block<2, 1>(at, column + 1) = -of.slips[k].sector.to;
    }
    out.b = -free_(out.rows);
    return out;
  }

  // The impulse of the least residual, and that residual by rows.
  void fit(const Case& of, Eigen::VectorXd& impulse, Eigen::VectorXd& y) const {
    const System system = system_of(of);
    NonnegativeFit found = nonnegative_least_squares(system.a, system.b);
    if (found.coefficients.size() > 0 && found.coefficients.maxCoeff() > tolerances::tree_impulse_most) {
      // Columns that are dependent but for rounding add up to anything: large coefficients are made to cost something.
      const Eigen::Index rows = system.a.rows(), columns = system.a.cols();
      Eigen::MatrixXd dear(rows + columns, columns);
      dear << system.a, Eigen::MatrixXd::Identity(columns, columns) / tolerances::tree_impulse_most;
      Eigen::VectorXd right = Eigen::VectorXd::Zero(rows + columns);
      right.head(rows) = system.b;
      found = nonnegative_least_squares(dear, right);
    }
    impulse = system.impulses * found.coefficients.head(system.impulses.cols());
    y.setZero(free_.size());
    y(system.rows) = found.residual.head(system.a.rows());
  }

  void refute(const Ways& ways, const Eigen::VectorXd& y, double factor) {
    RefutedCase& found = result_.refuted.emplace_back();
    for (const Way& way : ways) {
      found.modes.push_back(way.mode);
      if (!system_.planar()) found.sectors.push_back(way.sector);
    }
    found.y = blocks(y, factor);
  }

  // True where the case and all within it are refuted, `result_.refuted` says by what.
  bool examine(Ways& ways) {
    if (++cases_ > most_cases()) return false;
    const Case here = case_of(ways);
    Eigen::VectorXd impulse, y;
    fit(here, impulse, y);
    y = allowed(y, here);
    if (refutes(y, here)) {
      refute(ways, y, 1 / y.norm());
      return true;
    }
    const Eigen::VectorXd velocity = free_ + d_ * impulse;
    int worst = -1;
    double most = -1, all = 0;
    for (int i = 0; i < system_.size(); ++i) {
      const double breach = breach_of(i, impulse, velocity);
      all = std::max(all, breach);
      if (breach > most && is_open_question(i, ways[static_cast<std::size_t>(i)])) {
        worst = i;
        most = breach;
      }
    }
    if (all <= (here.slips.empty() ? tolerances::tree_breach : tolerances::tree_near)) {
      const Offer answer = offer_(blocks(impulse, unit_));
      result_.offered += answer != Offer::rejected;
      accepted_ = answer == Offer::accepted;
      if (accepted_) return false;
      if (worst < 0) undecided_ = undecided_ || answer == Offer::rejected || !is_determined(here);
    }
    undecided_ = undecided_ || (worst < 0 && all > tolerances::tree_breach);
    return worst >= 0 && divide(ways, worst, impulse, velocity);
  }

  // Whether all impulses of the case that its equations allow give one velocity.
  bool is_determined(const Case& of) const {
    const System system = system_of(of);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> rank(system.a.transpose());
    const Eigen::Index free = system.a.cols() - rank.rank();
    const Eigen::MatrixXd all = rank.householderQ();
    const Eigen::MatrixXd moved = d_ * (system.impulses * all.rightCols(free).topRows(system.impulses.cols()));
    return moved.size() == 0 || moved.cwiseAbs().maxCoeff() <= tolerances::tree_breach;
  }

  // The parts of what a contact does; the likelier first.
  Ways parts_of(int contact, const Way& before, const Vector3& impulse, const Vector3& velocity) const {
    if (before.mode == CaseMode::any) {
      Ways parts = {{CaseMode::touches}, {CaseMode::open}};
      if (velocity[0] > impulse[0]) std::swap(parts[0], parts[1]);
      return parts;
    }
    if (before.mode == CaseMode::slips) {
      const Eigen::Vector2d middle = between(before.sector.from, before.sector.to);
      return {{CaseMode::slips, {before.sector.from, middle}}, {CaseMode::slips, {middle, before.sector.to}}};
    }
    if (system_.planar() || system_.kind[static_cast<std::size_t>(contact)] != ConeKind::cone) {
      const bool forth = velocity[1] >= 0;
      return {{forth ? CaseMode::slips_plus : CaseMode::slips_minus},
              {CaseMode::sticks},
              {forth ? CaseMode::slips_minus : CaseMode::slips_plus}};
    }
    Ways parts = {{CaseMode::sticks}};
    const std::vector<Eigen::Vector2d> quarters = directions_around(4);
    for (std::size_t k = 0; k < 4; ++k) parts.push_back({CaseMode::slips, {quarters[k], quarters[(k + 1) % 4]}});
    return parts;
  }

  bool divide(Ways& ways, int contact, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
    const Eigen::Index row = static_cast<Eigen::Index>(3) * contact;
    Way& here = ways[static_cast<std::size_t>(contact)];
    const Way before = here;
    const std::size_t known = result_.refuted.size();
    bool all = true;
    for (const Way& part : parts_of(contact, before, impulse.segment<3>(row), velocity.segment<3>(row))) {
      here = part;
      const bool refuted = examine(ways);
      here = before;
      if (accepted_) return false;
      // What refutes a part without need of what the part says refutes the whole.
      if (!refuted) {
        all = false;
        continue;
      }
      const Case whole = case_of(ways);
      const Eigen::VectorXd y = scaled(result_.refuted.back().y), of_whole = allowed(y, whole);
      if ((y - of_whole).norm() > tolerances::refuted_part || !refutes(of_whole, whole)) continue;
      result_.refuted.resize(known);
      refute(ways, of_whole, 1);
      return true;
    }
    return all;
  }

  // Whether the case leaves open what the contact does.
  bool is_open_question(int contact, const Way& way) const {
    if (way.mode == CaseMode::slips) return way.sector.from.dot(way.sector.to) < tolerances::tree_sector_cosine;
    return way.mode == CaseMode::any || (way.mode == CaseMode::touches && system_.kind[contact] == ConeKind::cone);
  }

  // How far the contact is from its laws, of the size of what they compare.
  double breach_of(int i, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) const {
    const Vector3 p = impulse.segment<3>(static_cast<Eigen::Index>(3) * i);
    const Vector3 v = velocity.segment<3>(static_cast<Eigen::Index>(3) * i);
    const double size = std::max(1.0, impulse.lpNorm<Eigen::Infinity>());
    if (system_.kind[i] == ConeKind::bilateral) return v.norm() / size;
    double breach = std::abs(std::min(p[0], v[0]));
    if (system_.kind[i] == ConeKind::cone) {
      const double bound = system_.friction[i] * std::max(0.0, p[0]);
      const Eigen::Vector2d towards = (p - v).tail<2>();
      const double far = std::sqrt(towards.squaredNorm());
      const Eigen::Vector2d held = far > bound ? Eigen::Vector2d(bound / far * towards) : towards;
      breach = std::max(breach, (p.tail<2>() - held).norm());
    }
    return breach / size;
  }

  std::vector<Vector3> blocks(const Eigen::VectorXd& x, double unit) const {
    std::vector<Vector3> out(system_.kind.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = unit * scale_[i] * x.segment<3>(static_cast<Eigen::Index>(3 * i));
    return out;
  }
  Eigen::VectorXd scaled(const std::vector<Vector3>& x) const {
    Eigen::VectorXd out(free_.size());
    for (std::size_t i = 0; i < x.size(); ++i) out.segment<3>(static_cast<Eigen::Index>(3 * i)) = x[i] / scale_[i];
    return out;
  }

  const ContactSystem& system_;
  const Offering& offer_;
  Eigen::MatrixXd d_;
  Eigen::VectorXd free_;
  std::vector<double> scale_;
  double unit_ = 1;
  int cases_ = 0;
  bool accepted_ = false, undecided_ = false;
  ModeTreeResult result_;
};

}  // namespace

bool can_search_sectors(const ContactSystem& system) {
  if (!system.formed()) return false;
  const auto bilateral = static_cast<int>(std::count(system.kind.begin(), system.kind.end(), ConeKind::bilateral));
  return system.size() - bilateral <= tolerances::tree_contacts && bilateral <= tolerances::tree_bilateral;
}

bool can_search_modes(const ContactSystem& system) {
  const bool edges =
      system.planar() || std::find(system.kind.begin(), system.kind.end(), ConeKind::cone) == system.kind.end();
  return edges && can_search_sectors(system);
}

ModeTreeResult search_modes(const ContactSystem& system,
                            const std::function<Offer(const std::vector<Vector3>& impulse)>& offer) {
  return ModeTree(system, offer).run();
}

}  // namespace routh::internal
