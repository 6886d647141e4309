// Several contacts that strike at once, from a problem file: by projection, smooth and without slip, and without
// rebound with friction; or by the compliant march.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routh/march/run_rule.h"
#include "routh/problem/answer.h"
#include "routh/problem/contacts_answer.h"
#include "routh/problem/json_text.h"
#include "routh/problem/problem_file.h"

namespace routh::internal {

// Contacts with friction of which none rebounds: Signorini's condition and Coulomb's law on the true cone, all at once.
struct FrictionalAnswer {
  ContactsFile file;  // the machine as a frictional contact problem
  ContactsAnswer answer;
};
// Of a problem with tangential rows. None where a contact rebounds, or none has friction. Slip and stick have the
// kinetic coefficient; redundant contacts the impulses of least norm.
std::optional<FrictionalAnswer> solve_frictional(const SimultaneousProblem& problem);

// The compliant march under one law for all contacts.
struct LawOfAll {
  Law law = Law::energetic;
  SimultaneousResult result;
  std::vector<MarchPoint> path;
};

struct SimultaneousAnswers {
  SimultaneousRule rule = SimultaneousRule::simultaneous;
  // Of the rule `run`; then all that follows stands beside it, but for `march`.
  std::optional<RunAnswer> run;
  // Of the rule `simultaneous`: Newton's, by projection.
  SimultaneousResult smooth;
  // Contacts that do not slip: their impulses may leave the friction cone, and then it says which would slip. None
  // where a surface moves: it would have to be followed.
  std::optional<SimultaneousResult> sticking;
  // Both laws, where nothing rebounds; nor this where a surface moves.
  std::optional<FrictionalAnswer> frictional;
  // Of the rule `together`.
  SimultaneousResult march;
  std::vector<MarchPoint> path;
  // Beside `run`: every law that marches.
  std::vector<LawOfAll> laws;
  // Of the machine: tangential rows, and v_s as in MarchSettings.
  Eigen::MatrixXd tangential;
  Eigen::VectorXd surface_velocity;

  // What decides: of the rule `run` the answer of a run, else the worst of `answers_of` and `frictional`.
  Outcome outcome() const;
  // v_t⁺ of each contact, a column each, relative to its surface.
  Eigen::MatrixXd slip(const SimultaneousResult& result) const;
};
// What the rule gave but for `frictional`, by the names of JSON and tables.
struct NamedAnswer {
  const char* label;
  const SimultaneousResult* result;
  const std::vector<MarchPoint>* path = nullptr;  // of a march
};
std::vector<NamedAnswer> answers_of(const SimultaneousAnswers& answers);
Outcome outcome_of(SimultaneousStatus status);

// By a rule, but for what stands beside its answers. `machine` has tangential rows; `settings` are those of the march.
SimultaneousAnswers solve_by_rule(SimultaneousRule rule, const SimultaneousProblem& machine,
                                  const MarchSettings& settings);
// What stands beside: the frictional contact problem, and beside `run` each law for all contacts.
void solve_beside(const SimultaneousProblem& machine, const MarchSettings& settings, SimultaneousAnswers& answers);
// That of the file; else `run`, unless the file has what runs do not know: an external impulse, Newton's law.
SimultaneousRule rule_of(const ProblemFile& file);

// What a person should know about a result, one sentence for each of its warnings, in their order.
std::vector<std::string> warning_sentences(const SimultaneousResult& result);

// Of a file with several `contacts`, by its own rule. Throws InputError when the mass matrix is not positive definite,
// or the rule does not know what the file asks for.
SimultaneousAnswers solve_several(const ProblemFile& file);

// {"schema": 1, "id": …, "rule": …, "run": {"rule": …, …}, "smooth": {…}, "sticking": {…}, "energetic": {…},
// "poisson": {…}, "frictional": {…}}; of the rule `simultaneous` {…, "smooth", "sticking", "frictional"}, of `together`
// {…, "together": {…}}
void append_several(std::string& out, const ProblemFile& file, const SimultaneousAnswers& answers);
// The members of `answers` from `rule` on.
void add_answers(JsonText& json, const SimultaneousAnswers& answers);
// One result: {"status", "velocity", "impulse", "loop_multipliers", "rank", "rows", "energy", "contacts": […],
// "warnings": […]}, and "explanation" where there is no answer.
// The way through a march: [{"impulse": [[n, t1, …], …], "velocity": […], "stage": […], "slip": […]}, …], each with an
// entry for each contact.
JsonText path_json(const std::vector<MarchPoint>& path);
// `slip`, a column for each contact.
JsonText simultaneous_json(const SimultaneousResult& result, const Eigen::MatrixXd& slip);
// The object of `routh contacts`, with its rule; null where there is none.
JsonText frictional_json(const std::optional<FrictionalAnswer>& frictional);

}  // namespace routh::internal
