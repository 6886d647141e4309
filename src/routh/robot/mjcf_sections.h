// The sections of a model besides its world while parts are attached and replicated: what names a part follows it.
// Private to the reader of MJCF.
#pragma once

#include <map>
#include <vector>

#include "routh/robot/mjcf_include.h"
#include "routh/robot/mjcf_names.h"

namespace routh::internal {

class MjcfSections {
 public:
  explicit MjcfSections(MjcfSize& size) : size_(size) {}

  void add(XmlElement section);
  // In place of whatever refers to one of `names`: once more for each renaming.
  void replicate(const MjcfNames& names, const std::vector<MjcfRenaming>& renamings);
  // Besides them: once more.
  void duplicate(const MjcfNames& names, const MjcfRenaming& renaming);
  std::vector<XmlElement> take();

 private:
  struct Entry {
    XmlElement element;
    std::size_t section = 0;
    bool alive = true;
  };
  void add_entry(XmlElement element, std::size_t section);
  std::vector<std::size_t> referring(const MjcfNames& names) const;
  void add_renamed(std::size_t entry, const MjcfRenaming& renaming, const MjcfNames& names);

  MjcfSize& size_;
  std::vector<XmlElement> sections_;
  std::vector<Entry> entries_;  // of the sections whose elements refer to parts of the world
  std::multimap<std::pair<MjcfNamed, std::string>, std::size_t> by_reference_;
};

}  // namespace routh::internal
