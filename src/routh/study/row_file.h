// The table of a study while it is computed: rows of doubles in a plain file beside the result, or in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace routh::internal {

// Throws RuntimeFailure with the path and the reason. The file stays when the object goes.
class RowFile {
 public:
  // In memory.
  explicit RowFile(std::size_t columns) : columns_(columns) {}
  // Opens the file, or makes it, and keeps its first `rows` rows. Throws InputError when it has fewer.
  RowFile(const std::string& path, std::size_t columns, std::uint64_t rows);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  void append(std::span<const double> values);
  std::uint64_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  // Brings the rows to the disk.
  void sync();
  // Calls `take` for some rows at a time, in order.
  void read(const std::function<void(std::span<const double>)>& take) const;
  void remove();

 private:
  [[noreturn]] void fail(const char* what) const;
  bool in_memory() const { return descriptor_ < 0; }

  std::string path_;
  std::size_t columns_;
  std::uint64_t rows_ = 0;
  int descriptor_ = -1;  // −1: in memory
  std::vector<double> memory_;
};

}  // namespace routh::internal
