// Facts about a match that hold from its beginning to its end.
#pragma once

#include <ordago/v1/match.pb.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ordago/cards.h"

namespace ordago {

/// A match, seen from one seat. Copies are cheap, since they share the message of the server. Seats are numbered from 0
/// in the order of play; a seat that the match does not have throws std::out_of_range.
class Match {
 public:
  explicit Match(v1::MatchStart start);

  /// The whole message of the server.
  const v1::MatchStart& start() const { return *start_; }
  /// The permanent id of the match.
  const std::string& id() const { return start_->match_id(); }
  /// The game, by its short name.
  const std::string& game() const { return start_->game(); }
  /// The options of the game, complete.
  const v1::GameOptions& options() const { return start_->options(); }
  /// The time that each seat has.
  const v1::ClockTerms& clock() const { return start_->clock(); }
  /// The consequences of faults.
  const v1::FaultTerms& faults() const { return start_->faults(); }
  /// The seed for the bot's own random numbers, 16 bytes.
  const std::string& seed() const { return start_->seed(); }

  /// The seat of the bot.
  std::uint32_t seat() const { return start_->seat(); }
  /// The number of seats.
  std::uint32_t seats() const { return static_cast<std::uint32_t>(start_->players_size()); }
  /// The name of the bot on a seat; in an event, of its entrant.
  const std::string& name(std::uint32_t seat) const { return player(seat).name(); }
  /// The player on a seat.
  const v1::Player& player(std::uint32_t seat) const;
  /// The seat that plays after a seat.
  std::uint32_t after(std::uint32_t seat) const;
  /// The other seats that play for the bot's side, ascending.
  std::vector<std::uint32_t> partners() const;
  /// The seats that play for other sides, ascending.
  std::vector<std::uint32_t> opponents() const;

  /// The cards of the game, with their values.
  ///
  /// Throws std::out_of_range if this SDK does not know the game.
  const GameCards& cards() const { return cards_of(game()); }

 private:
  std::vector<std::uint32_t> others(bool of_my_side) const;

  std::shared_ptr<const v1::MatchStart> start_;
};

}  // namespace ordago
