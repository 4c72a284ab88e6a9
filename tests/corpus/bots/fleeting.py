"""Crashes at its fifth decision."""

import os

import ordago_bot
from ordago import v1


class Fleeting(ordago_bot.Bot):
    """Takes the default answer, as long as it lives."""

    def choose(self, decision: v1.Decision) -> v1.Answer:
        """Answer, or crash."""
        if decision.number == 5:
            os._exit(3)
        return decision.default_answer


if __name__ == "__main__":
    ordago_bot.run(Fleeting)
