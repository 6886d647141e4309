// What is measured and how it is reduced: the section `measure`.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "routh/study/study_reader.h"

namespace routh::internal {

namespace {

constexpr std::size_t max_measures = 1000;
constexpr int max_bins = 100000;

// `sample.index`, `sample.PARAMETER`, or a quantity of the subject.
QuantityRef find_slot(const StudyPath& path, Study& study) {
  if (!path[0].is("sample")) {
    QuantityRef found = study.subject->find_quantity(path);
    found.slot += static_cast<int>(study.first_quantity());
    return found;
  }
  const std::string rest = path.tail().text;
  if (rest == "index") return {0, {}, false};
  for (std::size_t k = 0; k < study.parameters.size(); ++k)
    if (study.parameters[k] == rest) return {static_cast<int>(k) + 1, {}, false};
  std::vector<std::string> known = {"sample.index"};
  for (const std::string& parameter : study.parameters) known.push_back("sample." + parameter);
  throw InputError(path.where, fmt::format("'{}' does not vary", printable(path.text)), known_names(path.text, known));
}

HistogramPlan read_histogram(const Node& node) {
  node.allow_keys({"from", "to", "bins"});
  HistogramPlan plan;
  plan.from = node.require("from").number();
  plan.to = node.require("to").number();
  plan.bins = static_cast<int>(node.require("bins").integer(1, max_bins));
  if (!(plan.to > plan.from)) node.require("to").fail(fmt::format("to: {} must exceed `from`", plan.to));
  return plan;
}

std::vector<double> read_quantiles(const Node& node) {
  std::vector<double> shares;
  node.expect_sequence();
  if (node.size() == 0 || node.size() > 1000) node.fail("quantiles: give 1 to 1000 shares");
  for (const Node share : node) {
    const double p = share.number();
    if (!(p >= 0 && p <= 1)) share.fail(fmt::format("{}: {} must lie in [0, 1]", share.path(), p));
    if (!shares.empty() && !(p > shares.back())) share.fail("quantiles: shares must rise");
    shares.push_back(p);
  }
  return shares;
}

void read_wish(const Node& node, const StudyMeasure& measure, ReductionPlan& plan) {
  Node value = node;
  std::string_view word;
  if (node.is_map()) {
    node.allow_keys(all_names<ReductionKind>);
    if (node.size() != 1) node.fail("a reduction is a word or a map with one key", "split it into several entries");
    value = node.child(0);
    word = value.key();
  } else {
    word = name(node.choice<ReductionKind>());
  }
  const ReductionKind wish = *value_named<ReductionKind>(word);
  const bool has_value = node.is_map();
  if (has_value != (wish == ReductionKind::quantiles || wish == ReductionKind::histogram))
    node.fail(fmt::format("{} is written as {}", word, has_value ? "a word" : "a map"),
              wish == ReductionKind::quantiles ? "as in {quantiles: [0.05, 0.5, 0.95]}"
                                               : "as in {histogram: {from: 0, to: 1, bins: 20}}");
  if (!measure.words.empty() && wish != ReductionKind::counts)
    node.fail(fmt::format("the values of '{}' are names: they can be counted only", measure.name), "use `counts`");
  if (measure.words.empty() && wish == ReductionKind::counts)
    node.fail(fmt::format("the values of '{}' are numbers", measure.name), "use a histogram, or mean and std");
  switch (wish) {
    case ReductionKind::mean:
      plan.mean = true;
      return;
    case ReductionKind::deviation:
      plan.deviation = true;
      return;
    case ReductionKind::least:
      plan.least = true;
      return;
    case ReductionKind::greatest:
      plan.greatest = true;
      return;
    case ReductionKind::fraction:
      plan.fraction = true;
      return;
    case ReductionKind::counts:
      plan.counts = true;
      return;
    case ReductionKind::quantiles:
      plan.quantiles = read_quantiles(value);
      return;
    case ReductionKind::histogram:
      plan.histogram = read_histogram(value);
      return;
  }
}

ReductionPlan usual(const StudyMeasure& measure) {
  ReductionPlan plan;
  if (!measure.words.empty()) {
    plan.counts = true;
  } else if (measure.value.is_condition()) {
    plan.fraction = true;
  } else {
    plan.mean = plan.deviation = plan.least = plan.greatest = true;
  }
  return plan;
}

StudyMeasure read_measure(const Node& node, Study& study) {
  StudyMeasure measure;
  measure.name = node.key();
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (measure.name.empty() || measure.name.size() > 60 || !std::all_of(measure.name.begin(), measure.name.end(), plain))
    throw InputError(node.key_where(), fmt::format("'{}' is no name of a measure", printable(measure.name)),
                     "letters, digits and _ are allowed");
  const bool taken =
      measure.name == "sample" || measure.name == "fault" ||
      std::find(study.parameters.begin(), study.parameters.end(), measure.name) != study.parameters.end();
  if (taken)
    throw InputError(node.key_where(), fmt::format("'{}' is a column of the table already", measure.name),
                     "give the measure another name");
  if (node.is_map()) node.allow_keys({"value", "reduce"});
  const Node value = node.is_map() ? node.require("value") : node;
  measure.text = value.text();
  Location where = value.where();
  if (value.quoted() && where.column > 0) ++where.column;
  measure.value =
      Expression::compile(measure.text, where, [&](const StudyPath& path) { return find_slot(path, study); });
  measure.words.assign(measure.value.words().begin(), measure.value.words().end());
  const auto wishes = node.is_map() ? node.find("reduce") : std::nullopt;
  if (!wishes) {
    measure.reduce = usual(measure);
    return measure;
  }
  if (!wishes->is_sequence()) {
    read_wish(*wishes, measure, measure.reduce);
    return measure;
  }
  for (const Node wish : *wishes) read_wish(wish, measure, measure.reduce);
  return measure;
}

}  // namespace

void read_measures(const Node& root, Study& study) {
  const Node section = root.require("measure");
  section.expect_map();
  if (section.size() == 0) section.fail("measure: nothing is measured", "name at least one quantity");
  if (section.size() > max_measures)
    section.fail(fmt::format("measure: {} measures; at most {} are allowed", section.size(), max_measures));
  for (const Node node : section) study.measures.push_back(read_measure(node, study));
}

}  // namespace routh::internal
