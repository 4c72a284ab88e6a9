// One seat of a player: its last decision, its last answer, and the calls of its bot.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "mind.h"

namespace ordago {

/// An answer that lacks only its thinking time.
struct Reply {
  v1::Choice choice;
  /// The arrival of the decision.
  Time asked;
  std::string match_id;
};

/// A call of a bot, and its result.
struct Call {
  std::function<void(Mind&, Call&)> act{};
  /// The decision that the bot is asked; null if it is only told something.
  std::shared_ptr<const v1::Decision> decision{};
  std::optional<v1::Refused> refusal{};
  /// The end of the time for the answer; none without a clock.
  std::optional<Time> deadline{};
  /// Whether the answer is not needed any more.
  std::atomic<bool> is_closed = false;

  /// The answer; none if the call was no question, or was closed before the bot was asked.
  std::optional<v1::Answer> answer{};
  std::optional<Failure> failure{};
  milliseconds took{0};

  /// Makes the call, on any thread.
  void run(Mind& mind);
  /// The line of a question in the file of decisions.
  std::string line(const v1::MatchStart& start) const;
};

/// One seat of one match, over all connections of the session. A decision may come again: after a broken connection, or
/// because the server lost time. Then the same answer is sent again, so the bot is asked once, and the server never
/// gets two answers.
///
/// Calls of the bot wait in `next`, and are made one after the other, here or on another thread.
class Seat {
 public:
  Seat(Match match, const Wishes& wishes, const Factory& factory, std::function<Time()> now);

  Mind& mind() { return mind_; }
  const Match& match() const { return mind_.match(); }
  /// The number of the last decision; 0 if there was none.
  std::uint32_t number() const { return number_; }

  /// Whether an announced match is this one, at no earlier point than the bot has seen.
  bool carries_on(const v1::MatchStart& start) const;
  /// Prepares for another connection, on which the open decision will come again.
  void disconnect() { open_.reset(); }
  /// Takes a decision that arrived at a time; returns the answer if there already is one.
  std::optional<Reply> decide(const v1::Decision& decision, Time arrived);
  /// Takes a refusal, and asks the bot again if the decision is still open.
  void decide_again(const v1::Refused& refused, Time arrived);
  /// Notes the cause of a refusal, and returns whether it is the first of this cause.
  bool is_first_refusal(const std::string& cause) { return refusals_.insert(cause).second; }
  /// Closes a decision, and returns whether it was open: after a broken connection the server may close it again.
  bool close(std::uint32_t number);
  /// Tells the bot that the seat is forfeited. Returns whether that is news.
  bool forfeited(const v1::Forfeited& notice);
  /// Tells the bot how the match ended.
  void ended(const v1::MatchEnd& end);

  /// Returns the next call to make; null while one is made, or if there is none.
  std::shared_ptr<Call> next();
  /// Takes the result of a call, and returns the answer if it is due.
  std::optional<Reply> finish(const Call& call);
  /// Gives up the question to the bot, if there is one: nobody waits for its answer.
  void drop();

 private:
  void ask(std::optional<v1::Refused> refusal, std::optional<Time> deadline);
  void tell(std::function<void(Mind&)> tell);
  bool is_asked() const;
  std::optional<Reply> reply() const;

  Mind mind_;
  std::uint32_t number_ = 0;
  /// The answer to the last decision, once there is one.
  std::optional<v1::Answer> answer_;
  /// The decision that is not closed yet.
  std::shared_ptr<const v1::Decision> open_;
  Time asked_;
  std::uint32_t closed_ = 0;
  std::set<std::string> refusals_;
  bool is_forfeited_ = false;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::shared_ptr<Call> running_;
};

}  // namespace ordago
