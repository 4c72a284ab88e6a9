// Tests need no server: the bot is asked the decisions of a file. Add those that went wrong, from `--log-decisions`,
// and take out games that it does not play.
#include "bot.h"

#include <ordago/testing.h>

#include <iostream>

int main() {
  const auto decisions = ordago::load_decisions("decisions.jsonl");
  int legal = 0;
  for (const ordago::LoggedDecision& logged : decisions) {
    const ordago::v1::Answer answer = ordago::ask<MyBot>(logged);
    if (ordago::is_legal(logged.decision, answer)) {
      ++legal;
    } else {
      std::cerr << logged.start.game() << ": not legal: " << answer.ShortDebugString() << "\n";
    }
  }
  std::cout << legal << " of " << decisions.size() << " answers are legal\n";
  return legal > 0 && legal == std::ssize(decisions) ? 0 : 1;
}
