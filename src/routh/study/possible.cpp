#include "routh/study/possible.h"

#include <fmt/format.h>

#include <algorithm>

namespace routh::internal {

namespace {

constexpr std::uint64_t most_tries = 256;       // of samples, and of values of a range
constexpr std::size_t longest_list = 16 << 10;  // whose values are all tried

using Values = std::vector<GivenValue>;

bool names_value(const std::string& message, double value) {
  return message.find(fmt::format("= {}", value)) != std::string::npos;
}

// The message names the value where the rule itself does not.
std::string with_value(const GivenValue& given, const std::string& message) {
  if (names_value(message, given.value)) return message;
  return fmt::format("{} = {}: {}", printable(given.path.text), given.value, message);
}

// Whether a sample can be: some of them are tried, from the first to the last.
bool has_sample(const Study& study, const Values& settings, std::span<const VaryingParameter> varying) {
  const std::uint64_t tries = std::min(most_tries, study.samples());
  Values values = settings;
  for (const VaryingParameter& each : varying) values.push_back({each.path, 0, each.where});
  std::vector<double> sample(varying.size());
  for (std::uint64_t k = 0; k < tries; ++k) {
    study.sampler->sample(k * (study.samples() / tries), sample);
    for (std::size_t j = 0; j < sample.size(); ++j) values[settings.size() + j].value = sample[j];
    if (!study.subject->try_values(values)) return true;
  }
  return false;
}

// Which of the settings a refusal of all is about: the one that it names, else one that is refused by itself, else the
// last.
const GivenValue& culprit(const Study& study, const Values& settings, const Refusal& refusal) {
  for (const GivenValue& given : settings)
    if (names_value(refusal.message, given.value) &&
        refusal.message.find(given.path[given.path.size() - 1].word) != std::string::npos)
      return given;
  for (const GivenValue& given : settings)
    if (study.subject->try_values({&given, 1})) return given;
  return settings.back();
}

void refuse_settings(const Study& study, const Values& settings) {
  const auto refusal = study.subject->try_values(settings);
  if (!refusal || settings.empty()) return;
  const GivenValue& given = culprit(study, settings, *refusal);
  throw InputError(
      given.where, with_value(given, refusal->message),
      refusal->remedy.empty() ? "give a value that is allowed, or leave it out of `set`" : refusal->remedy);
}

// What a parameter takes: all values of a list, some of a range, its ends among them. Nothing of a list so long that
// trying it would take longer than computing.
std::vector<double> values_to_try(const Sampler& sampler, std::size_t parameter) {
  std::vector<double> values;
  const SamplerPlan& plan = sampler.plan();
  if (plan.method == SampleMethod::list) {
    if (plan.samples > longest_list) return {};
    for (std::size_t k = parameter; k < plan.listed.size(); k += plan.spreads.size()) values.push_back(plan.listed[k]);
    return values;
  }
  const Spread& spread = plan.spreads[parameter];
  if (spread.kind == SpreadKind::values)
    return spread.values.size() > longest_list ? std::vector<double>() : spread.values;
  if (plan.method == SampleMethod::grid) {
    const long long tries = std::min<long long>(spread.levels, most_tries);
    for (long long k = 0; k + 1 < tries; ++k) values.push_back(spread.level(k * (spread.levels / tries)));
    values.push_back(spread.level(spread.levels - 1));
    return values;
  }
  for (std::uint64_t k = 0; k < most_tries; ++k)
    values.push_back(spread.at(static_cast<double>(k) / static_cast<double>(most_tries - 1)));
  // Where most rules have their end, which a wide range may step over.
  if (std::min(values.front(), values.back()) < 0 && std::max(values.front(), values.back()) > 0) values.push_back(0);
  return values;
}

void refuse_varying(const Study& study, Values values, const VaryingParameter& parameter, std::size_t number) {
  const std::vector<double> tried = values_to_try(*study.sampler, number);
  std::optional<Refusal> first;
  values.push_back({parameter.path, 0, parameter.where});
  for (const double value : tried) {
    values.back().value = value;
    const auto refusal = study.subject->try_values(values);
    if (!refusal) return;
    if (!first) first = refusal;
  }
  if (!first) return;
  values.back().value = tried.front();
  const auto [low, high] = std::minmax_element(tried.begin(), tried.end());
  const std::string which =
      *low == *high ? fmt::format("{:.6g}", *low) : fmt::format("from {:.6g} to {:.6g}", *low, *high);
  throw InputError(parameter.where,
                   fmt::format("'{}' varies over nothing that is allowed ({}): {}", printable(parameter.path.text),
                               which, with_value(values.back(), first->message)),
                   first->remedy.empty() ? "let it reach into what is allowed" : first->remedy);
}

}  // namespace

void refuse_impossible(const Study& study, std::span<const GivenValue> settings,
                       std::span<const VaryingParameter> varying) {
  const Values fixed(settings.begin(), settings.end());
  if (has_sample(study, fixed, varying)) return;
  refuse_settings(study, fixed);
  for (std::size_t k = 0; k < varying.size(); ++k) refuse_varying(study, fixed, varying[k], k);
}

}  // namespace routh::internal
