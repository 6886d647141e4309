// Exact derivatives of one impact with respect to everything it depends on, for every law and mode.
//
// The answer is a smooth function of its inputs as long as the impact passes through the same sequence of phases. Each
// phase is differentiated as it is, and each event that ends one by the implicit function theorem; nothing is
// differenced. Where the sequence changes there is no derivative, or only one to one side: the status says so.
#pragma once

#include <array>

#include "routh/impact/reduction.h"
#include "routh/impact/result.h"

namespace routh {

// The columns. A number that the problem lacks (c2 in the plane, e_t of a law without it) has zeros. So has the static
// coefficient of friction, which only decides the mode, and no column for that reason; nor has the sticking slope,
// which follows from D: b12 stands for both of its places, c1 and c2 too.
enum class ImpactInput {
  a,
  c1,
  c2,
  b11,
  b12,
  b22,
  v_n,
  v_t1,
  v_t2,
  kinetic_friction,
  restitution,             // the coefficient: what is added to e(w) at every speed
  tangential_restitution,  // e_t of the unified law
  surface_n,               // velocity of the surface
  surface_t1,
  surface_t2,
  push_n,  // velocity that an external impulse adds; without one the column holds for one that presses
  push_t1,
  push_t2,
};
constexpr auto names_of(ImpactInput) {
  return name_table<ImpactInput>({{ImpactInput::a, "a"},
                                  {ImpactInput::c1, "c1"},
                                  {ImpactInput::c2, "c2"},
                                  {ImpactInput::b11, "b11"},
                                  {ImpactInput::b12, "b12"},
                                  {ImpactInput::b22, "b22"},
                                  {ImpactInput::v_n, "v_n"},
                                  {ImpactInput::v_t1, "v_t1"},
                                  {ImpactInput::v_t2, "v_t2"},
                                  {ImpactInput::kinetic_friction, "kinetic_friction"},
                                  {ImpactInput::restitution, "restitution"},
                                  {ImpactInput::tangential_restitution, "tangential_restitution"},
                                  {ImpactInput::surface_n, "surface_n"},
                                  {ImpactInput::surface_t1, "surface_t1"},
                                  {ImpactInput::surface_t2, "surface_t2"},
                                  {ImpactInput::push_n, "push_n"},
                                  {ImpactInput::push_t1, "push_t1"},
                                  {ImpactInput::push_t2, "push_t2"}});
}
inline constexpr int impact_input_count = static_cast<int>(count_of<ImpactInput>);

// The rows.
enum class ImpactOutput {
  velocity_n,  // after, in the frame of ImpactProblem::velocity
  velocity_t1,
  velocity_t2,
  impulse_n,
  impulse_t1,
  impulse_t2,
  normal_work,
  tangential_work,
  supplied,
  change,
};
constexpr auto names_of(ImpactOutput) {
  return name_table<ImpactOutput>({{ImpactOutput::velocity_n, "velocity_n"},
                                   {ImpactOutput::velocity_t1, "velocity_t1"},
                                   {ImpactOutput::velocity_t2, "velocity_t2"},
                                   {ImpactOutput::impulse_n, "impulse_n"},
                                   {ImpactOutput::impulse_t1, "impulse_t1"},
                                   {ImpactOutput::impulse_t2, "impulse_t2"},
                                   {ImpactOutput::normal_work, "normal_work"},
                                   {ImpactOutput::tangential_work, "tangential_work"},
                                   {ImpactOutput::supplied, "supplied"},
                                   {ImpactOutput::change, "change"}});
}
inline constexpr int impact_output_count = static_cast<int>(count_of<ImpactOutput>);

enum class DerivativeStatus {
  exact,
  one_sided,  // on a border: those of the sequence of phases that the result went through; `border` says which border
  none,       // all zeros
};
constexpr auto names_of(DerivativeStatus) {
  return name_table<DerivativeStatus>({{DerivativeStatus::exact, "exact"},
                                       {DerivativeStatus::one_sided, "one_sided"},
                                       {DerivativeStatus::none, "none"}});
}

// Where there is no derivative, or only one to one side.
enum class DerivativeBorder {
  none,
  grazing,             // v_n = 0: an impact on one side only
  coincident_events,   // slip halts just where compression or the impact ends
  critical_friction,   // μ_s = μ_c at a halt
  slip_from_rest,      // v_t = 0 and friction does not hold: a slip of any other direction would halt first
  restitution_border,  // e(w) has a corner at this speed
  singular_inertia,    // D is singular, or so nearly that no digits are left
  unstable_slip,       // slip along a direction that repels it: the smallest change turns it away
  extreme_mode,        // more phases than a result keeps
  no_answer,           // the impact itself has none
};
constexpr auto names_of(DerivativeBorder) {
  return name_table<DerivativeBorder>({
      {DerivativeBorder::none, "none", "the derivative exists"},
      {DerivativeBorder::grazing, "grazing", "v_n = 0: there is an impact on one side only"},
      {DerivativeBorder::coincident_events, "coincident_events",
       "slip halts just where compression or the impact ends"},
      {DerivativeBorder::critical_friction, "critical_friction",
       "static friction is just what holds the contact after slip halted"},
      {DerivativeBorder::slip_from_rest, "slip_from_rest",
       "the contact starts to slip from rest: a slip of any other direction would halt first"},
      {DerivativeBorder::restitution_border, "restitution_border",
       "the coefficient of restitution has a corner at the speed that compression reached"},
      {DerivativeBorder::singular_inertia, "singular_inertia", "the inertia is singular, or too nearly so"},
      {DerivativeBorder::unstable_slip, "unstable_slip",
       "slip follows, or passes too near, a direction that repels it: no digits are left"},
      {DerivativeBorder::extreme_mode, "extreme_mode", "the impact has more phases than a result keeps"},
      {DerivativeBorder::no_answer, "no_answer", "the impact has no answer"},
  });
}

struct ImpactDerivatives {
  using Row = std::array<double, impact_input_count>;

  DerivativeStatus status = DerivativeStatus::none;
  DerivativeBorder border = DerivativeBorder::no_answer;
  // To first order the impact keeps its sequence of phases while every input changes by less than this part of itself.
  // At most one: a number may then be zero.
  double validity = 0;
  std::array<Row, impact_output_count> rows{};
  // Where e depends on the speed w that compression reaches: ∂/∂α = −w × the column `restitution`; of a table, the
  // coefficients of its points `table_point` and the next have the shares 1 − table_share and table_share of it.
  double compression_speed = 0;
  int table_point = 0;
  double table_share = 0;

  double at(ImpactOutput output, ImpactInput input) const {
    return rows[static_cast<std::size_t>(output)][static_cast<std::size_t>(input)];
  }
};

// Of a problem and what `solve_impact` made of it. Never throws, allocates nothing, and no number is ever NaN.
ImpactDerivatives differentiate_impact(const ImpactProblem& problem, const ImpactResult& result);

// ∂q̇⁺/∂q̇⁻ = 1 + M_o⁺Jᵀ (∂i/∂v) J of a machine that `Reduction` accepts, from those of its contact; for changes of q̇⁻
// that the loops allow. Zero where there are none.
Eigen::MatrixXd differentiate_velocity_after(const MachineState& machine, const ImpactDerivatives& contact);

}  // namespace routh
