// A strict reader of YAML (and so of JSON) texts, with the place of every value.
//
// Refused: duplicate and unknown keys, tags, anchors and aliases, several documents, numbers in quotes, nan, inf,
// octal and hexadecimal numbers, text that is not UTF-8, and whatever exceeds the limits. Every refusal is an
// InputError with file, line and column (in bytes), what was found, what is allowed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "routh/base/error.h"
#include "routh/base/names.h"
#include "routh/text/text_guard.h"

namespace routh::internal {

enum class NodeKind { nothing, scalar, sequence, map };

struct NodeTree;

// One value of a document: a light handle, valid while its Document lives.
class Node {
 public:
  Node(const NodeTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}

  NodeKind kind() const;
  bool is_map() const { return kind() == NodeKind::map; }
  bool is_sequence() const { return kind() == NodeKind::sequence; }
  bool is_scalar() const { return kind() == NodeKind::scalar; }
  bool quoted() const;           // a scalar written in quotes or as a block
  std::size_t size() const;      // entries of a list or map, else 0
  std::string_view raw() const;  // text of a scalar, empty otherwise
  std::string_view key() const;  // of an entry of a map, empty otherwise

  Location where() const;
  Location key_where() const;    // of the key, when there is one
  std::string path() const;      // for messages: `restitution.table[2][0]`; `the document` at the root
  std::string describe() const;  // what stands here: `the text 'abc'`, `a list of 3`

  // Typed values. Each throws InputError when something else stands here.
  double number() const;  // finite
  long long integer(long long low, long long high) const;
  bool boolean() const;           // true or false
  std::string_view text() const;  // any scalar, as written
  std::span<const std::string_view>::size_type choice(std::span<const std::string_view> names) const;
  template <NamedEnum E>
  E choice() const {
    return all_values<E>[choice(all_names<E>)];
  }
  void expect_map() const;
  void expect_sequence() const;

  // Entries of a map.
  std::optional<Node> find(std::string_view key) const;
  Node require(std::string_view key) const;
  // Throws InputError of each key that is not among `keys`, with the nearest one as a suggestion.
  void allow_keys(std::span<const std::string_view> keys) const;
  void allow_keys(std::initializer_list<std::string_view> keys) const {
    allow_keys(std::span<const std::string_view>(keys.begin(), keys.size()));
  }

  // The entries of a list or the values of a map, in the order of the text.
  class Iterator {
   public:
    Iterator(const NodeTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}
    Node operator*() const { return Node(tree_, index_); }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const NodeTree* tree_;
    std::uint32_t index_;
  };
  Iterator begin() const;
  Iterator end() const;
  Node child(std::size_t position) const;  // `position` < size(); walks from the first

  [[noreturn]] void fail(const std::string& message, const std::string& remedy = {}) const;

 private:
  const NodeTree* tree_;
  std::uint32_t index_;
};

class Document {
 public:
  // Throws InputError. `name` stands for the file in messages.
  static Document from_text(std::string text, const std::string& name, const TextLimits& limits = {});
  // Throws RuntimeFailure when the file cannot be read, InputError when its content cannot be used.
  static Document from_file(const std::string& path, const TextLimits& limits = {});

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  Node root() const;
  const std::string& name() const;

 private:
  explicit Document(std::unique_ptr<NodeTree> tree);
  std::unique_ptr<NodeTree> tree_;
};

// The whole file; at most `max_bytes`. Throws RuntimeFailure when it cannot be read, InputError when it is longer.
std::string read_text_file(const std::string& path, std::size_t max_bytes);

}  // namespace routh::internal
