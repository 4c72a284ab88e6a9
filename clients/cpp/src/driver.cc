#include "driver.h"

#include <optional>
#include <random>
#include <utility>

#include "connection.h"
#include "events.h"
#include "tls_look.h"

namespace ordago {
namespace {

using namespace std::chrono_literals;

constexpr int exit_interrupted = 130;
constexpr int exit_session_ended = 3;
/// Time for a Goodbye to get through.
constexpr milliseconds longest_goodbye = 1s;

/// Plays over one connection.
class Session {
 public:
  Session(Player& player, const Settings& settings, Mailbox& mailbox, const Log& log)
      : player_(player),
        mailbox_(mailbox),
        log_(log),
        hello_(player.connect()),
        connection_(settings, player.keeps_receipts(), mailbox) {}

  /// Returns the end of the connection; nothing if the bot left.
  std::optional<Loss> play() {
    while (true) {
      std::optional<Mail> mail = mailbox_.next_until(std::nullopt);
      if (auto* end = std::get_if<Ended>(&*mail)) return std::move(*end);
      if (std::holds_alternative<LeaveOrder>(*mail)) return leave();
      if (std::holds_alternative<RetireOrder>(*mail)) {
        if (!player_.alive()) return std::nullopt;
        retire();
      }
      take(*mail);
    }
  }

  /// Whether anything came from the server.
  bool is_heard() const { return is_heard_; }

 private:
  void take(const Mail& mail) {
    if (const auto* described = std::get_if<Described>(&mail)) {
      is_heard_ = true;
      player_.learn(described->event);
    }
    if (std::holds_alternative<Opened>(mail)) {
      is_open_ = true;
      connection_.send(hello_);
    }
    if (const auto* arrival = std::get_if<Arrival>(&mail)) {
      is_heard_ = true;
      connection_.send(player_.receive(arrival->frame, arrival->time));
    }
    if (std::holds_alternative<Thoughts>(mail)) {
      const v1::PlayRequest frame = player_.collect();
      if (is_open_) connection_.send(frame);
    }
  }

  void retire() {
    log_.write(events::told_to_stop());
    connection_.send(player_.retire());
  }

  std::optional<Loss> leave() {
    if (!is_open_) return std::nullopt;
    connection_.send(player_.leave());
    connection_.finish();
    const Time end = std::chrono::steady_clock::now() + longest_goodbye;
    for (auto mail = mailbox_.next_until(end); mail && !std::holds_alternative<Ended>(*mail);) {
      mail = mailbox_.next_until(end);
    }
    return std::nullopt;
  }

  Player& player_;
  Mailbox& mailbox_;
  const Log& log_;
  const v1::PlayRequest hello_;
  bool is_open_ = false;
  bool is_heard_ = false;
  Connection connection_;
};

/// The end of one connection.
struct Attempt {
  /// Nothing if the bot left.
  std::optional<Loss> loss;
  /// Whether anything came from the server.
  bool is_heard;
};

Attempt attempt(Player& player, const Settings& settings, Mailbox& mailbox, const Log& log) {
  Session session(player, settings, mailbox, log);
  auto loss = session.play();
  const bool is_heard = session.is_heard() || (loss && loss->retry_after > 0ms);
  return {std::move(loss), is_heard};
}

/// The end of a session that can never begin.
Over refused_by_tls(const Settings& settings, const std::string& sentence) {
  return {exit_session_ended, events::note(Level::error, "the server at " + settings.address.text + " " + sentence)};
}

/// Names a proxy in the sentence about a server that never answered: none is ever used.
void name_proxy(Over& over, const Settings& settings) {
  if (over.event.name != "unreachable" || settings.unused_proxy.empty()) return;
  over.event.message += "; the proxy in " + settings.unused_proxy + " is not used";
}

int end(const Over& over, const Log& log) {
  log.write(over.event);
  return over.exit_code;
}

/// Waits before the next attempt, and returns whether the bot was told to stop: without a connection any order ends it.
bool is_stopped_in(milliseconds pause, Player& player, Mailbox& mailbox) {
  const Time end = std::chrono::steady_clock::now() + pause;
  while (const auto mail = mailbox.next_until(end)) {
    if (!std::holds_alternative<Thoughts>(*mail)) return true;
    player.collect();
  }
  return false;
}

}  // namespace

int play(Player& player, const Settings& settings, Mailbox& mailbox, const Log& log) {
  std::minstd_rand chance(std::random_device{}());
  std::uniform_real_distribution<double> jitter(0, 1);
  bool was_heard = false, has_looked = false;
  while (true) {
    const auto [loss, is_heard] = attempt(player, settings, mailbox, log);
    mailbox.clear();
    if (!loss) return exit_interrupted;
    was_heard |= is_heard;
    // A server that answered once is tried again in any case: a certificate is renewed, a server is restarted.
    if (loss->status == grpc::StatusCode::UNAVAILABLE && !was_heard && !std::exchange(has_looked, true)) {
      const auto mistake = look_for_tls_mistake(settings.address, settings.tls);
      if (mistake) return end(refused_by_tls(settings, *mistake), log);
    }
    auto next = player.lost(*loss, std::chrono::steady_clock::now(), jitter(chance), settings.address.text);
    if (auto* over = std::get_if<Over>(&next)) {
      if (!was_heard) name_proxy(*over, settings);
      return end(*over, log);
    }
    const auto& pause = std::get<Pause>(next);
    log.write(pause.event);
    if (is_stopped_in(pause.length, player, mailbox)) return exit_interrupted;
  }
}

}  // namespace ordago
