"""A bot for High Card that speaks its messages.

It takes a trick as cheaply as it can, or plays low.
"""

import ordago_bot
from ordago import v1

from .highcard_pb2 import HighcardAction, HighcardView
from .rules import height


class HighcardBot(ordago_bot.Bot):
    """One seat of one match."""

    def choose(self, decision: v1.Decision) -> v1.Action:
        """Return the card to play."""
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
