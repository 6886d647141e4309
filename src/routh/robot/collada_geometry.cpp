// The triangles of one <geometry>, and the elements, numbers and references that the reader of COLLADA is made of.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "routh/mesh/mesh_formats.h"
#include "routh/robot/collada_parts.h"
#include "routh/robot/xml_characters.h"

namespace routh::internal::collada {

namespace {

constexpr const char* again = "export the mesh again, or convert it to STL or OBJ";

// Words of a text that is not copied.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  // Empty at the end.
  std::string_view next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const std::size_t first = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(first, at_ - first);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Where the positions of a <mesh> stand.
class Positions {
 public:
  explicit Positions(const XmlElement& mesh) {
    for (const XmlElement* source : mesh.all("source")) sources_.add(*source);
    for (const XmlElement* vertices : mesh.all("vertices")) vertices_.add(*vertices);
  }

  // Of the <vertices> that the input names.
  const std::vector<Vector3>& of(const XmlElement& input) {
    const XmlElement& vertices = vertices_.find(input, "source");
    for (const XmlElement* each : vertices.all("input"))
      if (need_attribute(*each, "semantic") == "POSITION") {
        const XmlElement& source = sources_.find(*each, "source");
        const auto [entry, added] = read_.try_emplace(&source);
        if (added) entry->second = read(source);
        return entry->second;
      }
    fail(vertices, "it has no <input> of the semantic POSITION", again);
  }

 private:
  // The columns of x, y and z among those of the accessor: named so, or the first three.
  static std::array<std::size_t, 3> columns(const XmlElement& accessor) {
    std::array<std::size_t, 3> column = {0, 1, 2};
    const std::vector<const XmlElement*> params = accessor.all("param");
    for (std::size_t k = 0; k < params.size(); ++k) {
      const XmlAttribute* name = params[k]->attribute("name");
      if (name && name->value.size() == 1 && name->value[0] >= 'X' && name->value[0] <= 'Z')
        column[static_cast<std::size_t>(name->value[0] - 'X')] = k;
    }
    return column;
  }

  static std::vector<Vector3> read(const XmlElement& source) {
    const XmlElement& array = need_child(source, "float_array");
    const XmlElement& accessor = need_child(need_child(source, "technique_common"), "accessor");
    const std::vector<double> values = numbers_in(array);
    if (values.size() != count_of(array, "count", values.size()))
      fail(array, fmt::format("its count is {}, but it has {} numbers", array.attribute("count")->value, values.size()),
           "the file was cut off or changed; export the mesh again");
    const std::size_t count = count_of(accessor, "count", 0), stride = count_of(accessor, "stride", 1),
                      offset = count_of(accessor, "offset", 0);
    const std::array<std::size_t, 3> column = columns(accessor);
    if (*std::max_element(column.begin(), column.end()) >= stride)
      fail(accessor, fmt::format("its stride is {}, which has no room for x, y and z", stride), again);
    if (offset > values.size() || count > (values.size() - offset) / stride)
      fail(accessor,
           fmt::format("{} positions of {} numbers from number {} on do not fit into an array of {}", count, stride,
                       offset, values.size()),
           again);
    std::vector<Vector3> positions(count);
    for (std::size_t k = 0; k < count; ++k) {
      const double* at = values.data() + offset + k * stride;
      positions[k] = {at[column[0]], at[column[1]], at[column[2]]};
    }
    return positions;
  }

  ById sources_{"source"}, vertices_{"vertices"};
  std::map<const XmlElement*, std::vector<Vector3>> read_;
};

// One <triangles>, <polylist>, … of a mesh: its corners one after the other, of which each has an index for every
// offset of its inputs.
class Primitive {
 public:
  Primitive(const XmlElement& element, Positions& positions, TriangleMesh& mesh) : element_(element), mesh_(mesh) {
    const XmlElement* vertex = nullptr;
    for (const XmlElement* input : element.all("input")) {
      const std::size_t offset = count_of(*input, "offset", 0);
      if (offset >= inputs_max) fail(*input, fmt::format("its offset is {}", offset), again);
      stride_ = std::max(stride_, offset + 1);
      if (need_attribute(*input, "semantic") == "VERTEX") vertex = input, offset_ = offset;
    }
    if (!vertex) fail(element, "it has no <input> of the semantic VERTEX", again);
    positions_ = &positions.of(*vertex);
  }

  void read() {
    const std::vector<const XmlElement*> lists = element_.all("p");
    const std::string& name = element_.name;
    if (element_.child("ph")) fail(*element_.child("ph"), "polygons with holes are not read", "triangulate the mesh");
    if (name == "triangles" || name == "polylist") {
      if (lists.size() > 1) fail(*lists[1], fmt::format("<{}> has a second <p>", name), again);
      const std::vector<int> corners = lists.empty() ? std::vector<int>() : corners_in(*lists[0]);
      return name == "triangles" ? read_triangles(corners) : read_polylist(corners);
    }
    check_count(lists.size());
    for (const XmlElement* list : lists) {
      const std::vector<int> corners = corners_in(*list);
      if (name == "tristrips")
        add_strip(corners);
      else
        add_fan(corners.data(), corners.size());
    }
  }

 private:
  static constexpr std::size_t inputs_max = 256;

  void check_count(std::size_t found) const {
    const std::size_t count = count_of(element_, "count", found);
    if (count != found) fail(element_, fmt::format("its count is {}, but it has {}", count, found), again);
  }

