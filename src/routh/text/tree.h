// How a Document keeps its nodes; private to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "routh/text/document.h"

namespace routh::internal {

inline constexpr std::uint32_t nowhere = 0xffffffff;

struct Entry {
  NodeKind kind = NodeKind::nothing;
  bool quoted = false;
  bool has_key = false;
  int line = 0, column = 0;
  int key_line = 0, key_column = 0;
  std::uint32_t key_begin = 0, key_size = 0;    // into NodeTree::text
  std::uint32_t text_begin = 0, text_size = 0;  // into NodeTree::text
  std::uint32_t parent = nowhere, next = nowhere, first = nowhere, last = nowhere;
  std::uint32_t position = 0;  // among the entries of the parent
  std::uint32_t count = 0;
};

// All nodes in one array, all their text in one string.
struct NodeTree {
  std::string file;
  std::string text;
  std::vector<Entry> entries;

  std::string_view view(std::uint32_t begin, std::uint32_t size) const {
    return std::string_view(text).substr(begin, size);
  }
  std::string_view key(const Entry& entry) const { return view(entry.key_begin, entry.key_size); }
};

// A word of the text as messages show it.
inline std::string shown(std::string_view text) { return "'" + printable(std::string(text.substr(0, 256))) + "'"; }

}  // namespace routh::internal
