#include "routh/impact/impact_derivatives.h"

#include <algorithm>

#include "routh/impact/inertia.h"
#include "routh/impact/variation.h"

namespace routh {

namespace {

constexpr std::size_t at(ImpactInput input) { return static_cast<std::size_t>(input); }

// e(w), its slope, and how far w is from where e has a corner.
struct RestitutionPlace {
  double coefficient = 0;
  double by_speed = 0;
  double to_corner = 1;     // m/s
  bool has_corner = false;  // e depends on w at all
  int point = 0;            // of a table
  double share = 0;
};

RestitutionPlace place_of(const Restitution& model, double speed) {
  RestitutionPlace place;
  place.coefficient = restitution_at(model, speed).coefficient;
  switch (model.kind) {
    case RestitutionKind::constant:
      break;
    case RestitutionKind::linear:
      place.by_speed = model.alpha * speed < 1 ? -model.alpha : 0;
      place.has_corner = model.alpha > 0;
      place.to_corner = place.has_corner ? 1 / model.alpha - speed : 1;
      break;
    case RestitutionKind::table: {
      const auto& table = model.table;
      place.has_corner = table.size() > 1;
      if (!place.has_corner) break;
      place.to_corner = table.front().speed - speed;
      for (const RestitutionPoint& p : table)
        if (std::abs(p.speed - speed) < std::abs(place.to_corner)) place.to_corner = p.speed - speed;
      const auto after = std::upper_bound(table.begin(), table.end(), speed,
                                          [](double s, const RestitutionPoint& p) { return s < p.speed; });
      place.point = std::max(0, static_cast<int>(after - table.begin()) - 1);
      if (after == table.begin() || after == table.end()) break;
      const RestitutionPoint &low = *(after - 1), &high = *after;
      place.share = (speed - low.speed) / (high.speed - low.speed);
      place.by_speed = (high.coefficient - low.coefficient) / (high.speed - low.speed);
      break;
    }
  }
  return place;
}

// How u_n, e' and p_after of external_push.h follow v_n, the push and e.
struct StartSlopes {
  struct By {
    double start = 0, e = 0, after = 0;
  };
  By velocity{1, 0, 0}, push{1, 0, 0}, restitution{0, 1, 0};
};

StartSlopes start_slopes(const ImpactProblem& problem, const PushedStart& start, const RestitutionPlace& reached) {
  StartSlopes slopes;
  const double approach = std::max(0.0, problem.surface_velocity.n - problem.velocity.n), s = -start.velocity.n;
  if (!(s > 0)) return slopes;
  if (!start.changed) {  // the column of a push that presses
    slopes.push.e = (reached.by_speed + reached.coefficient / approach);
    return slopes;
  }
  const RestitutionPlace first = place_of(problem.restitution, approach);
  const bool partly = problem.push.n > 0 && problem.push.n < first.coefficient * approach;
  const bool wholly = problem.push.n >= first.coefficient * approach && problem.push.n > 0;
  const double rest = reached.coefficient * approach - start.after;
  const bool rebounds = rest > 0;
  const auto fill = [&](StartSlopes::By& by, double approach_by, double relative_by, double push_by, double e_by) {
    by.after = partly   ? push_by
               : wholly ? first.coefficient * approach_by + (first.by_speed * approach_by + e_by) * approach
                        : 0;
    by.start = relative_by + push_by - by.after;
    const double s_by = -by.start;
    const double e_m = reached.by_speed * (approach_by - s_by) + e_by;
    by.e = rebounds ? (e_m * approach + reached.coefficient * approach_by - by.after) / s - rest / s * s_by / s : 0;
  };
  const double moving = approach > 0 ? -1 : 0;
  fill(slopes.velocity, moving, 1, 0, 0);
  fill(slopes.push, 0, 0, 1, 0);
  fill(slopes.restitution, 0, 0, 0, 1);
  return slopes;
}

class Chain {
 public:
  Chain(const ImpactProblem& problem, const ImpactResult& result, const PushedStart& start, const StartSlopes& slopes,
        ImpactDerivatives& out)
      : problem_(problem), result_(result), start_(start), slopes_(slopes), out_(out) {}

  void fill(const CoreVariation& core) {
    for (std::size_t k = 0; k < 3; ++k) {
      out_.rows[k] = to_inputs(core.velocity[k]);
      out_.rows[3 + k] = to_inputs(core.impulse[k]);
    }
    ImpactDerivatives::Row& n = out_.rows[0];
    n[at(ImpactInput::v_n)] += slopes_.velocity.after;
    n[at(ImpactInput::push_n)] += slopes_.push.after;
    n[at(ImpactInput::restitution)] += slopes_.restitution.after;
    out_.rows[6] = to_inputs(core.normal_work);
    out_.rows[7] = to_inputs(core.tangential_work);
    for (ImpactDerivatives::Row& row : out_.rows)
      for (std::size_t k = 0; k < 3; ++k) row[at(ImpactInput::surface_n) + k] = -row[at(ImpactInput::v_n) + k];
    const std::size_t size = problem_.inertia.dimension == Dimension::planar ? 2 : 3;
    for (std::size_t k = 0; k < size; ++k) out_.rows[k][at(ImpactInput::surface_n) + k] += 1;
    fill_energy();
  }

