#include "routh/contacts/sweeps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "routh/contacts/contact_system.h"
#include "routh/contacts/swept_pack.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

namespace {

// Rows of Y that follow one another: a body that moves freely has six.
struct Run {
  int place = 0;  // of its first row in z
  int length = 0;
  std::size_t value = 0;  // of its entries: `length` for the normal, then as many for each tangent
};

// p − P_K(p − ρ û) of one contact at the velocity v.
Vector3 natural_map(const Vector3& p, const Vector3& v, double friction, double rho) {
  if (friction == 0) return {p[0] - std::max(0.0, p[0] - rho * v[0]), 0, 0};
  Vector3 x = p - rho * v;
  x[0] -= rho * friction * std::sqrt(v[1] * v[1] + v[2] * v[2]);
  return p - project_on_cone(x, friction);
}

constexpr int last_colour = 63;  // of those that a word has bits for

void add_products(const Run& run, const double* y, const double* z, double* v) {
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < run.length; ++k) v[r] += y[run.length * r + k] * z[k];
}

void add_columns(const Run& run, const double* y, const Vector3& p, double* z) {
  for (int k = 0; k < run.length; ++k) z[k] += y[k] * p[0] + y[run.length + k] * p[1] + y[2 * run.length + k] * p[2];
}

}  // namespace

class SweepEngine {
 public:
  SweepOutcome solve(const ResponseColumns& response, const Eigen::VectorXd& velocity, std::span<const double> friction,
                     double tolerance, int sweeps, Eigen::VectorXd& impulse, Eigen::VectorXd& z);

 private:
  struct SweptContact {
    Vector3 velocity = Vector3::Zero();  // v
    Vector3 impulse = Vector3::Zero(), last = Vector3::Zero();
    double friction = 0;
    double normal = 1, tangential = 1;  // 1/a and 1/c of diag(a, c, c) ≥ D_ii
    double mobility = 1;
    std::size_t first = 0, last_run = 0;  // of its runs
    int number = 0;                       // of the contact in the problem
    int idle = 0;                         // sweeps for which it is left alone
  };

  // Contacts of one colour: packs, then single ones.
  struct Colour {
    std::size_t first_pack = 0, last_pack = 0, first = 0, last = 0;
  };

  void place_rows(const ResponseColumns& response, const Eigen::VectorXd& z);
  void find_colours(const ResponseColumns& response);
  void take_up(const ResponseColumns& response, const Eigen::VectorXd& velocity, std::span<const double> friction,
               const Eigen::VectorXd& impulse, const Eigen::VectorXd& z);
  bool packs(const SweptContact& contact) const;
  void order_by_colour();
  void pack(const SweptContact& contact);
  void take_up(const ResponseColumns& response, int contact, SweptContact& it);
  Vector3 velocity_of(const SweptContact& contact) const;
  Vector3 own_impulse(const SweptContact& contact, const Vector3& v) const;
  double sweep();
  double sweep(SweptContact& contact);
  void carry_on(double share);
  double residual();

  std::vector<SweptContact> given_, contact_;  // in the order of the problem; those that are in no pack
  std::vector<SweptPack> pack_;
  std::vector<Colour> colours_;
  std::vector<Run> runs_;
  std::vector<double> value_;
  std::vector<double> z_, z_last_;
  std::vector<int> place_, rows_;  // row of Y → place in z_, −1 elsewhere; and back
  std::vector<int> order_, colour_, kind_;
  std::vector<std::uint64_t> met_;  // colours that meet a row, as bits
  double speed_ = 1;
};

// The rows that there are, in their order: those of a body stay together.
void SweepEngine::place_rows(const ResponseColumns& response, const Eigen::VectorXd& z) {
  place_.resize(static_cast<std::size_t>(z.size()), -1);
  rows_.clear();
  for (const int row : response.row) {
    int& place = place_[static_cast<std::size_t>(row)];
    if (place >= 0) continue;
    place = 0;
    rows_.push_back(row);
  }
  std::sort(rows_.begin(), rows_.end());
  z_.clear();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    place_[static_cast<std::size_t>(rows_[k])] = static_cast<int>(k);
    z_.push_back(z[rows_[k]]);
  }
}

