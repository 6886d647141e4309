#include "routh/solvability/contact_modes.h"

#include <Eigen/QR>
#include <cmath>
#include <string>

#include "routh/base/error.h"
#include "routh/impact/surface_check.h"
#include "routh/solvability/mode_system.h"
#include "routh/solvability/tolerances.h"

namespace routh::internal::mode_search {

namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& remedy) {
  throw InputError({}, message, remedy);
}

void check(const ModesProblem& problem) {
  const Eigen::Index size = static_cast<Eigen::Index>(problem.count()) * problem.rows();
  const auto expected = [&] {
    return "give " + std::to_string(size) + " rows for " + std::to_string(problem.count()) + " contacts";
  };
  if (problem.inertia.rows() != size || problem.inertia.cols() != size)
    refuse("inertia has " + std::to_string(problem.inertia.rows()) + " rows", expected());
  if (problem.free_acceleration.size() != size)
    refuse("free acceleration has " + std::to_string(problem.free_acceleration.size()) + " entries", expected());
  if (problem.velocity.size() != size)
    refuse("velocity has " + std::to_string(problem.velocity.size()) + " entries", expected());
  if (!problem.inertia.allFinite() || !problem.free_acceleration.allFinite() || !problem.velocity.allFinite())
    refuse("inertia, free acceleration or velocity is not finite", "give finite numbers");
  if (size > 0 && !(problem.inertia.diagonal().minCoeff() >= 0))
    refuse("inertia has a negative diagonal entry", "give a positive semidefinite matrix");
  for (const Friction& f : problem.friction)
    if (check_friction(f).rule || !std::isfinite(f.static_coefficient))
      refuse("friction " + std::to_string(f.static_coefficient) + " (static), " +
                 std::to_string(f.kinetic_coefficient) + " (kinetic)",
             "0 <= kinetic <= static, both finite");
}

}  // namespace

ScaledProblem scale_problem(const ModesProblem& problem) {
  check(problem);
  ScaledProblem scaled;
  scaled.dimension = problem.dimension;
  scaled.count = problem.count();
  scaled.rows = problem.rows();
  scaled.friction = problem.friction;
  scaled.scale = Eigen::VectorXd::Ones(scaled.count);
  const double top = scaled.count > 0 ? problem.inertia.diagonal().maxCoeff() : 0;
  Eigen::VectorXd rows = Eigen::VectorXd::Ones(problem.free_acceleration.size());
  for (int c = 0; c < scaled.count; ++c) {
    const double own = problem.inertia.diagonal().segment(scaled.row(c), scaled.rows).maxCoeff();
    // A contact that no force moves has no scale of its own.
    const double diagonal = own > tolerances::immovable_relative * top ? own : top;
    if (diagonal > 0) scaled.scale[c] = 1 / std::sqrt(diagonal);
    rows.segment(scaled.row(c), scaled.rows).setConstant(scaled.scale[c]);
    Eigen::Vector2d slip(problem.velocity[scaled.row(c) + 1],
                         scaled.dimension == Dimension::spatial ? problem.velocity[scaled.row(c) + 2] : 0.0);
    scaled.slip.push_back(slip.stableNormalized());
  }
  scaled.inertia = rows.asDiagonal() * problem.inertia * rows.asDiagonal();
  scaled.free_acceleration = rows.cwiseProduct(problem.free_acceleration);
  const double largest = scaled.count > 0 ? scaled.free_acceleration.lpNorm<Eigen::Infinity>() : 0;
  scaled.unit = largest > 0 ? largest : 1;
  scaled.free_acceleration /= scaled.unit;
  return scaled;
}

int scaled_rank(const ScaledProblem& problem) {
  if (problem.count == 0) return 0;
  Eigen::VectorXd rows = problem.inertia.diagonal();
  for (double& x : rows) x = x > tolerances::immovable_relative ? 1 / std::sqrt(x) : 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(tolerances::unit_column_rank);
  qr.compute(rows.asDiagonal() * problem.inertia * rows.asDiagonal());
  return static_cast<int>(qr.rank());
}

}  // namespace routh::internal::mode_search

namespace routh {

namespace {

ModesSolution in_units(const mode_search::ScaledProblem& scaled, const mode_search::Candidate& candidate) {
  ModesSolution solution{candidate.combination.modes, candidate.force, candidate.acceleration, candidate.force_unique,
                         candidate.acceleration_unique};
  for (int c = 0; c < scaled.count; ++c) {
    solution.force.segment(scaled.row(c), scaled.rows) *= scaled.scale[c] * scaled.unit;
    solution.acceleration.segment(scaled.row(c), scaled.rows) *= scaled.unit / scaled.scale[c];
  }
  return solution;
}

ModesReport enumerated(const mode_search::ScaledProblem& scaled) {
  const mode_search::Enumeration all = mode_search::enumerate_modes(scaled);
  ModesReport report;
  report.status = all.sampled ? ModesStatus::sampled : ModesStatus::complete;
  report.rank = mode_search::scaled_rank(scaled);
  for (const mode_search::Candidate& candidate : all.found) report.solutions.push_back(in_units(scaled, candidate));
  return report;
}

bool few_enough(const ModesProblem& problem) {
  return problem.count() <= (problem.dimension == Dimension::planar ? enumerated_planar : enumerated_spatial);
}

}  // namespace

ModesReport examine_modes(const ModesProblem& problem) {
  if (!few_enough(problem)) return find_modes(problem, {});
  return enumerated(mode_search::scale_problem(problem));
}

ModesReport find_modes(const ModesProblem& problem, std::span<const ContactMode> guess) {
  const mode_search::ScaledProblem scaled = mode_search::scale_problem(problem);
  if (const std::optional<mode_search::Candidate> found = mode_search::search_modes(scaled, guess)) {
    ModesReport report;
    report.status = ModesStatus::one_found;
    report.rank = mode_search::scaled_rank(scaled);
    report.solutions.push_back(in_units(scaled, mode_search::settled(scaled, *found)));
    return report;
  }
  if (few_enough(problem)) {
    ModesReport report = enumerated(scaled);
    if (!report.solutions.empty()) {
      report.status = ModesStatus::one_found;
      report.solutions.resize(1);
    }
    return report;
  }
  ModesReport report;
  report.status = ModesStatus::none_found;
  report.rank = mode_search::scaled_rank(scaled);
  return report;
}

}  // namespace routh