 private:
  ImpactDerivatives::Row to_inputs(const CoreVariation::Row& core) const {
    ImpactDerivatives::Row row{};
    for (std::size_t k = 0; k < 6; ++k) row[k] = core[k];
    const double et = result_.law == Law::unified ? problem_.restitution.tangential : 0;
    row[at(ImpactInput::v_n)] = core[core_n] * slopes_.velocity.start + core[core_e] * slopes_.velocity.e;
    row[at(ImpactInput::v_t1)] = core[core_t1] - et * core[core_stuck1];
    row[at(ImpactInput::v_t2)] = core[core_t2] - et * core[core_stuck2];
    row[at(ImpactInput::kinetic_friction)] = std::isfinite(problem_.friction.kinetic_coefficient) ? core[core_mu] : 0;
    row[at(ImpactInput::restitution)] = core[core_n] * slopes_.restitution.start + core[core_e] * slopes_.restitution.e;
    const ContactVector before = minus(problem_.velocity, problem_.surface_velocity);
    row[at(ImpactInput::tangential_restitution)] = -before.t1 * core[core_stuck1] - before.t2 * core[core_stuck2];
    row[at(ImpactInput::push_n)] = core[core_n] * slopes_.push.start + core[core_e] * slopes_.push.e;
    row[at(ImpactInput::push_t1)] = core[core_t1];
    row[at(ImpactInput::push_t2)] = core[core_t2];
    return row;
  }

  // supplied = v_sᵀ i + p_after i_n, and ΔT = W_n + W_t + supplied.
  void fill_energy() {
    const ContactVector &s = problem_.surface_velocity, &i = result_.impulse;
    ImpactDerivatives::Row& supplied = out_.rows[8];
    for (std::size_t k = 0; k < supplied.size(); ++k)
      supplied[k] = (s.n + start_.after) * out_.rows[3][k] + s.t1 * out_.rows[4][k] + s.t2 * out_.rows[5][k];
    supplied[at(ImpactInput::surface_n)] += i.n * (1 - slopes_.velocity.after);
    supplied[at(ImpactInput::surface_t1)] += i.t1;
    supplied[at(ImpactInput::surface_t2)] += i.t2;
    supplied[at(ImpactInput::v_n)] += i.n * slopes_.velocity.after;
    supplied[at(ImpactInput::push_n)] += i.n * slopes_.push.after;
    supplied[at(ImpactInput::restitution)] += i.n * slopes_.restitution.after;
    for (std::size_t k = 0; k < supplied.size(); ++k) out_.rows[9][k] = out_.rows[6][k] + out_.rows[7][k] + supplied[k];
  }

