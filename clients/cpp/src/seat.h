// What a player keeps of one seat: its bot, what it was asked last, and what it answered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "ordago/player.h"

namespace ordago {

/// An answer that is ready to be sent, but for the time that it took.
struct Reply {
  v1::Choice choice;
  /// When the decision came.
  Time asked;
};

/// One seat of one match, over all connections of the session. A decision may come again: after a broken connection, or
/// because the server lost time. Its answer is kept and sent again, so that the bot is asked once, and the server is
/// never told two things.
class Seat {
 public:
  Seat(Match match, std::unique_ptr<Bot> bot);

  /// The match that it is in.
  const Match& match() const { return match_; }
  /// The number of the last decision that came; 0 if none did.
  std::uint32_t number() const { return number_; }
  /// Whether its bot wants the process to retire.
  bool retiring() const { return bot_->retiring_; }

  /// Says whether a match that is announced is this one, at no earlier point than the bot has seen.
  bool carries_on(const v1::MatchStart& start) const;
  /// Goes on over another connection, where the decision that is open will come again.
  void disconnect() { open_.reset(); }
  /// Answers a decision that came at a time.
  Reply decide(const v1::Decision& decision, Time arrived);
  /// Answers a refusal; nothing if the decision is closed.
  std::optional<Reply> decide_again(const v1::Refused& refused);
  /// Says whether no answer in this match was refused before for this cause.
  bool is_first_refusal(const std::string& cause) { return refusals_.insert(cause).second; }
  /// Closes a decision, and says whether that is news: it may be told again after a broken connection.
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
  /// The decision that waits for an answer, or for what became of it.
  std::optional<v1::Decision> open_;
  Time asked_;
  std::uint32_t closed_ = 0;
  std::set<std::string> refusals_;
};

}  // namespace ordago
