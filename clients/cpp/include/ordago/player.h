// The session logic, without network and threads: frames of the server in, frames for the server out.
#pragma once

#include <grpcpp/support/status_code_enum.h>
#include <ordago/v1/bot_service.pb.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ordago/bot.h"
#include "ordago/log.h"
#include "ordago/receipts.h"

namespace ordago {

struct Call;
class Seat;
struct Reply;
class Summary;

/// A time of a monotonic clock.
using Time = std::chrono::steady_clock::time_point;
using std::chrono::milliseconds;

/// What comes of a bot that fails: it ends the process, or the default answer is sent.
enum class OnError { stop, take_default };

/// The contents of Hello, and the treatment of failures. A limit of 0 is none.
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
  OnError on_error = OnError::stop;
};

/// Runs a task, now or later, on any thread.
using Executor = std::function<void(std::function<void()> task)>;

/// What a player uses of its surroundings.
struct Surroundings {
  /// Returns the time, to measure how long a bot thinks.
  std::function<Time()> now = std::chrono::steady_clock::now;
  /// Stores receipts; null: none are kept.
  Keep receipts = nullptr;
  /// Stores each decision that a bot was asked, a line of JSON; null: they are not kept.
  Keep decisions = nullptr;
  /// Runs the calls of bots, at most one at a time for each; call `collect` when a task has ended, on the thread of the
  /// player. Null: they are called where frames arrive.
  Executor executor = nullptr;
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
  /// The reason, for the log.
  LogEvent event{};
};

/// The session is over.
struct Over {
  /// The exit code of the process: 0 or 3.
  int exit_code = 0;
  /// The reason, for the log.
  LogEvent event{};
};

/// One bot process over all its connections. A driver passes it what arrives, and sends the frames that it returns; an
/// empty frame is not sent.
class Player {
 public:
  /// Prepares to play. The log has to live as long as the player.
  Player(Factory factory, const Wishes& wishes, const Log& log, Surroundings surroundings = {});
  ~Player();

  /// Begins a connection, and returns its first frame, which resumes the earlier session, if any.
  v1::PlayRequest connect();
  /// Processes a frame that arrived at a time, and returns the reply.
  v1::PlayRequest receive(const v1::PlayResponse& frame, Time arrived);
  /// Takes the answers of bots whose calls an executor has run meanwhile, and returns the frame to send.
  v1::PlayRequest collect();
  /// Returns the next step after a connection to an address has ended. `jitter` is a random number from 0 to 1.
  std::variant<Pause, Over> lost(const Loss& loss, Time now, double jitter, const std::string& address);
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
  /// Whether no answer was refused or replaced, no match forfeited, and the bot never failed.
  bool is_clean() const;
  /// Writes the summary into the log, if a match has ended. Any thread may call it.
  void sum_up() const;
  /// Stores a receipt of the event that the server plays. There may be none.
  void learn(const v1::DescribeEventResponse& described);

 private:
  using SharedSeat = std::shared_ptr<Seat>;

  void take(const v1::ServerMessage& message, Time arrived);
  void take_of_session(const v1::ServerMessage& message);
  void welcomed(const v1::Welcome& welcome);
  void dismissed(const v1::Goodbye& goodbye);
  void noticed(const v1::EventNotice& notice);
  void begin(const v1::MatchStart& start);
  void decide(const v1::Decision& decision, Time arrived);
  void refused(const v1::Refused& refused, Time arrived);
  void accepted(const v1::Accepted& accepted);
  void forfeited(const v1::Forfeited& notice);
  void end(const v1::MatchEnd& end);
  void advance(const SharedSeat& seat);
  void finish(const SharedSeat& seat, const Call& call);
  void failed(Seat& seat, const Call& call);
  void keep_decision(Seat& seat, const Call& call);
  v1::PlayRequest flush();
  void ask_for_no_more(v1::PlayRequest& frame);
  void lose_session(const std::string& sentence);
  void drop_seats();
  LogEvent what_happened(const Loss& loss, milliseconds pause) const;
  bool needs_a_new_session(const Loss& loss) const;
  milliseconds next_pause(milliseconds retry_after, double jitter);
  SharedSeat seat_of(std::uint32_t handle) const;
  void went(const v1::PlayRequest& frame) const;

  Factory factory_;
  Wishes wishes_;
  const Log& log_;
  Surroundings surroundings_;
  std::optional<Receipts> receipts_;
  std::unique_ptr<Summary> summary_;
  v1::Hello hello_;
  std::map<std::uint32_t, SharedSeat> seats_;
  /// The answers for the next frame.
  std::vector<Reply> replies_;
  /// The calls that an executor has run since `collect`.
  std::vector<std::pair<SharedSeat, std::shared_ptr<Call>>> finished_;
  std::mutex finishing_;
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
