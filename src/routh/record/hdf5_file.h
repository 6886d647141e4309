// What the run file needs of HDF5's C interface: handles that close themselves, attributes, columns that grow.
//
// Every piece of metadata in the newest format carries a check sum, and so does every chunk of a column (Fletcher's):
// damage is noticed before it is interpreted. Strings have a fixed length for the same reason: those of variable length
// live in a heap without check sums. No times are stored, so that the same content gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace routh::internal::hdf {

// HDF5's hid_t, so that this header does without theirs.
using Id = std::int64_t;

// What HDF5 said, innermost reason first. Knows nothing of paths.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// HDF5 had no memory: nothing is said about the file.
class OutOfMemory : public Failure {
 public:
  using Failure::Failure;
};

// While it lives, this thread alone uses HDF5 (which need not have been built for threads) and HDF5 prints nothing. The
// first one may throw OutOfMemory.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  int (*print_)(Id, void*) = nullptr;
  void* data_ = nullptr;
};

// Throws OutOfMemory where there is too little of it for HDF5 to go through its work: it crashes when memory ends.
void ensure_memory();

class Handle {
 public:
  using Close = int (*)(Id);
  Handle() = default;
  // Throws Failure where HDF5 gave no id.
  Handle(Id id, Close close);
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;

  Id get() const { return id_; }
  // Whether it closed without an error.
  bool reset();

 private:
  Id id_ = -1;
  Close close_ = nullptr;
};

enum class Kind { float64, int32, int64, uint32, uint8, text };
// `size` counts bytes and is used by text alone.
struct Element {
  Kind kind = Kind::float64;
  std::size_t size = 0;
};

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, double>) return {Kind::float64, 0};
  if constexpr (std::is_same_v<T, std::int32_t>) return {Kind::int32, 0};
  if constexpr (std::is_same_v<T, std::int64_t>) return {Kind::int64, 0};
  if constexpr (std::is_same_v<T, std::uint32_t>) return {Kind::uint32, 0};
  if constexpr (std::is_same_v<T, std::uint8_t>) return {Kind::uint8, 0};
}

// A list of numbers (flat) or of rows of `width` numbers.
inline constexpr long long flat = -1;
// Space is taken by whole chunks: small ones, so that a short run is a small file.
inline constexpr long long chunk_rows = 64;

// A file's root, a group or a dataset: what attributes belong to.
class Node {
 public:
  Node() = default;
  explicit Node(Handle handle) : handle_(std::move(handle)) {}

  Id id() const { return handle_.get(); }
  bool close() { return handle_.reset(); }

  void put(const char* name, double value);
  void put(const char* name, long long value);
  void put(const char* name, const std::string& text);
  void put(const char* name, const std::vector<std::string>& texts);
  double real(const char* name) const;
  long long integer(const char* name) const;
  std::string text(const char* name) const;
  std::vector<std::string> texts(const char* name) const;

  Node create_group(const char* name);
  Node group(const char* name) const;
  bool has(const char* name) const;
  // One text, as a scalar.
  void create_text(const char* name, const std::string& text);
  std::string read_text(const char* name) const;
  // A dataset without rows, which `append` fills.
  Node create_column(const char* name, Element element, long long width, long long rows_in_chunk = chunk_rows);
  void append(const void* rows, long long count, Element element);

  // The whole dataset of exactly this type and width. A file that claims more than it holds is refused.
  template <class T>
  std::vector<T> read(const char* name, long long width = flat) const {
    std::vector<T> values;
    const auto resize = [](void* to, std::size_t count) -> void* {
      static_cast<std::vector<T>*>(to)->resize(count);
      return static_cast<std::vector<T>*>(to)->data();
    };
    read_column(name, element_of<T>(), width, resize, &values);
    return values;
  }
  std::vector<std::string> read_texts(const char* name) const;
  // The names attached to a dataset.
  std::vector<std::string> texts_of(const char* dataset, const char* attribute) const;
  long long rows(const char* dataset) const;

 private:
  using Resize = void* (*)(void* to, std::size_t count);
  void read_column(const char* name, Element element, long long width, Resize resize, void* to) const;

  Handle handle_;
};

struct WriteTarget;
// A file that HDF5 writes to `target`, which must outlive it; `path` only names it.
Node create_file(const std::string& path, WriteTarget& target);
void flush_file(const Node& root);
// Throws Failure where something could not be written.
void check_written(const WriteTarget& target);
// For reading, from the file that the target has open.
Node open_file(const std::string& path, WriteTarget& target);

}  // namespace routh::internal::hdf
