#include "ordago/match.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ordago {
namespace {

Match four_at_a_table() {
  v1::MatchStart start;
  start.set_game("mus");
  start.set_seat(1);
  for (std::uint32_t seat = 0; seat < 4; ++seat) {
    v1::Player& player = *start.add_players();
    player.set_name("player " + std::to_string(seat));
    player.set_side(seat % 2);
  }
  return Match(start);
}

TEST(Match, KnowsWhoPlaysWithWhom) {
  const Match match = four_at_a_table();
  EXPECT_EQ(match.partners(), std::vector<std::uint32_t>{3});
  EXPECT_EQ(match.opponents(), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(match.after(3), 0U);
  EXPECT_EQ(match.name(match.after(match.seat())), "player 2");
  EXPECT_EQ(match.cards().title(), "Mus");
}

TEST(Match, HasNoSeatsBeyondItsOwn) {
  EXPECT_THROW(four_at_a_table().name(4), std::out_of_range);
  EXPECT_THROW(four_at_a_table().after(4), std::out_of_range);
  EXPECT_THROW(Match(v1::MatchStart()).after(0), std::out_of_range);
}

TEST(Match, OfAGameThatIsUnknownHasNoCards) { EXPECT_THROW(Match(v1::MatchStart()).cards(), std::out_of_range); }

}  // namespace
}  // namespace ordago
