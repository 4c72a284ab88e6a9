#include "text.h"

#include <cstddef>
#include <cstdint>

namespace ordago {
namespace {

struct Form {
  unsigned char mask, lead;
  std::uint32_t least;
};
/// The sequences of UTF-8 by their length: the bits that mark the first byte, and the least character that needs so
/// many bytes.
constexpr Form forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};

bool is_character(std::uint32_t code) { return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF); }

/// The length of the character that a text begins with; 0 if that is no UTF-8.
std::size_t first_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  std::size_t length = 1;
  while (length <= std::size(forms) && (first & forms[length - 1].mask) != forms[length - 1].lead) ++length;
  if (length > std::size(forms) || length > text.size()) return 0;
  std::uint32_t code = first & static_cast<unsigned char>(~forms[length - 1].mask);
  for (const char next : text.substr(1, length - 1)) {
    if ((next & 0xC0) != 0x80) return 0;
    code = code << 6 | (next & 0x3F);
  }
  return code >= forms[length - 1].least && is_character(code) ? length : 0;
}

std::string escaped(unsigned char code) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (code) {
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    default:
      return std::string("\\x") + digits[code >> 4] + digits[code & 0xF];
  }
}

bool controls(unsigned char code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

}  // namespace

std::string visible(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = first_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    // U+0080 to U+009F control a terminal too; in UTF-8 they are C2 and 80 to 9F.
    const bool is_c1 = length == 2 && first == 0xC2 && controls(static_cast<unsigned char>(text[1]));
    if (length == 0 || is_c1 || (length == 1 && controls(first))) {
      shown += escaped(static_cast<unsigned char>(text[is_c1 ? 1 : 0]));
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return shown;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = first_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace ordago
