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

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ordago/answer.h"
#include "ordago/cards.h"
#include "ordago/match.h"
#include "ordago/random.h"

namespace ordago {

/// One seat of one match. A new object is made for each, so whatever it keeps belongs to that match.
///
/// An exception that leaves one of its methods ends the process, with its stack and the exit code 1.
class Bot {
 public:
  /// Begins a match.
  explicit Bot(Match match) : match_(std::move(match)), random_(match_.seed(), 0) {}
  virtual ~Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;

  /// Answers a decision. It is complete: `view` is all that the seat sees, `actions` all that is legal.
  virtual Answer choose(const v1::Decision& decision) = 0;

  /// Answers a decision again after the server refused the answer; by the default answer unless this is overridden.
  virtual Answer refused(const v1::Decision& decision, const v1::Refused& refusal);

  /// Learns that the seat is forfeited: it is asked no more, and `ended` follows when the match is over.
  virtual void forfeited(const v1::Forfeited& notice);

  /// Learns how the match ended.
  virtual void ended(const v1::MatchEnd& end);

 protected:
  /// What is known of the match.
  const Match& match() const { return match_; }

  /// Chance of the bot's own, which begins anew with each decision. A bot that draws from it alone, and decides by the
  /// view alone, plays the same whenever the same match is played again, and when a new process carries on in the
  /// middle.
  Random& random() { return random_; }

  /// Takes no more seats: all running matches of this process are played to their end, then it ends. It is said with
  /// the next answer, or when the match is over; a match that begins at the same time is played too.
  void retire() { retiring_ = true; }

 private:
  friend class Seat;

  Match match_;
  Random random_;
  bool retiring_ = false;
};

/// Makes the bot that plays one seat.
using Factory = std::function<std::unique_ptr<Bot>(const Match&)>;

/// What a program of a bot says of itself.
struct Program {
  /// How the bot is called where neither its token nor `--name` says it.
  std::string name;
  /// Its version; empty: unknown.
  std::string version{};
  /// The games that it plays, by their short names; none: whatever the server offers.
  std::vector<std::string> games{};
};

/// Plays until the session is over, as the command line and the environment say, and returns the exit code: 0 the
/// server said goodbye; 2 the command line is wrong; 3 the server cannot be reached, or ended the session otherwise;
/// 130 stopped by the user. It is the whole main program, to be called once in a process, where no bot is caught that
/// throws.
int run(int argc, const char* const* argv, const Program& program, const Factory& factory);

/// Plays with a class of bots that is made of a match.
template <typename BotClass>
int run(int argc, const char* const* argv, const Program& program) {
  return run(argc, argv, program, [](const Match& match) { return std::make_unique<BotClass>(match); });
}

}  // namespace ordago
