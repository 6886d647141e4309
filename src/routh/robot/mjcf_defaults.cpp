#include "routh/robot/mjcf_defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "routh/base/nearest_word.h"
#include "routh/text/document.h"

namespace routh::internal {

MjcfSettings::Found MjcfSettings::find(std::string_view name) const {
  for (const XmlElement* layer : layers_)
    if (const XmlAttribute* attribute = layer->attribute(name)) return {layer, attribute};
  return {};
}

std::string MjcfSettings::text(std::string_view name) const {
  const Found found = find(name);
  return found ? found.attribute->value : std::string();
}

double MjcfSettings::number(std::string_view name, double otherwise) const {
  const Found found = find(name);
  return found ? read_number(*found.element, *found.attribute) : otherwise;
}

int MjcfSettings::integer(std::string_view name, int otherwise) const {
  const Found found = find(name);
  if (!found) return otherwise;
  const double value = read_number(*found.element, *found.attribute);
  if (value != std::floor(value) || std::abs(value) > std::numeric_limits<int>::max())
    throw InputError(found.where(), fmt::format("{} = {} is no integer of 32 bits", name, value),
                     "write a smaller whole number");
  return static_cast<int>(value);
}

Vector3 MjcfSettings::vector(std::string_view name, const Vector3& otherwise) const {
  const Found found = find(name);
  return found ? read_vector3(*found.element, *found.attribute) : otherwise;
}

std::size_t MjcfSettings::fill(std::string_view name, std::span<double> values) const {
  std::size_t count = 0;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer)
    if (const XmlAttribute* attribute = (*layer)->attribute(name)) {
      const std::vector<double> numbers = read_numbers(**layer, *attribute, 0, values.size());
      std::copy(numbers.begin(), numbers.end(), values.begin());
      count = std::max(count, numbers.size());
    }
  return count;
}

int MjcfSettings::choice(std::string_view name, std::span<const std::string_view> words, int otherwise) const {
  const Found found = find(name);
  if (!found) return otherwise;
  const auto word = std::find(words.begin(), words.end(), found.attribute->value);
  if (word == words.end())
    throw InputError(
        found.where(),
        fmt::format("{} of <{}> = '{}' is not known", name, printable(own_.name), printable(found.attribute->value)),
        fmt::format("write {}", fmt::join(words, ", ")));
  return static_cast<int>(word - words.begin());
}

bool MjcfSettings::flag(std::string_view name, bool otherwise) const {
  static constexpr std::string_view words[] = {"false", "true"};
  return choice(name, words, otherwise ? 1 : 0) == 1;
}

MjcfTernary read_mjcf_ternary(const MjcfSettings& settings, std::string_view name) {
  static constexpr std::string_view words[] = {"false", "true", "auto"};
  return static_cast<MjcfTernary>(settings.choice(name, words, static_cast<int>(MjcfTernary::automatic)));
}

MjcfDefaults::MjcfDefaults(std::size_t part_count) : parts_(part_count, Classes{{Class{}}, {{"main", 0}}}) {}

void MjcfDefaults::add(const XmlElement& section) {
  Classes& part = parts_[static_cast<std::size_t>(section.part)];
  if (const XmlAttribute* name = section.attribute("class")) part.names.emplace(name->value, 0);
  add_class(part, section, 0);
}

// The class's own elements first, as their order in the text does not matter for the classes within it. The depth of
// the nesting is bounded by the XML reader.
void MjcfDefaults::add_class(Classes& part, const XmlElement& section, int index) {
  std::vector<Class>& classes = part.classes;
  for (const XmlElement& child : section.children)
    if (child.name != "default") classes[static_cast<std::size_t>(index)].elements.push_back(&child);
  for (const XmlElement& child : section.children) {
    if (child.name != "default") continue;
    const XmlAttribute* name = child.attribute("class");
    if (!name || name->value.empty())
      throw InputError(child.where(), "a <default> within another has no class", "add class=\"…\"");
    const auto [entry, added] = part.names.emplace(name->value, static_cast<int>(classes.size()));
    if (added)
      classes.push_back({index, classes[static_cast<std::size_t>(index)].elements.size(), {}});
    else if (classes[static_cast<std::size_t>(entry->second)].parent != index)
      throw InputError(child.where_value(*name),
                       fmt::format("the class '{}' is there already, within another", printable(name->value)),
                       "choose another name");
    add_class(part, child, entry->second);
  }
}

int MjcfDefaults::find_class(const Classes& part, const XmlElement& element, const XmlAttribute& attribute) {
  const auto entry = part.names.find(attribute.value);
  if (entry != part.names.end()) return entry->second;
  throw InputError(element.where_value(attribute),
                   fmt::format("there is no default class '{}'", printable(attribute.value)),
                   nearest_hint(attribute.value, part.names, "define it under <default>"));
}

void MjcfDefaults::require(const XmlElement& element, const XmlAttribute& attribute) const {
  find_class(classes_of(element), element, attribute);
}

MjcfSettings MjcfDefaults::settings(const XmlElement& element, const std::string& child_class,
                                    std::span<const std::string_view> kinds) const {
  const std::string_view own_kind[] = {element.name};
  if (kinds.empty()) kinds = own_kind;
  const Classes& part = classes_of(element);
  int index = 0;
  if (const XmlAttribute* named = element.attribute("class"))
    index = find_class(part, element, *named);
  else if (const auto entry = part.names.find(child_class); entry != part.names.end())
    index = entry->second;
  std::vector<const XmlElement*> layers{&element};
  for (std::size_t count = std::string::npos; index >= 0;) {
    const Class& current = part.classes[static_cast<std::size_t>(index)];
    for (std::size_t i = std::min(count, current.elements.size()); i-- > 0;)
      if (std::find(kinds.begin(), kinds.end(), current.elements[i]->name) != kinds.end())
        layers.push_back(current.elements[i]);
    count = current.inherited;
    index = current.parent;
  }
  return {element, std::move(layers)};
}

}  // namespace routh::internal
