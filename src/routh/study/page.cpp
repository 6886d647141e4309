#include "routh/figure/axes.h"
#include "routh/figure/svg.h"
#include "routh/study/study_plots.h"
#include "routh/study/tolerances.h"
#include "routh/study/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace routh::internal {

namespace {

constexpr double width = 640, height = 230, left = 60, bottom = 46;  // of a picture, px

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
  std::string out =
      fmt::format("<svg class=\"plain\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"distribution of {}\">", width,
                  height, escape_xml(measure.name));
  const AxisRange counts{0, most};
  const std::vector<double> levels = ticks(counts, 4);
  const std::vector<std::string> level_labels = tick_labels(levels);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const double y = ground - (ground - 10) * levels[k] / most;
    out += fmt::format("<path class=\"grid\" d=\"M{} {:.2f}H{}\"/>", left, y, width - left);
    out += label(left - 6, y + 4, "end", level_labels[k]);
  }
  for (std::size_t k = 0; k < bins; ++k) {
    const double count = static_cast<double>(result.bins[k + 1]), tall = (ground - 10) * count / most;
    const std::string what = measure.reduce.counts ? std::string(measure.words[k])
                                                   : fmt::format("{:.4g} to {:.4g}", plan->edge(static_cast<int>(k)),
                                                                 plan->edge(static_cast<int>(k) + 1));
    out += fmt::format(
        "<rect class=\"bar\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{}: {}</title></rect>",
        left + step * static_cast<double>(k), ground - tall, std::max(step - 1, 0.5), tall, escape_xml(what),
        result.bins[k + 1]);
    if (measure.reduce.counts && result.bins[k + 1] > 0)
      out += label(left + step * (static_cast<double>(k) + 0.5), height - (k % 2 == 0 ? 18 : 5), "middle",
                   measure.words[k]);
  }
  if (!measure.reduce.counts) {
    const AxisRange values{plan->from, plan->to};
    const std::vector<double> at = ticks(values, 7);
    const std::vector<std::string> labels = tick_labels(at);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const double x = left + (width - 2 * left) * (at[k] - values.low) / values.width();
      out += fmt::format("<path d=\"M{:.2f} {}v5\"/>", x, ground) + label(x, ground + 18, "middle", labels[k]);
    }
    out += label(width / 2, height - 6, "middle", measure.name);
    out += label(left, 8, "middle", "samples");
  }
  out += fmt::format("<path d=\"M{} 10V{}H{}\"/>", left, ground, width - left);
  return out + "</svg>\n";
}

// A line from the smallest to the largest value with a mark for each quantile.
std::string quantile_line(const StudyMeasure& measure, const MeasureResult& result) {
  const Moments& m = result.moments;
  if (result.quantiles.empty() || m.count == 0 || !(m.high > m.low) || !std::isfinite(m.high - m.low)) return {};
  const auto at = [&](double value) { return left + (width - 2 * left) * (value - m.low) / (m.high - m.low); };
  std::string out =
      fmt::format("<svg class=\"plain\" viewBox=\"0 0 {} 50\" role=\"img\" aria-label=\"quantiles of {}\">", width,
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

// What the sample of a smallest or largest value was.
std::string sample_words(const Study& study, std::uint64_t sample) {
  std::vector<double> values(study.parameters.size());
  study.sampler->sample(sample, values);
  std::string words = fmt::format("sample {}", sample);
  for (std::size_t k = 0; k < std::min(values.size(), tolerances::parameters_drawn); ++k)
    words += fmt::format("{} {} = {:.6g}", k == 0 ? ":" : ",", escape_xml(study.parameters[k]), values[k]);
  return words;
}

// A picture as part of a page; what it is cut by has names of its own.
std::string embedded(const Picture& picture, std::size_t number) {
  std::string svg = to_svg(picture);
  svg.erase(0, svg.find("<svg"));
  for (const std::string mark : {"id=\"clip", "url(#clip"})
    for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + mark.size()))
      svg.insert(at + mark.size(), fmt::format("-{}-", number));
  return svg;
}

std::string section(const Study& study, const StudyMeasure& measure, const MeasureResult& result,
                    const std::optional<Picture>& dependence, std::size_t number) {
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
        row(s.label(), shown(s.value), s.sample ? sample_words(study, *s.sample) : "");
        break;
      case Statistic::Shape::bin:  // as bars
        break;
    }
  out += "</table>\n";
  if (dependence) out += embedded(*dependence, number);
  return out + quantile_line(measure, result) + bars(measure, result) + "</section>\n";
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
    "height:auto;margin:.5rem 0;max-width:44rem}.plain rect{fill:#0072b2}.plain path{stroke:#555;fill:none}"
    ".plain path.grid{stroke:#e4e4e4}.plain text{font:12px "
    "sans-serif;fill:#333}pre{overflow:auto;background:#f4f4f4;padding:1rem}";

}  // namespace

std::string study_page(const Study& study, const StudyResult& result, const RowFile* rows) {
  const std::string title = escape_xml(study.title.empty() ? "Study" : study.title);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n<meta name=\"viewport\" "
      "content=\"width=device-width\"><style>{}</style></head>\n<body>\n<h1>{}</h1>\n",
      title, style, title);
  out +=
      fmt::format("<p>{} samples ({}), {} of them failed.</p>\n", result.samples, name(study.method), result.failed());
  if (!rows)
    out +=
        "<p>With <code>table: true</code> in the study this page also shows how each measure depends on what "
        "varies.</p>\n";
  std::optional<StudyColumns> columns;
  if (rows) columns.emplace(study, *rows);
  for (std::size_t m = 0; m < study.measures.size(); ++m)
    out += section(study, study.measures[m], result.measures[m],
                   columns ? dependence_picture(study, *columns, m) : std::nullopt, m);
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
