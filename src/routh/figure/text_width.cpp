#include "routh/figure/text_width.h"

#include <algorithm>

#include "routh/figure/markup.h"

namespace routh::internal {

namespace {

struct Width {
  double share;  // hundredths of the size of the text
  std::string_view characters;
};
constexpr double usual_width = 52;          // of characters that the table does not name
constexpr double raised_width = 0.62 * 58;  // of raised and lowered figures
// Those of a plain sans-serif face.
constexpr Width widths[] = {
    {14, "\u2009\u202F"},
    {22, "'"},
    {24, "‘’"},
    {26, "ilìíı′"},
    {28, " !,.:;Ij|\u00A0·"},
    {32, "[]"},
    {34, "()`"},
    {35, "ft"},
    {raised_width, "²³¹⁰⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉"},
    {36, "\"-/\\{}îï•"},
    {38, "rř“”″"},
    {40, "°"},
    {42, "*‖∥"},
    {44, "∫"},
    {46, "ℓ"},
    {50, "^zžεξτ"},
    {54, "?γλχ"},
    {56, "LaeàáâãäåèéêëėěΓδθ∂"},
    {57, "Fhnuñùúûüη"},
    {58, "$+0123456789<=>bdgopq~±µ×òóôõöβμορ−≈≠≤≥"},
    {60, "#EÈÉÊßø√"},
    {62, "TZΞΣαπσ∈"},
    {64, "PSVXY⊥"},
    {66, "ABKÀÁÂÄÅΑΒΛφψϕ∑"},
    {68, "&R"},
    {70, "CΔΠ∆"},
    {72, "DHNUÑÚÜ"},
    {76, "Gwω"},
    {78, "OQÓÔÖΘΩ"},
    {80, "ΦΨ"},
    {84, "MmΜ…∞"},
    {88, "←→"},
    {90, "%"},
    {92, "@W—"},
};

// Combining accents stand over the letter before them.
bool is_combining(std::string_view character) { return character >= "\u0300" && character < "\u0370"; }

double character_width(std::string_view character) {
  if (is_combining(character)) return 0;
  for (const Width& width : widths)
    if (width.characters.find(character) != std::string_view::npos) return width.share;
  return usual_width;
}

double run_width(std::string_view text, double size) {
  double width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    width += (length == 0 ? usual_width : character_width(text.substr(at, length))) * size / 100;
    at += std::max<std::size_t>(length, 1);
  }
  return width;
}

}  // namespace

double text_width(std::string_view text, double size, Markup markup) {
  if (markup == Markup::none) return run_width(text, size);
  double width = 0;
  for (const TextRun& run : split_markup(text))
    width += run_width(run.text, run.level == TextLevel::line ? size : script_size * size);
  return width;
}

}  // namespace routh::internal
