// A bot for Mittlere Jass that shows how to read a view. It gives away points on the tricks of others, and wins tricks
// only where it must, as cheaply as it can: three rules, nothing random.
#include <ordago/bot.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace {

using ordago::Answer;
using ordago::Match;
using ordago::suit;
using ordago::Values;
namespace v1 = ordago::v1;

/// The view of one seat.
class Table {
 public:
  Table(const v1::MittlereView& view, const ordago::GameCards& cards)
      : view_(view), plain_(cards.values("plain")), trump_(cards.values("trump")) {}

  bool is_mine_to_lead() const { return view_.trick().empty(); }

  bool is_trump(v1::Card card) const { return view_.has_trump() && suit(card) == view_.trump().suit(); }

  /// The cheapest card wins a trick.
  auto cost(v1::Card card) const { return std::tuple(is_trump(card), values(card).height(card), card); }

  /// The card with the greatest burden goes into a trick of others.
  auto burden(v1::Card card) const { return std::tuple(values(card).points(card), values(card).height(card), card); }

  /// Whether a card wins the trick on the table. If there is no trump yet, a card of another suit sets it.
  bool takes_the_trick(v1::Card card) const {
    return beats(card, best()) || (!view_.has_trump() && suit(card) != suit(view_.trick(0)));
  }

 private:
  const Values& values(v1::Card card) const { return is_trump(card) ? trump_ : plain_; }

  bool beats(v1::Card card, v1::Card other) const {
    if (suit(card) != suit(other)) return is_trump(card) && !is_trump(other);
    return values(card).height(card) > values(other).height(other);
  }

  v1::Card best() const {
    v1::Card best = view_.trick(0);
    for (const v1::Card card : ordago::cards_in(view_.trick())) best = beats(card, best) ? card : best;
    return best;
  }

  const v1::MittlereView& view_;
  const Values& plain_;
  const Values& trump_;
};

class SimpleBot : public ordago::Bot {
 public:
  using Bot::Bot;

  Answer choose(const v1::Decision& decision) override {
    v1::MittlereAction action;
    action.set_card(card(decision));
    return action;
  }

 private:
  v1::Card card(const v1::Decision& decision) const {
    const Table table(decision.view().mittlere(), match().cards());
    std::vector<v1::Card> legal, losing;
    for (const auto& action : decision.actions()) legal.push_back(action.action().mittlere().card());
    if (!table.is_mine_to_lead()) {
      std::ranges::remove_copy_if(legal, std::back_inserter(losing),
                                  [&](v1::Card card) { return table.takes_the_trick(card); });
    }
    if (!losing.empty()) return std::ranges::max(losing, {}, [&](v1::Card card) { return table.burden(card); });
    return std::ranges::min(legal, {}, [&](v1::Card card) { return table.cost(card); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  return ordago::run<SimpleBot>(argc, argv, {.name = "simple-cpp", .version = "0.1.0", .games = {"mittlere"}});
}
