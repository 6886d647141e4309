#include "support/schema.h"

#include <charconv>
#include <cmath>
#include <regex>
#include <set>
#include <stdexcept>

#include "routh/base/number.h"

namespace testing_support {

using routh::Node;
using routh::NodeKind;

namespace {

bool is_number(const Node& value) {
  return value.is_scalar() && !value.quoted() && routh::parse_number(value.raw()).fault == routh::NumberFault::none;
}

bool has_type(const Node& value, std::string_view type) {
  if (type == "object") return value.is_map();
  if (type == "array") return value.is_sequence();
  if (type == "number") return is_number(value);
  if (type == "integer") return is_number(value) && std::floor(value.number()) == value.number();
  if (type == "boolean")
    return value.is_scalar() && !value.quoted() && (value.raw() == "true" || value.raw() == "false");
  if (type == "string") return value.is_scalar() && !is_number(value);
  throw std::runtime_error("unknown type " + std::string(type));
}

// The same scalar: equal numbers, or the same text.
bool same(const Node& a, const Node& b) {
  if (is_number(a) != is_number(b)) return false;
  return is_number(a) ? a.number() == b.number() : b.is_scalar() && a.raw() == b.raw();
}

bool is_pattern_match(const Node& pattern, const std::string& text) {
  return std::regex_search(text, std::regex(std::string(pattern.text()), std::regex::ECMAScript));
}

std::string wrong(const Node& value, const std::string& why) { return value.path() + ": " + why; }

}  // namespace

Node Schema::at(const std::string& path) const {
  Node node = document_.root();
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string step = path.substr(begin, end - begin);
    node = node.is_sequence() ? node.child(std::stoul(step)) : node.require(step);
    begin = end + 1;
  }
  return node;
}

std::string Schema::check(const Node& schema, const Node& value) const {
  for (const Node keyword : schema)
    if (const std::string complaint = check_keyword(schema, keyword, value); !complaint.empty()) return complaint;
  return "";
}

int Schema::matches(const Node& schemas, const Node& value) const {
  int count = 0;
  for (const Node schema : schemas) count += check(schema, value).empty() ? 1 : 0;
  return count;
}

// `propertyNames` of a map: the name as a text, which is no Node of the document.
std::string Schema::check_word(const Node& schema, const std::string& word) const {
  for (const Node keyword : schema) {
    const std::string_view key = keyword.key();
    if (key == "$ref") {
      if (auto complaint = check_word(at(std::string(keyword.text().substr(2))), word); !complaint.empty())
        return complaint;
    } else if (key == "allOf") {
      for (const Node part : keyword)
        if (auto complaint = check_word(part, word); !complaint.empty()) return complaint;
    } else if (key == "not") {
      if (check_word(keyword, word).empty()) return "'" + word + "' is forbidden";
    } else if (key == "const") {
      if (keyword.text() != word) return "'" + word + "' is another word";
    } else if (key == "pattern") {
      if (!is_pattern_match(keyword, word)) return "'" + word + "' does not match";
    } else if (key != "type" && key != "description") {
      throw std::runtime_error("unknown keyword for names: " + std::string(key));
    }
  }
  return "";
}

std::string Schema::check_keyword(const Node& schema, const Node& keyword, const Node& value) const {
  const std::string_view key = keyword.key();
  static const std::set<std::string_view> notes = {"$schema", "title", "description", "$defs"};
  if (notes.contains(key)) return "";
  if (key == "$ref") return check(at(std::string(keyword.text().substr(2))), value);
  if (key == "type") return has_type(value, keyword.text()) ? "" : wrong(value, "is no " + std::string(keyword.text()));
  if (key == "const") return same(keyword, value) ? "" : wrong(value, "is not " + std::string(keyword.raw()));
  if (key == "enum") {
    for (const Node word : keyword)
      if (same(word, value)) return "";
    return wrong(value, "is none of the words");
  }
  if (key == "pattern")
    return is_pattern_match(keyword, std::string(value.raw())) ? "" : wrong(value, "does not match");
  if (key == "oneOf") return matches(keyword, value) == 1 ? "" : wrong(value, "matches not exactly one form");
  if (key == "anyOf") return matches(keyword, value) >= 1 ? "" : wrong(value, "matches no form");
  if (key == "minimum") return value.number() >= keyword.number() ? "" : wrong(value, "is too small");
  if (key == "maximum") return value.number() <= keyword.number() ? "" : wrong(value, "is too large");
  if (key == "exclusiveMinimum") return value.number() > keyword.number() ? "" : wrong(value, "is too small");
  if (key == "minItems" || key == "minProperties")
    return static_cast<double>(value.size()) >= keyword.number() ? "" : wrong(value, "has too few entries");
  if (key == "maxItems")
    return static_cast<double>(value.size()) <= keyword.number() ? "" : wrong(value, "has too many entries");
  if (key == "required") {
    for (const Node name : keyword)
      if (!value.find(name.text())) return wrong(value, "lacks " + std::string(name.text()));
    return "";
  }
  if (key == "dependentRequired") {
    for (const Node names : keyword)
      for (const Node name : names)
        if (value.find(names.key()) && !value.find(name.text()))
          return wrong(value, "lacks " + std::string(name.text()));
    return "";
  }
  if (key == "items" || key == "prefixItems") {
    std::size_t i = 0;
    for (const Node entry : value) {
      const Node rule = key == "items" ? keyword : keyword.child(i++);
      if (const std::string complaint = check(rule, entry); !complaint.empty()) return complaint;
    }
    return "";
  }
  if (key == "properties" || key == "additionalProperties" || key == "propertyNames") {
    const auto properties = schema.find("properties");
    for (const Node entry : value) {
      const auto known = properties ? properties->find(entry.key()) : std::nullopt;
      std::string complaint;
      if (key == "propertyNames")
        complaint = check_word(keyword, std::string(entry.key()));
      else if (key == "properties" && known)
        complaint = check(*known, entry);
      else if (key == "additionalProperties" && !known)
        complaint = keyword.is_map() ? check(keyword, entry) : "is not allowed";
      if (!complaint.empty()) return wrong(entry, complaint);
    }
    return "";
  }
  throw std::runtime_error("unknown keyword " + std::string(key));
}

}  // namespace testing_support
