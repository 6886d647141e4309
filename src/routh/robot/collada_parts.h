// What the two sources of the COLLADA reader share.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "routh/mesh/mass.h"
#include "routh/robot/xml.h"

namespace routh::internal::collada {

[[noreturn]] void fail(const XmlElement& element, const std::string& message, const std::string& remedy);
const XmlElement& need_child(const XmlElement& element, const char* name);
const std::string& need_attribute(const XmlElement& element, const char* name);

// The blank-separated words of the element's text as finite numbers, and as whole numbers from 0 on.
std::vector<double> numbers_in(const XmlElement& element);
std::vector<std::size_t> indices_in(const XmlElement& element);
std::size_t whole_number(const XmlElement& element, std::string_view word, const std::string& what);
// The attribute as a whole number; `otherwise` where there is none.
std::size_t count_of(const XmlElement& element, const char* attribute, std::size_t otherwise);

// The elements of one name by their `id`. One that is looked up must be there, and only once.
class ById {
 public:
  explicit ById(std::string name) : name_(std::move(name)) {}
  void add(const XmlElement& element);
  // What the attribute of `from`, `#id`, leads to.
  const XmlElement& find(const XmlElement& from, const char* attribute) const;

 private:
  std::string name_;
  std::map<std::string, std::vector<const XmlElement*>, std::less<>> found_;
};

// The triangles of a <geometry> in its own coordinates. A polygon becomes a fan; vertices that no polygon names are
// left out.
TriangleMesh read_geometry(const XmlElement& geometry);

}  // namespace routh::internal::collada
