"""A bot for High Card that uses the game's own messages.

It takes a trick with the lowest card that can, or plays its lowest card.
"""

import ordago_bot
from ordago import v1

from .highcard_pb2 import HighcardAction, HighcardView
from .rules import height


class HighcardBot(ordago_bot.Bot):
    """One seat of one match."""

    def choose(self, decision: v1.Decision) -> v1.Action:
        """Return the lowest card that takes the trick, or the lowest of all if none does."""
        view = HighcardView()
        decision.view.other.Unpack(view)
        table = view.plays[len(view.plays) - len(view.plays) % self.match.seats :]
        to_beat = max((height(play.card) for play in table), default=0)
        legal = sorted(map(_card, decision.actions), key=height)
        chosen = next((card for card in legal if height(card) > to_beat), legal[0])
        action = v1.Action()
        action.other.Pack(HighcardAction(card=chosen))
        return action


def _card(legal: v1.LegalAction) -> v1.Card:
    """Return the card of a legal action."""
    action = HighcardAction()
    legal.action.other.Unpack(action)
    return action.card


if __name__ == "__main__":
    ordago_bot.run(HighcardBot, name="highcard", games=["highcard"])
