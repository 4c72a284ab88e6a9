// Write a bot for Ordago in C++: a class with one method, and `run`.
//
//     #include <ordago/bot.h>
//
//     class RandomBot : public ordago::Bot {
//      public:
//       using Bot::Bot;
//       ordago::Answer choose(const ordago::v1::Decision& decision) override {
//         return ordago::complete(random().pick(decision.actions()), random());
//       }
//     };
//
//     int main(int argc, char** argv) { return ordago::run<RandomBot>(argc, argv, {.name = "random-cpp"}); }
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordago/answer.h"
#include "ordago/cards.h"
#include "ordago/lists.h"
#include "ordago/log.h"
#include "ordago/match.h"
#include "ordago/random.h"

namespace ordago {

/// One seat of one match. Each has its own object, so all state belongs to that match.
///
/// An exception that leaves one of its methods ends the process, with its stack and the exit code 1; with
/// `--on-error default` it is logged, and the default answer is sent.
class Bot {
 public:
  /// Begins a match.
  explicit Bot(Match match) : match_(std::move(match)), random_(match_.seed(), 0) {}
  virtual ~Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;

  /// Answers a decision. The decision is complete: `view` is all that the seat sees, `actions` all that is legal.
  virtual Answer choose(const v1::Decision& decision) = 0;

  /// Answers a decision again after the server refused the answer; unless overridden, with the default answer.
  virtual Answer refused(const v1::Decision& decision, const v1::Refused& refusal);

  /// Called when the seat is forfeited: no decisions follow, and `ended` is called when the match is over.
  virtual void forfeited(const v1::Forfeited& notice);

  /// Called when the match has ended.
  virtual void ended(const v1::MatchEnd& end);

 protected:
  /// The match: its game, its options, its seats.
  const Match& match() const { return match_; }

  /// Random numbers, which start anew with each decision. A bot that uses no others, and decides by the view alone,
  /// plays the same whenever the same match is repeated, or resumed by another process.
  Random& random() { return random_; }

  /// The time left for the answer, bank included, since its decision arrived; never below zero. None without a clock,
  /// as in a test: then no time ever runs out.
  std::optional<std::chrono::milliseconds> time_left() const;

  /// Takes no more seats: this process plays its running matches to their end, then exits. The server learns it with
  /// the next answer, or when the match is over; a match that begins meanwhile is played too.
  void retire() { retiring_ = true; }

 private:
  friend class Mind;

  Match match_;
  Random random_;
  std::function<std::chrono::steady_clock::time_point()> now_ = std::chrono::steady_clock::now;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool retiring_ = false;
};

/// Makes the bot that plays one seat.
using Factory = std::function<std::unique_ptr<Bot>(const Match&)>;

/// The program of a bot.
struct Program {
  /// The name of the bot, unless its token or `--name` has one.
  std::string name;
  /// Its version; empty: unknown.
  std::string version{};
  /// The games that it plays, by their short names; none: all that the server offers.
  std::vector<std::string> games{};
  /// The number of matches that think at once, each on a thread; 0: one decision after the other, where frames arrive.
  /// The calls of one bot never overlap, but those of several do, so what bots share needs a lock.
  unsigned threads = 0;
  /// Takes the events of the log, besides standard error.
  Logger logger = nullptr;
};

/// Plays until the session is over, by the command line and the environment, and returns the exit code: 0 the server
/// said goodbye; 2 the command line is wrong; 3 the server cannot be reached, or ended the session otherwise; 130
/// stopped by the user. This is the whole main program: call it once, and catch nothing around it, so that a crash
/// shows the stack of the bot.
int run(int argc, const char* const* argv, const Program& program, const Factory& factory);

/// Plays with a bot class that is constructed from a match.
template <typename BotClass>
int run(int argc, const char* const* argv, const Program& program) {
  return run(argc, argv, program, [](const Match& match) { return std::make_unique<BotClass>(match); });
}

}  // namespace ordago
