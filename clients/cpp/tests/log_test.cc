#include "ordago/log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace ordago {
namespace {

TEST(Log, BeginsEachLineWithTheTimeInUtcAndALevel) {
  std::ostringstream out;
  Log(out, false).write({.message = "a\nb"});
  const std::regex form(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO a\\nb\n)");
  EXPECT_TRUE(std::regex_match(out.str(), form)) << out.str();
}

TEST(Log, GoesOnAfterWhatCouldNotBeWritten) {
  std::ostringstream out;
  const Log log(out, false);
  out.setstate(std::ios::badbit);
  log.write({.message = "now"});
  EXPECT_TRUE(out.str().ends_with(" INFO now\n")) << out.str();
}

TEST(Log, ShowsWhatComesAndGoesOnlyIfItIsAsked) {
  std::ostringstream out;
  Log(out, false).write({.level = Level::debug, .message = "quiet"});
  EXPECT_EQ(out.str(), "");
  Log(out, true).write({.level = Level::debug, .message = "loud"});
  EXPECT_TRUE(out.str().ends_with(" DEBUG loud\n")) << out.str();
}

TEST(Log, WritesJsonIfItIsAsked) {
  std::ostringstream out;
  Log(out, false, LogFormat::json)
      .write({.level = Level::warning, .name = "refused", .message = "no \"\n\xFF", .fields = {{"seat", "2"}}});
  const auto line = nlohmann::json::parse(out.str());
  EXPECT_EQ(line.at("level"), "WARNING");
  EXPECT_EQ(line.at("event"), "refused");
  EXPECT_EQ(line.at("seat"), 2);
  EXPECT_EQ(out.str().find('\n'), out.str().size() - 1);
  EXPECT_TRUE(std::regex_match(line.at("time").get<std::string>(), std::regex(R"(\d{4}-.*T.*\.\d{3}Z)")));
}

TEST(Log, HandsItsEventsToALoggerToo) {
  std::ostringstream out;
  std::vector<std::string> heard;
  const Log log(out, false, LogFormat::text, [&](const LogEvent& event) { heard.push_back(event.fields_json()); });
  log.write({.name = "connected", .message = "m", .fields = {{"games", R"(["mus"])"}, {"seat", "1"}}});
  EXPECT_EQ(heard, std::vector<std::string>{R"({"games": ["mus"], "seat": 1})"});
  EXPECT_NE(out.str(), "");
}

TEST(Log, ShowsDetailsBelowTheSentence) {
  std::ostringstream out;
  Log(out, false).write({.message = "failed", .details = "  at one\n  at two"});
  EXPECT_TRUE(out.str().ends_with("INFO failed\n  at one\n  at two\n")) << out.str();
}

}  // namespace
}  // namespace ordago
