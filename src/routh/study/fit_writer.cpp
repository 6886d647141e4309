#include "routh/study/fit_writer.h"

#include <fmt/format.h>

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
  for (const LawFit& law : report.laws) text += fmt::format(",{}", name(law.law));
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

Picture fit_picture(const FitReport& report, const FitData& data) {
  ResidualFigure figure;
  figure.title = "Residuals of each law, best first";
  figure.channels = data.columns;
  for (const LawFit& law : report.laws)
    figure.panels.push_back({fmt::format("{}: rms {:.3g}", name(law.law), law.rms), law.residuals});
  return residual_picture(figure);
}

}  // namespace routh::internal
