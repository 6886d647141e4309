// The file of `routh contacts`: a frictional contact problem, from JSON or YAML or from the text that Siconos writes.
//
//   dimension                                  2 or 3 (default): rows of a contact
//   delassus, contact_velocity                 D as rows or as {blocks: [{row, column, values}, …]}; v, or
//   mass_matrix, jacobian, velocity            the machine: D = J M⁻¹ Jᵀ, v = J q̇
//   friction      number | [number, …]         `inf` is allowed; {static, kinetic} where `slip` is given
//   bilateral     count | rows                 of D at its end; of the machine
//   surface_velocity, slip, tolerance, iterations, least_norm, other_starts, start, id, name, comment
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/contacts/friction_contact.h"
#include "routh/problem/problem_file.h"
#include "routh/text/document.h"

namespace routh::internal {

// M, J of contacts and bilateral rows, and q̇.
struct ContactsMachine {
  Eigen::MatrixXd mass_matrix, jacobian;
  Eigen::VectorXd velocity;

  // D = J M⁻¹ Jᵀ and v = J q̇ into the problem. False when M is not positive definite.
  bool reduce(FrictionContactProblem& problem) const;
  // q̇ + M⁻¹ Jᵀ p
  Eigen::VectorXd velocity_after(const Eigen::VectorXd& impulse) const;
};

struct ContactsFile {
  std::string source;  // name of the file, for messages
  FrictionContactProblem problem;
  std::optional<ContactsMachine> machine;
  ContactsOptions options;    // of the file; the usual ones where it says none
  std::vector<double> start;  // an impulse to begin from; empty: none
  IdKind id_kind = IdKind::none;
  std::string id;     // digits as written, or the text
  std::string title;  // key `name`
};

// Bounds on the memory that a file can ask for.
inline constexpr TextLimits contacts_limits{std::size_t{512} << 20, 16, std::size_t{64} << 10, std::size_t{8} << 20};

// Each is another solve.
inline constexpr int most_other_starts = 10000;

// Throws InputError with the place of whatever is wrong, RuntimeFailure when the file cannot be read. A file may be
// compressed by gzip; one that begins with a number is in the format of Siconos.
ContactsFile read_contacts_file(const std::string& path);
ContactsFile read_contacts_text(std::string text, const std::string& name, const TextLimits& limits = contacts_limits);

// `id` and `id_kind` alone, of a text that need not be a problem; none where it has none or cannot be read.
ContactsFile read_contacts_id(std::string text);

// Whether a text is such a file rather than a problem of `routh impact`, whose keys are much the same: it is
// compressed, or Siconos' text, or has a key or a form of value that only these have.
bool is_contacts_text(const std::string& text);
bool is_contacts_problem(const Node& root);

// An impulse to begin from: a list of numbers, or an answer of `routh contacts --json`, whose `impulse` it is.
std::vector<double> read_start_file(const std::string& path);

}  // namespace routh::internal
