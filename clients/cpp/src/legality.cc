// The legality of answers.
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <set>

#include "ordago/testing.h"

namespace ordago {
namespace {

using google::protobuf::FieldDescriptor, google::protobuf::Message, google::protobuf::Reflection;
using google::protobuf::util::MessageDifferencer;

template <typename Cards>
bool fit(const Cards& cards, const v1::LegalAction& legal) {
  const std::multiset<int> all(cards.begin(), cards.end());
  std::size_t picked = 0;
  for (const v1::Pick& pick : legal.picks()) {
    std::size_t count = 0;
    for (const int card : pick.cards()) {
      if (all.count(card) > 1) return false;
      count += all.count(card);
    }
    if (count < pick.min() || count > pick.max()) return false;
    picked += count;
  }
  return picked == all.size();
}

bool fits(std::int64_t amount, const v1::AmountRange& range) { return amount >= range.min() && amount <= range.max(); }

bool is_legal_number(const v1::Decision& decision, const v1::Answer& answer) {
  const auto is_named = [](auto id) { return [id](const auto& named) { return named.id() == id; }; };
  const auto legal = std::ranges::find_if(decision.actions(), is_named(answer.legal_action()));
  if (legal == decision.actions().end() || answer.has_amount() != legal->has_amount()) return false;
  if (answer.has_amount() && !fits(answer.amount(), legal->amount())) return false;
  if (answer.extra() != 0 && std::ranges::none_of(decision.extras(), is_named(answer.extra()))) return false;
  return fit(answer.cards(), *legal);
}

/// The action of a game, whose messages have no common type: its parts are found by their names.
class Parts {
 public:
  explicit Parts(v1::Action& action) {
    const auto* const games = v1::Action::descriptor()->oneof_decl(0);
    const auto* const game = action.GetReflection()->GetOneofFieldDescriptor(action, games);
    if (game) message_ = action.GetReflection()->MutableMessage(&action, game);
  }

  /// Takes the amount out of the action; nothing if it has none.
  std::optional<std::int64_t> take_amount() {
    const auto* const field = found("amount");
    if (!field || (field->has_presence() && !reflection().HasField(*message_, field))) return std::nullopt;
    const bool is_signed = field->cpp_type() == FieldDescriptor::CPPTYPE_INT32;
    const std::int64_t amount =
        is_signed ? reflection().GetInt32(*message_, field) : std::int64_t{reflection().GetUInt32(*message_, field)};
    reflection().ClearField(message_, field);
    return amount;
  }

  /// Takes all cards out of the action.
  std::vector<int> take_cards() {
    std::vector<int> cards;
    if (const auto* const field = found("cards")) {
      for (int at = 0; at < reflection().FieldSize(*message_, field); ++at) {
        cards.push_back(reflection().GetRepeatedEnumValue(*message_, field, at));
      }
      reflection().ClearField(message_, field);
    }
    if (const auto* const field = found("card")) {
      const int card = reflection().GetEnumValue(*message_, field);
      if (card != v1::CARD_UNSPECIFIED) cards.push_back(card);
      reflection().ClearField(message_, field);
    }
    return cards;
  }

 private:
  const Reflection& reflection() const { return *message_->GetReflection(); }
  const FieldDescriptor* found(const char* name) const {
    return message_ ? message_->GetDescriptor()->FindFieldByName(name) : nullptr;
  }

  Message* message_ = nullptr;
};

bool is_legal_action(v1::Action action, const v1::LegalAction& legal) {
  Parts parts(action);
  if (legal.has_amount()) {
    const auto amount = parts.take_amount();
    if (!amount || !fits(*amount, legal.amount())) return false;
  }
  if (legal.picks_size() > 0 && !fit(parts.take_cards(), legal)) return false;
  return MessageDifferencer::Equals(action, legal.action());
}

}  // namespace

bool is_legal(const v1::Decision& decision, const v1::Answer& answer) {
  if (answer.concede() && !decision.may_concede()) return false;
  if (answer.action_choice_case() == v1::Answer::kLegalAction) return is_legal_number(decision, answer);
  if (!answer.has_action() || answer.has_amount() || answer.cards_size() > 0 || answer.extra() != 0) return false;
  return std::ranges::any_of(decision.actions(), [&](const v1::LegalAction& legal) {
    if (is_legal_action(answer.action(), legal)) return true;
    return std::ranges::any_of(decision.extras(), [&](const v1::Extra& extra) {
      // With an extra: what is legal without it, and the extra put in, is the answer.
      v1::LegalAction with_extra = legal;
      with_extra.mutable_action()->MergeFrom(extra.action());
      return is_legal_action(answer.action(), with_extra);
    });
  });
}

}  // namespace ordago
