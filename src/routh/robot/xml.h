// A strict reader of XML texts as robot files use them, with the place of every element and attribute.
//
// Read: elements, attributes, text, CDATA, the five entities, character references. Skipped: comments, processing
// instructions. Refused: document types (and so entities of one's own), duplicate attributes, elements left open, text
// that is not UTF-8, and whatever exceeds the limits. Every refusal is an InputError with file, line and column (in
// bytes).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "routh/base/error.h"

namespace routh::internal {

struct XmlLimits {
  std::size_t max_bytes = std::size_t{16} << 20;
  int max_depth = 256;                            // of elements within each other
  std::size_t max_elements = 200'000;             // in all
  std::size_t max_attributes = 1'000'000;         // in all
  std::size_t max_token = std::size_t{64} << 10;  // bytes of one name or of one attribute's value
};

struct XmlAttribute {
  std::string name;
  std::string value;
  int line = 0, column = 0;              // of the name
  int value_line = 0, value_column = 0;  // of the first character of the value
  mutable bool used = false;             // a reader has taken it; see `warn_of_the_rest`
};

struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  // its own character data, without blanks at the ends
  int line = 0, column = 0;
  std::shared_ptr<const std::string> file;
  int part = 0;                  // which of several machines it belongs to, once their texts are joined to one tree
  mutable bool used = false;     // a reader has taken it
  mutable bool ignored = false;  // and said that it and all in it do not count

  // Mark what they find as used. Null when there is none.
  const XmlAttribute* attribute(std::string_view name) const;
  const XmlElement* child(std::string_view name) const;                   // the first of this name
  std::vector<const XmlElement*> all(std::string_view child_name) const;  // in the order of the text

  Location where() const { return {*file, line, column}; }
  Location where(const XmlAttribute& attribute) const { return {*file, attribute.line, attribute.column}; }
  Location where_value(const XmlAttribute& attribute) const {
    return {*file, attribute.value_line, attribute.value_column};
  }
};

// The outermost element. `name` stands for the file in messages. Throws InputError.
XmlElement parse_xml(std::string_view text, const std::string& name, const XmlLimits& limits = {});
// Throws RuntimeFailure when the file cannot be read, InputError when its content cannot be used.
XmlElement read_xml_file(const std::string& path, const XmlLimits& limits = {});

}  // namespace routh::internal
