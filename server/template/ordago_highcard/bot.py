"""A bot for High Card that speaks its messages.

It takes a trick as cheaply as it can, or plays low.
"""

import ordago_bot
from ordago import v1

from .highcard_pb2 import HighcardAction, HighcardView
from .rules import beats, height


class HighcardBot(ordago_bot.Bot):
    """One seat of one match."""

    def choose(self, decision: v1.Decision) -> v1.Action:
        """Return the card to play."""
        view = HighcardView()
        decision.view.other.Unpack(view)
        table = view.plays[len(view.plays) - len(view.plays) % self.match.seats :]
        hand = sorted(view.hand, key=height)
        chosen = next((card for card in hand if all(beats(card, play.card) for play in table)), hand[0])
        action = v1.Action()
        action.other.Pack(HighcardAction(card=chosen))
        return action


if __name__ == "__main__":
    ordago_bot.run(HighcardBot, name="highcard", games=["highcard"])
