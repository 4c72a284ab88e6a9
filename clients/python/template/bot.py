"""@NAME@: a bot for Ordago."""

import ordago_bot
from ordago import v1


class MyBot(ordago_bot.Bot):
    """One seat of one match, which self.match describes."""

    def choose(self, decision: v1.Decision) -> ordago_bot.Choosable:
        """Take a random legal action. Replace this with your own play.

        decision.view has all that your seat sees: decision.view.mittlere in Mittlere Jass, for instance.
        decision.actions has all legal actions. ordago_bot.cards has the suits, heights and points of the cards.
        """
        action = self.random.choice(decision.actions)
        return ordago_bot.complete(action, self.random)


if __name__ == "__main__":
    ordago_bot.run(MyBot, name="@NAME@", version="0.1.0")
