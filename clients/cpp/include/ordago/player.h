// What is said when: frames of the server in, frames for the server out, without a network and without threads.
#pragma once

#include <grpcpp/support/status_code_enum.h>
#include <ordago/v1/bot_service.pb.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ordago/bot.h"
#include "ordago/log.h"
#include "ordago/receipts.h"

namespace ordago {

class Seat;
struct Reply;

/// A time by a clock that only goes forward.
using Time = std::chrono::steady_clock::time_point;
using std::chrono::milliseconds;

/// What a player says of itself in Hello. A number of 0 is no limit of the bot's own.
struct Wishes {
  std::string name{};
  std::string version{};
  /// The games that it plays; none: all that the server offers.
  std::vector<std::string> games{};
  /// 16 to 64 random bytes that are mixed into the deals.
  std::string nonce{};
  std::uint32_t max_open_decisions = 0;
  std::uint32_t max_matches = 0;
  /// After how many matches it retires by itself.
  std::uint32_t matches_in_all = 0;
};

/// How a connection ended.
struct Loss {
  /// The status of the stream; OK for an orderly end.
  grpc::StatusCode status = grpc::StatusCode::OK;
  /// Its details.
  std::string sentence{};
  /// When to come back, as its trailing metadata say; 0 where they do not.
  milliseconds retry_after{0};
};

/// The connection is to be tried again after a pause.
struct Pause {
  milliseconds length{0};
  /// What happened, as the beginning of a sentence.
  std::string sentence{};
};

/// The session is over.
struct Over {
  /// The exit code of the process: 0 or 3.
  int exit_code = 0;
  /// Why, as the end of a sentence: behind "the server" if the exit code is 0, else behind "the server at ADDRESS".
  std::string sentence{};
  /// Whether the server did not answer.
  bool is_unreachable = false;
};

/// One process of a bot over all of its connections. A driver hands it what comes, and sends what it returns; an empty
/// frame is nothing to send.
class Player {
 public:
  /// Prepares to play.
  ///
  /// `now` tells the time, which measures how long the bot thinks. `keep`, if there is one, is handed receipts.
  Player(Factory factory, const Wishes& wishes, std::function<Time()> now, const Log& log, Keep keep = nullptr);
  ~Player();

  /// Begins a connection: returns its first frame, which resumes the session that there was before, if any.
  v1::PlayRequest connect();
  /// Takes in a frame that came at a time, and returns what there is to say to it.
  v1::PlayRequest receive(const v1::PlayResponse& frame, Time arrived);
  /// Learns that a connection ended, and decides what follows. `jitter` is drawn evenly from 0 to 1 by the driver.
  std::variant<Pause, Over> lost(const Loss& loss, Time now, double jitter);
  /// Takes no more seats. Where that cannot be said now it is said later, and again on each new connection.
  v1::PlayRequest retire();
  /// Ends the session, and forfeits what is played.
  v1::PlayRequest leave();

  /// Whether anything came on this connection.
  bool alive() const { return alive_; }
  /// Whether it takes no more seats.
  bool retiring() const { return retiring_; }
  /// Whether it wants to learn, before each connection, which event the server plays.
  bool keeps_receipts() const { return receipts_.has_value(); }
  /// Learns which event the server plays. It may be none.
  void learn(const v1::DescribeEventResponse& described);

 private:
  std::optional<Reply> take(const v1::ServerMessage& message, Time arrived);
  void take_of_session(const v1::ServerMessage& message);
  void welcomed(const v1::Welcome& welcome);
  void dismissed(const v1::Goodbye& goodbye);
  void noticed(const v1::EventNotice& notice);
  void begin(const v1::MatchStart& start);
  std::optional<Reply> decide(const v1::Decision& decision, Time arrived);
  std::optional<Reply> refused(const v1::Refused& refused);
  void accepted(const v1::Accepted& accepted);
  void forfeited(const v1::Forfeited& notice);
  void end(const v1::MatchEnd& end);
  void ask_for_no_more(v1::PlayRequest& frame);
  void lose_session(const std::string& sentence);
  std::string counted();
  std::string what_happened(const Loss& loss) const;
  bool needs_a_new_session(const Loss& loss) const;
  milliseconds next_pause(milliseconds retry_after, double jitter);
  Seat* seat_of(std::uint32_t handle);
  void went(const v1::PlayRequest& frame) const;

  Factory factory_;
  std::function<Time()> now_;
  const Log& log_;
  std::optional<Receipts> receipts_;
  v1::Hello hello_;
  std::map<std::uint32_t, std::unique_ptr<Seat>> seats_;
  /// The server's reason for ending the session for good; none while it goes on.
  std::optional<std::string> farewell_;
  std::uint32_t begun_ = 0;
  bool alive_ = false;
  /// Whether the session is open on this connection, so that something may be said.
  bool open_ = false;
  bool retiring_ = false;
  bool has_said_retire_ = false;
  /// Whether the server said on this connection that it is going down.
  bool draining_ = false;
  /// The Goodbye for now of this connection.
  std::optional<std::string> goodbye_for_now_;
  /// The matches of an event that have begun, and that are planned; 0: unknown.
  std::uint32_t event_begun_ = 0;
  std::uint32_t event_planned_ = 0;
  /// When a Goodbye says to come back.
  milliseconds retry_after_{0};
  /// How long the session can be resumed; 0 without one.
  milliseconds resume_window_{0};
  milliseconds pause_{0};
  /// When the server was last heard of, or began not to answer.
  std::optional<Time> last_sign_;
};

}  // namespace ordago
