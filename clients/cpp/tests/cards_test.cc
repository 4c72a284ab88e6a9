#include "ordago/cards.h"

#include <gtest/gtest.h>
#include <ordago/v1/mittlere.pb.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ordago {
namespace {

using Json = nlohmann::json;

const Json& table() {
  static const Json table = Json::parse(std::ifstream(CARDS));
  return table;
}

TEST(Cards, AreWhatTheTableSays) {
  for (const Json& card : table().at("cards")) {
    const int code = card.at("card");
    EXPECT_EQ(v1::Card_Name(code), card.at("constant"));
    EXPECT_EQ(suit(code), card.at("suit").get<int>());
    EXPECT_EQ(rank(code), card.at("rank").get<int>());
    EXPECT_EQ(name(code), card.at("name"));
    EXPECT_EQ(sign(code), card.at("sign"));
  }
  EXPECT_EQ(name(v1::CARD_TEN_OF_HEARTS) + " " + sign(v1::CARD_TEN_OF_HEARTS), "ten of hearts 10♥");
}

TEST(Cards, OfANewerServerHaveNothingButANumber) {
  for (const int card : {-1, 0, 119, 120, 255}) {
    EXPECT_EQ(suit(card), v1::SUIT_UNSPECIFIED);
    EXPECT_EQ(rank(card), 0);
    EXPECT_EQ(sign(card), "?");
    EXPECT_EQ(name(card), "card " + std::to_string(card));
  }
}

TEST(GameCards, AreWhatTheTableSays) {
  for (const Json& game : table().at("games")) {
    const GameCards& cards = cards_of(game.at("game").get<std::string>());
    EXPECT_EQ(cards.title(), game.at("title").get<std::string>());
    EXPECT_EQ(std::vector<int>(cards.pack().begin(), cards.pack().end()), game.at("pack").get<std::vector<int>>());
    EXPECT_EQ(cards.sorted(cards.pack()), cards_in(game.at("held").get<std::vector<int>>()));
  }
}

TEST(Values, AreWhatTheTableSays) {
  for (const Json& game : table().at("games")) {
    for (const Json& told : game.at("values")) {
      const Values& values = cards_of(game.at("game").get<std::string>()).values(told.at("name").get<std::string>());
      EXPECT_EQ(values.when(), told.at("when").get<std::string>());
      EXPECT_EQ(values.compares(), told.at("compares").get<std::string>());
      int height = 0;
      for (const Json& cards : told.at("low_to_high")) {
        for (const int card : cards) EXPECT_EQ(values.height(card), height);
        ++height;
      }
      for (const Json& group : told.at("points")) {
        for (const int card : group.at("cards")) EXPECT_EQ(values.points(card), group.at("points").get<int>());
      }
    }
  }
}

TEST(Lists, HaveNoElementsBeyondTheirEnds) {
  v1::MittlereView view;
  view.add_hand(v1::CARD_SIX_OF_HEARTS);
  EXPECT_EQ(at(view.hand(), 0), v1::CARD_SIX_OF_HEARTS);
  EXPECT_EQ(cards_in(view.hand()), std::vector{v1::CARD_SIX_OF_HEARTS});
  EXPECT_THROW(at(view.hand(), 1), std::out_of_range);
  EXPECT_THROW(at(view.hand(), -1), std::out_of_range);
}

TEST(Values, OfACardThatCountsNothingAreZero) {
  EXPECT_EQ(cards_of("mittlere").values("plain").points(v1::CARD_SIX_OF_CLUBS), 0);
}

TEST(GameCards, SortAHandOfAView) {
  v1::MittlereView view;
  for (const auto card : {v1::CARD_SIX_OF_HEARTS, v1::CARD_ACE_OF_CLUBS, v1::CARD_ACE_OF_HEARTS}) view.add_hand(card);
  const std::vector<v1::Card> hand = cards_of("mittlere").sorted(view.hand());
  EXPECT_EQ(hand.size(), 3U);
  EXPECT_LT(std::ranges::find(hand, v1::CARD_ACE_OF_HEARTS), std::ranges::find(hand, v1::CARD_SIX_OF_HEARTS));
}

TEST(GameCards, OfWhatIsUnknownAreAnErrorAndNeverAWrongNumber) {
  const GameCards& cards = cards_of("mittlere");
  EXPECT_THROW(cards_of("skat"), std::out_of_range);
  EXPECT_THROW(cards.values("trumps"), std::out_of_range);
  for (const int card : {-1, 0, int{v1::CARD_TWO_OF_CLUBS}, 127, 128, 1000}) {
    EXPECT_THROW(cards.values("plain").height(card), std::out_of_range);
    EXPECT_THROW(cards.values("plain").points(card), std::out_of_range);
    EXPECT_THROW(cards.sorted(std::vector{card}), std::out_of_range);
  }
}

}  // namespace
}  // namespace ordago
