#include "impact_outcome.h"

#include <fmt/format.h>

#include "output.h"
#include "routh/figure/hodograph.h"

namespace routh {

namespace {

std::vector<ImpactResult> results_of(const ProblemAnswer& answer) {
  std::vector<ImpactResult> results;
  for (const LawAnswer& law : answer.answers()) results.push_back(law.result);
  return results;
}

// Why contacts with friction that do not rebound have no answer; empty where they have one, or none was asked for.
std::vector<std::string> frictional_errors(const SimultaneousAnswers& answers, const std::string& where) {
  if (!answers.frictional || answers.frictional->answer.outcome() == Outcome::answered) return {};
  std::vector<std::string> sentences = contacts_sentences(answers.frictional->file, answers.frictional->answer);
  for (std::string& sentence : sentences) sentence = fmt::format("{}with friction: {}", where, sentence);
  return sentences;
}

}  // namespace

ExitCode to_exit_code(Outcome outcome) { return static_cast<ExitCode>(exit_code(outcome)); }

ImpactReport contact_report(const ProblemAnswer& answer, const std::string& title) {
  ImpactReport report;
  report.title = title;
  report.problem = &answer.problem;
  report.bounds = answer.bounds;
  report.results = results_of(answer);
  return report;
}

ReportSection law_section(const ProblemAnswer& answer, Eigen::VectorXd LawAnswer::*vector,
                          std::vector<std::string> labels) {
  ReportSection section;
  section.labels = std::move(labels);
  for (const LawAnswer& law : answer.answers()) section.values.emplace_back((law.*vector).begin(), (law.*vector).end());
  return section;
}

void write_picture(const PictureFiles& files, const ProblemAnswer& answer, const std::string& title) {
  if (files.wanted()) write_pictures(files, hodograph_picture(answer.problem, results_of(answer), title));
}

const char* rule_words(SimultaneousRule rule) {
  switch (rule) {
    case SimultaneousRule::simultaneous:
      return "by projection (Newton's rule)";
    case SimultaneousRule::together:
      return "advanced together through slip and stick";
    case SimultaneousRule::run:
      return "as in a run";
  }
  return "";
}

void refuse_law(const ImpactOptions& options, SimultaneousRule rule) {
  if (!options.law) return;
  if (!knows(rule, *options.law))
    throw UsageError(fmt::format("error: --law {}: {}", name(*options.law), known_laws()));
}

std::vector<LawPath> page_paths(const ProblemAnswer& answer, int contact) { return law_paths(answer, contact); }

std::vector<std::string> page_warnings(const ProblemAnswer& answer, const std::string& where) {
  const std::vector<ImpactResult> results = results_of(answer);
  std::vector<std::string> sentences = warning_sentences(results);
  if (!results.empty() && !usable(results.front().status))
    sentences.insert(sentences.begin(),
                     fmt::format("{}: {}", name(results.front().law), explain(results.front().status)));
  for (std::string& sentence : sentences) sentence = where + sentence;
  return sentences;
}

ExitCode conclude(const ImpactOptions& options, const Terminal& terminal, const ProblemAnswer& answer,
                  const std::string& where) {
  const std::vector<ImpactResult> results = results_of(answer);
  if (options.verbosity == Verbosity::normal)
    for (const std::string& sentence : warning_sentences(results))
      write_message("warning: " + encode(terminal, where + sentence));
  const Outcome outcome = answer.outcome();
  if (outcome != Outcome::answered) {
    const ImpactResult& first = results.front();
    write_message(encode(terminal, fmt::format("error: {}{}: {}", where, name(first.law), explain(first.status))));
    return to_exit_code(outcome);
  }
  if (options.energy == EnergyPolicy::warn) return ExitCode::ok;
  for (const ImpactResult& result : results) {
    if (!usable(result.status) || result.energy.consistent) continue;
    write_message(fmt::format("error: {}{} gains {:.3g} J (--strict)", where, name(result.law),
                              result.energy.normal_work + result.energy.tangential_work));
    return ExitCode::no_answer;
  }
  return ExitCode::ok;
}

std::vector<std::string> page_warnings(const SimultaneousAnswers& answers, const std::string& where) {
  std::vector<std::string> sentences;
  for (const auto& [label, result, path] : answers_of(answers)) {
    if (!usable(result->status)) sentences.push_back(fmt::format("{}{}: {}", where, label, explain(result->status)));
    for (const std::string& sentence : warning_sentences(*result))
      sentences.push_back(fmt::format("{}{}: {}", where, label, sentence));
  }
  for (std::string& sentence : frictional_errors(answers, where)) sentences.push_back(std::move(sentence));
  return sentences;
}

// Beside the answer of a run the others are news: that one has none is a warning.
ExitCode conclude(const ImpactOptions& options, const Terminal& terminal, const SimultaneousAnswers& answers,
                  const std::string& where) {
  const auto say = [&](bool decides, const std::string& sentence) {
    if (decides || options.verbosity == Verbosity::normal)
      write_message(encode(terminal, (decides ? "error: " : "warning: ") + sentence));
  };
  const std::vector<NamedAnswer> named = answers_of(answers);
  for (const auto& [label, result, path] : named) {
    for (const std::string& sentence : warning_sentences(*result))
      say(false, fmt::format("{}{}: {}", where, label, sentence));
    if (!usable(result->status))
      say(!answers.run || result == named.front().result,
          fmt::format("{}{}: {}", where, label, explain(result->status)));
  }
  for (const std::string& sentence : frictional_errors(answers, where)) say(!answers.run, sentence);
  if (answers.outcome() != Outcome::answered) return to_exit_code(answers.outcome());
  const auto [label, result, path] = named.front();
  if (options.energy == EnergyPolicy::warn || result->consistent) return ExitCode::ok;
  write_message(fmt::format("error: {}{} gains {:.3g} J (--strict)", where, label, result->gain));
  return ExitCode::no_answer;
}

}  // namespace routh
