#include "routh/contacts/contact_system.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "routh/base/error.h"
#include "routh/contacts/alart_curnier.h"
#include "routh/contacts/tolerances.h"

namespace routh::internal {

namespace {

// `message` is made only where it is needed: a solver that has its memory allocates nothing.
template <class Message>
void require(bool condition, Message message) {
  if (!condition) throw InputError(Location{}, message());
}

void check_numbers(const FrictionContactProblem& problem) {
  const int contacts = problem.contacts();
  require(problem.bilateral_rows() >= 0, [&] {
    return "the velocity has " + std::to_string(problem.velocity.size()) + " entries; " + std::to_string(contacts) +
           " contacts need " + std::to_string(contacts * problem.rows_per_contact()) +
           ", and bilateral rows come after them";
  });
  require(problem.velocity.allFinite(), [&] { return std::string("the velocity is not finite"); });
  require(problem.surface_velocity.size() == 0 || problem.surface_velocity.size() == problem.velocity.size(), [&] {
    return "the surface velocity has " + std::to_string(problem.surface_velocity.size()) + " entries, the velocity " +
           std::to_string(problem.velocity.size());
  });
  require(problem.surface_velocity.allFinite(), [&] { return std::string("the surface velocity is not finite"); });
  for (const double mu : problem.friction)
    require(mu >= 0, [&] { return "friction is " + std::to_string(mu) + "; it must be zero, positive or infinite"; });
  require(problem.slip.empty() || static_cast<int>(problem.slip.size()) == contacts, [&] {
    return std::to_string(problem.slip.size()) + " directions of slip for " + std::to_string(contacts) +
           " contacts; give one for each, zero where there is none";
  });
  for (int i = 0; i < static_cast<int>(problem.slip.size()); ++i) {
    require(problem.slip[i].allFinite(), [&] { return std::string("a direction of slip is not finite"); });
    require(problem.slip[i].isZero() || std::isfinite(problem.friction[i]),
            [&] { return std::string("a contact that slips has infinite friction; give a finite one"); });
  }
}

// Infinite friction is the limit of large friction. Contacts that hold are the same for any friction that large; where
// no impulse that holds presses, the contact slides under next to no normal impulse.
double infinite_as(double mu) { return std::isinf(mu) ? tolerances::holding_friction : mu; }

// The power of two next to a size; 1 where that is zero.
double power_of_two(double size) {
  if (!(size > 0)) return 1;
  int exponent = 0;
  std::frexp(size, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, -tolerances::unit_exponent, tolerances::unit_exponent));
}

// D of an operator, column by column.
Eigen::MatrixXd form(const DelassusOperator& matrix) {
  const int rows = matrix.rows();
  Eigen::MatrixXd formed(rows, rows);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(rows), column(rows);
  for (int k = 0; k < rows; ++k) {
    unit[k] = 1;
    matrix.apply(unit, column);
    formed.col(k) = column;
    unit[k] = 0;
  }
  return formed;
}

// Whether a sequence is the last one's; keeps it if not.
bool same_as_before(const std::vector<int>& now, std::vector<int>& before) {
  if (now == before) return true;
  before = now;
  return false;
}

}  // namespace

int ContactSystem::rows_of(int index) const { return std::min(dimension_, rows_ - index * dimension_); }

bool ContactSystem::take_up(const FrictionContactProblem& problem) {
  check_numbers(problem);
  dimension_ = problem.rows_per_contact();
  contacts_ = problem.contacts();
  rows_ = static_cast<int>(problem.velocity.size());
  const int bilateral = (problem.bilateral_rows() + dimension_ - 1) / dimension_;
  const int count = contacts_ + bilateral;
  kind.resize(count);
  friction.resize(count);
  ray.resize(count);
  mobility.resize(count);
  free_velocity.resize(count);
  for (int i = 0; i < count; ++i) {
    kind[i] = i < contacts_ ? ConeKind::cone : ConeKind::bilateral;
    friction[i] = i < contacts_ ? infinite_as(problem.friction[i]) : 0;
    ray[i] = Vector3::UnitX();
    if (i >= contacts_) continue;
    const bool slips = !problem.slip.empty() && !problem.slip[i].isZero();
    if (slips) ray[i].tail<2>() = -friction[i] * problem.slip[i].normalized();
    if (slips || friction[i] == 0) kind[i] = ConeKind::ray;
  }

  operator_ = nullptr;
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&problem.inertia))
    set_dense(*dense);
  else if (const auto* blocks = std::get_if<BlockMatrix>(&problem.inertia))
    set_blocks(*blocks);
  else
    set_operator(*std::get<2>(problem.inertia));
  scale_inertia();
  complete_diagonals();
  take_velocity(problem);

  const bool same_rows = same_as_before(inertia.row_start, previous_start_);
  return same_as_before(inertia.column, previous_column_) && same_rows;
}

