"""@NAME@: a bot for Ordago."""

import ordago_bot
from ordago import v1


class MyBot(ordago_bot.Bot):
    """One seat of one match. self.match says which."""

    def choose(self, decision: v1.Decision) -> ordago_bot.Choosable:
        """Take any legal action. Begin here.

        decision.view holds all that your seat sees, decision.view.mittlere for instance in Mittlere Jass;
        decision.actions all that is legal. ordago_bot.cards knows the cards: their suits, heights and points.
        """
        action = self.random.choice(decision.actions)
        return ordago_bot.complete(action, self.random)


if __name__ == "__main__":
    ordago_bot.run(MyBot, name="@NAME@", version="0.1.0")
