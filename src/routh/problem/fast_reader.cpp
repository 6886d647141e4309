#include "routh/problem/fast_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <limits>

#include "routh/base/number.h"

namespace routh::internal {

namespace {

using simdjson::ondemand::value;

std::string_view token_of(value& v) {
  std::string_view token = v.raw_json_token();
  while (!token.empty() && (token.back() == ' ' || token.back() == '\t')) token.remove_suffix(1);
  return token;
}

// The same parser of numbers as the strict reader's, so that both accept the same tokens with the same bits.
bool read_number(value& v, double& out) {
  const ParsedNumber parsed = parse_number(token_of(v));
  out = parsed.value;
  return parsed.fault == NumberFault::none;
}

// A string of visible ASCII without escapes, which reads the same in JSON and in YAML.
bool read_text(value& v, std::string_view& out) {
  constexpr std::size_t longest = 1000;
  // simdjson would take a text before a second colon for a key, and skip it with all that follows.
  if (const std::string_view raw = v.raw_json_token(); raw.data()[raw.size()] == ':') return false;
  const std::string_view token = token_of(v);
  if (token.size() < 2 || token.size() > longest || token.front() != '"' || token.back() != '"') return false;
  out = token.substr(1, token.size() - 2);
  return std::all_of(out.begin(), out.end(),
                     [](char ch) { return ch >= 0x20 && ch < 0x7f && ch != '\\' && ch != '"'; });
}

bool read_numbers(value& v, std::size_t limit, std::vector<double>& values) {
  simdjson::ondemand::array array;
  if (v.get_array().get(array)) return false;
  const std::size_t start = values.size();
  for (auto element : array) {
    value entry;
    double number;
    if (element.get(entry) || !read_number(entry, number) || values.size() - start >= limit) return false;
    values.push_back(number);
  }
  return true;
}

bool read_matrix(value& v, int row_limit, NumberTable& matrix) {
  simdjson::ondemand::array array;
  if (v.get_array().get(array)) return false;
  for (auto element : array) {
    value row;
    const std::size_t start = matrix.values.size();
    if (element.get(row) || matrix.rows >= row_limit || !read_numbers(row, max_coordinates, matrix.values))
      return false;
    const int columns = static_cast<int>(matrix.values.size() - start);
    if (matrix.rows > 0 && columns != matrix.columns) return false;
    matrix.columns = columns;
    ++matrix.rows;
  }
  return true;
}

// Visits the entries of an object whose keys are in `names`, each at most once. `visit(index, value)` says whether the
// value was read.
template <std::size_t N, class Visit>
bool read_object(simdjson::ondemand::object& object, const std::array<std::string_view, N>& names, Visit&& visit) {
  std::uint32_t seen = 0;
  for (auto entry : object) {
    std::string_view key;
    value v;
    if (entry.unescaped_key().get(key)) return false;
    const auto found = std::find(names.begin(), names.end(), key);
    if (found == names.end()) return false;
    const auto index = static_cast<std::size_t>(found - names.begin());
    if ((seen & (1u << index)) != 0) return false;
    seen |= 1u << index;
    if (entry.value().get(v) || !visit(index, v)) return false;
  }
  return true;
}

bool read_friction_value(value& v, double& out) {
  std::string_view text;
  if (!read_text(v, text)) return read_number(v, out);
  out = std::numeric_limits<double>::infinity();
  return text == "inf";
}

bool read_friction(value& v, Friction& friction) {
  simdjson::ondemand::object object;
  if (v.raw_json_token().starts_with('{')) {
    static constexpr std::array<std::string_view, 2> names = {"static", "kinetic"};
    int count = 0;
    return !v.get_object().get(object) && read_object(object, names, [&](std::size_t i, value& entry) {
      ++count;
      return read_friction_value(entry, i == 0 ? friction.static_coefficient : friction.kinetic_coefficient);
    }) && count == 2;
  }
  if (!read_friction_value(v, friction.static_coefficient)) return false;
  friction.kinetic_coefficient = friction.static_coefficient;
  return true;
}

bool read_restitution(value& v, Restitution& restitution) {
  if (!v.raw_json_token().starts_with('{')) return read_number(v, restitution.normal);
  static constexpr std::array<std::string_view, 3> names = {"normal", "alpha", "tangential"};
  simdjson::ondemand::object object;
  int forms = 0;
  return !v.get_object().get(object) && read_object(object, names, [&](std::size_t i, value& entry) {
    if (i == 1) restitution.kind = RestitutionKind::linear;
    if (i < 2) ++forms;
    return read_number(entry, i == 0 ? restitution.normal : i == 1 ? restitution.alpha : restitution.tangential);
  }) && forms == 1;
}

bool read_law(value& v, std::optional<Law>& law) {
  std::string_view text;
  if (!read_text(v, text)) return false;
  law = value_named<Law>(text);
  return law.has_value();
}

bool read_pressed(value& v, Load& load) {
  bool pressed = false;
  if (v.get_bool().get(pressed)) return false;
  load = pressed ? Load::pressed : Load::unknown;
  return true;
}

bool read_id(value& v, ProblemFile& file) {
  std::string_view text;
  if (read_text(v, text)) {
    file.id = text;
    file.id_kind = IdKind::text;
    return true;
  }
  file.id = token_of(v);
  file.id_kind = IdKind::number;
  return is_json_number(file.id);
}

bool read_field(Field field, value& v, ProblemFile& file) {
  std::string_view text;
  file.set(field);
  switch (field) {
    case Field::mass_matrix:
      return read_matrix(v, max_coordinates, file.mass_matrix);
    case Field::jacobian:
      return read_matrix(v, 3, file.jacobian);
    case Field::velocity:
      return read_numbers(v, max_coordinates, file.velocity);
    case Field::bilateral:
      return read_matrix(v, max_bilateral_rows, file.bilateral);
    case Field::external_impulse:
      return read_numbers(v, max_coordinates, file.external_impulse);
    case Field::delassus:
      return read_matrix(v, 3, file.delassus);
    case Field::contact_velocity:
      return read_numbers(v, 3, file.contact_velocity);
    case Field::friction:
      return read_friction(v, file.friction);
    case Field::restitution:
      return read_restitution(v, file.restitution);
    case Field::law:
      return read_law(v, file.law);
    case Field::surface_velocity:
      return read_numbers(v, 3, file.surface_velocity);
    case Field::contacts:
    case Field::rule:
      return false;
    case Field::pressed:
      return read_pressed(v, file.load);
    case Field::free_acceleration:
      return read_numbers(v, 3, file.free_acceleration);
    case Field::force:
      return read_numbers(v, max_coordinates, file.force);
    case Field::drift:
      return read_numbers(v, 3, file.drift);
    case Field::id:
      return read_id(v, file);
    case Field::name:
      if (!read_text(v, text)) return false;
      file.title = text;
      return true;
    case Field::comment:
      return read_text(v, text);
  }
  return false;
}

}  // namespace

struct FastReader::State {
  simdjson::ondemand::parser parser;
};

FastReader::FastReader() : state_(std::make_unique<State>()) {}
FastReader::~FastReader() = default;

bool FastReader::read(std::string_view line, ProblemFile& file) {
  static_assert(padding >= simdjson::SIMDJSON_PADDING);
  file.clear();
  if (line.find('\r') != std::string_view::npos) return false;  // white space in JSON, refused in a YAML line
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  const simdjson::padded_string_view padded(line.data(), line.size(), line.size() + padding);
  if (state_->parser.iterate(padded).get(document) || document.get_object().get(object)) return false;
  const bool read = read_object(object, field_names,
                                [&](std::size_t i, value& v) { return read_field(static_cast<Field>(i), v, file); });
  const bool at_end = read && document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  return at_end && !settle(file);
}

}  // namespace routh::internal