void ContactSystem::take_velocity(const FrictionContactProblem& problem) {
  const bool moves = problem.surface_velocity.size() > 0;
  const auto largest = [](const Eigen::VectorXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; };
  velocity_unit = power_of_two(std::max(largest(problem.velocity), largest(problem.surface_velocity)));
  const auto v = [&](int row) {
    return problem.velocity[row] / velocity_unit - (moves ? problem.surface_velocity[row] / velocity_unit : 0);
  };
  // Where all move with their surfaces, or nearly so, what is left has another size.
  double left = 0;
  for (int row = 0; row < rows_; ++row) left = std::max(left, std::abs(v(row)));
  const double finer = power_of_two(left);
  free_velocity.assign(kind.size(), Vector3::Zero());
  for (int row = 0; row < rows_; ++row) free_velocity[row / dimension_][row % dimension_] = v(row) / finer;
  velocity_unit = left > 0 ? velocity_unit * finer : 1;
  double square = 0;
  for (const Vector3& part : free_velocity) square += part.squaredNorm();
  speed = square > 0 ? std::sqrt(square) : 1;
}

void ContactSystem::scale_inertia() {
  double largest = 0;
  for (const Matrix3& block : inertia.block) largest = std::max(largest, block.cwiseAbs().maxCoeff());
  inertia_unit = power_of_two(largest);
  if (inertia_unit == 1) return;
  for (Matrix3& block : inertia.block) block /= inertia_unit;
}

void ContactSystem::set_dense(const Eigen::MatrixXd& matrix) {
  require(matrix.rows() == rows_ && matrix.cols() == rows_, [&] {
    return "D is " + std::to_string(matrix.rows()) + " by " + std::to_string(matrix.cols()) + ", the velocity has " +
           std::to_string(rows_) + " entries";
  });
  // All blocks first, column by column of D as it lies in memory; then those that are zero are left out.
  const int n = size();
  inertia.block.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), Matrix3::Zero());
  bool finite = true;
  for (int column = 0; column < rows_; ++column) {
    const double* from = matrix.data() + static_cast<std::ptrdiff_t>(column) * rows_;
    const int j = column / dimension_, c = column % dimension_;
    for (int i = 0, row = 0; i < n; ++i) {
      Matrix3& block = inertia.block[i * n + j];
      for (int r = 0; r < dimension_ && row < rows_; ++r, ++row) {
        finite = finite && std::isfinite(from[row]);
        block(r, c) = from[row];
      }
    }
  }
  require(finite, [&] { return std::string("D is not finite"); });
  inertia.row_start.assign(1, 0);
  inertia.column.clear();
  inertia.diagonal.clear();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Matrix3& block = inertia.block[i * n + j];
      if (i != j && block(0, 0) == 0 && block.isZero(0)) continue;
      if (i == j) inertia.diagonal.push_back(static_cast<int>(inertia.column.size()));
      if (const auto place = static_cast<int>(inertia.column.size()); place != i * n + j) inertia.block[place] = block;
      inertia.column.push_back(j);
    }
    inertia.row_start.push_back(static_cast<int>(inertia.column.size()));
  }
  inertia.block.resize(inertia.column.size());
}

