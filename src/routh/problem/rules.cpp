// The rules of the problem file, in the order in which a reader would want to hear of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/impact/surface_check.h"
#include "routh/impact/tolerances.h"
#include "routh/problem/problem_file.h"

namespace routh::internal {

namespace {

using Verdict = std::optional<Breach>;

Breach breach(Field field, std::string message, std::string remedy = {}) {
  return {field, {}, -1, -1, std::move(message), std::move(remedy)};
}

std::string_view key(Field field) { return field_names[static_cast<std::size_t>(field)]; }

Verdict check_presence(const ProblemFile& file) {
  constexpr Field machine[] = {Field::mass_matrix,      Field::jacobian, Field::velocity, Field::bilateral,
                               Field::external_impulse, Field::force,    Field::drift};
  constexpr Field contact[] = {Field::delassus, Field::contact_velocity};
  constexpr const char* forms =
      "give mass_matrix, jacobian and velocity (a machine), or delassus and contact_velocity (a contact alone)";
  const auto present = [&](Field field) { return file.has(field); };
  const auto of_machine = std::find_if(std::begin(machine), std::end(machine), present);
  const auto of_contact = std::find_if(std::begin(contact), std::end(contact), present);
  if (of_machine != std::end(machine) && of_contact != std::end(contact))
    return breach(*of_contact, fmt::format("'{}' and '{}' exclude each other", key(*of_machine), key(*of_contact)),
                  forms);
  const auto missing = [](Field field, const char* remedy) {
    return Breach{{}, {}, -1, -1, fmt::format("'{}' is missing", key(field)), remedy};
  };
  if (of_machine == std::end(machine) && of_contact == std::end(contact))
    return Breach{{}, {}, -1, -1, "the inertia and velocity of the contact are missing", forms};
  if (of_contact != std::end(contact)) {
    for (const Field field : contact)
      if (!file.has(field)) return missing(field, forms);
  } else {
    for (const Field field : {Field::mass_matrix, Field::jacobian, Field::velocity})
      if (!file.has(field)) return missing(field, forms);
  }
  if (!file.has(Field::friction)) return missing(Field::friction, "add `friction: 0.5`, or 0 for a smooth contact");
  if (!file.has(Field::restitution)) return missing(Field::restitution, "add `restitution: 0.7`, or 0 for none");
  return {};
}

Verdict check_size(Field field, std::size_t found, int expected, const char* why) {
  if (found == static_cast<std::size_t>(expected)) return {};
  return breach(field, fmt::format("{} has {} entries", key(field), found),
                fmt::format("{} are needed: {}", expected, why));
}

// Compares each pair of mirrored entries with the diagonal, the scale that positive definiteness gives them.
Verdict symmetrise(Field field, NumberTable& matrix) {
  for (int r = 0; r < matrix.rows; ++r)
    for (int c = 0; c < r; ++c) {
      double& lower = matrix.values[static_cast<std::size_t>(r * matrix.columns + c)];
      double& upper = matrix.values[static_cast<std::size_t>(c * matrix.columns + r)];
      if (lower == upper) continue;
      const double scale = std::sqrt(std::abs(matrix(r, r))) * std::sqrt(std::abs(matrix(c, c)));
      const double mean = 0.5 * lower + 0.5 * upper;
      if (!(std::abs(lower - mean) <= 0.5 * tolerances::symmetry_relative * scale)) {
        Breach found = breach(field, fmt::format("{} is not symmetric: [{}][{}] = {} but [{}][{}] = {}", key(field), r,
                                                 c, lower, c, r, upper));
        found.row = r;
        found.column = c;
        found.remedy = "give both the same number";
        return found;
      }
      lower = upper = mean;
    }
  return {};
}

Verdict check_machine(ProblemFile& file) {
  const int n = file.jacobian.columns;
  if (file.jacobian.rows != 2 && file.jacobian.rows != 3)
    return breach(Field::jacobian, fmt::format("jacobian has {} rows", file.jacobian.rows),
                  "give 2 rows in the plane (normal, tangent) or 3 in space (normal, two tangents)");
  if (n < 1 || n > max_coordinates)
    return breach(Field::jacobian, fmt::format("jacobian has {} columns", n),
                  fmt::format("1 to {} are allowed, one for each coordinate", max_coordinates));
  if (file.mass_matrix.rows != n || file.mass_matrix.columns != n)
    return breach(Field::mass_matrix,
                  fmt::format("mass_matrix is {}×{}", file.mass_matrix.rows, file.mass_matrix.columns),
                  fmt::format("{}×{} is needed: jacobian has {} columns", n, n, n));
  constexpr const char* why = "one for each column of jacobian";
  if (auto found = check_size(Field::velocity, file.velocity.size(), n, why)) return found;
  if (file.has(Field::external_impulse))
    if (auto found = check_size(Field::external_impulse, file.external_impulse.size(), n, why)) return found;
  if (file.bilateral.rows > max_bilateral_rows)
    return breach(Field::bilateral, fmt::format("bilateral has {} rows", file.bilateral.rows),
                  fmt::format("at most {} are allowed", max_bilateral_rows));
  if (file.bilateral.rows > 0 && file.bilateral.columns != n)
    return breach(Field::bilateral, fmt::format("bilateral has {} columns", file.bilateral.columns),
                  fmt::format("{} are needed: {}", n, why));
  for (int i = 0; i < n; ++i)
    if (!(file.mass_matrix(i, i) > 0)) {
      Breach found = breach(Field::mass_matrix,
                            fmt::format("mass_matrix[{}][{}] = {} must be positive", i, i, file.mass_matrix(i, i)),
                            "every coordinate needs inertia");
      found.row = found.column = i;
      return found;
    }
  return symmetrise(Field::mass_matrix, file.mass_matrix);
}

Verdict check_contact(ProblemFile& file) {
  const NumberTable& d = file.delassus;
  if (d.rows != d.columns || (d.rows != 2 && d.rows != 3))
    return breach(Field::delassus, fmt::format("delassus is {}×{}", d.rows, d.columns),
                  "2×2 is needed in the plane, 3×3 in space, the normal first");
  if (auto found =
          check_size(Field::contact_velocity, file.contact_velocity.size(), d.rows, "one for each row of delassus"))
    return found;
  return symmetrise(Field::delassus, file.delassus);
}

Verdict broken(Field field, const SurfaceViolation& found) {
  if (!found.rule) return {};
  const std::string_view part = key(found.quantity);
  Breach out{field, part, -1, -1, fmt::format("{}.{}", key(field), part), remedy(found.quantity)};
  if (found.quantity == SurfaceQuantity::table_speed || found.quantity == SurfaceQuantity::table_coefficient) {
    out.row = static_cast<int>(found.point);
    out.column = found.quantity == SurfaceQuantity::table_speed ? 0 : 1;
    out.message += fmt::format("[{}][{}]", out.row, out.column);
  }
  out.message += fmt::format(" = {} {}", found.value, found.rule);
  return out;
}

Verdict check_acceleration(const ProblemFile& file, int rows) {
  constexpr const char* why = "as many as the contact has directions";
  if (file.has(Field::free_acceleration) && file.has(Field::force))
    return breach(Field::force, "'free_acceleration' and 'force' exclude each other",
                  "give the acceleration of the contact, or the force on the machine");
  if (file.has(Field::drift) && !file.has(Field::force))
    return breach(Field::drift, "'drift' belongs to 'force', which is missing",
                  "add the generalised force that acts beside the contact");
  if (file.has(Field::free_acceleration))
    if (auto found = check_size(Field::free_acceleration, file.free_acceleration.size(), rows, why)) return found;
  if (file.has(Field::force))
    if (auto found =
            check_size(Field::force, file.force.size(), file.jacobian.columns, "one for each column of jacobian"))
      return found;
  if (file.has(Field::drift)) return check_size(Field::drift, file.drift.size(), rows, why);
  return {};
}

}  // namespace

std::optional<Breach> settle(ProblemFile& file) {
  if (auto found = check_presence(file)) return found;
  if (auto found = file.is_machine() ? check_machine(file) : check_contact(file)) return found;
  const int rows = file.is_machine() ? file.jacobian.rows : file.delassus.rows;
  if (file.has(Field::surface_velocity))
    if (auto found = check_size(Field::surface_velocity, file.surface_velocity.size(), rows,
                                "as many as the contact has directions"))
      return found;
  if (auto found = check_acceleration(file, rows)) return found;
  if (auto found = broken(Field::friction, check_friction(file.friction))) return found;
  return broken(Field::restitution, check_restitution(file.make_restitution()));
}

}  // namespace routh::internal
