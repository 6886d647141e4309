// Numbers, vectors and rotations of robot files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "routh/base/number.h"
#include "routh/robot/robot_reading.h"
#include "routh/robot/xml_characters.h"

namespace routh::internal {

namespace {

std::string shown(std::string_view text) { return "'" + printable(std::string(text.substr(0, 256))) + "'"; }

[[noreturn]] void refuse(const XmlElement& element, const XmlAttribute& attribute, const std::string& message,
                         const std::string& remedy) {
  throw InputError(element.where_value(attribute),
                   fmt::format("{} of <{}>: {}", printable(attribute.name), printable(element.name), message), remedy);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// `00.5` is a half in XML; only texts for people take a leading zero for an octal number.
std::string without_leading_zeros(std::string_view token) {
  std::string text;
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) {
    text += token.front();
    token.remove_prefix(1);
  }
  while (token.size() > 1 && token[0] == '0' && token[1] >= '0' && token[1] <= '9') token.remove_prefix(1);
  return text.append(token);
}

bool is_infinity(std::string_view token) {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) token.remove_prefix(1);
  for (const char* spelling : {"inf", "Inf", "INF", "infinity", "Infinity", ".inf"})
    if (token == spelling) return true;
  return false;
}

double parse(const XmlElement& element, const XmlAttribute& attribute, std::string_view token, Infinite infinite) {
  if (infinite == Infinite::allowed && is_infinity(token)) return token.front() == '-' ? -unlimited : unlimited;
  ParsedNumber parsed = parse_number(token);
  if (parsed.fault == NumberFault::leading_zero) parsed = parse_number(without_leading_zeros(token));
  if (parsed.fault == NumberFault::too_small) return 0;  // as strtod reads it; programs write 1e-400 for nothing
  if (parsed.fault == NumberFault::none) return parsed.value;
  const bool macro = token.find("${") != std::string_view::npos || token.find("$(") != std::string_view::npos;
  refuse(element, attribute, fmt::format("{} {}", shown(token), explain(parsed.fault)),
         macro ? "expand the macros first: `xacro robot.xacro > robot.urdf`" : "write a decimal number");
}

const XmlAttribute& require(const XmlElement& element, std::string_view name) {
  if (const XmlAttribute* attribute = element.attribute(name)) return *attribute;
  throw InputError(element.where(), fmt::format("<{}> has no attribute '{}'", printable(element.name), name),
                   fmt::format("add {}=\"…\"", name));
}

// Numbers are read without the sign of a zero, so that a rotation is the same however it was written.
double plain(double value) { return value + 0.0; }

Matrix3 plain(const Matrix3& m) {
  const auto row = [](const Vector3& r) { return Vector3{plain(r.x), plain(r.y), plain(r.z)}; };
  return {row(m.r0), row(m.r1), row(m.r2)};
}

}  // namespace

double read_number(const XmlElement& element, const XmlAttribute& attribute, Infinite infinite) {
  return parse(element, attribute, trimmed(attribute.value), infinite);
}

std::vector<double> read_numbers(const XmlElement& element, const XmlAttribute& attribute, std::size_t least,
                                 std::size_t most) {
  std::vector<double> numbers;
  for (std::string_view rest = trimmed(attribute.value); !rest.empty(); rest = trimmed(rest)) {
    std::size_t length = 0;
    while (length < rest.size() && !is_blank(rest[length])) ++length;
    numbers.push_back(parse(element, attribute, rest.substr(0, length), Infinite::refused));
    rest.remove_prefix(length);
    if (numbers.size() > most) break;
  }
  if (numbers.size() < least || numbers.size() > most) {
    const std::string wanted = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    refuse(element, attribute, fmt::format("{} where {} numbers are expected", shown(attribute.value), wanted),
           "separate the numbers by blanks");
  }
  return numbers;
}

Vector3 read_vector3(const XmlElement& element, const XmlAttribute& attribute) {
  const std::vector<double> v = read_numbers(element, attribute, 3, 3);
  return {v[0], v[1], v[2]};
}

double number_or(const XmlElement& element, std::string_view attribute, double otherwise) {
  const XmlAttribute* found = element.attribute(attribute);
  return found ? read_number(element, *found) : otherwise;
}

Vector3 vector_or(const XmlElement& element, std::string_view attribute, const Vector3& otherwise) {
  const XmlAttribute* found = element.attribute(attribute);
  return found ? read_vector3(element, *found) : otherwise;
}

double require_number(const XmlElement& element, std::string_view attribute) {
  return read_number(element, require(element, attribute));
}

Vector3 require_vector(const XmlElement& element, std::string_view attribute) {
  return read_vector3(element, require(element, attribute));
}

std::string require_text(const XmlElement& element, std::string_view attribute) {
  return require(element, attribute).value;
}

Matrix3 rotation_from_rpy(const Vector3& rpy) {
  const double cr = std::cos(rpy.x), sr = std::sin(rpy.x), cp = std::cos(rpy.y), sp = std::sin(rpy.y);
  const Matrix3 about_x = {{1, 0, 0}, {0, cr, -sr}, {0, sr, cr}};
  const Matrix3 about_y = {{cp, 0, sp}, {0, 1, 0}, {-sp, 0, cp}};
  return plain(rotation_about_z(rpy.z) * about_y * about_x);
}

Matrix3 rotation_from_any_quaternion(double w, double x, double y, double z) {
  const double largest = std::max({std::abs(w), std::abs(x), std::abs(y), std::abs(z)});
  const double a = w / largest, b = x / largest, c = y / largest, d = z / largest;
  const double length = std::sqrt(a * a + b * b + c * c + d * d);
  return plain(rotation_matrix({a / length, b / length, c / length, d / length}));
}

}  // namespace routh::internal
