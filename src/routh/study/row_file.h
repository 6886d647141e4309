// The table of a study while it is computed: rows of doubles in a file beside the result, or in memory. The file begins
// with a line that says what it is; a check sum of its rows goes with the checkpoint.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace routh::internal {

// How many rows there are, and their CRC-32.
struct RowCount {
  std::uint64_t rows = 0;
  std::uint32_t sum = 0;
};

// Throws RuntimeFailure with the path and the reason. The file stays when the object goes.
class RowFile {
 public:
  // In memory.
  explicit RowFile(std::size_t columns) : columns_(columns) {}
  // Opens the file, or makes it, and keeps its first rows, those that were counted. Throws InputError when it has fewer
  // or others; a file of another kind, or a link, stays as it is.
  RowFile(const std::string& path, std::size_t columns, const RowCount& kept);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  void append(std::span<const double> values);
  std::uint64_t rows() const { return rows_; }
  RowCount count() const { return {rows_, sum_}; }
  std::size_t columns() const { return columns_; }
  // Brings the rows to the disk.
  void sync();
  // Calls `take` for some rows at a time, in order.
  void read(const std::function<void(std::span<const double>)>& take) const;
  void remove();

 private:
  [[noreturn]] void fail(const char* what) const;
  [[noreturn]] void refuse() const;
  std::uint64_t size() const;
  void prepare(const RowCount& kept);
  void read_bytes(void* to, std::size_t size, std::uint64_t from) const;
  void write_bytes(const void* from, std::size_t size);
  bool in_memory() const { return descriptor_ < 0; }

  std::string path_;
  std::size_t columns_;
  std::uint64_t rows_ = 0;
  std::uint32_t sum_ = 0;  // of the rows in the file
  int descriptor_ = -1;    // −1: in memory
  std::vector<double> memory_;
};

}  // namespace routh::internal