// Contacts of one colour have no row in common: none waits for the one before it. What needs more colours than there
// are bits shares the last.
void SweepEngine::find_colours(const ResponseColumns& response) {
  const std::size_t count = response.contacts();
  met_.assign(rows_.size(), 0);
  colour_.resize(count);
  const auto each_row = [&](std::size_t contact, const auto& act) {
    for (std::size_t k = response.begin[contact]; k < response.begin[contact + 1]; ++k)
      act(met_[static_cast<std::size_t>(place_[static_cast<std::size_t>(response.row[k])])]);
  };
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t taken = 0;
    each_row(i, [&](std::uint64_t at) { taken |= at; });
    colour_[i] = std::min(std::countr_one(taken), last_colour);
    const std::uint64_t own = std::uint64_t{1} << colour_[i];
    each_row(i, [&](std::uint64_t& at) { at |= own; });
  }
}

// Between bodies that move freely, or of one with the world.
bool SweepEngine::packs(const SweptContact& it) const {
  const std::size_t bodies = it.last_run - it.first;
  return (bodies == 1 || bodies == 2) && colour_[static_cast<std::size_t>(it.number)] < last_colour &&
         std::all_of(runs_.begin() + static_cast<std::ptrdiff_t>(it.first),
                     runs_.begin() + static_cast<std::ptrdiff_t>(it.last_run),
                     [](const Run& run) { return run.length == free_body; });
}

// Colour by colour: packs of contacts between two bodies, of those with the world, and the rest one by one. Contacts
// that begin open share packs, which are left alone together.
void SweepEngine::order_by_colour() {
  constexpr int kinds = 6;
  kind_.clear();
  std::array<int, kinds*(last_colour + 1) + 1> first = {};
  for (std::size_t k = 0; k < given_.size(); ++k) {
    const SweptContact& it = given_[k];
    const int rank = packs(it) ? 2 - static_cast<int>(it.last_run - it.first) : 2;
    kind_.push_back(kinds * colour_[k] + 2 * rank + (it.impulse[0] == 0 ? 1 : 0));
    ++first[static_cast<std::size_t>(kind_.back()) + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  order_.resize(given_.size());
  for (std::size_t k = 0; k < given_.size(); ++k)
    order_[static_cast<std::size_t>(first[static_cast<std::size_t>(kind_[k])]++)] = static_cast<int>(k);
  contact_.clear();
  pack_.clear();
  colours_.clear();
  int last = -1;
  for (const int k : order_) {
    const SweptContact& it = given_[static_cast<std::size_t>(k)];
    if (std::exchange(last, colour_[static_cast<std::size_t>(k)]) != colour_[static_cast<std::size_t>(k)])
      colours_.push_back({pack_.size(), pack_.size(), contact_.size(), contact_.size()});
    Colour& colour = colours_.back();
    if (kind_[static_cast<std::size_t>(k)] % kinds < 4) {
      const int bodies = static_cast<int>(it.last_run - it.first);
      if (pack_.size() == colour.first_pack || pack_.back().bodies != bodies || pack_.back().number[3] >= 0) {
        pack_.push_back(no_contacts());
        pack_.back().bodies = bodies;
      }
      pack(it);
      colour.last_pack = pack_.size();
    } else {
      contact_.push_back(it);
      colour.last = contact_.size();
    }
  }
}

// Into the next lane of the last pack.
void SweepEngine::pack(const SweptContact& it) {
  SweptPack& to = pack_.back();
  const std::size_t lane = static_cast<std::size_t>(std::find(to.number, to.number + 4, -1) - to.number);
  to.number[lane] = it.number;
  for (std::size_t b = 0; b < it.last_run - it.first; ++b) {
    const Run& run = runs_[it.first + b];
    to.place[b][lane] = run.place;
    for (std::size_t k = 0; k < 3 * free_body; ++k) to.column[b][k][lane] = value_[run.value + k];
  }
  for (Eigen::Index r = 0; r < 3; ++r) {
    to.velocity[r][lane] = it.velocity[r];
    to.impulse[r][lane] = to.last[r][lane] = it.impulse[r];
  }
  to.friction[lane] = it.friction;
  to.normal[lane] = it.normal;
  to.tangential[lane] = it.tangential;
  to.mobility[lane] = it.mobility;
}

void SweepEngine::take_up(const ResponseColumns& response, const Eigen::VectorXd& velocity,
                          std::span<const double> friction, const Eigen::VectorXd& impulse, const Eigen::VectorXd& z) {
  place_rows(response, z);
  find_colours(response);
  runs_.clear();
  value_.clear();
  given_.assign(response.contacts(), {});
  speed_ = 0;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    SweptContact& it = given_[i];
    it.number = static_cast<int>(i);
    const auto size = static_cast<Eigen::Index>(response.dimension), first = size * it.number;
    it.velocity.head(size) = velocity.segment(first, size);
    it.impulse.head(size) = impulse.segment(first, size);
    it.last = it.impulse;
    it.friction = std::min(friction[static_cast<std::size_t>(it.number)], tolerances::holding_friction);
    if (it.velocity[0] < 0) speed_ += it.velocity.squaredNorm();
    take_up(response, it.number, it);
  }
  for (const int row : rows_) place_[static_cast<std::size_t>(row)] = -1;
  order_by_colour();
  speed_ = speed_ > 0 ? std::sqrt(speed_) : 1;
  z_last_ = z_;
}

// Its part of Y in runs, and what moves it.
void SweepEngine::take_up(const ResponseColumns& response, int contact, SweptContact& it) {
  const std::size_t d = static_cast<std::size_t>(response.dimension), number = static_cast<std::size_t>(contact),
                    end = response.begin[number + 1];
  const auto place = [&](std::size_t k) { return place_[static_cast<std::size_t>(response.row[k])]; };
  Matrix3 inertia = Matrix3::Zero();
  it.first = runs_.size();
  // Two free bodies that stand side by side are two runs.
  const std::size_t begin_of = response.begin[number],
                    cut = end - begin_of == 2 * free_body ? begin_of + free_body : end;
  for (std::size_t begin = begin_of, next = begin; begin < end; begin = next) {
    do ++next;
    while (next < end && next != cut && place(next) == place(begin) + static_cast<int>(next - begin));
    runs_.push_back({place(begin), static_cast<int>(next - begin), value_.size()});
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t k = begin; k < next; ++k) value_.push_back(r < d ? response.value[d * k + r] : 0);
  }
  it.last_run = runs_.size();
  for (std::size_t k = response.begin[number]; k < end; ++k) {
    Vector3 column = Vector3::Zero();
    for (std::size_t r = 0; r < d; ++r) column[static_cast<Eigen::Index>(r)] = response.value[d * k + r];
    inertia.noalias() += column * column.transpose();
  }
  // The larger eigenvalue of the tangents' block; then a and c are raised by what the coupling x of normal and
  // tangents needs: a t² + c s² ≥ 2 x t s with the shares in the ratio of the two.
  const double half_difference = 0.5 * (inertia(1, 1) - inertia(2, 2)), cross = inertia(1, 2);
  const double tangents =
      0.5 * (inertia(1, 1) + inertia(2, 2)) + std::sqrt(half_difference * half_difference + cross * cross);
  const double coupling = std::sqrt(inertia(0, 1) * inertia(0, 1) + inertia(0, 2) * inertia(0, 2));
  const double mobility = inertia.trace() / response.dimension;
  it.mobility = mobility > 0 ? mobility : 1;
  // Rows that nothing moves take no part; their step only has to be finite.
  const double least = tolerances::immovable_contact * it.mobility;
  const double normal = std::max(inertia(0, 0), least), tangential = std::max(tangents, least);
  const double stretch = std::sqrt(tangential / normal);
  it.normal = 1 / (normal + (it.friction > 0 ? coupling / stretch : 0));
  it.tangential = 1 / (tangential + coupling * stretch);
}

