#include "map_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <numbers>
#include <utility>

namespace routh {

ShownAxis::ShownAxis(const AxisRequest& request) : unit(request.variable.unit) {
  if (request.unit == AngleUnit::radian) return;
  unit = "deg";
  factor = 180 / std::numbers::pi;
}

namespace {

// `M1 detaches` is 1, bands are counted; else the first letter of the name that is still free.
char letter_of(const MapKindReport& kind, MapQuantity quantity, const std::string& taken) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  if (!is_verdict(quantity)) return digits[std::min(static_cast<std::size_t>(kind.kind), digits.size() - 1)];
  if (kind.name.size() > 1 && std::isdigit(static_cast<unsigned char>(kind.name[1])) != 0) return kind.name[1];
  for (const char c : kind.name) {
    const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (std::isupper(static_cast<unsigned char>(upper)) != 0 && taken.find(upper) == std::string::npos) return upper;
  }
  return '?';
}

// With the signs of print.
std::string typeset(std::string text) {
  for (const auto& [plain, printed] : {std::pair{">=", "≥"}, std::pair{"-", "−"}})
    for (std::size_t at = 0; (at = text.find(plain, at)) != std::string::npos;)
      text.replace(at, std::strlen(plain), printed);
  return text;
}

std::string first_symbol(const MapReport& report) {
  const std::string symbol(routh::symbol(report.quantity)), unit(routh::unit(report.quantity));
  return unit.empty() ? symbol : symbol + " [" + unit + "]";
}

}  // namespace

const MapKindReport& MapReport::of(int kind) const {
  return kind < 0 ? kinds.back() : kinds[static_cast<std::size_t>(kind)];
}

std::string heading(const MapReport& report) {
  std::string text = report.contact.empty() ? report.title : report.title + ": " + report.contact;
  for (const FixedSetting& setting : report.fixed)
    text += fmt::format(", {} = {:.6g}{}{}", setting.variable.name, setting.value,
                        setting.variable.unit.empty() ? "" : " ", setting.variable.unit);
  return text;
}

void describe_kinds(MapReport& report) {
  const bool verdict = is_verdict(report.quantity);
  const auto words = kind_names(report.quantity);
  const int count = verdict ? static_cast<int>(words.size()) : report.bands.count();
  std::string taken;
  std::vector<MapKindReport>& kinds = report.kinds;
  for (int k = 0; k < count; ++k) {
    MapKindReport kind;
    kind.kind = k;
    kind.name = verdict ? std::string(words[static_cast<std::size_t>(k)]) : band_name(report.bands, k, "");
    kind.label = verdict ? kind.name : typeset(band_name(report.bands, k, k == 0 ? first_symbol(report) : ""));
    kind.colour = verdict ? std::string(kind_colours(report.quantity)[static_cast<std::size_t>(k)])
                          : band_colour(report.bands, k);
    kind.letter = letter_of(kind, report.quantity, taken);
    taken += kind.letter;
    kinds.push_back(kind);
  }
  kinds.push_back({-1, "undefined", "undefined", "", '.', 0});
  for (const int kind : report.map.kinds) ++kinds[kind < 0 ? kinds.size() - 1 : static_cast<std::size_t>(kind)].count;
}

bool is_nowhere(const MapReport& report) {
  return report.kinds.back().count == static_cast<long>(report.map.kinds.size());
}

}  // namespace routh
