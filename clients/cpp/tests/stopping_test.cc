#include "stopping.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace ordago {
namespace {

template <typename Thrown>
void fail_by(Thrown thrown) {
  tell_uncaught_exceptions();
  std::thread([&thrown] { throw thrown; }).join();
}

TEST(AnUncaughtException, EndsTheProcessWithItsStackAndItsSentenceLast) {
  EXPECT_EXIT(fail_by(std::runtime_error("I cannot think")), testing::ExitedWithCode(1),
              "  at __cxa_throw\n.*\nthe bot failed: I cannot think\n$");
}

TEST(AnUncaughtException, MayBeAnything) {
  EXPECT_EXIT(fail_by(7), testing::ExitedWithCode(1), "the bot failed by something that is no std::exception\n$");
}

}  // namespace
}  // namespace ordago
