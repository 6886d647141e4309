#include "routh/text/document.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <istream>
#include <streambuf>
#include <system_error>

#include "routh/text/tree.h"

namespace routh::internal {

namespace {

// Fills a NodeTree from the events of the parser. Depth is checked before the parser can recurse further.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(NodeTree& tree, const TextLimits& limits) : tree_(tree), limits_(limits) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      fail(mark, "found more text after the end of the document",
           "keep one document in a file; see `---` and brackets");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_extras(mark, "?", anchor);
    if (expects_key()) fail(mark, "found an entry without a name", "write `name: value`");
    add(mark, NodeKind::nothing);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark); }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_anchor(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_extras(mark, tag, anchor);
    if (expects_key()) {
      keep_key(mark, value);
      return;
    }
    Entry& entry = add(mark, NodeKind::scalar);
    entry.quoted = tag == "!";
    entry.text_begin = static_cast<std::uint32_t>(tree_.text.size());
    entry.text_size = static_cast<std::uint32_t>(value.size());
    tree_.text += value;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, NodeKind::sequence);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, NodeKind::map);
  }
  void OnMapEnd() override {
    refuse_duplicates(tree_.entries[open_.back()]);
    open_.pop_back();
  }

 private:
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message, const std::string& remedy) const {
    throw InputError({tree_.file, mark.line + 1, mark.column + 1}, message, remedy);
  }
  [[noreturn]] void refuse_anchor(const YAML::Mark& mark) const {
    fail(mark, "anchors (&name) and aliases (*name) are not read", "write the value where it is used");
  }
  void refuse_extras(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) refuse_anchor(mark);
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(mark, fmt::format("tags ({}) are not read", shown(tag)), "remove it");
  }

  bool expects_key() const {
    return !open_.empty() && tree_.entries[open_.back()].kind == NodeKind::map && !key_pending_;
  }

  void keep_key(const YAML::Mark& mark, const std::string& value) {
    key_pending_ = true;
    key_mark_ = mark;
    key_begin_ = static_cast<std::uint32_t>(tree_.text.size());
    key_size_ = static_cast<std::uint32_t>(value.size());
    tree_.text += value;
  }

  Entry& add(const YAML::Mark& mark, NodeKind kind) {
    if (tree_.entries.size() >= limits_.max_nodes)
      fail(mark, fmt::format("the text holds more than {} values", limits_.max_nodes), "make it smaller");
    const auto index = static_cast<std::uint32_t>(tree_.entries.size());
    Entry entry;
    entry.kind = kind;
    entry.line = mark.line + 1;
    entry.column = mark.column + 1;
    if (!open_.empty()) {
      Entry& parent = tree_.entries[open_.back()];
      entry.parent = open_.back();
      entry.position = parent.count++;
      if (parent.first == nowhere)
        parent.first = index;
      else
        tree_.entries[parent.last].next = index;
      parent.last = index;
    }
    if (key_pending_) {
      entry.has_key = true;
      entry.key_line = key_mark_.line + 1;
      entry.key_column = key_mark_.column + 1;
      entry.key_begin = key_begin_;
      entry.key_size = key_size_;
      key_pending_ = false;
    }
    tree_.entries.push_back(entry);
    return tree_.entries.back();
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, NodeKind kind) {
    refuse_extras(mark, tag, anchor);
    if (static_cast<int>(open_.size()) >= limits_.max_depth)
      fail(mark, fmt::format("lists and maps are nested more than {} deep", limits_.max_depth),
           "write the values without so many levels");
    if (expects_key()) fail(mark, "found a list or map as the name of an entry", "write `name: value`");
    add(mark, kind);
    open_.push_back(static_cast<std::uint32_t>(tree_.entries.size() - 1));
  }

  void refuse_duplicates(const Entry& map) const {
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = map.first; i != nowhere; i = tree_.entries[i].next) members.push_back(i);
    const auto key = [&](std::uint32_t i) { return tree_.key(tree_.entries[i]); };
    std::stable_sort(members.begin(), members.end(), [&](std::uint32_t i, std::uint32_t j) { return key(i) < key(j); });
    const auto twin = std::adjacent_find(members.begin(), members.end(),
                                         [&](std::uint32_t i, std::uint32_t j) { return key(i) == key(j); });
    if (twin == members.end()) return;
    const Entry& first = tree_.entries[*twin];
    const Entry& second = tree_.entries[*(twin + 1)];
    throw InputError({tree_.file, second.key_line, second.key_column},
                     fmt::format("{} is given twice, first in line {} column {}", shown(tree_.key(second)),
                                 first.key_line, first.key_column),
                     "keep one of them");
  }

  NodeTree& tree_;
  const TextLimits& limits_;
  std::vector<std::uint32_t> open_;
  int documents_ = 0;
  bool key_pending_ = false;
  YAML::Mark key_mark_;
  std::uint32_t key_begin_ = 0, key_size_ = 0;
};

