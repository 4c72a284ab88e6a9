#include "ordago/log.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ordago {
namespace {

TEST(Log, ShowsNothingThatControlsATerminal) {
  std::ostringstream out;
  Log(out, false)
      .info(
          "a\nb\x1B[2Jc\x7F\xC2\x9B"
          "d é");
  EXPECT_TRUE(out.str().ends_with(" INFO a?b?[2Jc??d é\n")) << out.str();
}

TEST(Log, ShowsWhatComesAndGoesOnlyIfItIsAsked) {
  std::ostringstream out;
  Log(out, false).debug("quiet");
  EXPECT_EQ(out.str(), "");
  Log(out, true).debug("loud");
  EXPECT_TRUE(out.str().ends_with(" DEBUG loud\n")) << out.str();
}

}  // namespace
}  // namespace ordago
