// The table of all cards, generated from proto/cards.json.
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

/// Returns the facts about a card; null if it is not in the table.
const CardFacts* facts_of(int card);

/// Returns the cards of all games.
const std::vector<GameCards>& games();

}  // namespace ordago::table
