// Shared by the sources of hdf5_file.h.
#pragma once

#include "routh/record/hdf5_file.h"

namespace routh::internal::hdf {

// Throws Failure with HDF5's reason where `code` is negative.
void check(long long code, const char* doing);

// Throws Failure unless the name is there and leads to an object of this very file.
void check_own(Id node, const char* name);

// The type in the file and in memory: little-endian IEEE and two's complement; text is UTF-8 padded by zeros.
Handle type_of(Element element);

// The texts side by side, each padded to `size`, and back.
std::size_t common_size(const std::vector<std::string>& texts);
std::string packed(const std::vector<std::string>& texts, std::size_t size);
std::vector<std::string> unpacked(const std::string& bytes, std::size_t size);

// What a reader allocates at most for one attribute or one text.
inline constexpr std::size_t largest_text = std::size_t{1} << 28;

}  // namespace routh::internal::hdf
