// Bots that fail, whose time runs, or that think on threads: a player with a clock and an executor of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>
#include <thread>

#include "ordago/player.h"
#include "pool.h"

namespace ordago {

// Not in an unnamed namespace: a stack shows the names of functions that other files can see.
[[noreturn, gnu::noinline]] void stumble() { throw std::runtime_error("it stumbled"); }

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What a bot does, and what it heard.
struct Script {
  std::vector<std::string> heard{};
  std::function<void()> thinks = [] {};
  std::vector<std::optional<milliseconds>> time_left{};
  bool fails = false;
};

class Scripted : public Bot {
 public:
  Scripted(const Match& match, Script& script) : Bot(match), script_(script) {}

  Answer choose(const v1::Decision& decision) override {
    script_.thinks();
    script_.time_left.push_back(time_left());
    script_.heard.push_back("choose " + match().id() + " " + std::to_string(decision.number()));
    if (script_.fails) stumble();
    return decision.actions(0);
  }

  Answer refused(const v1::Decision& decision, const v1::Refused&) override {
    script_.time_left.push_back(time_left());
    return decision.actions(0);
  }

  void ended(const v1::MatchEnd&) override { script_.heard.push_back("ended " + match().id()); }

 private:
  Script& script_;
};

class ThinkingTest : public testing::Test {
 protected:
  Player player(OnError on_error = OnError::stop) {
    return Player(
        [this](const Match& match) { return std::make_unique<Scripted>(match, script); },
        {.name = "bot", .on_error = on_error}, log,
        {.now = [this] { return now; },
         .decisions = [this](const std::string& line) { kept.push_back(nlohmann::json::parse(line)); },
         .executor = is_threaded ? Executor([this](auto task) { tasks.push_back(std::move(task)); }) : nullptr});
  }

  static v1::PlayResponse begun(int matches) {
    v1::PlayResponse frame;
    frame.add_messages()->mutable_welcome()->mutable_limits()->set_resume_window_ms(1000);
    for (int handle = 1; handle <= matches; ++handle) {
      v1::MatchStart& start = *frame.add_messages()->mutable_match_start();
      start.set_match_handle(static_cast<std::uint32_t>(handle));
      start.set_match_id("m" + std::to_string(handle));
    }
    return frame;
  }

  static v1::Decision& ask(v1::PlayResponse& frame, std::uint32_t handle, std::uint32_t number) {
    v1::Decision& decision = *frame.add_messages()->mutable_decision();
    decision.set_match_handle(handle);
    decision.set_number(number);
    decision.add_actions()->set_id(1);
    decision.mutable_default_answer()->mutable_action()->mutable_mus();
    return decision;
  }

  static v1::PlayResponse asked(std::uint32_t handle, std::uint32_t number) {
    v1::PlayResponse frame;
    ask(frame, handle, number);
    return frame;
  }

  void run(std::size_t count) {
    for (; count > 0; --count) {
      tasks.at(0)();
      tasks.pop_front();
    }
  }

  /// The answers of a frame, for instance "m1 1 after 5".
  static std::vector<std::string> answers(const v1::PlayRequest& frame) {
    std::vector<std::string> all;
    for (const v1::BotMessage& message : frame.messages()) {
      const v1::Choice& choice = message.choice();
      all.push_back("m" + std::to_string(choice.match_handle()) + " " + std::to_string(choice.number()) + " after " +
                    std::to_string(choice.thought_ms()));
    }
    return all;
  }

