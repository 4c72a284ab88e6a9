#include "ordago/match.h"

#include <stdexcept>
#include <utility>

namespace ordago {

Match::Match(v1::MatchStart start) : start_(std::make_shared<const v1::MatchStart>(std::move(start))) {}

const v1::Player& Match::player(std::uint32_t seat) const {
  if (seat >= seats()) {
    throw std::out_of_range("there is no seat " + std::to_string(seat) + " in a match of " + std::to_string(seats()));
  }
  return start_->players(static_cast<int>(seat));
}

std::uint32_t Match::after(std::uint32_t seat) const {
  player(seat);  // It has to be one.
  return (seat + 1) % seats();
}

std::vector<std::uint32_t> Match::partners() const { return others(true); }

std::vector<std::uint32_t> Match::opponents() const { return others(false); }

std::vector<std::uint32_t> Match::others(bool of_my_side) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t other = 0; other < seats(); ++other) {
    if (other != seat() && (player(other).side() == player(seat()).side()) == of_my_side) found.push_back(other);
  }
  return found;
}

}  // namespace ordago
