#include "ordago/testing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "vectors.h"

namespace ordago {
namespace {

const std::string decisions = VECTORS "/decisions.jsonl";

class ChancyBot : public Bot {
 public:
  using Bot::Bot;

  Answer choose(const v1::Decision& decision) override {
    ++asked;
    return complete(random().pick(decision.actions()), random());
  }

  Answer refused(const v1::Decision& decision, const v1::Refused& refusal) override {
    heard = refusal.rule();
    return choose(decision);
  }

  using Bot::time_left;
  std::string heard;
  int asked = 0;
};

TEST(LoggedDecisions, AreWhatIsInTheFile) {
  std::ifstream lines(decisions);
  const auto read = load_decisions(decisions);
  ASSERT_EQ(read.size(), 5U);
  std::string line;
  for (const LoggedDecision& logged : read) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(logged.start.match_id(), json.at("start").at("matchId"));
    EXPECT_EQ(logged.start.seed(), from_base64(json.at("start").at("seed")));
    EXPECT_EQ(logged.decision.number(), json.at("decision").at("number").get<std::uint32_t>());
    EXPECT_EQ(logged.decision.actions_size(), static_cast<int>(json.at("decision").at("actions").size()));
    EXPECT_TRUE(logged.answer.has_action());
    EXPECT_FALSE(logged.refused);
    EXPECT_EQ(logged.error, "");
    EXPECT_TRUE(is_legal(logged.decision, logged.answer)) << logged.start.game();
  }
}

TEST(LoggedDecisions, ThatCannotBeReadAreNamedByTheirLine) {
  const std::string path = testing::TempDir() + "broken.jsonl";
  std::ofstream(path) << "{\"start\": {}}\n";
  try {
    load_decisions(path);
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), path + ", line 1: there is no decision");
  }
  EXPECT_THROW(load_decisions("none"), std::runtime_error);
}

TEST(Ask, GivesTheAnswerOfAMatchEachTime) {
  for (const LoggedDecision& logged : load_decisions(decisions)) {
    const v1::Answer answer = ask<ChancyBot>(logged);
    EXPECT_TRUE(is_legal(logged.decision, answer)) << logged.start.game();
    ChancyBot bot{Match(logged.start)};
    ask(bot, logged);
    EXPECT_EQ(ask(bot, logged).ShortDebugString(), answer.ShortDebugString());
    EXPECT_EQ(bot.time_left().has_value(), logged.decision.has_clock());
  }
}

TEST(Ask, AsksAgainAfterARefusal) {
  LoggedDecision logged = load_decisions(decisions).at(0);
  logged.refused.emplace().set_rule("follow_suit");
  ChancyBot bot{Match(logged.start)};
  ask(bot, logged);
  EXPECT_EQ(bot.heard, "follow_suit");
  EXPECT_EQ(bot.asked, 2) << "it is asked first, and then again";
}

TEST(Ask, ThrowsWhatTheBotThrows) { EXPECT_THROW(ask<ChancyBot>(LoggedDecision{}), std::out_of_range); }

TEST(Legality, IsTheRefereesVerdict) {
  std::size_t count = 0;
  for (const auto& told : vectors_in("legality.json")) {
    v1::Decision decision;
    ASSERT_TRUE(decision.ParseFromString(from_base64(told.at("bytes"))));
    for (const auto& given : told.at("answers")) {
      v1::Answer answer;
      ASSERT_TRUE(answer.ParseFromString(from_base64(given.at("bytes"))));
      EXPECT_EQ(is_legal(decision, answer), given.at("legal").get<bool>()) << given.at("answer");
      ++count;
    }
  }
  EXPECT_GT(count, 100U);
}

/// A program in place of ordago.
class Program : public testing::Test {
 protected:
  void is(const std::string& script) {
    const std::string path = testing::TempDir() + "ordago-program";
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    ::setenv("ORDAGO_PROGRAM", path.c_str(), 1);
  }

  void TearDown() override { ::unsetenv("ORDAGO_PROGRAM"); }
};

TEST_F(Program, PlaysMatches) {
  is(R"(test "$*" = "play mus --bot cmd:a b --bot house:random --matches 2 --json" || exit 1
echo '{"match_id": "m", "game": "mus", "number": 2, "seats": [{"bot": 1, "name": "ana", "score": -3,)"
     R"( "placing": 2, "strikes": {"answer": 4}}], "faults": 5, "forfeits": [{"seat": 3, "fault": "crashed"}]}')");
  const auto matches = play("mus", {"cmd:a b", "house:random"}, 2);
  ASSERT_EQ(matches.size(), 1U);
  EXPECT_EQ(matches[0].match_id, "m");
  EXPECT_EQ(matches[0].number, 2U);
  const PlayedSeat& seat = matches[0].seats.at(0);
  EXPECT_EQ(std::tuple(seat.bot, seat.name, seat.score, seat.placing), std::tuple(1, "ana", -3, 2));
  EXPECT_EQ(seat.strikes, (std::map<std::string, std::uint32_t>{{"answer", 4}}));
  EXPECT_EQ(matches[0].faults, 5U);
  EXPECT_EQ(matches[0].forfeits, (std::map<std::uint32_t, std::string>{{3, "crashed"}}));
}

TEST_F(Program, ThatFailsOrIsNotThereIsAnError) {
  is("exit 2");
  EXPECT_THROW(play("mus", {}), std::runtime_error);
  ::setenv("ORDAGO_PROGRAM", "/none", 1);
  try {
    play("mus", {});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("ORDAGO_PROGRAM"));
  }
}

}  // namespace
}  // namespace ordago
