#include "routh/study/fit_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "routh/figure/residual_figure.h"
#include "routh/impact/result.h"
#include "routh/problem/json_text.h"

namespace routh::internal {

std::string fit_json(const FitReport& report, const FitData& data, double confidence) {
  JsonText laws = JsonText::list();
  for (const LawFit& law : report.laws) {
    JsonText parameters = JsonText::object();
    for (std::size_t j = 0; j < law.names.size(); ++j) {
      const FittedParameter& it = law.fit.parameters[j];
      const bool open = it.determination == Determination::at_least || it.determination == Determination::nothing;
      const bool unbounded = open && law.names[j] == "friction";
      parameters.add(
          law.names[j],
          JsonText::object({{"value", it.determination == Determination::nothing ? JsonText() : JsonText(it.value)},
                            {"low", it.low},
                            {"high", unbounded ? JsonText() : JsonText(it.high)},
                            {"determination", name(it.determination)}}));
    }
    laws.push_back(JsonText::object({{"law", name(law.law)},
                                     {"refinement", name(law.refinement)},
                                     {"parameters", parameters},
                                     {"correlation", law.fit.correlation},
                                     {"rms", law.rms},
                                     {"deviation", law.fit.deviation},
                                     {"aicc", law.information},
                                     {"behind", law.behind},
                                     {"unexplained", law.unexplained},
                                     {"held_out", law.held_out ? JsonText(*law.held_out) : JsonText()},
                                     {"unanswered", law.unanswered}}));
  }
  return JsonText::object({{"schema", 1},
                           {"impacts", report.impacts},
                           {"approaching", report.approaching},
                           {"measured", data.columns},
                           {"measurements", report.measurements},
                           {"confidence", confidence},
                           {"laws", laws},
                           {"least_unexplained", report.least ? JsonText(*report.least) : JsonText()},
                           {"remarks", report.remarks}})
      .text();
}

std::string fit_residuals_csv(const FitReport& report, const FitData& data) {
  std::string text = "row,measured";
  for (const LawFit& law : report.laws) text += fmt::format(",{}", title(law));
  text += "\n";
  std::size_t k = 0;
  for (std::size_t row = 0; row < data.impacts.size(); ++row)
    for (const Measurement& each : data.impacts[row].measured) {
      text += fmt::format("{},{}", row + 1, data.columns[each.column]);
      for (const LawFit& law : report.laws) text += fmt::format(",{}", law.residuals[k]);
      text += "\n";
      ++k;
    }
  return text;
}

namespace {

// Of what was measured; deviations are a unit of their own.
std::string unit_of(const FitData& data) {
  for (const MeasuredImpact& impact : data.impacts)
    for (const Measurement& it : impact.measured)
      if (it.deviation != 1) return "deviations";
  const auto measured = [&](const char* kind) {
    return std::any_of(data.columns.begin(), data.columns.end(),
                       [&](const std::string& column) { return column.starts_with(std::string("after.") + kind); });
  };
  std::string unit;
  const auto add = [&](const char* more) { unit += (unit.empty() ? "" : ", ") + std::string(more); };
  if (measured("contact_velocity") || measured("velocity")) add("m/s");
  if (measured("velocity")) add("rad/s");
  if (measured("impulse")) add("N s");
  return unit;
}

}  // namespace

Picture fit_picture(const FitReport& report, const FitData& data) {
  ResidualFigure figure;
  figure.title = "Residuals, measured − model, of each law, best first, each to its own scale";
  figure.unit = unit_of(data);
  figure.channels = data.columns;
  for (const LawFit& law : report.laws)
    figure.panels.push_back({fmt::format("{}: rms {:.3g}", title(law), law.rms), law.residuals});
  return residual_picture(figure);
}

}  // namespace routh::internal
