// The decisions of the bot.
#pragma once

#include <ordago/bot.h>

/// Plays one seat of one match; each has its own object.
class MyBot : public ordago::Bot {
 public:
  using Bot::Bot;

  /// Begin here. `decision.actions()` has all legal actions, `decision.view()` all that this seat sees, and `match()`
  /// what does not change during the match. This bot plays at random; find better actions.
  ordago::Answer choose(const ordago::v1::Decision& decision) override {
    const ordago::v1::LegalAction& action = random().pick(decision.actions());
    return ordago::complete(action, random());  // Fills the open parts of the action at random.
  }
};