Vector3 SweepEngine::velocity_of(const SweptContact& contact) const {
  double v[3] = {contact.velocity[0], contact.velocity[1], contact.velocity[2]};
  for (std::size_t k = contact.first; k < contact.last_run; ++k)
    add_products(runs_[k], value_.data() + runs_[k].value, z_.data() + runs_[k].place, v);
  return {v[0], v[1], v[2]};
}

// The impulse that Coulomb's law gives this contact where the others have theirs, D_ii taken for diag(a, c, c): first
// the normal, then the tangents within the disc that it allows.
Vector3 SweepEngine::own_impulse(const SweptContact& it, const Vector3& v) const {
  const double n = std::max(0.0, it.impulse[0] - v[0] * it.normal);
  if (it.friction == 0) return {n, 0, 0};
  const double t1 = it.impulse[1] - v[1] * it.tangential, t2 = it.impulse[2] - v[2] * it.tangential;
  const double square = t1 * t1 + t2 * t2, most = it.friction * n;
  if (square <= most * most) return {n, t1, t2};
  const double share = most / std::sqrt(square);
  return {n, share * t1, share * t2};
}

// The square of the change, in units of velocity.
double SweepEngine::sweep() {
  double changed = 0;
  for (const Colour& colour : colours_) {
    const std::span<SweptPack> packs(pack_.data() + colour.first_pack, colour.last_pack - colour.first_pack);
    sweep_packs(packs, z_.data());
    for (const SweptPack& each : packs) changed += each.changed;
    for (std::size_t k = colour.first; k < colour.last; ++k) changed += sweep(contact_[k]);
  }
  return changed;
}