  // The vertices of the mesh that stand for the corners.
  std::vector<int> corners_in(const XmlElement& list) {
    const std::vector<std::size_t> indices = indices_in(list);
    if (indices.size() % stride_ != 0)
      fail(list, fmt::format("it has {} indices, {} for each corner", indices.size(), stride_), again);
    std::vector<int> corners;
    corners.reserve(indices.size() / stride_);
    for (std::size_t k = offset_; k < indices.size(); k += stride_) {
      if (indices[k] >= positions_->size())
        fail(list, fmt::format("it names position {}; there are {}, counted from 0", indices[k], positions_->size()),
             again);
      const auto [entry, added] = taken_.try_emplace(indices[k], static_cast<int>(mesh_.vertices.size()));
      if (added) mesh_.vertices.push_back((*positions_)[indices[k]]);
      corners.push_back(entry->second);
    }
    return corners;
  }

  void add(int a, int b, int c) {
    if (mesh_.triangles.size() >= max_mesh_triangles)
      fail(element_, fmt::format("the mesh has more than {} triangles", max_mesh_triangles), "reduce it");
    mesh_.triangles.push_back({a, b, c});
  }

  // Two corners are a line, one a point: neither bounds a body.
  void add_fan(const int* corners, std::size_t count) {
    for (std::size_t k = 2; k < count; ++k) add(corners[0], corners[k - 1], corners[k]);
  }

  void add_strip(const std::vector<int>& c) {
    for (std::size_t k = 2; k < c.size(); ++k)
      k % 2 == 0 ? add(c[k - 2], c[k - 1], c[k]) : add(c[k - 1], c[k - 2], c[k]);
  }

  void read_triangles(const std::vector<int>& corners) {
    if (corners.size() % 3 != 0)
      fail(element_, fmt::format("it has {} corners, which make no triangles", corners.size()), again);
    check_count(corners.size() / 3);
    for (std::size_t k = 0; k < corners.size(); k += 3) add_fan(corners.data() + k, 3);
  }

  void read_polylist(const std::vector<int>& corners) {
    const XmlElement* counts = element_.child("vcount");
    const std::vector<std::size_t> sizes = counts ? indices_in(*counts) : std::vector<std::size_t>();
    check_count(sizes.size());
    std::size_t at = 0;
    for (const std::size_t size : sizes) {
      if (size > corners.size() - at) fail(*counts, "it counts more corners than <p> has", again);
      add_fan(corners.data() + at, size);
      at += size;
    }
    if (at != corners.size())
      fail(element_, fmt::format("<vcount> counts {} corners, <p> has {}", at, corners.size()), again);
  }

  const XmlElement& element_;
  TriangleMesh& mesh_;
  const std::vector<Vector3>* positions_ = nullptr;
  std::size_t stride_ = 1, offset_ = 0;
  std::unordered_map<std::size_t, int> taken_;
};

}  // namespace

void fail(const XmlElement& element, const std::string& message, const std::string& remedy) {
  throw InputError(element.where(), fmt::format("<{}>: {}", printable(element.name), message), remedy);
}

const XmlElement& need_child(const XmlElement& element, const char* name) {
  const XmlElement* child = element.child(name);
  if (!child) fail(element, fmt::format("it has no <{}>", name), again);
  return *child;
}

const std::string& need_attribute(const XmlElement& element, const char* name) {
  const XmlAttribute* attribute = element.attribute(name);
  if (!attribute) fail(element, fmt::format("it has no attribute '{}'", name), again);
  return attribute->value;
}

std::vector<double> numbers_in(const XmlElement& element) {
  std::vector<double> values;
  Words words(element.text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const std::string_view digits = word.front() == '+' ? word.substr(1) : word;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
      fail(element, fmt::format("number {} is '{}', no finite number", values.size(), printable(std::string(word), 60)),
           again);
    values.push_back(value + 0.0);
  }
  return values;
}

std::size_t whole_number(const XmlElement& element, std::string_view word, const std::string& what) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    fail(element, fmt::format("{} is '{}', no whole number from 0 on", what, printable(std::string(word), 60)), again);
  return value;
}

std::vector<std::size_t> indices_in(const XmlElement& element) {
  std::vector<std::size_t> values;
  Words words(element.text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next())
    values.push_back(whole_number(element, word, fmt::format("index {}", values.size())));
  return values;
}

std::size_t count_of(const XmlElement& element, const char* attribute, std::size_t otherwise) {
  const XmlAttribute* found = element.attribute(attribute);
  return found ? whole_number(element, found->value, fmt::format("its {}", attribute)) : otherwise;
}

void ById::add(const XmlElement& element) {
  if (const XmlAttribute* id = element.attribute("id")) found_[id->value].push_back(&element);
}

const XmlElement& ById::find(const XmlElement& from, const char* attribute) const {
  const std::string& reference = need_attribute(from, attribute);
  const std::string shown = printable(reference, 60);
  if (!reference.starts_with('#'))
    fail(from, fmt::format("{} '{}' leads out of the file", attribute, shown), "put all into one file");
  const auto entry = found_.find(std::string_view(reference).substr(1));
  if (entry == found_.end()) fail(from, fmt::format("there is no <{}> of the id '{}'", name_, shown.substr(1)), again);
  if (entry->second.size() > 1)
    fail(from,
         fmt::format("two <{}> have the id '{}', in line {} and line {}", name_, shown.substr(1),
                     entry->second[0]->line, entry->second[1]->line),
         "keep one of them");
  return *entry->second.front();
}

TriangleMesh read_geometry(const XmlElement& geometry) {
  TriangleMesh mesh;
  const XmlElement* element = geometry.child("mesh");
  if (!element) fail(geometry, "only geometries with a <mesh> are read", "export it as polygons");
  Positions positions(*element);
  constexpr std::array<std::string_view, 5> read = {"triangles", "polylist", "polygons", "trifans", "tristrips"};
  for (const XmlElement& child : element->children)
    if (std::find(read.begin(), read.end(), child.name) != read.end()) Primitive(child, positions, mesh).read();
  return mesh;
}

}  // namespace routh::internal::collada