void ContactSystem::set_blocks(const BlockMatrix& matrix) {
  const auto entries = matrix.column.size();
  const auto area = static_cast<std::size_t>(dimension_ * dimension_);
  require(matrix.row_start.size() == kind.size() + 1 && matrix.row_start.front() == 0 &&
              matrix.row_start.back() == static_cast<int>(entries),
          [&] {
            return "D has " + std::to_string(matrix.row_start.size()) + " row starts; " + std::to_string(kind.size()) +
                   " block rows need one more than that, from 0 to the number of blocks";
          });
  require(matrix.values.size() == entries * area, [&] {
    return "D has " + std::to_string(matrix.values.size()) + " values; " + std::to_string(entries) + " blocks need " +
           std::to_string(entries * area);
  });
  inertia.row_start = matrix.row_start;
  inertia.column = matrix.column;
  inertia.block.assign(entries, Matrix3::Zero());
  inertia.diagonal.assign(kind.size(), -1);
  for (int i = 0; i < size(); ++i) {
    for (int k = inertia.row_start[i]; k < inertia.row_start[i + 1]; ++k) {
      const int j = inertia.column[k];
      require(j >= 0 && j < size(),
              [&] { return "D has a block in column " + std::to_string(j) + " of " + std::to_string(size()); });
      require(k == inertia.row_start[i] || inertia.column[k - 1] < j,
              [&] { return std::string("the blocks of a row of D must be in ascending columns"); });
      for (int r = 0; r < rows_of(i); ++r)
        for (int c = 0; c < rows_of(j); ++c)
          inertia.block[k](r, c) = matrix.values[static_cast<std::size_t>(k) * area + r * dimension_ + c];
      require(inertia.block[k].allFinite(), [&] { return std::string("D is not finite"); });
      if (i == j) inertia.diagonal[i] = k;
    }
    require(inertia.diagonal[i] >= 0, [&] { return "D has no block on the diagonal of contact " + std::to_string(i); });
  }
}

void ContactSystem::set_operator(const DelassusOperator& matrix) {
  require(matrix.rows() == rows_, [&] {
    return "D has " + std::to_string(matrix.rows()) + " rows, the velocity has " + std::to_string(rows_) + " entries";
  });
  if (rows_ <= tolerances::formed_operator_rows) return set_dense(form(matrix));
  operator_ = &matrix;
  inertia.row_start.assign(1, 0);
  inertia.column.clear();
  inertia.block.assign(kind.size(), Matrix3::Zero());
  inertia.diagonal.clear();
  Eigen::MatrixXd block(dimension_, dimension_);
  for (int i = 0; i < size(); ++i) {
    block.setZero();
    matrix.diagonal_block(i, block);
    inertia.block[i].topLeftCorner(rows_of(i), rows_of(i)) = block.topLeftCorner(rows_of(i), rows_of(i));
    inertia.diagonal.push_back(i);
    inertia.column.push_back(i);
    inertia.row_start.push_back(i + 1);
  }
}

// Rows that do not exist, and rows that nothing moves: see the head of contact_system.h.
void ContactSystem::complete_diagonals() {
  mean_mobility = 0;
  for (int i = 0; i < size(); ++i) {
    const Matrix3& block = inertia.block[inertia.diagonal[i]];
    mobility[i] = block.trace() / rows_of(i);
    mean_mobility += mobility[i] / size();
  }
  if (!(mean_mobility > 0)) mean_mobility = 1;
  for (int i = 0; i < size(); ++i) {
    if (!(mobility[i] > tolerances::immovable_contact * mean_mobility)) mobility[i] = mean_mobility;
    Matrix3& block = inertia.block[inertia.diagonal[i]];
    for (int r = rows_of(i); r < 3; ++r) block(r, r) = mobility[i];
  }
}

void ContactSystem::gather(std::span<const double> rows, double unit, std::vector<Vector3>& blocks) const {
  blocks.resize(kind.size());
  for (int i = 0; i < size(); ++i) {
    blocks[i].setZero();
    for (int r = 0; r < rows_of(i); ++r) blocks[i][r] = rows[static_cast<std::size_t>(i * dimension_ + r)] / unit;
  }
}

