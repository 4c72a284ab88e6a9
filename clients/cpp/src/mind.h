// The bot of a seat, called on any thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ordago/player.h"

namespace ordago {

/// How a bot failed.
struct Failure {
  /// The message of what was thrown.
  std::string error;
  /// The stack where it was thrown; only for the first failure of a match.
  std::string trace;
};

/// The bot of a seat. Its calls may come on any thread, but never two at once. With `OnError::stop` whatever the bot
/// throws passes through, and so ends the process with the whole stack; otherwise it is returned.
class Mind {
 public:
  Mind(Match match, OnError on_error, std::function<Time()> now)
      : match_(std::move(match)), on_error_(on_error), now_(std::move(now)) {}

  const Match& match() const { return match_; }
  /// The time by the clock of the player.
  Time now() const { return now_(); }
  /// Whether there is a bot: it may have failed when it was made.
  bool has_bot() const { return bot_ != nullptr; }
  /// Whether the bot wants the process to retire.
  bool retiring() const { return bot_ && bot_->retiring_; }
  /// Returns how the last call failed, if it did, once.
  std::optional<Failure> take_failure() { return std::exchange(failure_, std::nullopt); }

  /// Sets a bot's random numbers to those of a decision.
  static void restart_chance(Bot& bot, const v1::Decision& decision);
  /// Asks a bot; throws what it throws, and std::logic_error if its answer names no action.
  static v1::Answer ask(Bot& bot, const v1::Decision& decision, const v1::Refused* refusal,
                        std::optional<Time> deadline);

  void make(const Factory& factory);
  /// Returns the bot's answer to a decision, or to the refusal of an earlier answer; the default answer if it fails.
  v1::Answer answer(const v1::Decision& decision, const v1::Refused* refusal, std::optional<Time> deadline);
  void forfeited(const v1::Forfeited& notice);
  void ended(const v1::MatchEnd& end);

 private:
  /// `asked` is null if the call needs no answer.
  void attempt(const std::function<void()>& call, const v1::Decision* asked = nullptr);
  void fail(std::string error);

  Match match_;
  OnError on_error_;
  std::function<Time()> now_;
  std::unique_ptr<Bot> bot_;
  std::optional<Failure> failure_;
  bool has_failed_ = false;
};

}  // namespace ordago
