// `routh restitution`: what a law of contact force says of the impact: e, duration, peak force.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "output.h"
#include "reports.h"
#include "routh/problem/compliance_reader.h"
#include "routh/text/document.h"
#include "table.h"

namespace routh {

namespace {

struct NamedCompliance {
  std::string place;  // in the file
  Compliance law;
};

void take(const std::optional<Node>& map, std::vector<NamedCompliance>& found) {
  if (!map || !map->is_map()) return;
  if (const auto law = find_compliance(*map)) found.push_back({law->path(), read_compliance(*law)});
}

// Wherever a file may have one: a file of its own, a problem and its contacts, the surfaces of a scene.
std::vector<NamedCompliance> compliances_of(const Node& root) {
  std::vector<NamedCompliance> found;
  take(root, found);
  if (!root.is_map()) return found;
  take(root.find("restitution"), found);
  for (const char* list : {"contacts", "surfaces", "surface_pairs"})
    if (const auto entries = root.find(list))
      for (const Node entry : *entries)
        if (entry.is_map()) take(entry.find("restitution"), found);
  return found;
}

std::vector<double> usual_speeds(const Compliance& law) {
  std::vector<double> speeds = {0.01, 0.1, 1, 10};
  const double yield = yield_speed(law);
  if (law.kind == ComplianceKind::thornton) speeds.push_back(yield);
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

const char* citation(ComplianceKind kind) {
  switch (kind) {
    case ComplianceKind::spring_dashpot:
      return "spring and dashpot without pull [Schwager and Pöschel 2007]";
    case ComplianceKind::hunt_crossley:
      return "F = k δⁿ + c δⁿ δ̇, exact [Hunt and Crossley 1975]";
    case ComplianceKind::lankarani_nikravesh:
      return "what comes out where e₀ is put in [Lankarani and Nikravesh 1990]";
    case ComplianceKind::hertz:
      return "elastic with viscous loss [Hertz 1882; Kuwabara and Kono 1987]";
    case ComplianceKind::thornton:
      return "elastic, then p ≤ p_y [Thornton 1997]";
    case ComplianceKind::johnson:
      return "wholly plastic, mean pressure 3Y [Johnson 1985]";
  }
  return "";
}

std::string range_words(const Compliance& law) {
  const SpeedRange range = valid_speeds(law);
  if (std::isinf(range.high)) return "Valid at any speed.";
  const std::string words = range.low > 0 ? fmt::format("Valid from {:.4g} to {:.4g} m/s.", range.low, range.high)
                                          : fmt::format("Valid up to {:.4g} m/s.", range.high);
  if (law.kind == ComplianceKind::hertz) return words;
  return fmt::format("{} Yields from {:.4g} m/s.", words, yield_speed(law));
}

std::string render_law(const Terminal& terminal, const NamedCompliance& each, const std::vector<double>& speeds) {
  TextTable table({{11}, {8}, {12}, {14}, {15}, {6, Align::left}});
  table.add_heading({"speed [m/s]", "e", "duration [s]", "peak force [N]", "indentation [m]", ""});
  const auto cell = [](const std::optional<double>& value) {
    return Cell{value ? fmt::format("{:.5g}", *value) : "–", Tone::plain};
  };
  for (const double speed : speeds) {
    const CompliantImpact impact = impact_at(each.law, speed);
    table.add_row({{fmt::format("{:.5g}", speed)},
                   {fmt::format("{:.6f}", impact.restitution)},
                   cell(impact.duration),
                   cell(impact.peak_force),
                   cell(impact.indentation),
                   {impact.in_range ? "" : "beyond"}});
  }
  std::string text = wrapped(terminal, fmt::format("{}: {}", each.place, citation(each.law.kind)));
  text += "\n" + table.render(terminal);
  for (const std::string& line : wrap(range_words(each.law), 79)) text += line + "\n";
  if (each.law.mass == 0 || (each.law.stiffness == 0 && each.law.kind == ComplianceKind::lankarani_nikravesh))
    text += "Duration and force need `mass` and `stiffness`.\n";
  return text;
}

nlohmann::ordered_json to_json(const NamedCompliance& each, const std::vector<double>& speeds) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  const auto finite = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  const SpeedRange range = valid_speeds(each.law);
  nlohmann::ordered_json out = {{"place", each.place},
                                {"kind", name(each.law.kind)},
                                {"valid_from", range.low},
                                {"valid_to", finite(range.high)},
                                {"yield_speed", finite(yield_speed(each.law))}};
  for (const double speed : speeds) {
    const CompliantImpact impact = impact_at(each.law, speed);
    out["impacts"].push_back({{"speed", speed},
                              {"restitution", impact.restitution},
                              {"duration", or_null(impact.duration)},
                              {"peak_force", or_null(impact.peak_force)},
                              {"indentation", or_null(impact.indentation)},
                              {"in_range", impact.in_range}});
  }
  return out;
}

}  // namespace

ExitCode run_restitution(const RestitutionOptions& options, const Terminal& terminal) {
  const Document document = Document::from_file(options.file);
  const std::vector<NamedCompliance> found = compliances_of(document.root());
  if (found.empty())
    document.root().fail("no law of contact force is in this file",
                         fmt::format("give `restitution` as one of {}", fmt::join(all_names<ComplianceKind>, ", ")));
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const NamedCompliance& each : found) {
    const std::vector<double> speeds = options.speeds.empty() ? usual_speeds(each.law) : options.speeds;
    if (options.format == OutputFormat::json)
      json.push_back(to_json(each, speeds));
    else
      text += (text.empty() ? "" : "\n") + render_law(terminal, each, speeds);
  }
  write_stdout(options.format == OutputFormat::json ? json.dump() + "\n" : text);
  return ExitCode::ok;
}

}  // namespace routh
