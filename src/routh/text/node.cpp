#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "routh/base/error_list.h"
#include "routh/base/nearest_word.h"
#include "routh/base/number.h"
#include "routh/text/tree.h"

namespace routh::internal {

namespace {

std::string joined(std::span<const std::string_view> words) { return fmt::format("{}", fmt::join(words, ", ")); }

}  // namespace

NodeKind Node::kind() const { return tree_->entries[index_].kind; }
bool Node::quoted() const { return tree_->entries[index_].quoted; }
std::size_t Node::size() const { return tree_->entries[index_].count; }
std::string_view Node::key() const { return tree_->key(tree_->entries[index_]); }

std::string_view Node::raw() const {
  const Entry& entry = tree_->entries[index_];
  return tree_->view(entry.text_begin, entry.text_size);
}

Location Node::where() const {
  const Entry& entry = tree_->entries[index_];
  // An empty value has no place of its own: the parser notices it on a later line.
  if (entry.kind == NodeKind::nothing && entry.has_key && entry.line != entry.key_line) return key_where();
  return {tree_->file, entry.line, entry.column};
}

Location Node::key_where() const {
  const Entry& entry = tree_->entries[index_];
  return entry.has_key ? Location{tree_->file, entry.key_line, entry.key_column} : where();
}

std::string Node::path() const {
  std::string path;
  for (std::uint32_t i = index_; tree_->entries[i].parent != nowhere; i = tree_->entries[i].parent) {
    const Entry& entry = tree_->entries[i];
    const bool outermost = tree_->entries[entry.parent].parent == nowhere;
    const std::string step = entry.has_key ? (outermost ? "" : ".") + printable(std::string(tree_->key(entry)))
                                           : fmt::format("[{}]", entry.position);
    path.insert(0, step);
  }
  return path.empty() ? "the document" : path;
}

std::string Node::describe() const {
  switch (kind()) {
    case NodeKind::nothing:
      return "nothing";
    case NodeKind::scalar:
      return (quoted() ? "the quoted text " : "") + shown(raw());
    case NodeKind::sequence:
      return fmt::format("a list of {}", size());
    case NodeKind::map:
      return fmt::format("a map of {}", size());
  }
  return "";
}

void Node::fail(const std::string& message, const std::string& remedy) const {
  throw InputError(where(), message, remedy);
}

double Node::number() const {
  if (!is_scalar()) fail(fmt::format("{}: found {} where a number is expected", path(), describe()));
  if (quoted()) fail(fmt::format("{}: found {} where a number is expected", path(), describe()), "remove the quotes");
  const ParsedNumber parsed = parse_number(raw());
  if (parsed.fault != NumberFault::none)
    fail(fmt::format("{}: {} {}", path(), describe(), explain(parsed.fault)),
         "a finite decimal number such as 0.5, -3 or 1e-3 is expected");
  return parsed.value;
}

long long Node::integer(long long low, long long high) const {
  const std::string_view token = raw();
  long long value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  const bool whole = is_scalar() && !quoted() && !token.empty() && end == token.data() + token.size();
  const bool leading_zero = parse_number(token).fault == NumberFault::leading_zero;
  if (!whole || error != std::errc() || leading_zero || value < low || value > high)
    fail(fmt::format("{}: found {} where a whole number from {} to {} is expected", path(), describe(), low, high));
  return value;
}

bool Node::boolean() const {
  if (is_scalar() && !quoted() && raw() == "true") return true;
  if (is_scalar() && !quoted() && raw() == "false") return false;
  fail(fmt::format("{}: found {} where true or false is expected", path(), describe()));
}

std::string_view Node::text() const {
  if (!is_scalar()) fail(fmt::format("{}: found {} where a text is expected", path(), describe()));
  return raw();
}

std::size_t Node::choice(std::span<const std::string_view> names) const {
  const std::string_view word = text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == word) return i;
  fail(fmt::format("{}: {} is not one of {}", path(), describe(), joined(names)), nearest_hint(word, names));
}

void Node::expect_map() const {
  if (!is_map()) fail(fmt::format("{}: found {} where a map (name: value) is expected", path(), describe()));
}

void Node::expect_sequence() const {
  if (!is_sequence()) fail(fmt::format("{}: found {} where a list is expected", path(), describe()));
}

std::optional<Node> Node::find(std::string_view key) const {
  if (!is_map()) return std::nullopt;
  for (const Node entry : *this)
    if (entry.key() == key) return entry;
  return std::nullopt;
}

Node Node::require(std::string_view key) const {
  expect_map();
  if (const auto entry = find(key)) return *entry;
  fail(fmt::format("{}: '{}' is missing", path(), key), fmt::format("add `{}: …`", key));
}

void Node::allow_keys(std::span<const std::string_view> keys) const {
  expect_map();
  ErrorList errors;
  for (const Node entry : *this) {
    const std::string_view key = entry.key();
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string remedy = nearest_hint(key, keys);
    if (errors.empty()) remedy += (remedy.empty() ? "allowed: " : " allowed: ") + joined(keys);  // once is enough
    errors.add({entry.key_where(), fmt::format("{} is not a key of {}", shown(key), path()), remedy});
  }
  errors.finish();
}

Node::Iterator& Node::Iterator::operator++() {
  index_ = tree_->entries[index_].next;
  return *this;
}

Node::Iterator Node::begin() const { return Iterator(tree_, tree_->entries[index_].first); }
Node::Iterator Node::end() const { return Iterator(tree_, nowhere); }

Node Node::child(std::size_t position) const {
  Iterator it = begin();
  for (std::size_t i = 0; i < position; ++i) ++it;
  return *it;
}

}  // namespace routh::internal
