// Answers of a bot to its decisions.
#pragma once

#include <ordago/v1/decision.pb.h>

#include <cstdint>
#include <utility>

#include "ordago/random.h"

namespace ordago {

/// An answer to a decision, made of a legal action, an action of a game, or a message such as
/// `decision.default_answer()`.
class Answer {
 public:
  // The constructors are implicit on purpose: `return decision.actions(0);` is an answer.
  /// Takes a message as it is.
  Answer(v1::Answer answer) : message_(std::move(answer)) {}
  /// Names a legal action by its number. Fill in its open parts, if it has any.
  Answer(const v1::LegalAction& action) { message_.set_legal_action(action.id()); }
  /// Takes a complete action of a game.
  Answer(v1::Action action) { *message_.mutable_action() = std::move(action); }
  Answer(v1::MusAction action) { *message_.mutable_action()->mutable_mus() = std::move(action); }
  Answer(v1::MitainesAction action) { *message_.mutable_action()->mutable_mitaines() = std::move(action); }
  Answer(v1::MitigatiAction action) { *message_.mutable_action()->mutable_mitigati() = std::move(action); }
  Answer(v1::MittlereAction action) { *message_.mutable_action()->mutable_mittlere() = std::move(action); }
  Answer(v1::TaiheAction action) { *message_.mutable_action()->mutable_taihe() = std::move(action); }

  /// Fills in the open amount of a legal action.
  Answer& amount(std::int32_t amount) {
    message_.set_amount(amount);
    return *this;
  }

  /// Fills in the open cards of a legal action: those of all its picks, in any order.
  template <typename Cards>
  Answer& cards(const Cards& cards) {
    for (const int card : cards) message_.add_cards(static_cast<v1::Card>(card));
    return *this;
  }

  /// Adds an extra to a legal action.
  Answer& extra(const v1::Extra& extra) {
    message_.set_extra(extra.id());
    return *this;
  }
  /// Concedes the match, where the decision says that the answer may.
  Answer& concede() {
    message_.set_concede(true);
    return *this;
  }

  /// The answer as it is sent.
  const v1::Answer& message() const { return message_; }

 private:
  v1::Answer message_;
};

/// Returns an answer that names a legal action, with its open parts filled at random.
Answer complete(const v1::LegalAction& action, Random& random);

}  // namespace ordago