// A stream over a text that is not copied.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string& text) { setg(text.data(), text.data(), text.data() + text.size()); }
};

}  // namespace

Document::Document(std::unique_ptr<NodeTree> tree) : tree_(std::move(tree)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Node Document::root() const { return Node(tree_.get(), 0); }
const std::string& Document::name() const { return tree_->file; }

Document Document::from_text(std::string text, const std::string& name, const TextLimits& limits) {
  guard_text(text, name, limits);
  auto tree = std::make_unique<NodeTree>();
  tree->file = name;
  TreeBuilder builder(*tree, limits);
  try {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw InputError({name, error.mark.line + 1, error.mark.column + 1}, "cannot read this as YAML: " + error.msg,
                     "check brackets, quotes, commas and indentation");
  }
  if (tree->entries.empty()) throw InputError({name, 1, 1}, "the text holds nothing but comments", "write the values");
  return Document(std::move(tree));
}

Document Document::from_file(const std::string& path, const TextLimits& limits) {
  return from_text(read_text_file(path, limits.max_bytes), path, limits);
}

namespace {

[[noreturn]] void fail_reading(const std::string& path, const std::string& why) {
  throw RuntimeFailure(fmt::format("cannot read {}: {}", printable(path, 200), why));
}

class InputFile {
 public:
  // Without waiting for somebody who opens a pipe at its other end.
  explicit InputFile(const std::string& path)
      : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (descriptor_ < 0) fail(errno);
  }
  ~InputFile() { close(descriptor_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Devices have no end, but for a terminal.
  void refuse_devices() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail(errno);
    if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && isatty(descriptor_) == 0))
      fail_reading(path_, "it is a device, not a file");
  }

  // Who writes to a pipe opens it within this time, or never does: without a writer reading would tell the end at once.
  void wait_for_writer() const {
    constexpr int longest = 2000;  // [ms]
    pollfd first{descriptor_, POLLIN, 0};
    poll(&first, 1, longest);
  }

  // 0 at the end.
  std::size_t read(char* to, std::size_t most) const {
    while (true) {
      const ssize_t count = ::read(descriptor_, to, most);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        pollfd wait{descriptor_, POLLIN, 0};
        poll(&wait, 1, -1);
      } else if (errno != EINTR) {
        fail(errno);
      }
    }
  }

 private:
  [[noreturn]] void fail(int code) const { fail_reading(path_, std::generic_category().message(code)); }

  const std::string& path_;
  int descriptor_;
};

}  // namespace

std::string read_text_file(const std::string& path, std::size_t max_bytes) {
  const InputFile file(path);
  file.refuse_devices();
  file.wait_for_writer();
  std::string text;
  char chunk[1 << 16];
  while (const std::size_t count = file.read(chunk, sizeof chunk)) {
    text.append(chunk, count);
    if (text.size() > max_bytes)
      throw InputError({path, 0, 0}, fmt::format("the file has more than {} bytes", max_bytes), "make it smaller");
  }
  return text;
}

}  // namespace routh::internal
