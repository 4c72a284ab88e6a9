#include "crash.h"

#include <gtest/gtest.h>

#include <csignal>
#include <iostream>
#include <stdexcept>
#include <thread>

namespace ordago {

// Not in an unnamed namespace: a stack shows the names of functions that other files can see.
[[gnu::noinline]] void think() { throw std::runtime_error("I cannot think"); }
[[gnu::noinline]] int descend(volatile int& depth) {
  volatile char used[4096] = {};
  depth = depth + 1;
  return depth == 0 ? 0 : descend(depth) + used[0];
}

namespace {

void fail_by(void (*thought)()) {
  report_crashes();
  std::thread(thought).join();
}

TEST(ACrash, EndsTheProcessWithTheStackFromTheThrowAndItsSentenceLast) {
  EXPECT_EXIT(fail_by(think), testing::ExitedWithCode(1),
              "^  at ordago::think\\(\\).*\nthe bot failed: std::runtime_error: I cannot think\n$");
}

TEST(ACrash, MayBeAnExceptionOfAnyType) {
  EXPECT_EXIT(fail_by([] { throw 7; }), testing::ExitedWithCode(1), "  at .*\nthe bot failed: int\n$");
}

TEST(ACrash, SaysInWhichMatchAndAtWhichDecision) {
  const auto fail_at_a_decision = [] {
    v1::Decision decision;
    decision.set_number(3);
    const CallPlace place("m", &decision);
    think();
  };
  EXPECT_EXIT(fail_by(fail_at_a_decision), testing::ExitedWithCode(1),
              "\nmatch m, decision 3: the bot failed: std::runtime_error: I cannot think\n$");
  const auto abort_in_a_notice = [] {
    const CallPlace place("m", nullptr);
    std::abort();
  };
  EXPECT_EXIT(fail_by(abort_in_a_notice), testing::ExitedWithCode(1), "\nmatch m: the bot failed: SIGABRT, .*\n$");
  const auto fail_later = [] {
    { const CallPlace place("m", nullptr); }
    think();
  };
  EXPECT_EXIT(fail_by(fail_later), testing::ExitedWithCode(1), "\nthe bot failed: std::runtime_error: .*\n$");
}

TEST(ACrash, HasItsLastWordsOnAnyThread) {
  const auto say_and_fail = [] {
    at_crash([] { std::cerr << "that was all\n"; });
    fail_by(think);
  };
  EXPECT_EXIT(say_and_fail(), testing::ExitedWithCode(1), "I cannot think\nthat was all\n$");
}

TEST(ACrash, MayBeASignal) {
  EXPECT_EXIT(fail_by([] { std::abort(); }), testing::ExitedWithCode(1),
              "  at abort.*\nthe bot failed: SIGABRT, such as a failed assertion\n$");
  EXPECT_EXIT(fail_by([] { ::raise(SIGFPE); }), testing::ExitedWithCode(1), "\nthe bot failed: SIGFPE, .*\n$");
}

TEST(ACrash, MayBeAStackWithoutAnEnd) {
  const auto overflow = [] {
    report_crashes();
    volatile int depth = 0;
    descend(depth);
  };
  EXPECT_EXIT(overflow(), testing::ExitedWithCode(1), "descend.*\nthe bot failed: SIGSEGV, .*\n$");
}

}  // namespace
}  // namespace ordago
