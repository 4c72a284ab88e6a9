#include "ordago/random.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace ordago {
namespace {

std::vector<std::int64_t> some(Random random) {
  std::vector<std::int64_t> numbers;
  for (int count = 0; count < 8; ++count) numbers.push_back(random.between(0, 1'000'000));
  return numbers;
}

TEST(Random, DependsOnSeedAndNumberAlone) {
  EXPECT_EQ(some(Random("seed", 1)), some(Random("seed", 1)));
  EXPECT_NE(some(Random("seed", 1)), some(Random("seed", 2)));
  EXPECT_NE(some(Random("seed", 1)), some(Random("sead", 1)));
  EXPECT_NE(some(Random("seed", 1)), some(Random("seed", 1U << 24)));
}

TEST(Random, GivesAllNumbersOfARangeBothEndsIncluded) {
  Random random("seed", 1);
  std::set<std::int64_t> seen;
  for (int count = 0; count < 1000; ++count) seen.insert(random.between(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
}

TEST(Random, TakesTheWidestRanges) {
  Random random("seed", 1);
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  std::set<std::int64_t> seen;
  for (int count = 0; count < 100; ++count) seen.insert(random.between(least, greatest));
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_EQ(random.between(greatest, greatest), greatest);
  EXPECT_THROW(random.between(1, 0), std::out_of_range);
}

TEST(Random, SamplesWithoutRepeating) {
  Random random("seed", 1);
  const std::vector all{1, 2, 3, 4, 5};
  for (std::int64_t count = 0; count <= 5; ++count) {
    const auto drawn = random.sample(all, count);
    EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), static_cast<std::size_t>(count));
  }
  EXPECT_THROW(random.sample(all, 6), std::out_of_range);
}

TEST(Random, PicksNothingFromNothing) {
  Random random("seed", 1);
  EXPECT_THROW(random.pick(std::vector<int>{}), std::out_of_range);
}

}  // namespace
}  // namespace ordago
