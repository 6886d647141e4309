// Texts that gzip compressed.
#pragma once

#include <string>
#include <string_view>

namespace routh::internal {

bool is_gzip(std::string_view bytes);
// What was compressed; at most `max_bytes`. Throws InputError when the bytes are damaged, cut off, or hold more; `name`
// stands for the file in messages.
std::string gunzip(std::string_view bytes, const std::string& name, std::size_t max_bytes);

}  // namespace routh::internal
