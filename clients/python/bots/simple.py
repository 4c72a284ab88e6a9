"""A bot for Mittlere Jass that reads its view: it takes tricks cheaply, and throws points into tricks that it loses."""

import ordago_bot
from ordago import v1
from ordago_bot import cards

PLAIN, TRUMP = map(cards.game_cards("mittlere").values, ("plain", "trump"))


class Simple(ordago_bot.Bot):
    """One seat of one match."""

    def choose(self, decision: v1.Decision) -> ordago_bot.Choosable:
        """Play a card by the rule of ``choice``."""
        card = choice(decision.view.mittlere, [action.action.mittlere.card for action in decision.actions])
        return v1.Action(mittlere=v1.MittlereAction(card=card))


def choice(view: v1.MittlereView, legal: list[v1.Card]) -> v1.Card:
    """Return the card to play: the most points into a trick that is lost, otherwise the cheapest card."""
    trump = view.trump.suit  # No suit while there is no trump.

    def is_trump(card: v1.Card) -> bool:
        return trump != v1.SUIT_UNSPECIFIED and cards.suit(card) == trump

    def values(card: v1.Card) -> cards.Values:
        return TRUMP if is_trump(card) else PLAIN

    def cheap(card: v1.Card) -> tuple[bool, int, v1.Card]:
        return is_trump(card), values(card).height(card), card

    def beats(card: v1.Card, best: v1.Card) -> bool:
        if cards.suit(card) == cards.suit(best):
            return values(card).height(card) > values(best).height(best)
        return is_trump(card)

    def takes(card: v1.Card) -> bool:
        sets_trump = not trump and cards.suit(card) != cards.suit(view.trick[0])
        return sets_trump or beats(card, best)

    if not view.trick:
        return min(legal, key=cheap)
    best = view.trick[0]
    for card in view.trick[1:]:
        best = card if beats(card, best) else best
    lost = [card for card in legal if not takes(card)]
    if not lost:
        return min(legal, key=cheap)
    return max(lost, key=lambda card: (values(card).points(card), values(card).height(card), card))


if __name__ == "__main__":
    ordago_bot.run(Simple, name="simple-python", games=["mittlere"])
