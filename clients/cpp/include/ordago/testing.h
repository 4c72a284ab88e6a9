// For the tests of a bot: decisions from a file, legality, and matches.
//
//     for (const ordago::LoggedDecision& logged : ordago::load_decisions("decisions.jsonl")) {
//       assert(ordago::is_legal(logged.decision, ordago::ask<MyBot>(logged)));
//     }
#pragma once

#include <ordago/v1/match.pb.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ordago/bot.h"

namespace ordago {

/// A decision that a bot was asked in a match, as `--log-decisions` and `ordago record --decisions` write it.
struct LoggedDecision {
  v1::MatchStart start{};
  v1::Decision decision{};
  /// The refusal of an earlier answer, if the bot was asked again.
  std::optional<v1::Refused> refused{};
  /// The answer that was sent.
  v1::Answer answer{};
  /// The time that the bot thought.
  std::chrono::milliseconds took{0};
  /// How the bot failed; empty if it did not.
  std::string error{};
};

/// Reads a file of decisions.
///
/// Throws std::runtime_error with the path and the line if it cannot be read.
std::vector<LoggedDecision> load_decisions(const std::string& path);

/// Asks a bot as in a match, with the random numbers of that decision and its whole time. One that was refused is asked
/// first and refused then.
///
/// Throws what the bot throws, and std::logic_error if its answer names no action.
v1::Answer ask(Bot& bot, const LoggedDecision& logged);

/// Asks a new bot.
template <typename BotClass>
v1::Answer ask(const LoggedDecision& logged) {
  BotClass bot{Match(logged.start)};
  return ask(bot, logged);
}

/// Says whether the referee takes an answer to a decision. A typed action has to equal a legal one, once its open parts
/// are left out; the order of its other cards counts.
bool is_legal(const v1::Decision& decision, const v1::Answer& answer);

/// A seat of a match that was played.
struct PlayedSeat {
  /// The number of the bot among those that were given, from 0.
  std::size_t bot = 0;
  std::string name{};
  std::int32_t score = 0;
  std::uint32_t placing = 0;
  /// The answers that were refused, by the rule that they broke.
  std::map<std::string, std::uint32_t> strikes{};
};

/// A match that was played.
struct PlayedMatch {
  std::string match_id{};
  std::string game{};
  /// Its number, from 1.
  std::uint32_t number = 0;
  std::vector<PlayedSeat> seats{};
  /// The number of decisions at which the default answer was taken for a fault.
  std::uint32_t faults = 0;
  /// The seats that were forfeited, with the fault.
  std::map<std::uint32_t, std::string> forfeits{};
};

/// Plays matches by `ordago play`, the program that ORDAGO_PROGRAM names, else `ordago` of the PATH. Bots are given as
/// to `--bot`, for instance "cmd:build/bot" and "house:random".
///
/// Throws std::runtime_error if there is no such program, or if it fails.
std::vector<PlayedMatch> play(const std::string& game, const std::vector<std::string>& bots, unsigned matches = 1);

}  // namespace ordago
