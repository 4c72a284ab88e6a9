// How the bot plays.
#pragma once

#include <ordago/bot.h>

/// Plays one seat of one match; a new object is made for each.
class MyBot : public ordago::Bot {
 public:
  using Bot::Bot;

  /// Begin here. `decision.actions()` is all that is legal, `decision.view()` all that this seat sees, and `match()`
  /// what was known before. Any legal action will do; the one that wins is yours to find.
  ordago::Answer choose(const ordago::v1::Decision& decision) override {
    const ordago::v1::LegalAction& action = random().pick(decision.actions());
    return ordago::complete(action, random());  // Fills by chance what the action leaves open.
  }
};
