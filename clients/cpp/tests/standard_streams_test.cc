#include "standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <string>

namespace ordago {
namespace {

using namespace std::chrono_literals;

/// Puts another file in the place of standard error while it lives.
class Redirected {
 public:
  explicit Redirected(int other) : kept_(::dup(STDERR_FILENO)) { ::dup2(other, STDERR_FILENO); }
  ~Redirected() {
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
  }

 private:
  int kept_;
};

class StandardStreams : public testing::Test {
 protected:
  StandardStreams() {
    secure_standard_streams();
    EXPECT_EQ(::pipe(ends.data()), 0);
  }
  ~StandardStreams() override {
    for (const int end : ends) ::close(end);
  }

  std::array<int, 2> ends{};
};

TEST_F(StandardStreams, WriteALineThatIsLongerThanWhatAPipeTakesAtOnce) {
  const std::string line(20'000, 'a');
  {
    const Redirected redirected(ends[1]);
    standard_error() << line << std::flush;
  }
  std::string got(line.size(), '\0');
  EXPECT_EQ(::read(ends[0], got.data(), got.size()), static_cast<ssize_t>(line.size()));
  EXPECT_EQ(got, line);
}

TEST_F(StandardStreams, LoseLinesInAPipeThatNobodyReads) {
  const auto begin = std::chrono::steady_clock::now();
  const Redirected redirected(ends[1]);
  for (int count = 0; count < 100; ++count) standard_error() << std::string(4000, 'a') << '\n';
  EXPECT_TRUE(standard_error());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST_F(StandardStreams, LoseLinesWithoutAReader) {
  ::close(ends[0]);
  const Redirected redirected(ends[1]);
  standard_error() << "lost\n";
  EXPECT_TRUE(standard_error());
}

TEST(ClosedStandardStreams, AreOpenedAgain) {
  const auto close_and_open = [] {
    for (const int number : {0, 1, 2}) ::close(number);
    secure_standard_streams();
    const int next = ::open("/dev/null", O_RDONLY);
    std::_Exit(next > 2 && ::fcntl(0, F_GETFD) >= 0 ? 0 : 1);
  };
  EXPECT_EXIT(close_and_open(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ordago
