#include "assignments.h"

#include <fmt/format.h>

#include <numbers>

#include "options.h"
#include "output.h"
#include "routh/base/number.h"
#include "routh/problem/answer.h"
#include "routh/study/problem_parameter.h"
#include "routh/study/scene_parameter.h"
#include "routh/study/scene_subject.h"

namespace routh {

namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

UsageError refusal(const std::string& assignment, const InputError& error) {
  return UsageError(fmt::format("error: --set {}: {}{}{}", printable(assignment, 200), error.message(),
                                error.remedy().empty() ? "" : "; ", error.remedy()));
}

// Calls `take` with each path and value; what it refuses is told with its assignment.
template <class Take>
void each_assignment(const std::vector<std::string>& assignments, const Take& take) {
  for (const std::string& assignment : assignments) {
    const Halves halves = split("--set", assignment, '=', "PATH=VALUE");
    try {
      take(parse_path(halves.first, {}), halves.second);
    } catch (const InputError& error) {
      throw refusal(assignment, error);
    }
  }
}

}  // namespace

Halves split(const std::string& option, std::string_view text, char mark, const char* form) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos)
    throw UsageError(
        fmt::format("error: {}: found '{}' where {} is expected", option, printable(std::string(text)), form));
  return {trim(text.substr(0, at)), trim(text.substr(at + 1))};
}

double read_quantity(const std::string& option, std::string_view text, const Quantity& quantity) {
  text = trim(text);
  double unit = 1;
  std::string_view digits = text;
  if (text.ends_with("deg")) {
    if (!quantity.is_angle)
      throw UsageError(fmt::format("error: {}: '{}': degrees are for positions that are angles, not for {}", option,
                                   printable(std::string(text)), quantity.name));
    digits = trim(text.substr(0, text.size() - 3));
    unit = std::numbers::pi / 180;
  }
  const ParsedNumber parsed = parse_number(digits);
  if (parsed.fault != NumberFault::none)
    throw UsageError(fmt::format("error: {}: '{}' {}", option, printable(std::string(text)), explain(parsed.fault)));
  return parsed.value * unit;
}

void assign(const std::vector<std::string>& assignments, Scene& scene) {
  if (assignments.empty()) return;
  std::vector<GivenValue> values;
  each_assignment(assignments, [&](const StudyPath& path, std::string_view text) {
    const SceneParameter parameter = find_scene_parameter(path, scene.draft, scene.model);
    values.push_back({path, read_quantity("--set " + path.text, text, {path.text, parameter.is_angle}), {}});
  });
  try {
    set_values(scene, values);
  } catch (const InputError& error) {
    throw refusal(fmt::format("{}", fmt::join(assignments, " ")), error);
  }
}

void assign(const std::vector<std::string>& assignments, ProblemFile& problem) {
  if (assignments.empty()) return;
  each_assignment(assignments, [&](const StudyPath& path, std::string_view text) {
    const ProblemParameter parameter = ProblemParameter::find(path, problem);
    parameter.set(problem, read_quantity("--set " + path.text, text, {path.text, false}));
    if (const auto breach = settle(problem)) throw InputError({}, breach->message, breach->remedy);
    ProblemSolver().prepare(problem);
  });
}

void refuse_assignments(const std::vector<std::string>& assignments, const char* what) {
  if (!assignments.empty())
    throw UsageError(fmt::format("error: --set {}: {}", printable(assignments.front(), 200), what));
}

}  // namespace routh
