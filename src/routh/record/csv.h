// Tables as text.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

// A text as a field of CSV: in quotes where a comma, a quote or a line break would mislead a reader [RFC 4180].
std::string csv_field(std::string_view text);

}  // namespace routh::internal
