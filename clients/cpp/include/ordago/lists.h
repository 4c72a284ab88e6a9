// Lists of messages, without surprises: protobuf does not check an index in a release build, and lists enums as ints.
#pragma once

#include <ordago/v1/cards.pb.h>

#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace ordago {

/// Returns an element of a list, for instance `at(decision.actions(), 0)`.
///
/// Throws std::out_of_range if there is none.
template <typename List>
const auto& at(const List& list, std::ptrdiff_t index) {
  if (index < 0 || index >= std::ssize(list)) {
    throw std::out_of_range("there is no element " + std::to_string(index) + " in a list of " +
                            std::to_string(std::ssize(list)));
  }
  return *std::next(std::begin(list), index);
}

/// Returns the cards of a list of a view, for instance `cards_in(view.hand())`.
template <typename List>
std::vector<v1::Card> cards_in(const List& list) {
  std::vector<v1::Card> cards;
  for (const int card : list) cards.push_back(static_cast<v1::Card>(card));
  return cards;
}

}  // namespace ordago
