// Cases beyond the transcripts: random numbers, jitter, receipts, logs, and hostile servers.
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
    return Player([](const Match& match) { return std::make_unique<ChancyBot>(match); }, {.name = "bot"}, log,
                  {.now = [] { return Time{}; }, .receipts = std::move(keep)});
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
    start.set_match_id("match-" + std::to_string(handle));
    start.set_game("mus");
    start.set_seed("seed");
  }

  static void ask(v1::PlayResponse& frame, std::uint32_t handle, std::uint32_t number) {
    v1::Decision& decision = *frame.add_messages()->mutable_decision();
    decision.set_match_handle(handle);
    decision.set_number(number);
    for (std::uint32_t id = 1; id <= 1000; ++id) decision.add_actions()->set_id(id);
  }

  /// What was logged, without times and messages.
  std::vector<std::string> said() const {
    std::vector<std::string> lines;
    std::istringstream in(out.str());
    for (std::string time, line; in >> time >> std::ws && std::getline(in, line);) {
      if (!line.starts_with("DEBUG")) lines.push_back(line);
    }
    return lines;
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
    return std::get<Pause>(player().lost({grpc::UNAVAILABLE, "", retry_after}, Time{}, jitter, "a:1")).length;
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

TEST_F(PlayerTest, ALogHasALineForEachEventOfAMatch) {
  Player bot = player();
  v1::PlayResponse frame = welcome();
  frame.mutable_messages(0)->mutable_welcome()->add_games()->set_game("mus");
  v1::EventNotice& notice = *frame.add_messages()->mutable_event_notice();
  notice.set_sentence("the event has begun");
  notice.set_matches_begun(2);
  notice.set_matches_planned(9);
  seat(frame, 1);
  v1::Accepted& accepted = *frame.add_messages()->mutable_accepted();
  accepted.set_match_handle(1);
  accepted.set_number(4);
  accepted.set_fault(v1::FAULT_TOO_LATE);
  accepted.set_faults_left(2);
  frame.add_messages()->mutable_forfeited()->set_match_handle(1);
  frame.mutable_messages()->rbegin()->mutable_forfeited()->set_fault(v1::FAULT_TOO_LATE);
  v1::MatchEnd& end = *frame.add_messages()->mutable_match_end();
  end.set_match_handle(1);
  end.add_forfeits()->set_fault(v1::FAULT_TOO_LATE);
  bot.receive(frame, Time{});
  EXPECT_THAT(said(),
              ElementsAre("INFO connected; games: mus", "INFO event: the event has begun",
                          "INFO match match-1 of mus begins, seat 0, match 3 of 9",
                          "WARNING match match-1, decision 4: the default answer was taken: no reason was given "
                          "(FAULT_TOO_LATE); 2 more and the match is forfeited",
                          "WARNING match match-1 is forfeited: no reason was given (FAULT_TOO_LATE)",
                          "INFO match match-1 ended: void, seat 0 forfeited (FAULT_TOO_LATE): no reason was given"));
}

TEST_F(PlayerTest, ALogSaysThatASessionIsResumedAndThatMatchesGoOn) {
  Player bot = player();
  v1::PlayResponse frame = welcome();
  seat(frame, 1);
  bot.receive(frame, Time{});
  bot.connect();
  out.str("");
  frame.mutable_messages(0)->mutable_welcome()->set_resumed(true);
  frame.mutable_messages(1)->mutable_match_start()->set_last_decision(7);
  bot.receive(frame, Time{});
  EXPECT_THAT(said(), ElementsAre("INFO session resumed; games: ", "INFO match match-1 of mus goes on, seat 0"));
}

TEST_F(PlayerTest, ARefusalNamesTheMatchAndTheDecision) {
  Player bot = player();
  v1::PlayResponse frame = welcome();
  seat(frame, 1);
  for (const std::uint32_t handle : {1U, 2U}) {
    v1::Refused& refused = *frame.add_messages()->mutable_refused();
    refused.set_match_handle(handle);
    refused.set_number(5);
    refused.set_field("cards");
    refused.set_sentence("too many");
  }
  bot.receive(frame, Time{});
  EXPECT_THAT(said(), testing::Contains("WARNING match match-1, decision 5: refused: too many (cards)"));
  EXPECT_THAT(said(), testing::Contains("WARNING a match that is over, decision 5: refused: too many (cards)"));
}

std::string sentence_of(const std::variant<Pause, Over>& next) {
  return std::visit([](const auto& step) { return step.event.message; }, next);
}

TEST_F(PlayerTest, ALossSaysWhatHappened) {
  const auto after = [this](const v1::ServerMessage& message, const Loss& loss) {
    Player bot = player();
    v1::PlayResponse frame = welcome();
    *frame.add_messages() = message;
    bot.receive(frame, Time{});
    return sentence_of(bot.lost(loss, Time{}, 0, "a:1"));
  };
  v1::ServerMessage draining, goodbye, goodbye_for_now;
  draining.mutable_draining();
  goodbye.mutable_goodbye()->set_sentence("that was all");
  goodbye_for_now.mutable_goodbye()->set_retry_after_ms(5000);
  EXPECT_EQ(after({}, {}), "the connection broke (the stream ended); trying again in 0.25 s");
  EXPECT_EQ(after({}, {grpc::UNAVAILABLE, "closed"}), "the connection broke (closed); trying again in 0.25 s");
  EXPECT_EQ(after({}, {grpc::UNAVAILABLE}), "the connection broke (UNAVAILABLE); trying again in 0.25 s");
  EXPECT_EQ(after(draining, {grpc::UNAVAILABLE}), "the server has gone down; trying again in 0.25 s");
  EXPECT_EQ(after(goodbye_for_now, {}), "the server said goodbye for now: no reason was given; trying again in 5.00 s");
  EXPECT_EQ(after(goodbye, {}), "the server said goodbye: that was all");
  EXPECT_EQ(after(goodbye, {grpc::PERMISSION_DENIED}),
            "the server at a:1 ended the session (PERMISSION_DENIED): that was all");
  EXPECT_EQ(after({}, {grpc::ABORTED}), "the server at a:1 ended the session (ABORTED): no reason was given");
}

TEST_F(PlayerTest, AServerThatDoesNotAnswerIsUnreachable) {
  Player bot = player();
  bot.lost({grpc::UNAVAILABLE, "refused"}, Time{}, 0, "a:1");
  const auto next = bot.lost({grpc::UNAVAILABLE, "refused"}, Time(1h), 0, "a:1");
  EXPECT_EQ(sentence_of(next), "the server at a:1 does not answer (refused)");
  EXPECT_EQ(std::get<Over>(next).event.name, "unreachable");
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
