// Any number of contacts at once, from a file: solved, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "routh/problem/answer.h"
#include "routh/problem/contacts_file.h"

namespace routh::internal {

enum class ContactState {
  open,    // separates
  sticks,  // closed, without velocity
  slips,   // closed, with tangential velocity, or with a slip that was given
};
constexpr auto names_of(ContactState) {
  return name_table<ContactState>(
      {{ContactState::open, "open"}, {ContactState::sticks, "sticks"}, {ContactState::slips, "slips"}});
}

struct ContactsAnswer {
  ContactsSolution solution;
  std::vector<ContactState> states;  // of each contact; empty unless solved
  Eigen::VectorXd machine_velocity;  // q̇⁺ of a machine; empty otherwise

  Outcome outcome() const;
};

// Throws InputError, with the name of the file, where the numbers cannot be used.
ContactsAnswer solve_contacts(const ContactsFile& file, FrictionContactSolver& solver);

// What a person should know beside the numbers, a sentence each: why it is not solved, what contradicts, what is not
// unique.
std::vector<std::string> contacts_sentences(const ContactsFile& file, const ContactsAnswer& answer);

// {"schema": 1, "id": …, "status", "residual", "impulse", "velocity", "iterations", …}, without a line break.
void append_contacts(std::string& out, const ContactsFile& file, const ContactsAnswer& answer);

// What replaces the options of a file: those of the command line.
struct ContactsOverrides {
  std::optional<double> tolerance;
  std::optional<int> iterations, other_starts;
  bool least_norm = false;

  void apply(ContactsOptions& options) const;
};

// One line of a stream into one object, without the line break.
class ContactsLineSolver {
 public:
  explicit ContactsLineSolver(const ContactsOverrides& overrides) : overrides_(overrides) {}
  Outcome solve(std::string_view line, long long number, std::string& out);

 private:
  ContactsOverrides overrides_;
  FrictionContactSolver solver_;
};

}  // namespace routh::internal