double SweepEngine::sweep(SweptContact& it) {
  if (it.idle > 0) {
    --it.idle;
    return 0;
  }
  const Vector3 p = own_impulse(it, velocity_of(it));
  if (p[0] == 0 && it.impulse[0] == 0 && it.last[0] == 0) it.idle = tolerances::sweeps_idle;
  const Vector3 change = p - it.impulse;
  const double size = it.mobility * it.mobility * change.squaredNorm();
  if (!(size > 0) || !std::isfinite(size)) return 0;
  it.impulse = p;
  for (std::size_t k = it.first; k < it.last_run; ++k)
    add_columns(runs_[k], value_.data() + runs_[k].value, change, z_.data() + runs_[k].place);
  return size;
}

// A share of the way from the last sweep's end to this one's once more.
void SweepEngine::carry_on(double share) {
  carry_on_packs(pack_, share);
  for (SweptContact& it : contact_) {
    const Vector3 here = it.impulse;
    it.impulse += share * (here - it.last);
    it.last = here;
  }
  for (std::size_t k = 0; k < z_.size(); ++k) {
    const double here = z_[k];
    z_[k] += share * (here - z_last_[k]);
    z_last_[k] = here;
  }
}

double SweepEngine::residual() {
  double natural = 0, scaled = 0;
  find_residuals(pack_, z_.data());
  for (const SweptPack& each : pack_) {
    natural += each.natural;
    scaled += each.scaled;
  }
  for (const SweptContact& it : contact_) {
    const Vector3 v = velocity_of(it);
    natural += natural_map(it.impulse, v, it.friction, 1).squaredNorm();
    scaled += it.mobility * it.mobility * natural_map(it.impulse, v, it.friction, 1 / it.mobility).squaredNorm();
  }
  return std::sqrt(std::max(natural, scaled)) / speed_;
}

SweepOutcome SweepEngine::solve(const ResponseColumns& response, const Eigen::VectorXd& velocity,
                                std::span<const double> friction, double tolerance, int sweeps,
                                Eigen::VectorXd& impulse, Eigen::VectorXd& z) {
  take_up(response, velocity, friction, impulse, z);
  SweepOutcome outcome;
  outcome.residual = residual();
  double last = 0, pace = 1;
  while (outcome.residual > tolerances::sweeps_rest && outcome.sweeps < sweeps) {
    const double changed = sweep();
    ++outcome.sweeps;
    // What is left is about what the sweep changed: only then is it worth a look, or where momentum hides it.
    const bool looks = std::sqrt(changed) <= tolerances::sweeps_look * tolerance * speed_ ||
                       outcome.sweeps % tolerances::sweeps_between_looks == 0 || outcome.sweeps == sweeps;
    if (looks && outcome.sweeps >= tolerances::sweeps_least) {
      outcome.residual = residual();
      if (outcome.residual <= tolerance || outcome.sweeps == sweeps) break;
    }
    // Momentum is lost where changes grow.
    const double next = changed > last && last > 0 ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * pace * pace));
    carry_on(next == 1 ? 0 : (pace - 1) / next);
    pace = next;
    last = changed;
  }
  const Eigen::Index d = response.dimension;
  for (const SweptContact& it : contact_) impulse.segment(d * it.number, d) = it.impulse.head(d);
  for (const SweptPack& it : pack_)
    for (int l = 0; l < 4; ++l)
      for (int r = 0; r < d && it.number[l] >= 0; ++r) impulse[d * it.number[l] + r] = it.impulse[r][l];
  for (std::size_t k = 0; k < z_.size(); ++k) z[rows_[k]] = z_[k];
  return outcome;
}

ContactSweeps::ContactSweeps() : engine_(make_hidden<SweepEngine>()) {}

SweepOutcome ContactSweeps::solve(const ResponseColumns& response, const Eigen::VectorXd& velocity,
                                  std::span<const double> friction, double tolerance, int sweeps,
                                  Eigen::VectorXd& impulse, Eigen::VectorXd& z) {
  return engine_->solve(response, velocity, friction, tolerance, sweeps, impulse, z);
}

}  // namespace routh::internal
