// Documents read back by a reader of the test's own.
#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace testing_support {

using Json = nlohmann::json;

// RFC 4648; throws at anything else.
inline std::string decode_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) throw std::runtime_error("base64: length");
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    unsigned bits = 0;
    int padding = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[at + k];
      if (c == '=') ++padding;
      const std::size_t value = c == '=' ? 0 : letters.find(c);
      if (value == std::string::npos || (c != '=' && padding > 0)) throw std::runtime_error("base64: letter");
      bits = bits * 64 + static_cast<unsigned>(value);
    }
    for (int k = 0; k < 3 - padding; ++k) out += static_cast<char>((bits >> (16 - 8 * k)) & 255u);
  }
  return out;
}

// The numbers of a packed list; checks type and shape.
template <class T>
std::vector<T> unpack(const Json& json, const std::string& type) {
  if (json.at("type") != type) throw std::runtime_error("packed: type");
  std::size_t count = 1;
  for (const Json& size : json.at("shape")) count *= size.get<std::size_t>();
  const std::string bytes = decode_base64(json.at("base64"));
  if (bytes.size() != count * sizeof(T)) throw std::runtime_error("packed: size");
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace testing_support
