#include "routh/contacts/mode_tree.h"

#include <algorithm>
#include <cmath>

#include "routh/contacts/tolerances.h"
#include "routh/math/dense_qr.h"
#include "routh/math/least_distance.h"

namespace routh::internal {

namespace {

using Modes = std::vector<CaseMode>;

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
    Modes modes(system_.kind.size(), CaseMode::any);
    for (std::size_t i = 0; i < modes.size(); ++i)
      if (system_.kind[i] == ConeKind::bilateral) modes[i] = CaseMode::sticks;
    examine(modes);
    if (accepted_)
      result_.end = ModeTreeEnd::accepted;
    else if (!undecided_ && cases_ <= tolerances::tree_cases_most)
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
  };

  void add_edge(Case& out, int contact, const Vector3& direction) const {
    Eigen::VectorXd edge = Eigen::VectorXd::Zero(free_.size());
    edge.segment<3>(static_cast<Eigen::Index>(3) * contact) = direction.normalized();
    out.edges.push_back(std::move(edge));
  }

  void add_contact(Case& out, int i, CaseMode mode) const {
    const Eigen::Index row = static_cast<Eigen::Index>(3) * i;
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
    const double mu = system_.friction[i];
    // Slip to one side, friction to the other.
    if (mode != CaseMode::slips_minus) add_edge(out, i, {1, -mu, 0});
    if (mode != CaseMode::slips_plus) add_edge(out, i, {1, mu, 0});
    if (mode == CaseMode::sticks) out.zero.push_back(row + 1);
    if (mode == CaseMode::slips_plus) out.positive.push_back(row + 1);
    if (mode == CaseMode::slips_minus) out.negative.push_back(row + 1);
  }

  Case case_of(const Modes& modes) const {
    Case out;
    for (int i = 0; i < system_.size(); ++i) add_contact(out, i, modes[i]);
    return out;
  }

  // What the case lets y be: of one sign in rows of one sign, nothing in rows that it says nothing of.
  static Eigen::VectorXd allowed(const Eigen::VectorXd& y, const Case& of) {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(y.size());
    for (const Eigen::Index row : of.zero) out[row] = y[row];
    for (const Eigen::Index row : of.positive) out[row] = std::max(0.0, y[row]);
    for (const Eigen::Index row : of.negative) out[row] = std::min(0.0, y[row]);
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
    out.a = Eigen::MatrixXd::Zero(count, edges + 2 * free + count - zero);
    out.a.leftCols(edges + 2 * free) = (d_ * out.impulses)(out.rows, Eigen::all);
    for (Eigen::Index k = zero; k < count; ++k) out.a(k, edges + 2 * free + k - zero) = k - zero < positive ? -1 : 1;
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

  // True where the case and all within it are refuted, `result_.refuted` says by what.
  bool examine(Modes& modes) {
    if (++cases_ > tolerances::tree_cases_most) return false;
    const Case here = case_of(modes);
    Eigen::VectorXd impulse, y;
    fit(here, impulse, y);
    y = allowed(y, here);
    if (refutes(y, here)) {
      result_.refuted.push_back({modes, blocks(y, 1 / y.norm())});
      return true;
    }
    const Eigen::VectorXd velocity = free_ + d_ * impulse;
    int worst = -1;
    double most = -1, all = 0;
    for (int i = 0; i < system_.size(); ++i) {
      const double breach = breach_of(i, impulse, velocity);
      all = std::max(all, breach);
      if (breach > most && is_open_question(i, modes[i])) {
        worst = i;
        most = breach;
      }
    }
    if (all <= tolerances::tree_breach) {
      const Offer answer = offer_(blocks(impulse, unit_));
      result_.offered += answer != Offer::rejected;
      accepted_ = answer == Offer::accepted;
      if (accepted_) return false;
      if (worst < 0) undecided_ = undecided_ || answer == Offer::rejected || !is_determined(here);
    } else {
      undecided_ = undecided_ || worst < 0;
    }
    return worst >= 0 && divide(modes, worst, impulse, velocity);
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

  bool divide(Modes& modes, int contact, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
    const Eigen::Index row = static_cast<Eigen::Index>(3) * contact;
    const CaseMode before = modes[contact];
    const std::size_t known = result_.refuted.size();
    const bool forth = velocity[row + 1] >= 0;
    const CaseMode slip = forth ? CaseMode::slips_plus : CaseMode::slips_minus;
    const CaseMode back = forth ? CaseMode::slips_minus : CaseMode::slips_plus;
    Modes ways = {slip, CaseMode::sticks, back};
    if (before == CaseMode::any) {
      ways = {CaseMode::touches, CaseMode::open};
      if (velocity[row] > impulse[row]) std::swap(ways[0], ways[1]);
    }
    bool all = true;
    for (const CaseMode way : ways) {
      modes[contact] = way;
      const bool refuted = examine(modes);
      modes[contact] = before;
      if (accepted_) return false;
      // What refutes a part without need of what the part says refutes the whole.
      if (!refuted) {
        all = false;
        continue;
      }
      const Case whole = case_of(modes);
      const Eigen::VectorXd y = scaled(result_.refuted.back().y), of_whole = allowed(y, whole);
      if ((y - of_whole).norm() > tolerances::refuted_part || !refutes(of_whole, whole)) continue;
      result_.refuted.resize(known);
      result_.refuted.push_back({modes, blocks(of_whole, 1)});
      return true;
    }
    return all;
  }

  // Whether the case leaves open what the contact does.
  bool is_open_question(int contact, CaseMode mode) const {
    return mode == CaseMode::any || (mode == CaseMode::touches && system_.kind[contact] == ConeKind::cone);
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
      breach = std::max(breach, std::abs(p[1] - std::clamp(p[1] - v[1], -bound, bound)));
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

bool can_search_modes(const ContactSystem& system) {
  if (!system.formed()) return false;
  int contacts = 0;
  for (const ConeKind kind : system.kind) {
    if (kind == ConeKind::cone && !system.planar()) return false;
    contacts += kind != ConeKind::bilateral;
  }
  return contacts <= tolerances::tree_contacts && system.size() - contacts <= tolerances::tree_bilateral;
}

ModeTreeResult search_modes(const ContactSystem& system,
                            const std::function<Offer(const std::vector<Vector3>& impulse)>& offer) {
  return ModeTree(system, offer).run();
}

}  // namespace routh::internal
