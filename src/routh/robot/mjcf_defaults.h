// Default classes: what an element says by way of its class when it says nothing itself. Private to the reader of MJCF.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "routh/robot/robot_reading.h"

namespace routh::internal {

// An element with the defaults that hold for it.
class MjcfSettings {
 public:
  struct Found {
    const XmlElement* element = nullptr;
    const XmlAttribute* attribute = nullptr;
    explicit operator bool() const { return attribute != nullptr; }
    Location where() const { return element->where_value(*attribute); }
  };

  MjcfSettings(const XmlElement& own, std::vector<const XmlElement*> layers) : own_(own), layers_(std::move(layers)) {}

  const XmlElement& own() const { return own_; }
  Location where() const { return own_.where(); }
  // The element itself first, then its defaults, nearest first.
  const std::vector<const XmlElement*>& layers() const { return layers_; }

  // The attribute of the nearest layer that has it.
  Found find(std::string_view name) const;
  std::string text(std::string_view name) const;  // empty when it is nowhere
  double number(std::string_view name, double otherwise) const;
  int integer(std::string_view name, int otherwise) const;
  Vector3 vector(std::string_view name, const Vector3& otherwise) const;
  // A list that is shorter than `values` sets the first of them and leaves the others to farther layers. How many were
  // set by any layer.
  std::size_t fill(std::string_view name, std::span<double> values) const;
  // The index of the value in `words`, or `otherwise` when the attribute is nowhere.
  int choice(std::string_view name, std::span<const std::string_view> words, int otherwise) const;
  bool flag(std::string_view name, bool otherwise) const;

 private:
  const XmlElement& own_;
  std::vector<const XmlElement*> layers_;
};

// `true`, `false` or `auto` of MJCF.
enum class MjcfTernary { no, yes, automatic };
MjcfTernary read_mjcf_ternary(const MjcfSettings& settings, std::string_view name);

class MjcfDefaults {
 public:
  explicit MjcfDefaults(std::size_t part_count);
  // A section <default> of <mujoco>. A class inherits what its parent had said before it.
  void add(const XmlElement& section);

  // Of the class the element names, or else of `child_class` (empty: of the outermost). Default elements of any of
  // `kinds` count; without kinds, those of the element's own name.
  MjcfSettings settings(const XmlElement& element, const std::string& child_class = {},
                        std::span<const std::string_view> kinds = {}) const;
  // Throws InputError when there is no such class.
  void require(const XmlElement& element, const XmlAttribute& attribute) const;

 private:
  struct Class {
    int parent = -1;
    std::size_t inherited = 0;  // how many of the parent's elements
    std::vector<const XmlElement*> elements;
  };
  // Of a part of the machine, the outermost class first.
  struct Classes {
    std::vector<Class> classes;
    std::map<std::string, int, std::less<>> names;
  };
  const Classes& classes_of(const XmlElement& element) const { return parts_[static_cast<std::size_t>(element.part)]; }
  static void add_class(Classes& part, const XmlElement& section, int index);
  static int find_class(const Classes& part, const XmlElement& element, const XmlAttribute& attribute);

  std::vector<Classes> parts_;
};

}  // namespace routh::internal
