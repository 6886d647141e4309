// What a prediction found, as JSON, as CSV, and as a page; and the estimate that it starts from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/figure/svg.h"
#include "routh/problem/json_text.h"
#include "routh/recording/page_parts.h"
#include "routh/recording/predict.h"
#include "routh/recording/tolerances.h"
#include "routh/recording/writer.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

JsonText json_of(const Forecast& one) {
  JsonText out = JsonText::object({{"name", one.name}, {"outcomes", one.outcomes}, {"scored", one.scored}});
  if (one.scored == 0) return out;
  out.add("log_score", one.score);
  out.add("base_rate", one.base);
  out.add("better", JsonText::object({{"share", one.better()}, {"interval", JsonText::list({one.low, one.high})}}));
  out.add("reliability", json_list(one.bins, [](const Forecast::Bin& bin) {
            return JsonText::object({{"forecast", bin.count > 0 ? JsonText(bin.forecast) : JsonText()},
                                     {"came_true", bin.count > 0 ? JsonText(bin.came_true) : JsonText()},
                                     {"count", bin.count}});
          }));
  return out;
}

JsonText json_of(const PredictReport& report, std::size_t t) {
  const PredictedThrow& one = report.throws[t];
  JsonText out = JsonText::object({{"name", one.name}});
  for (const Forecast& each : report.forecasts) {
    JsonText probability = JsonText::object();
    for (std::size_t k = 0; k < each.outcomes.size(); ++k) probability.add(each.outcomes[k], each.probability[t][k]);
    out.add(each.name, probability);
    if (each.happened[t] >= 0)
      out.add("measured_" + each.name, each.outcomes[static_cast<std::size_t>(each.happened[t])]);
  }
  out.add("end", JsonText::object({{"time", one.times.back()}, {"mean", one.mean}, {"deviation", one.deviation}}));
  out.add("failed", one.failed);
  return out;
}

// Forecast over what came true: the diagonal is perfect; a disc's area goes with how many forecasts it stands for.
std::string reliability(const Forecast& one) {
  const double size = wide / 2, span = size - 2 * margin;
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {0} {0}\" style=\"max-width:22rem\" role=\"img\" "
      "aria-label=\"reliability of {1}\"><line x1=\"{2}\" y1=\"{3}\" x2=\"{3}\" y2=\"{2}\"/>",
      size, escape_xml(one.name), margin, size - margin);
  std::size_t most = 1;
  for (const Forecast::Bin& bin : one.bins) most = std::max(most, bin.count);
  for (const Forecast::Bin& bin : one.bins)
    if (bin.count > 0)
      out += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>forecast {:.3f}, came true {:.3f}, {} "
          "forecasts</title></circle>",
          margin + span * bin.forecast, size - margin - span * bin.came_true,
          2 + 8 * std::sqrt(static_cast<double>(bin.count) / static_cast<double>(most)), bin.forecast, bin.came_true,
          bin.count);
  return out + fmt::format(
                   "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">forecast</text><text x=\"{}\" y=\"14\">came "
                   "true</text></svg>\n",
                   size - margin, size - 6, margin);
}

std::string fan(const PredictedThrow& one) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto* each : {&one.height[0], &one.height[2], &one.measured})
    for (const double y : *each) {
      low = std::min(low, y);
      high = std::max(high, y);
    }
  const double span = high > low ? high - low : 1, last = one.times.back() > 0 ? one.times.back() : 1;
  const auto point = [&](std::size_t k, double y) {
    return fmt::format("{:.1f},{:.1f} ", margin + (wide - 2 * margin) * one.times[k] / last,
                       tall - margin - (tall - 2 * margin) * (y - low) / span);
  };
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"height\"><polygon class=\"band\" "
      "points=\"",
      wide, tall);
  for (std::size_t k = 0; k < one.times.size(); ++k) out += point(k, one.height[0][k]);
  for (std::size_t k = one.times.size(); k-- > 0;) out += point(k, one.height[2][k]);
  out += "\"/><polyline class=\"run\" points=\"";
  for (std::size_t k = 0; k < one.times.size(); ++k) out += point(k, one.height[1][k]);
  out += "\"/><polyline class=\"measured\" points=\"";
  for (std::size_t k = 0; k < one.measured.size(); ++k) out += point(k, one.measured[k]);
  return out + fmt::format("\"/><text x=\"{}\" y=\"14\">height, {:.4g} to {:.4g} m in {:.3g} s</text></svg>\n", margin,
                           low, high, last);
}

std::string likely(const Forecast& one, std::size_t t) {
  std::vector<std::size_t> order(one.outcomes.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return one.probability[t][a] > one.probability[t][b]; });
  std::string out = one.name + ":";
  for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k)
    out += fmt::format("{} {} {:.2f}", k == 0 ? "" : ",", one.outcomes[order[k]], one.probability[t][order[k]]);
  if (one.happened[t] >= 0)
    out += fmt::format("; measured {}", one.outcomes[static_cast<std::size_t>(one.happened[t])]);
  return out;
}

// The throws that were forecast worst; without measurements the first.
std::vector<std::size_t> worst_forecast(const PredictReport& report) {
  const Forecast& face = report.forecasts.front();
  const auto p = [&](std::size_t t) {
    return face.happened[t] < 0 ? 1.0 : face.probability[t][static_cast<std::size_t>(face.happened[t])];
  };
  std::vector<std::size_t> out(report.throws.size());
  for (std::size_t t = 0; t < out.size(); ++t) out[t] = t;
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return p(a) < p(b); });
  out.resize(std::min(out.size(), tolerances::worst_throws));
  return out;
}

}  // namespace

