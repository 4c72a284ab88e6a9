#include "token.h"

#include <algorithm>

#include "usage_error.h"

namespace ordago {

bool is_sendable(std::string_view token) {
  return std::ranges::all_of(token, [](char character) { return character > ' ' && character <= '~'; });
}

std::string parse_token_file(std::string_view bytes) {
  constexpr std::string_view spaces = " \t\r\n";
  const bool has_utf16_mark = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  if (has_utf16_mark || bytes.find('\0') != bytes.npos) throw UsageError("it is in UTF-16");
  if (bytes.starts_with("\xEF\xBB\xBF")) throw UsageError("it begins with a byte-order mark");
  const auto begin = bytes.find_first_not_of(spaces);
  if (begin == bytes.npos) throw UsageError("it has no token");
  if (bytes.size() > longest_token_bytes) throw UsageError("it is longer than 8192 bytes");
  const std::string_view token = bytes.substr(begin, bytes.find_last_not_of(spaces) + 1 - begin);
  if (token.find_first_of("\r\n") != token.npos) throw UsageError("it has more than one line");
  if (!is_sendable(token)) throw UsageError("it has a character that no token has");
  return std::string(token);
}

}  // namespace ordago
