#include "routh/study/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "routh/base/nearest_word.h"
#include "routh/text/document.h"

namespace routh::internal {

namespace {

[[noreturn]] void refuse(std::string_view text, const Location& where, const char* what) {
  throw InputError(where, fmt::format("'{}' is no path: {}", printable(std::string(text)), what),
                   "write words joined by dots, entries of lists in brackets: `velocity[1]`");
}

// The entry in the brackets that open at `at`; moves behind them.
PathPart take_entry(std::string_view text, std::size_t& at, const Location& where) {
  const std::size_t close = text.find(']', at);
  if (close == std::string_view::npos) refuse(text, where, "a bracket is left open");
  const std::string_view digits = text.substr(at + 1, close - at - 1);
  int entry = -1;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), entry);
  if (fault != std::errc() || end != digits.data() + digits.size() || entry < 0)
    refuse(text, where, "brackets hold a whole number from 0 on");
  at = close + 1;
  return {{}, entry};
}

PathPart take_word(std::string_view text, std::size_t& at, const Location& where) {
  const bool quoted = at < text.size() && text[at] == '\'';
  const std::size_t begin = at + (quoted ? 1 : 0);
  const std::size_t end = std::min(quoted ? text.find('\'', begin) : text.find_first_of(".[", begin), text.size());
  if (quoted && end == text.size()) refuse(text, where, "a quote is left open");
  if (end == begin) refuse(text, where, "a word is missing");
  at = end + (quoted ? 1 : 0);
  return {std::string(text.substr(begin, end - begin)), -1};
}

}  // namespace

bool StudyPath::is(std::initializer_list<std::string_view> words) const {
  return std::equal(parts.begin(), parts.end(), words.begin(), words.end(),
                    [](const PathPart& part, std::string_view word) { return part.is(word); });
}

StudyPath StudyPath::tail() const {
  StudyPath rest;
  rest.parts.assign(parts.begin() + (parts.empty() ? 0 : 1), parts.end());
  const std::size_t dot = text.find('.');
  rest.text = dot == std::string::npos ? std::string() : text.substr(dot + 1);
  rest.where = where;
  return rest;
}

StudyPath parse_path(std::string_view text, const Location& where) {
  StudyPath path;
  path.text = text;
  path.where = where;
  if (text.empty()) refuse(text, where, "it is empty");
  for (std::size_t at = 0; at < text.size() || path.parts.empty();) {
    if (path.parts.size() == max_path_parts) refuse(text, where, "it has too many parts");
    if (text[at] == '[' && !path.parts.empty()) {
      path.parts.push_back(take_entry(text, at, where));
      continue;
    }
    if (!path.parts.empty() && text[at++] != '.') refuse(text, where, "a dot is missing");
    path.parts.push_back(take_word(text, at, where));
  }
  return path;
}

void refuse(const StudyPath& path, const std::string& why, const std::string& remedy) {
  throw InputError(path.where, fmt::format("'{}': {}", printable(path.text), why), remedy);
}

std::string known_names(std::string_view typed, const std::vector<std::string>& candidates) {
  if (std::string hint = nearest_hint(typed, candidates); !hint.empty()) return hint;
  constexpr std::size_t shown = 12;
  const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(std::min(shown, candidates.size()));
  return fmt::format("known: {}{}", fmt::join(candidates.begin(), last, ", "), candidates.size() > shown ? ", …" : "");
}

}  // namespace routh::internal
