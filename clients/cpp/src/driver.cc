#include "driver.h"

#include <cstdio>
#include <optional>
#include <random>
#include <utility>

#include "connection.h"

namespace ordago {
namespace {

using namespace std::chrono_literals;

constexpr int exit_interrupted = 130;
/// How long a Goodbye may take to get through.
constexpr milliseconds parting = 1s;

/// Plays over one connection.
class Session {
 public:
  Session(Player& player, const Settings& settings, Mailbox& mailbox, const Log& log)
      : player_(player),
        mailbox_(mailbox),
        log_(log),
        hello_(player.connect()),
        connection_(settings, player.keeps_receipts(), mailbox) {}

  /// Returns how the connection ended; nothing if the bot left.
  std::optional<Loss> play() {
    while (true) {
      std::optional<Mail> mail = mailbox_.next_until(std::nullopt);
      if (auto* end = std::get_if<Ended>(&*mail)) return std::move(*end);
      if (std::holds_alternative<ToldToLeave>(*mail)) return leave();
      if (std::holds_alternative<ToldToRetire>(*mail)) {
        if (!player_.alive()) return std::nullopt;
        retire();
      }
      take(*mail);
    }
  }

 private:
  void take(const Mail& mail) {
    if (const auto* described = std::get_if<Described>(&mail)) player_.learn(described->event);
    if (std::holds_alternative<Opened>(mail)) {
      is_open_ = true;
      connection_.send(hello_);
    }
    if (const auto* arrival = std::get_if<Arrival>(&mail)) {
      connection_.send(player_.receive(arrival->frame, arrival->time));
    }
  }

  void retire() {
    log_.info("told to stop: running matches are played to their end; once more to leave at once");
    connection_.send(player_.retire());
  }

  std::optional<Loss> leave() {
    if (!is_open_) return std::nullopt;
    connection_.send(player_.leave());
    connection_.finish();
    const Time end = std::chrono::steady_clock::now() + parting;
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
  Connection connection_;
};

std::string seconds(milliseconds pause) {
  const auto tenths = (pause.count() + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

}  // namespace

int play(Player& player, const Settings& settings, Mailbox& mailbox, const Log& log) {
  std::minstd_rand chance(std::random_device{}());
  std::uniform_real_distribution<double> jitter(0, 1);
  while (true) {
    const auto loss = Session(player, settings, mailbox, log).play();
    mailbox.clear();
    if (!loss) return exit_interrupted;
    const auto next = player.lost(*loss, std::chrono::steady_clock::now(), jitter(chance));
    if (const auto* over = std::get_if<Over>(&next)) {
      const std::string sentence = "the server at " + settings.address.text + " " + over->sentence;
      over->exit_code == 0 ? log.info(sentence) : log.error(sentence);
      return over->exit_code;
    }
    const milliseconds pause = std::get<Pause>(next).length;
    log.info("the connection broke (" + loss->sentence + "); trying again in " + seconds(pause));
    // Whoever is told to stop has no connection to wait for, unless he was told before to retire.
    if (mailbox.next_until(std::chrono::steady_clock::now() + pause)) return exit_interrupted;
  }
}

}  // namespace ordago