std::string predict_json(const PredictReport& report) {
  JsonText throws = JsonText::list();
  for (std::size_t t = 0; t < report.throws.size(); ++t) throws.push_back(json_of(report, t));
  return JsonText::object(
             {{"schema", 1},
              {"draws", report.draws},
              {"noise", report.noise},
              {"forecasts", json_list(report.forecasts, [](const Forecast& each) { return json_of(each); })},
              {"throws", throws},
              {"remarks", report.remarks}})
      .text();
}

std::string predict_csv(const PredictReport& report) {
  std::string text = "throw";
  for (const Forecast& each : report.forecasts) {
    for (const std::string& outcome : each.outcomes) text += fmt::format(",\"{}={}\"", each.name, outcome);
    text += fmt::format(",measured_{}", each.name);
  }
  text += "\n";
  for (std::size_t t = 0; t < report.throws.size(); ++t) {
    text += fmt::format("\"{}\"", printable(report.throws[t].name, 200));
    for (const Forecast& each : report.forecasts) {
      for (const double p : each.probability[t]) text += fmt::format(",{}", p);
      text += each.happened[t] < 0 ? ","
                                   : fmt::format(",\"{}\"", each.outcomes[static_cast<std::size_t>(each.happened[t])]);
    }
    text += "\n";
  }
  return text;
}

std::string predict_page(const PredictReport& report, const std::string& title) {
  std::string out =
      page_head(title) + fmt::format("<p>{} throws, {} draws of each.</p>\n", report.throws.size(), report.draws);
  for (const Forecast& each : report.forecasts) {
    if (each.scored == 0) continue;
    out += fmt::format(
        "<h2>{}</h2>\n<p>Log score {:.3f}, base rate {:.3f}: better by {:.0f} % [{:.0f}, {:.0f}]. What was forecast "
        "with a probability came true so often:</p>\n{}",
        escape_xml(each.name), each.score, each.base, 100 * each.better(), 100 * each.low, 100 * each.high,
        reliability(each));
  }
  if (!report.remarks.empty()) {
    out += "<h2>Remarks</h2>\n<ul>\n";
    for (const std::string& each : report.remarks) out += fmt::format("<li>{}</li>\n", escape_xml(each));
    out += "</ul>\n";
  }
  out += "<h2>Throws</h2>\n<p>Ninety of a hundred draws are in the band; grey as measured.</p>\n";
  for (const std::size_t t : worst_forecast(report)) {
    out += fmt::format("<h3>{}</h3>\n<p>", escape_xml(report.throws[t].name));
    for (std::size_t k = 0; k < report.forecasts.size(); ++k)
      out += fmt::format("{}{}", k == 0 ? "" : "<br>", escape_xml(likely(report.forecasts[k], t)));
    out += "</p>\n" + fan(report.throws[t]);
  }
  return out + "</body></html>\n";
}

namespace {

constexpr const char* identify_wrote = "give what `routh identify -o` wrote";

// What does not stand there as it was written would be drawn from without a word.
double number_within(const Node& node, double low, double high) {
  const double value = node.number();
  if (!(value >= low && value <= high))
    node.fail(fmt::format("{} = {} is not in [{}, {}]", node.path(), value, low, high), identify_wrote);
  return value;
}

}  // namespace

ReadEstimate read_estimate(const std::string& path) {
  const Document document = Document::from_file(path);
  const Node root = document.root();
  root.expect_map();
  number_within(root.require("schema"), identify_schema, identify_schema);
  const Node laws = root.require("laws");
  laws.expect_sequence();
  if (laws.size() == 0) throw InputError(laws.where(), "there is no law in it", identify_wrote);
  const Node best = laws.child(0);
  ReadEstimate out;
  const Node law = best.require("law");
  if (law.kind() == NodeKind::scalar) out.law = law.choice<Law>();
  for (const Node each : best.require("parameters")) {
    const Node range = each.require("range"), value = each.require("value");
    range.expect_sequence();
    if (range.size() != 2) throw InputError(range.where(), "a range has two ends", "write [low, high]");
    const double low = range.child(0).number(),
                 high = number_within(range.child(1), low, std::numeric_limits<double>::max());
    const bool known = value.kind() == NodeKind::scalar;
    out.estimate.value.push_back(known ? number_within(value, low, high) : 0);
    // −1: anywhere in its range
    out.estimate.deviation.push_back(
        known ? number_within(each.require("deviation"), 0, std::numeric_limits<double>::max()) : -1);
    out.estimate.parameters.push_back({parse_parameter(std::string(each.key()), each.key_where()), low, high});
  }
  const Node correlation = best.require("correlation");
  correlation.expect_sequence();
  const std::size_t n = out.estimate.parameters.size();
  if (correlation.size() != n * n)
    throw InputError(correlation.where(), fmt::format("{} correlations of {} parameters", correlation.size(), n),
                     fmt::format("there are {}", n * n));
  constexpr double most = 1 + tolerances::correlation_rounding;
  for (const Node each : correlation) out.estimate.correlation.push_back(number_within(each, -most, most));
  return out;
}

}  // namespace routh::internal
