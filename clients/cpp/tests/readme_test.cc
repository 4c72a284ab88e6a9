// The examples of the README, and a check that it shows them as they are here.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <string>

#include "ordago/bot.h"
#include "ordago/testing.h"

namespace {

using namespace std::chrono_literals;

class SearchBot : public ordago::Bot {
 public:
  using Bot::Bot;

  ordago::Answer choose(const ordago::v1::Decision& decision) override {
    const auto end = std::chrono::steady_clock::now() + time_left().value_or(1s) / 20;
    ordago::Answer best = ordago::at(decision.actions(), 0);
    do {
      best = ordago::complete(random().pick(decision.actions()), random());  // Search here.
    } while (std::chrono::steady_clock::now() < end);
    return best;
  }
};

[[maybe_unused]] int play_on_four_threads(int argc, char** argv) {
  return ordago::run<SearchBot>(argc, argv, {.name = "search", .threads = 4});
}

[[maybe_unused]] int play_with_a_logger(int argc, char** argv) {
  const auto logger = [](const ordago::LogEvent& event) { std::clog << event.name << event.fields_json() << "\n"; };
  return ordago::run<SearchBot>(argc, argv, {.name = "search", .logger = logger});
}

TEST(TheReadme, ShowsATestOfDecisions) {
  for (ordago::LoggedDecision& logged : ordago::load_decisions("decisions.jsonl")) {
    logged.decision.mutable_clock()->set_decision_ms(20);
    EXPECT_TRUE(ordago::is_legal(logged.decision, ordago::ask<SearchBot>(logged)));
  }
}

[[maybe_unused]] void play_six_matches() {
  std::map<std::size_t, int> points;
  for (const auto& match : ordago::play("mittlere", {"cmd:build/bot", "house:random", "house:random"}, 6)) {
    for (const ordago::PlayedSeat& seat : match.seats) points[seat.bot] += seat.score;
  }
  EXPECT_GT(points[0], points[1]);
}

/// Returns a text whose white space is single spaces.
std::string joined(const std::string& text) { return std::regex_replace(text, std::regex("\\s+"), " "); }

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator(file), {}};
}

TEST(TheReadme, ShowsCodeThatIsCompiled) {
  const std::string readme = contents(SDK "/README.md");
  const std::string compiled = joined(contents(SDK "/tests/readme_test.cc") + contents(SDK "/bots/random.cc"));
  int count = 0;
  for (std::size_t begin = 0; (begin = readme.find("```cpp\n", begin)) != readme.npos; ++count) {
    begin += 7;
    const std::string code = joined(readme.substr(begin, readme.find("\n```", begin) - begin));
    EXPECT_NE(compiled.find(code), compiled.npos) << code;
  }
  EXPECT_EQ(count, 6);
}

}  // namespace
