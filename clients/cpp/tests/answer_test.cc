#include "ordago/answer.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace ordago {
namespace {

v1::LegalAction open_action() {
  v1::LegalAction action;
  action.set_id(7);
  for (const int first : {1, 15}) {
    v1::Pick& pick = *action.add_picks();
    for (int card = first; card < first + 4; ++card) pick.add_cards(static_cast<v1::Card>(card));
    pick.set_min(1);
    pick.set_max(2);
  }
  return action;
}

TEST(Complete, PicksFromEachGroupWithinItsNumbers) {
  std::set<std::size_t> counts;
  for (std::uint32_t number = 0; number < 100; ++number) {
    Random random("seed", number);
    const v1::Answer answer = complete(open_action(), random).message();
    EXPECT_EQ(answer.legal_action(), 7U);
    EXPECT_FALSE(answer.has_amount());
    const std::set<int> cards(answer.cards().begin(), answer.cards().end());
    EXPECT_EQ(cards.size(), static_cast<std::size_t>(answer.cards_size()));
    const auto clubs = std::ranges::count_if(cards, [](int card) { return card < 15; });
    EXPECT_TRUE(clubs == 1 || clubs == 2);
    counts.insert(cards.size());
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{2, 3, 4}));
}

TEST(Complete, TakesAmountsOfAll32Bits) {
  v1::LegalAction action;
  action.mutable_amount()->set_min(std::numeric_limits<std::int32_t>::min());
  action.mutable_amount()->set_max(std::numeric_limits<std::int32_t>::max());
  std::set<std::int32_t> seen;
  for (std::uint32_t number = 0; number < 50; ++number) {
    Random random("seed", number);
    seen.insert(complete(action, random).message().amount());
  }
  EXPECT_GT(seen.size(), 40U);
}

TEST(Complete, SaysAnAmountOfZero) {
  v1::LegalAction action;
  action.mutable_amount();
  Random random("seed", 1);
  EXPECT_TRUE(complete(action, random).message().has_amount());
}

TEST(Answer, IsMadeOfWhateverABotHasAtHand) {
  v1::MittlereAction played;
  played.set_card(v1::CARD_TEN_OF_HEARTS);
  EXPECT_EQ(Answer(played).message().action().mittlere().card(), v1::CARD_TEN_OF_HEARTS);
  EXPECT_TRUE(Answer(v1::MusAction()).message().action().has_mus());
  v1::Extra extra;
  extra.set_id(3);
  const v1::Answer by_number = Answer(open_action()).amount(0).cards(std::vector{1, 15}).extra(extra).message();
  EXPECT_EQ(by_number.ShortDebugString(),
            "legal_action: 7 amount: 0 cards: CARD_ACE_OF_CLUBS cards: "
            "CARD_ACE_OF_DIAMONDS extra: 3");
}

}  // namespace
}  // namespace ordago
