#include "ordago/cards.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

#include "cards_table.h"

namespace ordago {
namespace {

template <typename Named, typename Name>
const Named& named(const std::vector<Named>& all, std::string_view wanted, Name name_of, const std::string& what) {
  const auto found = std::ranges::find(all, wanted, name_of);
  if (found != all.end()) return *found;
  std::string known;
  for (const Named& one : all) known.append(known.empty() ? "" : ", ").append(std::invoke(name_of, one));
  throw std::out_of_range(what + " '" + std::string(wanted) + "'; there are: " + known);
}

[[noreturn]] void refuse(int card, std::string_view where) {
  throw std::out_of_range(name(card) + " is not in the pack of " + std::string(where));
}

}  // namespace

v1::Suit suit(int card) {
  const auto* facts = table::facts_of(card);
  return facts ? facts->suit : v1::SUIT_UNSPECIFIED;
}

int rank(int card) {
  const auto* facts = table::facts_of(card);
  return facts ? facts->rank : 0;
}

std::string sign(int card) {
  const auto* facts = table::facts_of(card);
  return facts ? std::string(facts->sign) : "?";
}

std::string name(int card) {
  const auto* facts = table::facts_of(card);
  return facts ? std::string(facts->name) : "card " + std::to_string(card);
}

Values::Values(std::string_view name, std::string_view when, std::string_view compares,
               std::initializer_list<Worth> worths)
    : name_(name), when_(when), compares_(compares) {
  for (const Worth& worth : worths) worths_.at(static_cast<std::size_t>(worth.card)) = worth;
}

const Worth& Values::worth(int card) const {
  const auto index = static_cast<std::size_t>(card);
  if (card <= 0 || index >= worths_.size() || worths_[index].card != card) refuse(card, "these values");
  return worths_[index];
}

GameCards::GameCards(std::string_view game, std::string_view title, std::vector<int> held, std::vector<Values> values)
    : game_(game), title_(title), held_(cards_in(held)), pack_(held_), values_(std::move(values)) {
  std::ranges::sort(pack_);
}

const Values& GameCards::values(std::string_view name) const {
  return named(values_, name, &Values::name, std::string(title_) + " has no values");
}

std::vector<v1::Card> GameCards::in_hand(std::vector<v1::Card> cards) const {
  const auto place = [this](int card) {
    const auto found = std::ranges::find(held_, card);
    if (found == held_.end()) refuse(card, title_);
    return found;
  };
  std::ranges::stable_sort(cards, {}, place);
  if (cards.size() == 1) place(cards.front());  // Nothing compared it.
  return cards;
}

const GameCards& cards_of(std::string_view game) {
  return named(table::games(), game, &GameCards::game, "there are no cards of the game");
}

}  // namespace ordago
