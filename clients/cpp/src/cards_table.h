// The table of all cards, as proto/cards.json tells them.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "ordago/cards.h"

namespace ordago::table {

/// A card.
struct CardFacts {
  std::string_view name;
  std::string_view sign;
  v1::Suit suit;
  int rank;
};

/// Returns what is known of a card; null for one that is not in the table.
const CardFacts* facts_of(int card);

/// Returns the cards of all games.
const std::vector<GameCards>& games();

}  // namespace ordago::table
