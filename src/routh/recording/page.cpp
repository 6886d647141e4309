// The page of a validation: tables, the histogram of bounces, and the throws missed most beside their measurement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "routh/figure/svg.h"
#include "routh/recording/page_parts.h"
#include "routh/recording/writer.h"

namespace routh::internal {

namespace {

std::string bounce_bars(const ValidateReport& report) {
  const std::size_t bins = report.bounces.size();
  std::size_t most = 1;
  for (std::size_t k = 0; k < bins; ++k) most = std::max({most, report.bounces[k], report.measured_bounces[k]});
  const double step = (wide - 2 * margin) / static_cast<double>(bins), ground = tall - margin;
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"bounces\">", wide, tall);
  const auto bar = [&](std::size_t k, std::size_t count, int place, const char* kind) {
    const double height = (ground - 10) * static_cast<double>(count) / static_cast<double>(most);
    out += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}: {} "
        "throws</title></rect>",
        kind, margin + step * (static_cast<double>(k) + 0.4 * place), ground - height, 0.38 * step, height, kind,
        count);
  };
  for (std::size_t k = 0; k < bins; ++k) {
    bar(k, report.measured_bounces[k], 0, "measured");
    bar(k, report.bounces[k], 1, "run");
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}{}</text>",
                       margin + step * (static_cast<double>(k) + 0.4), tall - 6, k, k + 1 == bins ? " or more" : "");
  }
  return out + "</svg>\n";
}

// Two lines over time, one measured and one run.
template <class Value>
std::string curves(const ValidatedThrow& one, const char* what, const Value& value) {
  double low = value(one.path[0]), high = low;
  for (const auto* path : {&one.path, &one.measured_path})
    for (const Vector3& each : *path) {
      low = std::min(low, value(each));
      high = std::max(high, value(each));
    }
  const double span = high > low ? high - low : 1, last = one.times.back() > 0 ? one.times.back() : 1;
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", wide, tall, what);
  const auto line = [&](const std::vector<Vector3>& path, const char* kind) {
    out += fmt::format("<polyline class=\"{}\" points=\"", kind);
    for (std::size_t k = 0; k < path.size(); ++k)
      out += fmt::format("{:.1f},{:.1f} ", margin + (wide - 2 * margin) * one.times[k] / last,
                         tall - margin - (tall - 2 * margin) * (value(path[k]) - low) / span);
    out += "\"/>";
  };
  line(one.measured_path, "measured");
  line(one.path, "run");
  return out + fmt::format("<text x=\"{}\" y=\"14\">{}, {:.4g} to {:.4g} m in {:.3g} s</text></svg>\n", margin, what,
                           low, high, last);
}

}  // namespace

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n<meta name=\"viewport\" "
      "content=\"width=device-width\"><style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n",
      escape_xml(title), page_look);
}

std::string validate_page(const ValidateReport& report, const std::string& title, Dimension dimension) {
  std::string out = page_head(title) + "<table>\n";
  const auto row = [&](const char* what, const std::string& value) {
    out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", what, value);
  };
  const ThrowSummary& s = report.summary;
  row("throws", fmt::format("{}", report.throws.size()));
  row("mean error", fmt::format("{:.4g} [{:.4g}, {:.4g}]", s.mean, report.low, report.high));
  row("median error", fmt::format("{:.4g}", s.median));
  row("position", fmt::format("{:.2f} mm, {:.1f} % of the width", 1000 * s.position, 50 * s.position / report.length));
  row("rotation", fmt::format("{:.1f}°", s.rotation * 180 / std::numbers::pi));
  row("same face at the end", fmt::format("{}", report.same_face));
  row("bounces, χ²", fmt::format("{:.1f} of {} degrees of freedom", report.chi_square, report.freedom));
  out += "</table>\n<h2>Bounces in a throw</h2>\n<p>Grey as measured, blue as run.</p>\n" + bounce_bars(report);
  if (!report.remarks.empty()) {
    out += "<h2>The data</h2>\n<ul>\n";
    for (const std::string& each : report.remarks) out += fmt::format("<li>{}</li>\n", escape_xml(each));
    out += "</ul>\n";
  }
  out += "<h2>Missed most</h2>\n";
  const auto& faces = face_names(dimension);
  for (const std::size_t k : report.worst) {
    const ValidatedThrow& one = report.throws[k];
    out += fmt::format(
        "<h3>{}</h3>\n<p>error {:.3g}, {:.1f} mm, {:.1f}°; up in the end {} as measured, {} as run{}</p>\n",
        escape_xml(one.name), one.error.mean, 1000 * one.error.position, one.error.rotation * 180 / std::numbers::pi,
        faces[static_cast<std::size_t>(one.measured_face)], faces[static_cast<std::size_t>(one.face)],
        one.error.failed ? "; the run ended before its time" : "");
    const bool planar = dimension == Dimension::planar;
    out += curves(one, "height", [&](const Vector3& p) { return planar ? p.y : p.z; });
    out += curves(one, "x", [](const Vector3& p) { return p.x; });
    if (!planar) out += curves(one, "y", [](const Vector3& p) { return p.y; });
  }
  return out + "</body></html>\n";
}

}  // namespace routh::internal
