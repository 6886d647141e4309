// What varies, and how: the sections `vary` and `sampling`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/study/sample_list.h"
#include "routh/study/study_reader.h"

namespace routh::internal {

namespace {

constexpr long long max_levels = 1'000'000'000;
constexpr std::size_t max_parameters = 1000;

double positive(const Node& node, const char* remedy) {
  const double value = node.number();
  if (!(value > 0)) node.fail(fmt::format("{}: {} must be positive", node.path(), value), remedy);
  return value;
}

Spread listed_spread(const Node& node) {
  node.expect_sequence();
  Spread spread;
  spread.kind = SpreadKind::values;
  if (node.size() == 0) node.fail(fmt::format("{}: the list is empty", node.path()), "give at least one value");
  for (const Node value : node) spread.values.push_back(value.number());
  spread.levels = static_cast<long long>(spread.values.size());
  return spread;
}

Spread range_spread(const Node& node) {
  Spread spread;
  const Node from = node.require("from"), to = node.require("to");
  spread.from = from.number();
  spread.to = to.number();
  if (const auto scale = node.find("scale"); scale && scale->choice<SpreadScale>() == SpreadScale::log) {
    positive(from, "zero and less have no logarithm");
    positive(to, "zero and less have no logarithm");
    spread.kind = SpreadKind::logarithmic;
  }
  if (!std::isfinite(spread.to - spread.from)) node.fail(fmt::format("{}: the range is too wide", node.path()));
  return spread;
}

// {from, to, scale, count} | {mean, std, count} | {values: […]} | [values]
Spread read_spread(const Node& node, SampleMethod method) {
  if (node.is_sequence()) return listed_spread(node);
  if (!node.is_map())
    node.fail(fmt::format("{}: found {}", node.path(), node.describe()),
              "give {from, to}, {mean, std} or {values}; a fixed value belongs into `set`");
  if (const auto values = node.find("values")) {
    node.allow_keys({"values"});
    return listed_spread(*values);
  }
  Spread spread;
  if (node.find("mean")) {
    node.allow_keys({"mean", "std", "count"});
    spread.kind = SpreadKind::normal;
    spread.mean = node.require("mean").number();
    spread.deviation = positive(node.require("std"), "a fixed value belongs into `set`");
  } else {
    node.allow_keys({"from", "to", "scale", "count"});
    spread = range_spread(node);
  }
  const auto count = node.find("count");
  if (count && method != SampleMethod::grid)
    count->fail("count: only a grid has levels", "give `samples` in the section `sampling`");
  if (method == SampleMethod::grid) spread.levels = node.require("count").integer(1, max_levels);
  return spread;
}

void vary_parameter(const VaryingParameter& parameter, Study& study, std::vector<VaryingParameter>& varying) {
  study.subject->add_parameter(parameter.path);
  study.parameters.push_back(parameter.path.text);
  varying.push_back(parameter);
}

void read_ways(const Node& root, Study& study, SamplerPlan& plan, std::vector<VaryingParameter>& varying) {
  const Node vary = require_section(root, "vary", "{friction: {from: 0, to: 1}}");
  vary.expect_map();
  if (vary.size() == 0) vary.fail("vary: nothing varies", "name at least one parameter");
  if (vary.size() > max_parameters)
    vary.fail(fmt::format("vary: {} parameters; at most {} are allowed", vary.size(), max_parameters));
  if (plan.method == SampleMethod::sobol && vary.size() > static_cast<std::size_t>(max_sobol_dimensions))
    vary.fail(
        fmt::format("vary: {} parameters; Sobol's sequence has at most {} here", vary.size(), max_sobol_dimensions),
        "use latin_hypercube or random");
  for (const Node entry : vary) {
    vary_parameter({parse_path(entry.key(), entry.key_where()), entry.where()}, study, varying);
    plan.spreads.push_back(read_spread(entry, plan.method));
  }
}

SampleList read_list_file(const Node& file, const std::string& path, std::string& hashed) {
  try {
    return read_sample_list(path, hashed);
  } catch (const RuntimeFailure& failure) {
    file.fail(failure.what(), "files are sought beside the study");
  }
}

// The columns of a list: those that `vary` names, or all.
std::vector<VaryingParameter> read_list(const Node& root, const SampleList& list, Study& study, SamplerPlan& plan) {
  std::vector<VaryingParameter> varying;
  std::vector<std::size_t> chosen;
  if (const auto vary = root.find("vary")) {
    vary->expect_map();
    for (const Node entry : *vary) {
      if (!entry.is_scalar())
        entry.fail(fmt::format("{}: found {}", entry.path(), entry.describe()),
                   "with the method csv name the column that holds it");
      const auto found = std::find(list.columns.begin(), list.columns.end(), entry.text());
      if (found == list.columns.end())
        entry.fail(fmt::format("{}: the list has no column '{}'", entry.path(), printable(std::string(entry.text()))),
                   known_names(entry.text(), list.columns));
      vary_parameter({parse_path(entry.key(), entry.key_where()), entry.where()}, study, varying);
      chosen.push_back(static_cast<std::size_t>(found - list.columns.begin()));
    }
  } else {
    for (std::size_t k = 0; k < list.columns.size(); ++k) {
      const Location where = list.heading(k);
      vary_parameter({parse_path(list.columns[k], where), where}, study, varying);
      chosen.push_back(k);
    }
  }
  plan.spreads.resize(chosen.size());
  plan.samples = list.rows();
  for (std::size_t row = 0; row < list.rows(); ++row)
    for (const std::size_t column : chosen) plan.listed.push_back(list.values[row * list.columns.size() + column]);
  return varying;
}

}  // namespace

std::vector<VaryingParameter> read_sampling(const Node& root, Study& study, const AttachedTexts& attached,
                                            std::string& hashed) {
  const Node sampling = require_section(root, "sampling", "{method: latin_hypercube, samples: 1000, seed: 1}");
  sampling.allow_keys({"method", "samples", "seed", "file"});
  SamplerPlan plan;
  plan.method = sampling.require("method").choice<SampleMethod>();
  const auto refuse_key = [&](const char* key, const char* why) {
    if (const auto node = sampling.find(key)) node->fail(fmt::format("{}: {}", key, why), "remove it");
  };
  if (plan.method != SampleMethod::list) refuse_key("file", "only the method csv reads one");
  if (plan.method == SampleMethod::grid || plan.method == SampleMethod::list) {
    refuse_key("samples", "a grid and a list have as many samples as they have");
    refuse_key("seed", "a grid and a list have nothing random");
  }
  if (const auto seed = sampling.find("seed")) {
    plan.seed = static_cast<std::uint64_t>(seed->integer(0, std::int64_t{1} << 53));
    plan.shifted = true;
  }
  const bool random = plan.method == SampleMethod::random || plan.method == SampleMethod::latin_hypercube;
  if (random) sampling.require("seed");
  std::vector<VaryingParameter> varying;
  if (plan.method == SampleMethod::list) {
    const Node file = sampling.require("file");
    const std::string word(file.text());
    const bool given = attached.contains(word);
    const std::string path = given ? word : path_beside(word, study.path);
    const SampleList list = given ? parse_sample_list(attached.at(word), path) : read_list_file(file, path, hashed);
    if (given)
      hashed += attached.at(word);
    else
      study.sources.push_back(path);
    varying = read_list(root, list, study, plan);
  } else {
    read_ways(root, study, plan, varying);
    plan.samples =
        plan.method == SampleMethod::grid
            ? grid_size(plan.spreads)
            : static_cast<std::uint64_t>(sampling.require("samples").integer(1, static_cast<long long>(max_samples)));
    if (plan.samples == 0) root.require("vary").fail("vary: the grid has too many points");
  }
  study.method = plan.method;
  study.seed = plan.seed;
  study.sampler.emplace(std::move(plan));
  return varying;
}

}  // namespace routh::internal
