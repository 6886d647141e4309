#include "routh/record/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "routh/base/error.h"
#include "routh/figure/deflate.h"

namespace routh::internal {

namespace {

constexpr std::size_t largest = 0xFFFFFFFE;  // beyond lies zip64

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(value >> (8 * k) & 0xFFu);
  return out;
}

// Version 1.0 of the format: magic, version, length of the header, a Python dictionary padded so that the array begins
// at a multiple of 64.
std::string npy_header(std::string_view type, const std::string& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  constexpr std::size_t before = 10;
  text += std::string(63 - (before + text.size()) % 64, ' ') + '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + little_endian(text.size(), 2) + text;
}

std::string list_shape(std::size_t rows) { return fmt::format("({},)", rows); }

// The characters of UTF-8; bytes that do not belong give U+FFFD.
std::vector<std::uint32_t> characters(std::string_view text) {
  constexpr std::uint32_t unknown = 0xFFFD;
  std::vector<std::uint32_t> out;
  for (std::size_t k = 0; k < text.size();) {
    const std::uint32_t lead = static_cast<unsigned char>(text[k++]);
    const std::size_t more = lead < 0x80                   ? 0
                             : lead >= 0xF0 && lead < 0xF8 ? 3
                             : lead >= 0xE0                ? 2
                             : lead >= 0xC0                ? 1
                                                           : 4;
    if (more == 4 || lead >= 0xF8 || k + more > text.size()) {
      out.push_back(unknown);
      continue;
    }
    std::uint32_t value = more == 0 ? lead : lead & (0x3Fu >> more);
    bool valid = true;
    for (std::size_t j = 0; j < more; ++j) {
      const std::uint32_t next = static_cast<unsigned char>(text[k + j]);
      valid = valid && (next & 0xC0u) == 0x80;
      value = value << 6 | (next & 0x3Fu);
    }
    valid = valid && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    out.push_back(valid ? value : unknown);
    if (valid) k += more;
  }
  return out;
}

// The fields that a file's own header and its entry in the directory share: version 2.0, no flags, stored, the first
// day of 1980, which is the zero of zip.
std::string zip_fields(std::uint32_t checksum, std::size_t size, std::size_t name_size) {
  return little_endian(20, 2) + little_endian(0, 2) + little_endian(0, 2) + little_endian(0, 2) +
         little_endian(0x21, 2) + little_endian(checksum, 4) + little_endian(size, 4) + little_endian(size, 4) +
         little_endian(name_size, 2) + little_endian(0, 2);
}

}  // namespace

void NpzArchive::add_array(std::string_view name, std::string_view type, const std::string& shape,
                           std::string_view bytes) {
  std::string content = npy_header(type, shape);
  content += bytes;
  const std::string file_name = std::string(name) + ".npy";
  const std::size_t offset = files_.size();
  too_large_ = too_large_ || content.size() > largest || offset > largest;
  if (too_large_) return;
  const std::string fields = zip_fields(crc32(content), content.size(), file_name.size());
  files_ += "PK\x03\x04" + fields + file_name + content;
  directory_ += "PK\x01\x02" + little_endian(20, 2) + fields + little_endian(0, 2) + little_endian(0, 2) +
                little_endian(0, 2) + little_endian(0, 4) + little_endian(offset, 4) + file_name;
  ++count_;
}

void NpzArchive::add(std::string_view name, std::span<const double> values) {
  add_array(name, "<f8", list_shape(values.size()), bytes_of(values));
}

void NpzArchive::add_rows(std::string_view name, std::span<const double> values, std::size_t rows, std::size_t width) {
  assert(values.size() == rows * width);
  add_array(name, "<f8", fmt::format("({}, {})", rows, width), bytes_of(values));
}

void NpzArchive::add(std::string_view name, const std::vector<std::int64_t>& values) {
  add_array(name, "<i8", list_shape(values.size()), bytes_of(std::span(values)));
}

void NpzArchive::add(std::string_view name, const std::vector<std::uint8_t>& flags) {
  add_array(name, "|b1", list_shape(flags.size()), bytes_of(std::span(flags)));
}

void NpzArchive::add(std::string_view name, const std::vector<std::string>& texts) {
  std::vector<std::vector<std::uint32_t>> decoded;
  std::size_t length = 1;
  for (const std::string& text : texts) {
    decoded.push_back(characters(text));
    length = std::max(length, decoded.back().size());
  }
  std::vector<std::uint32_t> packed;
  for (std::vector<std::uint32_t>& text : decoded) {
    text.resize(length);
    packed.insert(packed.end(), text.begin(), text.end());
  }
  add_array(name, fmt::format("<U{}", length), list_shape(texts.size()),
            bytes_of(std::span<const std::uint32_t>(packed)));
}

std::string NpzArchive::finish() {
  if (too_large_ || files_.size() + directory_.size() > largest)
    throw RuntimeFailure("the run is too large for an NPZ file (4 GiB); read the HDF5 file itself");
  const std::string end = "PK\x05\x06" + little_endian(0, 2) + little_endian(0, 2) + little_endian(count_, 2) +
                          little_endian(count_, 2) + little_endian(directory_.size(), 4) +
                          little_endian(files_.size(), 4) + little_endian(0, 2);
  return files_ + directory_ + end;
}

}  // namespace routh::internal
