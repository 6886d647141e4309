// SHA-256 [FIPS 180-4], to tell whether two runs began with the same scene.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace routh::internal