void ContactSystem::scatter(const std::vector<Vector3>& blocks, double unit, Eigen::VectorXd& rows) const {
  rows.resize(rows_);
  for (int row = 0; row < rows_; ++row) rows[row] = blocks[row / dimension_][row % dimension_] * unit;
}

void ContactSystem::respond(const std::vector<Vector3>& impulse, std::vector<Vector3>& velocity) const {
  velocity.resize(kind.size());
  if (operator_ != nullptr) {
    scatter(impulse, 1, operand_);
    response_.resize(rows_);
    operator_->apply(operand_, response_);
    gather({response_.data(), static_cast<std::size_t>(rows_)}, inertia_unit, velocity);
    for (int i = 0; i < size(); ++i) velocity[i] += free_velocity[i];
    return;
  }
  for (int i = 0; i < size(); ++i) {
    Vector3 v = free_velocity[i];
    for (int k = inertia.row_start[i]; k < inertia.row_start[i + 1]; ++k)
      v.noalias() += inertia.block[k] * impulse[inertia.column[k]];
    velocity[i] = v;
  }
}

Vector3 project_on_cone(const Vector3& x, double mu) {
  const double tangential = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (tangential <= mu * x[0]) return x;
  if (mu * tangential <= -x[0]) return Vector3::Zero();
  const double normal = (x[0] + mu * tangential) / (1 + mu * mu);
  const double share = mu * normal / tangential;
  return {normal, share * x[1], share * x[2]};
}

bool ContactResidual::within(double tolerance) const {
  return scaled_floor <= tolerances::rounding_decides &&
         scaled <= std::max(tolerance, std::min(scaled_floor, tolerances::rounding_accepted)) &&
         natural <= std::max(tolerance, natural_floor);
}

ContactResidual residual_of(const ContactSystem& system, const std::vector<Vector3>& impulse,
                            const std::vector<Vector3>& velocity) {
  ContactResidual result;
  double natural_terms = 0, scaled_terms = 0;
  // Terms of D p are at most this times the root of the contact's own mobility; where they cancel, their rounding
  // stays.
  double term = 0;
  for (int i = 0; i < system.size(); ++i) term = std::max(term, std::sqrt(system.mobility[i]) * impulse[i].norm());
  const double unit = 1 / system.inertia_unit;  // of impulses beside velocities, both of the problem
  for (int i = 0; i < system.size(); ++i) {
    const Vector3 &p = impulse[i], &v = velocity[i], given = unit * p;
    const double mu = system.friction[i];
    const AlartCurnier local = alart_curnier(system, i, p, v, 1 / system.mobility[i]);
    const Vector3 scaled = local.value * system.mobility[i];
    result.scaled += scaled.squaredNorm();
    Vector3 natural;
    double amplification = 1;
    if (system.kind[i] == ConeKind::bilateral) {
      natural = v;
    } else if (system.kind[i] == ConeKind::ray) {
      natural = given - std::max(0.0, given[0] - v[0]) * system.ray[i];
    } else if (mu >= tolerances::holding_friction) {
      natural = scaled;  // infinite: û has no finite normal part
    } else {
      Vector3 x = given - v;
      x[0] -= mu * std::sqrt(v[1] * v[1] + v[2] * v[2]);
      natural = given - project_on_cone(x, mu);
      amplification += mu;
    }
    result.natural += natural.squaredNorm();
    const double velocities = (v - system.free_velocity[i]).norm() + system.free_velocity[i].norm();
    const double summed = amplification * (std::sqrt(system.mobility[i]) * term + velocities);
    const double size = p.norm();
    result.largest = std::max(result.largest, size * system.mobility[i] / system.speed);
    natural_terms += (unit * size + summed) * (unit * size + summed);
    scaled_terms += (size * system.mobility[i] + velocities) * (size * system.mobility[i] + velocities);
  }
  result.natural = std::sqrt(result.natural) / system.speed;
  result.scaled = std::sqrt(result.scaled) / system.speed;
  result.natural_floor = tolerances::residual_rounding * std::sqrt(natural_terms) / system.speed;
  result.scaled_floor = tolerances::residual_rounding * std::sqrt(scaled_terms) / system.speed;
  return result;
}

}  // namespace routh::internal
