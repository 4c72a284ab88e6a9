// What the transcripts cannot show: chance, jitter, receipts, logs, and servers that mean harm.
#include "ordago/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ordago {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ChancyBot : public Bot {
 public:
  using Bot::Bot;

  Answer choose(const v1::Decision& decision) override { return complete(random().pick(decision.actions()), random()); }
};

class PlayerTest : public testing::Test {
 protected:
  Player player(Keep keep = nullptr) { return player(log, std::move(keep)); }

  static Player player(const Log& log, Keep keep = nullptr) {
    return Player([](const Match& match) { return std::make_unique<ChancyBot>(match); }, {.name = "bot"},
                  [] { return Time{}; }, log, std::move(keep));
  }

  static v1::PlayResponse welcome() {
    v1::PlayResponse frame;
    v1::Welcome& welcome = *frame.add_messages()->mutable_welcome();
    welcome.set_session_id("session");
    welcome.set_resume_token("secret-of-the-session");
    return frame;
  }

  static void seat(v1::PlayResponse& frame, std::uint32_t handle) {
    v1::MatchStart& start = *frame.add_messages()->mutable_match_start();
    start.set_match_handle(handle);
    start.set_seed("seed");
  }

  static void ask(v1::PlayResponse& frame, std::uint32_t handle, std::uint32_t number) {
    v1::Decision& decision = *frame.add_messages()->mutable_decision();
    decision.set_match_handle(handle);
    decision.set_number(number);
    for (std::uint32_t id = 1; id <= 1000; ++id) decision.add_actions()->set_id(id);
  }

  std::ostringstream out;
  Log log{out, true};
};

std::uint32_t chosen(const v1::PlayRequest& frame, int message) {
  return frame.messages(message).choice().answer().legal_action();
}

TEST_F(PlayerTest, ChanceDependsOnTheSeedAndTheNumberOfTheDecisionAlone) {
  Player first = player(), second = player();
  v1::PlayResponse both = welcome(), later = welcome();
  seat(both, 1);
  ask(both, 1, 1);
  ask(both, 1, 2);
  seat(later, 9);
  ask(later, 9, 2);
  const auto whole = first.receive(both, Time{}), rest = second.receive(later, Time{});
  EXPECT_EQ(chosen(whole, 1), chosen(rest, 0));
  EXPECT_NE(chosen(whole, 0), chosen(whole, 1));
}

TEST_F(PlayerTest, JitterShortensABackOffAndLengthensWhatAServerAsksFor) {
  const auto pause_of = [this](milliseconds retry_after, double jitter) {
    return std::get<Pause>(player().lost({grpc::UNAVAILABLE, "", retry_after}, Time{}, jitter)).length;
  };
  EXPECT_EQ(pause_of(0ms, 0), 250ms);
  EXPECT_EQ(pause_of(0ms, 1), 125ms);
  EXPECT_EQ(pause_of(1000ms, 0), 1000ms);
  EXPECT_EQ(pause_of(1000ms, 1), 1250ms);
}

TEST_F(PlayerTest, TheLogHoldsNoSecretOfASession) {
  Player bot = player();
  bot.connect();
  bot.receive(welcome(), Time{});
  bot.connect();
  EXPECT_THAT(out.str(), HasSubstr("went: hello"));
  EXPECT_THAT(out.str(), HasSubstr("came: welcome"));
  EXPECT_THAT(out.str(), Not(HasSubstr("secret-of-the-session")));
}

TEST_F(PlayerTest, WhoIsToldEverythingIsToldOfEachAnswerThatIsTaken) {
  const Log quiet;
  EXPECT_THAT(player(quiet).connect().messages(0).hello().capabilities(), ElementsAre("tacit_acceptance"));
  EXPECT_THAT(player().connect().messages(0).hello().capabilities(), IsEmpty());
}

TEST_F(PlayerTest, AServerThatNamesMatchesThatAreNotThereDoesNoHarm) {
  Player bot = player();
  v1::PlayResponse frame = welcome();
  ask(frame, 7, 1);
  frame.add_messages()->mutable_accepted()->set_match_handle(7);
  frame.add_messages()->mutable_refused()->set_match_handle(7);
  frame.add_messages()->mutable_forfeited()->set_match_handle(7);
  frame.add_messages()->mutable_match_end()->set_match_handle(7);
  EXPECT_EQ(bot.receive(frame, Time{}).messages_size(), 0);
}

TEST_F(PlayerTest, AnOutcomeWithoutPlacingsDoesNoHarm) {
  Player bot = player();
  v1::PlayResponse frame = welcome();
  seat(frame, 1);
  frame.add_messages()->mutable_match_end()->set_match_handle(1);
  frame.mutable_messages()->rbegin()->mutable_match_end()->mutable_outcome();
  bot.receive(frame, Time{});
  EXPECT_THAT(out.str(), HasSubstr("ended: no placing"));
}

TEST_F(PlayerTest, ARefusalIsToldOnceForEachCause) {
  Player bot = player();
  v1::PlayResponse frame = welcome();
  seat(frame, 1);
  for (int count = 0; count < 3; ++count) {
    v1::Refused& refused = *frame.add_messages()->mutable_refused();
    refused.set_match_handle(1);
    refused.set_rule("follow_suit");
  }
  bot.receive(frame, Time{});
  const std::string said = out.str();
  EXPECT_NE(said.find("(follow_suit)"), said.npos);
  EXPECT_EQ(said.find("(follow_suit)"), said.rfind("(follow_suit)"));
}

TEST_F(PlayerTest, ReceiptsAreKeptOfTheEventAndOfItsMatches) {
  std::vector<std::string> kept;
  Player bot = player([&kept](const std::string& line) { kept.push_back(line); });
  v1::DescribeEventResponse described;
  described.set_event("friday");
  bot.learn(described);
  v1::PlayResponse frame = welcome();
  seat(frame, 1);
  frame.mutable_messages(1)->mutable_match_start()->set_ledger_length(2);
  frame.add_messages()->mutable_match_end()->set_match_handle(1);
  frame.mutable_messages(2)->mutable_match_end()->set_ledger_length(3);
  bot.receive(frame, Time{});
  EXPECT_TRUE(bot.keeps_receipts());
  EXPECT_EQ(kept.size(), 3U);
}

}  // namespace
}  // namespace ordago
