// NumPy's archive of arrays: a zip file of .npy files, uncompressed. The same arrays give the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace routh::internal {

class NpzArchive {
 public:
  void add(std::string_view name, std::span<const double> values);
  // Row by row.
  void add_rows(std::string_view name, std::span<const double> values, std::size_t rows, std::size_t width);
  void add(std::string_view name, const std::vector<std::int64_t>& values);
  void add(std::string_view name, const std::vector<std::uint8_t>& flags);
  // Unicode strings of one length, as NumPy has them.
  void add(std::string_view name, const std::vector<std::string>& texts);

  // The whole file. Throws RuntimeFailure where it would exceed what a plain zip file holds (4 GiB).
  std::string finish();

 private:
  void add_array(std::string_view name, std::string_view type, const std::string& shape, std::string_view bytes);

  std::string files_, directory_;
  std::size_t count_ = 0;
  bool too_large_ = false;
};

}  // namespace routh::internal
