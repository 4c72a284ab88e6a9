#include "ordago/log.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace ordago {
namespace {

TEST(Log, BeginsEachLineWithTheTimeInUtcAndALevel) {
  std::ostringstream out;
  Log(out, false).info("a\nb");
  const std::regex form(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO a\\nb\n)");
  EXPECT_TRUE(std::regex_match(out.str(), form)) << out.str();
}

TEST(Log, GoesOnAfterWhatCouldNotBeWritten) {
  std::ostringstream out;
  const Log log(out, false);
  out.setstate(std::ios::badbit);
  log.info("now");
  EXPECT_TRUE(out.str().ends_with(" INFO now\n")) << out.str();
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
