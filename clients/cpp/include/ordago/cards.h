// Cards: names, signs, and values in each game.
#pragma once

#include <ordago/v1/cards.pb.h>

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ordago/lists.h"

namespace ordago {

// All functions take a `v1::Card`, or an int from a list of a view. Those that return cards return `v1::Card`.

/// The suit of a card; SUIT_UNSPECIFIED for the Fool, and for a card that this SDK does not know.
v1::Suit suit(int card);
/// The rank of a card within its suit, from 1; 0 for the Fool, and for a card that this SDK does not know.
int rank(int card);
/// The short form of a card, for instance "10♥"; "?" for a card that this SDK does not know.
std::string sign(int card);
/// The name of a card, for instance "ten of hearts"; "card 120" for a card that this SDK does not know.
std::string name(int card);

/// The value of a card.
struct Worth {
  /// The card.
  int card;
  /// Its rank among the others, from 0; equal cards have equal heights.
  int height;
  /// The points that it counts.
  int points;
};

/// The values of the cards of a game under a condition, from `GameCards::values`. A card that is not in its pack throws
/// std::out_of_range.
class Values {
 public:
  Values(std::string_view name, std::string_view when, std::string_view compares, std::initializer_list<Worth> worths);

  /// Their name, for instance "trump".
  std::string_view name() const { return name_; }
  /// The condition, in words.
  std::string_view when() const { return when_; }
  /// The cards that can be compared by height: "all cards" or "cards of one suit".
  std::string_view compares() const { return compares_; }
  /// The rank of a card among the others, from 0 for the lowest; equal cards have equal heights.
  int height(int card) const { return worth(card).height; }
  /// The points that a card counts; 0 for none.
  int points(int card) const { return worth(card).points; }

 private:
  const Worth& worth(int card) const;

  std::string_view name_;
  std::string_view when_;
  std::string_view compares_;
  std::array<Worth, 128> worths_{};
};

/// The cards of a game, from `cards_of`.
class GameCards {
 public:
  GameCards(std::string_view game, std::string_view title, std::vector<int> held, std::vector<Values> values);

  /// The short name of the game, for instance "mittlere".
  std::string_view game() const { return game_; }
  /// Its name, for instance "Mittlere Jass".
  std::string_view title() const { return title_; }
  /// Its cards, ascending by code.
  std::span<const v1::Card> pack() const { return pack_; }
  /// Returns the values of a name.
  ///
  /// Throws std::out_of_range if it has none of that name.
  const Values& values(std::string_view name) const;

  /// Returns cards in the order in which players hold them.
  ///
  /// Throws std::out_of_range for a card that is not in the pack.
  template <typename Cards>
  std::vector<v1::Card> sorted(const Cards& cards) const {
    return in_hand(cards_in(cards));
  }

 private:
  std::vector<v1::Card> in_hand(std::vector<v1::Card> cards) const;

  std::string_view game_;
  std::string_view title_;
  std::vector<v1::Card> held_;
  std::vector<v1::Card> pack_;
  std::vector<Values> values_;
};

/// Returns the cards of a game by its short name.
///
/// Throws std::out_of_range if this SDK does not know the game.
const GameCards& cards_of(std::string_view game);

}  // namespace ordago
