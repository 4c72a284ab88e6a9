// The queue by which other threads reach the thread of the bot.
#pragma once

#include <ordago/v1/bot_service.pb.h>
#include <ordago/v1/game_service.pb.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <variant>

#include "ordago/player.h"

namespace ordago {

/// The server described its event.
struct Described {
  v1::DescribeEventResponse event;
};
/// The stream is open.
struct Opened {};
/// A frame arrived.
struct Arrival {
  v1::PlayResponse frame;
  Time time;
};
/// The connection ended.
using Ended = Loss;
/// Bots have thought.
struct Thoughts {};
/// The bot is to take no more seats.
struct RetireOrder {};
/// The bot is to leave at once.
struct LeaveOrder {};

using Mail = std::variant<Described, Opened, Arrival, Ended, Thoughts, RetireOrder, LeaveOrder>;

/// A queue of what arrives on a connection, and of the orders of the user and the thoughts of bots, which go first.
/// Many threads may put, one takes.
class Mailbox {
 public:
  /// Puts in what arrives on a connection; waits while the queue is full.
  void put(Mail mail);
  /// Drops what is left of a connection, before another begins.
  void clear();
  /// Says that a bot has thought. Said several times before it is taken, it is handed out once.
  void think();
  /// Orders the bot to take no more seats.
  void retire();
  /// Orders the bot to leave at once.
  void leave();
  /// Waits for the next item, at most until a time; nothing if it has passed.
  std::optional<Mail> next_until(std::optional<Time> end);

 private:
  std::optional<Mail> taken();

  mutable std::mutex changing_;
  std::condition_variable changed_;
  std::deque<Mail> mails_;
  bool has_thoughts_ = false;
  bool retire_ = false;
  bool leave_ = false;
  /// Whether the orders were taken.
  bool retire_taken_ = false;
  bool leave_taken_ = false;
};

}  // namespace ordago
