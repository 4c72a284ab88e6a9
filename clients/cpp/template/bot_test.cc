// A test needs no server: make a match, make a decision, look at the answer.
#include "bot.h"

#include <iostream>

int main() {
  ordago::v1::MatchStart start;
  start.set_seed("sixteen bytes :)");
  MyBot bot{ordago::Match(start)};

  ordago::v1::Decision decision;
  for (const auto card : {ordago::v1::CARD_SIX_OF_CLUBS, ordago::v1::CARD_ACE_OF_HEARTS}) {
    auto& action = *decision.add_actions();
    action.set_id(static_cast<unsigned>(decision.actions_size()));
    action.mutable_action()->mutable_mittlere()->set_card(card);
  }

  const auto answer = bot.choose(decision).message();
  if (answer.legal_action() >= 1 && answer.legal_action() <= 2) return 0;
  std::cerr << "not a legal action: " << answer.ShortDebugString() << "\n";
  return 1;
}
