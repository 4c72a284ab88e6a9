#include "text.h"

#include <gtest/gtest.h>

namespace ordago {
namespace {

TEST(VisibleText, HasNothingThatControlsATerminal) {
  EXPECT_EQ(visible("d é 牌 🂡"), "d é 牌 🂡");
  EXPECT_EQ(visible("a\nb\x1B[2J\x7F\t\r"), "a\\nb\\x1b[2J\\x7f\\t\\r");
  EXPECT_EQ(visible(std::string("\0\xC2\x9B|", 4)), "\\x00\\x9b|");
}

TEST(VisibleText, HasBytesThatAreNoUtf8Escaped) { EXPECT_EQ(visible("\x9B\xC3|\xFF"), "\\x9b\\xc3|\\xff"); }

TEST(Utf8, IsToldFromOtherBytes) {
  for (const char* const text : {"", "ana", "música", "牌", "🂡", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(text)) << text;
  // Cut off, without a beginning, too long for its character, a surrogate, beyond the last character, never used.
  for (const char* const text :
       {"m\xC3", "\xA9", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF",
        "\xC3"
        "a"}) {
    EXPECT_FALSE(is_utf8(text)) << visible(text);
  }
}

}  // namespace
}  // namespace ordago