  Time now{};
  Script script;
  bool is_threaded = false;
  std::deque<std::function<void()>> tasks;
  std::vector<nlohmann::json> kept;
  std::vector<LogEvent> events;
  Log log{[this](const LogEvent& event) { events.push_back(event); }};
};

TEST_F(ThinkingTest, TheTimeLeftCountsFromTheArrivalOfTheDecision) {
  Player bot = player();
  script.thinks = [this] { now += 300ms; };
  v1::PlayResponse frame = begun(2);
  for (const std::uint32_t handle : {1U, 2U}) {
    v1::ClockState& clock = *ask(frame, handle, 1).mutable_clock();
    clock.set_decision_ms(400);
    clock.set_bank_ms(100);
  }
  bot.receive(frame, now);
  EXPECT_THAT(script.time_left, ElementsAre(200ms, 0ms));
}

TEST_F(ThinkingTest, TheTimeLeftAfterARefusalIsTheServersAndNoneIsThereWithoutAClock) {
  Player bot = player();
  v1::PlayResponse frame = begun(1);
  ask(frame, 1, 1);
  ask(frame, 1, 2).mutable_clock()->set_decision_ms(400);
  v1::Refused& refused = *frame.add_messages()->mutable_refused();
  refused.set_match_handle(1);
  refused.set_number(2);
  refused.set_time_left_ms(70);
  const Time arrived = now;
  now += 20ms;
  bot.receive(frame, arrived);
  EXPECT_THAT(script.time_left, ElementsAre(std::nullopt, 380ms, 50ms));
}

TEST_F(ThinkingTest, AFailureIsToldWithItsStackAndItsDecisionOnceInAMatch) {
  script.fails = true;
  Player bot = player(OnError::take_default);
  v1::PlayResponse frame = begun(1);
  ask(frame, 1, 1);
  ask(frame, 1, 2);
  const v1::PlayRequest answer = bot.receive(frame, now);
  EXPECT_TRUE(answer.messages(0).choice().answer().action().has_mus());
  EXPECT_THAT(events.at(2).message,
              "match m1, decision 1: the bot failed, and the default answer is taken: it stumbled");
  EXPECT_THAT(events[2].details, testing::AllOf(HasSubstr("stumble()"), HasSubstr("\nthe decision: {")));
  EXPECT_THAT(events.at(3).details, IsEmpty());
  EXPECT_FALSE(bot.is_clean());
  EXPECT_EQ(kept.at(0).at("error"), "it stumbled");
}

TEST_F(ThinkingTest, WithoutTheOptionAFailurePassesThrough) {
  script.fails = true;
  Player bot = player();
  bot.receive(begun(1), now);
  EXPECT_THROW(bot.receive(asked(1, 1), now), std::runtime_error);
}

class ThreadedTest : public ThinkingTest {
 protected:
  ThreadedTest() { is_threaded = true; }
};

TEST_F(ThreadedTest, MatchesThinkSideBySideAndWaitingCountsAsThinking) {
  Player bot = player();
  v1::PlayResponse frame = begun(2);
  ask(frame, 1, 1);
  ask(frame, 2, 1);
  EXPECT_THAT(answers(bot.receive(frame, now)), IsEmpty());
  run(2);  // They are made.
  EXPECT_THAT(answers(bot.collect()), IsEmpty());
  EXPECT_EQ(tasks.size(), 2U);
  now += 30ms;
  tasks.at(1)();
  EXPECT_THAT(answers(bot.collect()), ElementsAre("m2 1 after 30"));
  now += 10ms;
  tasks.at(0)();
  EXPECT_THAT(answers(bot.collect()), ElementsAre("m1 1 after 40"));
}

TEST_F(ThreadedTest, CallsOfOneBotComeInOrderAndNeverTwoAtOnce) {
  Player bot = player();
  v1::PlayResponse frame = begun(1);
  ask(frame, 1, 1);
  bot.receive(frame, now);
  run(1);
  bot.collect();
  v1::PlayResponse end;
  end.add_messages()->mutable_match_end()->set_match_handle(1);
  bot.receive(end, now);
  EXPECT_EQ(tasks.size(), 1U);  // The question; the notice waits behind it.
  script.thinks = [this] { EXPECT_THAT(script.heard, IsEmpty()); };
  run(1);
  EXPECT_THAT(answers(bot.collect()), IsEmpty());
}

TEST_F(ThreadedTest, AnAnswerToAClosedDecisionIsDropped) {
  Player bot = player();
  bot.receive(begun(1), now);
  run(1);
  bot.collect();
  bot.receive(asked(1, 1), now);
  script.thinks = [&] {
    v1::PlayResponse closed;
    v1::Accepted& accepted = *closed.add_messages()->mutable_accepted();
    accepted.set_match_handle(1);
    accepted.set_number(1);
    accepted.set_fault(v1::FAULT_TOO_LATE);
    bot.receive(closed, now);
    bot.receive(asked(1, 2), now);
  };
  run(1);
  script.thinks = [] {};
  EXPECT_THAT(answers(bot.collect()), IsEmpty());
  run(1);
  EXPECT_THAT(answers(bot.collect()), ElementsAre("m1 2 after 0"));
  EXPECT_THAT(script.heard, ElementsAre("choose m1 1", "choose m1 2"));
}

TEST_F(ThreadedTest, AQuestionThatWasClosedBeforeItsTurnIsNotAsked) {
  Player bot = player();
  bot.receive(begun(1), now);
  run(1);
  bot.collect();
  bot.receive(asked(1, 1), now);
  bot.receive(asked(1, 2), now);
  run(1);
  bot.collect();
  run(1);
  EXPECT_THAT(answers(bot.collect()), ElementsAre("m1 2 after 0"));
  EXPECT_THAT(script.heard, ElementsAre("choose m1 2"));
}

TEST_F(ThreadedTest, AnAnswerThatIsReadyWithoutAConnectionIsSentWhenItsDecisionComesAgain) {
  Player bot = player();
  bot.receive(begun(1), now);
  run(1);
  bot.collect();
  bot.receive(asked(1, 1), now);
  bot.connect();
  run(1);
  EXPECT_THAT(answers(bot.collect()), IsEmpty());
  now += 7ms;
  EXPECT_THAT(answers(bot.receive(asked(1, 1), now)), ElementsAre("m1 1 after 0"));
  EXPECT_THAT(script.heard, ElementsAre("choose m1 1"));
}

TEST_F(ThreadedTest, ADecisionThatComesAgainWhileItIsThoughtAboutIsAskedOnce) {
  Player bot = player();
  bot.receive(begun(1), now);
  run(1);
  bot.collect();
  bot.receive(asked(1, 1), now);
  now += 5ms;
  bot.receive(asked(1, 1), now);
  run(1);
  EXPECT_THAT(answers(bot.collect()), ElementsAre("m1 1 after 0"));
  EXPECT_THAT(tasks, IsEmpty());
}

TEST(APool, RunsAllTasksAndSeveralAtOnce) {
  std::atomic<int> done = 0;
  {
    Pool pool(2);
    std::atomic<int> present = 0;
    for (int count = 0; count < 2; ++count) {
      pool.run([&] {
        ++present;
        present.notify_all();
        for (int seen = present; seen < 2; seen = present) present.wait(seen);
        ++done;
      });
    }
    for (int count = 0; count < 100; ++count) pool.run([&] { ++done; });
  }
  EXPECT_EQ(done, 102);
}

}  // namespace
}  // namespace ordago
