// The session logic, without network and threads: frames of the server in, frames for the server out.
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

/// A time of a monotonic clock.
using Time = std::chrono::steady_clock::time_point;
using std::chrono::milliseconds;

/// The contents of Hello. A limit of 0 is none.
struct Wishes {
  std::string name{};
  std::string version{};
  /// The games to play; none: all that the server offers.
  std::vector<std::string> games{};
  /// 16 to 64 random bytes, mixed into the deals.
  std::string nonce{};
  std::uint32_t max_open_decisions = 0;
  std::uint32_t max_matches = 0;
  /// The number of matches after which it retires; 0: never.
  std::uint32_t matches_in_all = 0;
};

/// The end of a connection.
struct Loss {
  /// The status of the stream; OK for an orderly end.
  grpc::StatusCode status = grpc::StatusCode::OK;
  /// Its details.
  std::string sentence{};
  /// The pause that its trailing metadata ask for; 0 if they ask for none.
  milliseconds retry_after{0};
};

/// The connection is to be tried again after a pause.
struct Pause {
  milliseconds length{0};
  /// The reason, as the beginning of a sentence.
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

/// One bot process over all its connections. A driver passes it what arrives, and sends the frames that it returns; an
/// empty frame is not sent.
class Player {
 public:
  /// Prepares to play.
  ///
  /// `now` returns the time, to measure how long the bot thinks. `keep`, if there is one, stores receipts.
  Player(Factory factory, const Wishes& wishes, std::function<Time()> now, const Log& log, Keep keep = nullptr);
  ~Player();

  /// Begins a connection, and returns its first frame, which resumes the earlier session, if any.
  v1::PlayRequest connect();
  /// Processes a frame that arrived at a time, and returns the reply.
  v1::PlayRequest receive(const v1::PlayResponse& frame, Time arrived);
  /// Returns the next step after a connection has ended. `jitter` is a random number from 0 to 1.
  std::variant<Pause, Over> lost(const Loss& loss, Time now, double jitter);
  /// Takes no more seats. The server learns it now, or as soon as possible, and again on each new connection.
  v1::PlayRequest retire();
  /// Ends the session, and forfeits the running matches.
  v1::PlayRequest leave();

  /// Whether anything came on this connection.
  bool alive() const { return alive_; }
  /// Whether it takes no more seats.
  bool retiring() const { return retiring_; }
  /// Whether `learn` has to be called before each connection.
  bool keeps_receipts() const { return receipts_.has_value(); }
  /// Stores a receipt of the event that the server plays. There may be none.
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
  /// Whether the session is open on this connection, so that messages may be sent.
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
  /// The pause that a Goodbye asks for.
  milliseconds retry_after_{0};
  /// The time for which the session can be resumed; 0 without one.
  milliseconds resume_window_{0};
  milliseconds pause_{0};
  /// The time of the last sign of the server, or of the first failure.
  std::optional<Time> last_sign_;
};

}  // namespace ordago
