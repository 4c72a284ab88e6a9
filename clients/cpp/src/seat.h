// One seat of a player: its bot, its last decision and its last answer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "ordago/player.h"

namespace ordago {

/// An answer that lacks only its thinking time.
struct Reply {
  v1::Choice choice;
  /// The arrival of the decision.
  Time asked;
};

/// One seat of one match, over all connections of the session. A decision may come again: after a broken connection, or
/// because the server lost time. Then the same answer is sent again, so the bot is asked once, and the server never
/// gets two answers.
class Seat {
 public:
  Seat(Match match, std::unique_ptr<Bot> bot);

  /// The match that it is in.
  const Match& match() const { return match_; }
  /// The number of the last decision; 0 if there was none.
  std::uint32_t number() const { return number_; }
  /// Whether its bot wants the process to retire.
  bool retiring() const { return bot_->retiring_; }

  /// Whether an announced match is this one, at no earlier point than the bot has seen.
  bool carries_on(const v1::MatchStart& start) const;
  /// Prepares for another connection, on which the open decision will come again.
  void disconnect() { open_.reset(); }
  /// Answers a decision that arrived at a time.
  Reply decide(const v1::Decision& decision, Time arrived);
  /// Answers a refusal; nothing if the decision is closed.
  std::optional<Reply> decide_again(const v1::Refused& refused);
  /// Notes the cause of a refusal, and returns whether it is the first of this cause.
  bool is_first_refusal(const std::string& cause) { return refusals_.insert(cause).second; }
  /// Closes a decision, and returns whether it was open: after a broken connection the server may close it again.
  bool close(std::uint32_t number);
  /// Tells the bot that the seat is forfeited.
  void forfeited(const v1::Forfeited& notice) { bot_->forfeited(notice); }
  /// Tells the bot how the match ended.
  void ended(const v1::MatchEnd& end) { bot_->ended(end); }

 private:
  Reply reply() const;

  Match match_;
  std::unique_ptr<Bot> bot_;
  std::uint32_t number_ = 0;
  v1::Answer answer_;
  /// The decision that is not closed yet.
  std::optional<v1::Decision> open_;
  Time asked_;
  std::uint32_t closed_ = 0;
  std::set<std::string> refusals_;
};

}  // namespace ordago
