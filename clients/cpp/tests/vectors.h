// The test vectors of clients/vectors, whose README says what they are.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace ordago {

/// Returns the cases of a file.
inline nlohmann::json vectors_in(const std::string& file) {
  return nlohmann::json::parse(std::ifstream(std::string(VECTORS "/") + file));
}

/// Returns the bytes of a text in base64.
inline std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char character : text) {
    if (character == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(character));
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return bytes;
}

}  // namespace ordago
