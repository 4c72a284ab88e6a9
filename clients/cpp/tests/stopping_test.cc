#include "stopping.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace ordago {

// Not in an unnamed namespace: a stack shows the names of what others can see.
[[gnu::noinline]] void think() { throw std::runtime_error("I cannot think"); }

namespace {

void fail_by(void (*thought)()) {
  tell_uncaught_exceptions();
  std::thread(thought).join();
}

TEST(AnUncaughtException, EndsTheProcessWithItsStackAndItsSentenceLast) {
  EXPECT_EXIT(fail_by(think), testing::ExitedWithCode(1), "  at ordago::think().*\nthe bot failed: I cannot think\n$");
}

TEST(AnUncaughtException, MayBeAnything) {
  EXPECT_EXIT(fail_by([] { throw 7; }), testing::ExitedWithCode(1),
              "the bot failed by something that is no std::exception\n$");
}

}  // namespace
}  // namespace ordago