  const ImpactProblem& problem_;
  const ImpactResult& result_;
  const PushedStart& start_;
  const StartSlopes& slopes_;
  ImpactDerivatives& out_;
};

Variation<core_inputs> sizes_of(const ImpactProblem& problem, const RestitutionSlope& e) {
  Variation<core_inputs> size;
  const ContactInertia& d = problem.inertia;
  const ContactVector &v = problem.velocity, &s = problem.surface_velocity, &p = problem.push;
  size[core_a] = d.a, size[core_c1] = std::abs(d.c1), size[core_c2] = std::abs(d.c2);
  size[core_b11] = d.b11, size[core_b12] = std::abs(d.b12), size[core_b22] = d.b22;
  size[core_n] = std::abs(v.n) + std::abs(s.n) + std::abs(p.n);
  size[core_t1] = std::abs(v.t1) + std::abs(s.t1) + std::abs(p.t1);
  size[core_t2] = std::abs(v.t2) + std::abs(s.t2) + std::abs(p.t2);
  size[core_mu] = std::isfinite(problem.friction.kinetic_coefficient) ? problem.friction.kinetic_coefficient : 0;
  size[core_e] = e.coefficient;
  const double et = std::abs(problem.restitution.tangential);
  size[core_stuck1] = et * size[core_t1], size[core_stuck2] = et * size[core_t2];
  return size;
}

// Nothing happened: v⁺ = v + p.
void leave_unchanged(const ImpactProblem& problem, const PushedStart& start, ImpactDerivatives& out) {
  const std::size_t size = problem.inertia.dimension == Dimension::planar ? 2 : 3;
  for (std::size_t k = 0; k < size; ++k) {
    out.rows[k][at(ImpactInput::v_n) + k] = 1;
    out.rows[k][at(ImpactInput::push_n) + k] = 1;
  }
  const double n = start.velocity.n;
  const double scale = std::abs(problem.velocity.n) + std::abs(problem.surface_velocity.n) + std::abs(problem.push.n);
  out.validity = n != 0 ? std::min(1.0, std::abs(n) / scale) : 0;
  out.status = n != 0 ? DerivativeStatus::exact : DerivativeStatus::one_sided;
  out.border = n != 0 ? DerivativeBorder::none : DerivativeBorder::grazing;
}

void give_up(ImpactDerivatives& out, DerivativeBorder why) {
  out = {};
  out.border = why;
}

// The speed of compression may reach a corner of e(w).
void note_corner(const RestitutionPlace& place, const VariationInput& in, CoreVariation& core) {
  if (!place.has_corner) return;
  Margin<core_inputs> margin(in.size);
  margin.note(place.to_corner, core.speed);
  core.validity = std::min(core.validity, margin.least());
  if (place.to_corner == 0) core.one_sided(DerivativeBorder::restitution_border);
}

void vary(const VariationInput& in, const ImpactResult& result, CoreVariation& core) {
  if (!is_incremental(in.strike.law)) return vary_average_slip(in, result, core);
  if (result.phase_count == 0) return core.give_up(DerivativeBorder::grazing);
  if (result.phase_count == ImpactResult::max_phases) return core.give_up(DerivativeBorder::extreme_mode);
  if (in.strike.velocity.n == 0) core.one_sided(DerivativeBorder::grazing);
  if (in.strike.inertia.dimension == Dimension::planar)
    vary_planar(in, result, core);
  else
    vary_spatial(in, result, core);
}

// The greatest speed of approach on the way.
double compression_speed(const PushedStart& start, const ImpactResult& result) {
  double fastest = -start.velocity.n;
  for (const Phase& phase : result) fastest = std::max(fastest, -phase.velocity.n);
  return fastest;
}

bool finite(const ImpactDerivatives& d) {
  double sum = 0;
  for (const ImpactDerivatives::Row& row : d.rows)
    for (const double x : row) sum += 0 * x;
  return sum == 0;
}

}  // namespace

ImpactDerivatives differentiate_impact(const ImpactProblem& problem, const ImpactResult& result) {
  ImpactDerivatives out;
  if (result.status != ImpactStatus::ok && result.status != ImpactStatus::no_impact) {
    if (result.status == ImpactStatus::locked) out.border = DerivativeBorder::singular_inertia;
    return out;
  }
  const PushedStart start = start_of(problem);
  if (result.status == ImpactStatus::no_impact) {
    leave_unchanged(problem, start, out);
    return out;
  }
  const double speed = compression_speed(start, result);
  const double approach = problem.surface_velocity.n - problem.velocity.n;
  const double argument =
      start.changed && start.velocity.n < 0 ? std::max(0.0, approach) + (speed + start.velocity.n) : speed;
  const RestitutionPlace place = place_of(problem.restitution, argument);
  VariationInput in{strike_input(problem, start, result.law), {}, {}};
  in.e.coefficient = in.strike.restitution.at(speed).coefficient;
  in.e.by_speed = start.changed && start.velocity.n < 0 ? place.by_speed * std::max(0.0, approach) / -start.velocity.n
                                                        : place.by_speed;
  in.e.depends = place.has_corner;
  in.size = sizes_of(problem, in.e);
  CoreVariation core;
  vary(in, result, core);
  if (core.status == DerivativeStatus::none) {
    give_up(out, core.border);
    return out;
  }
  note_corner(place, in, core);
  out.status = core.status;
  out.border = core.border;
  out.validity = core.validity;
  out.compression_speed = argument;
  out.table_point = place.point;
  out.table_share = place.share;
  const StartSlopes slopes = start_slopes(problem, start, place);
  Chain(problem, result, start, slopes, out).fill(core);
  if (!finite(out)) give_up(out, DerivativeBorder::singular_inertia);
  return out;
}

Eigen::MatrixXd differentiate_velocity_after(const MachineState& machine, const ImpactDerivatives& contact) {
  const Eigen::Index n = machine.velocity.size();
  if (contact.status == DerivativeStatus::none) return Eigen::MatrixXd::Zero(n, n);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(n), no_push;
  const MachineState still{machine.mass_matrix, machine.jacobian, rest, machine.bilateral, no_push};
  Reduction reduction(static_cast<int>(n), static_cast<int>(machine.bilateral.rows()));
  reduction.compute(still);
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index k = 0; k < machine.jacobian.rows(); ++k) {
    ImpactResult unit;
    unit.impulse = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    reduction.expand(still, unit);
    const double* by = &contact.rows[static_cast<std::size_t>(ImpactOutput::impulse_n) + static_cast<std::size_t>(k)]
                                    [at(ImpactInput::v_n)];
    const Eigen::Map<const Eigen::RowVectorXd> by_velocity(by, machine.jacobian.rows());
    const Eigen::RowVectorXd by_coordinates = by_velocity * machine.jacobian;
    out.noalias() += reduction.velocity_after() * by_coordinates;
  }
  return out;
}

}  // namespace routh
