#include "routh/figure/svg.h"
#include "routh/study/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace routh::internal {

namespace {

constexpr double width = 640, height = 200, left = 10, bottom = 30;  // of a picture, px

std::string label(double x, double y, const char* anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor, escape_xml(text));
}

// Bars over the bins of a histogram, or one for each name.
std::string bars(const StudyMeasure& measure, const MeasureResult& result) {
  const auto plan = measure.bins();
  if (!plan || result.bins.size() < 3) return {};
  const std::size_t bins = result.bins.size() - 2;
  double most = 1;
  for (std::size_t k = 1; k <= bins; ++k) most = std::max(most, static_cast<double>(result.bins[k]));
  const double step = (width - 2 * left) / static_cast<double>(bins), ground = height - bottom;
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"distribution of {}\">", width,
                                height, escape_xml(measure.name));
  for (std::size_t k = 0; k < bins; ++k) {
    const double count = static_cast<double>(result.bins[k + 1]), tall = (ground - 10) * count / most;
    const std::string what = measure.reduce.counts ? std::string(measure.words[k])
                                                   : fmt::format("{:.4g} to {:.4g}", plan->edge(static_cast<int>(k)),
                                                                 plan->edge(static_cast<int>(k) + 1));
    out +=
        fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{}: {}</title></rect>",
                    left + step * static_cast<double>(k), ground - tall, std::max(step - 1, 0.5), tall,
                    escape_xml(what), result.bins[k + 1]);
    if (measure.reduce.counts && result.bins[k + 1] > 0)
      out += label(left + step * (static_cast<double>(k) + 0.5), height - (k % 2 == 0 ? 18 : 5), "middle",
                   measure.words[k]);
  }
  if (!measure.reduce.counts) {
    out += label(left, height - 10, "start", fmt::format("{:.4g}", plan->from));
    out += label(width - left, height - 10, "end", fmt::format("{:.4g}", plan->to));
  }
  return out + "</svg>\n";
}

// A line from the smallest to the largest value with a mark for each quantile.
std::string quantile_line(const StudyMeasure& measure, const MeasureResult& result) {
  const Moments& m = result.moments;
  if (result.quantiles.empty() || m.count == 0 || !(m.high > m.low) || !std::isfinite(m.high - m.low)) return {};
  const auto at = [&](double value) { return left + (width - 2 * left) * (value - m.low) / (m.high - m.low); };
  std::string out = fmt::format("<svg viewBox=\"0 0 {} 50\" role=\"img\" aria-label=\"quantiles of {}\">", width,
                                escape_xml(measure.name));
  out += fmt::format("<path d=\"M{} 20H{}\"/>", left, width - left);
  for (const QuantileResult& quantile : result.quantiles)
    if (quantile.value)
      out += fmt::format("<path d=\"M{:.2f} 12V28\"><title>{:.4g}: {:.6g}</title></path>", at(*quantile.value),
                         quantile.share, *quantile.value);
  out += label(left, 44, "start", fmt::format("{:.4g}", m.low));
  out += label(width - left, 44, "end", fmt::format("{:.4g}", m.high));
  return out + "</svg>\n";
}

std::string section(const StudyMeasure& measure, const MeasureResult& result) {
  std::string out = fmt::format("<section><h2>{}</h2>\n<p><code>{}</code></p>\n<table>\n", escape_xml(measure.name),
                                escape_xml(measure.text));
  const auto row = [&](std::string_view what, const std::string& value, const std::string& remark) {
    out += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td></tr>\n", escape_xml(what), value, remark);
  };
  row("values", fmt::format("{}", result.moments.count), "");
  if (result.moments.missing > 0) row("missing", fmt::format("{}", result.moments.missing), "");
  for (const Statistic& s : statistics(measure, result)) switch (s.shape) {
      case Statistic::Shape::number:
      case Statistic::Shape::quantile:
        row(s.label(), shown(s.value), s.sample ? fmt::format("sample {}", *s.sample) : "");
        break;
      case Statistic::Shape::bin:  // as bars
        break;
    }
  return out + "</table>\n" + quantile_line(measure, result) + bars(measure, result) + "</section>\n";
}

std::string failures(const StudyResult& result) {
  if (result.failed() == 0) return {};
  std::string out = fmt::format("<section><h2>{} samples failed</h2>\n<table>\n", result.failed());
  for (std::size_t k = 1; k < fault_count; ++k)
    if (result.faults[k] > 0)
      out += fmt::format("<tr><th>{}</th><td>{}</td><td></td></tr>\n", all_names<Fault>[k], result.faults[k]);
  out += "</table>\n<details><summary>The first of them</summary><ul>\n";
  for (const Failure& failure : result.failures)
    out += fmt::format("<li>sample {}: {}</li>\n", failure.sample, escape_xml(failure.reason));
  return out + "</ul></details></section>\n";
}

constexpr const char* style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#222;"
    "background:#fff}table{border-collapse:collapse}th{text-align:left;font-weight:normal;padding-right:2rem}"
    "td{text-align:right;padding-right:1.5rem;font-variant-numeric:tabular-nums}svg{width:100%;display:block;"
    "margin:.5rem 0}rect{fill:#3465a4}path{stroke:#3465a4;stroke-width:2;fill:none}text{font:12px sans-serif;"
    "fill:#555}pre{overflow:auto;background:#f4f4f4;padding:1rem}";

}  // namespace

std::string study_page(const Study& study, const StudyResult& result) {
  const std::string title = escape_xml(study.title.empty() ? "Study" : study.title);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n<meta name=\"viewport\" "
      "content=\"width=device-width\"><style>{}</style></head>\n<body>\n<h1>{}</h1>\n",
      title, style, title);
  out +=
      fmt::format("<p>{} samples ({}), {} of them failed.</p>\n", result.samples, name(study.method), result.failed());
  for (std::size_t m = 0; m < study.measures.size(); ++m) out += section(study.measures[m], result.measures[m]);
  out += failures(result);
  out += fmt::format("<section><h2>The study</h2>\n<pre>{}</pre></section>\n", [&] {
    std::string text;
    for (std::size_t begin = 0; begin < study.text.size();) {
      const std::size_t end = std::min(study.text.find('\n', begin), study.text.size());
      text += escape_xml(std::string_view(study.text).substr(begin, end - begin)) + "\n";
      begin = end + 1;
    }
    return text;
  }());
  return out + "</body></html>\n";
}

}  // namespace routh::internal
