// What the thread that plays is told by all others: what came, and that it is to end.
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

/// The server said which event it plays.
struct Described {
  v1::DescribeEventResponse event;
};
/// The stream is there.
struct Opened {};
/// A frame came.
struct Arrival {
  v1::PlayResponse frame;
  Time time;
};
/// The connection ended.
using Ended = Loss;
/// The bot is to take no more seats.
struct ToldToRetire {};
/// The bot is to leave at once.
struct ToldToLeave {};

using Mail = std::variant<Described, Opened, Arrival, Ended, ToldToRetire, ToldToLeave>;

/// A queue of what one connection brings, and the orders of the user, which go before all that. To be used by many
/// threads that put in, and one that takes out.
class Mailbox {
 public:
  /// Puts in what a connection brings; waits while too much lies there already.
  void put(Mail mail);
  /// Forgets what is left of a connection, before another begins.
  void clear();
  /// Orders the bot to take no more seats.
  void retire();
  /// Orders the bot to leave at once.
  void leave();
  /// Waits for the next, or until a time; nothing if it is past.
  std::optional<Mail> next_until(std::optional<Time> end);

 private:
  std::optional<Mail> taken();

  mutable std::mutex changing_;
  std::condition_variable changed_;
  std::deque<Mail> mails_;
  bool retire_ = false;
  bool leave_ = false;
  /// Whether the orders were handed out.
  bool retire_taken_ = false;
  bool leave_taken_ = false;
};

}  // namespace ordago
