#include "routh/robot/mjcf_sections.h"

#include <algorithm>

namespace routh::internal {

namespace {

bool refers(const XmlElement& section) {
  return section.name == "contact" || section.name == "equality" || section.name == "actuator";
}

}  // namespace

void MjcfSections::add(XmlElement section) {
  if (refers(section)) {
    for (XmlElement& child : section.children) add_entry(std::move(child), sections_.size());
    section.children.clear();
  }
  sections_.push_back(std::move(section));
}

void MjcfSections::add_entry(XmlElement element, std::size_t section) {
  for (const auto& reference : mjcf_references(element)) by_reference_.emplace(reference, entries_.size());
  entries_.push_back({std::move(element), section, true});
}

// In the order in which they were added.
std::vector<std::size_t> MjcfSections::referring(const MjcfNames& names) const {
  std::set<std::size_t> found;
  for (const auto& name : names) {
    const auto [first, last] = by_reference_.equal_range(name);
    for (auto entry = first; entry != last; ++entry)
      if (entries_[entry->second].alive) found.insert(entry->second);
  }
  return {found.begin(), found.end()};
}

void MjcfSections::add_renamed(std::size_t entry, const MjcfRenaming& renaming, const MjcfNames& names) {
  XmlElement copy = entries_[entry].element;
  rename_mjcf_references(copy, renaming, names);
  size_.add_all(copy);
  add_entry(std::move(copy), entries_[entry].section);
}

void MjcfSections::replicate(const MjcfNames& names, const std::vector<MjcfRenaming>& renamings) {
  const std::vector<std::size_t> found = referring(names);
  for (const MjcfRenaming& renaming : renamings)
    for (const std::size_t entry : found) add_renamed(entry, renaming, names);
  for (const std::size_t entry : found) {
    entries_[entry].alive = false;
    for (const auto& reference : mjcf_references(entries_[entry].element)) {
      const auto [first, last] = by_reference_.equal_range(reference);
      by_reference_.erase(std::find_if(first, last, [&](const auto& item) { return item.second == entry; }));
    }
  }
}

void MjcfSections::duplicate(const MjcfNames& names, const MjcfRenaming& renaming) {
  for (const std::size_t entry : referring(names)) add_renamed(entry, renaming, names);
}

std::vector<XmlElement> MjcfSections::take() {
  for (Entry& entry : entries_)
    if (entry.alive) sections_[entry.section].children.push_back(std::move(entry.element));
  entries_.clear();
  by_reference_.clear();
  return std::move(sections_);
}

}  // namespace routh::internal
