// What problems and scenes have in common once their impact is solved: the report, the picture, the exit code.
#pragma once

#include <string>

#include "commands.h"
#include "impact_report.h"
#include "options.h"
#include "routh/problem/answer.h"
#include "routh/problem/several_contacts.h"
#include "routh/report/documents.h"

namespace routh {

ExitCode to_exit_code(Outcome outcome);

// The contact's part of a report, without sections.
ImpactReport contact_report(const ProblemAnswer& answer, const std::string& title);
// One row for each entry of a vector of the laws.
ReportSection law_section(const ProblemAnswer& answer, Eigen::VectorXd LawAnswer::*vector,
                          std::vector<std::string> labels);

void write_picture(const PictureFiles& files, const ProblemAnswer& answer, const std::string& title);

// Several contacts at once: what a title says of the rule, and the refusal of a --law that the rule does not know.
const char* rule_words(SimultaneousRule rule);
void refuse_law(const ImpactOptions& options, SimultaneousRule rule);

// For a page: the paths of the laws with an answer, and the warnings as sentences, `where` before each.
std::vector<LawPath> page_paths(const ProblemAnswer& answer, int contact);
std::vector<std::string> page_warnings(const ProblemAnswer& answer, const std::string& where);
std::vector<std::string> page_warnings(const SimultaneousAnswers& answers, const std::string& where);

// Says what is to be said besides the result, and what all this means for the exit code. `where` stands before each
// sentence.
ExitCode conclude(const ImpactOptions& options, const Terminal& terminal, const ProblemAnswer& answer,
                  const std::string& where);
ExitCode conclude(const ImpactOptions& options, const Terminal& terminal, const SimultaneousAnswers& answers,
                  const std::string& where);

// The state at which to ask: that of the scene, or of its first strike within `duration` [s]. Throws NoAnswer.
State find_moment(const Scene& scene, StrikeMoment moment, double duration);

// `routh impact` on a scene: what strikes at its state, or first on its way from there.
ExitCode run_scene_impact(const ImpactOptions& options, const Terminal& terminal, const Scene& scene);

}  // namespace routh
