"""Breaks a rule once at every third decision, and insists on it at every tenth."""

import ordago_bot
from ordago import v1


class Stubborn(ordago_bot.Bot):
    """Takes the default answer in the end."""

    def choose(self, decision: v1.Decision) -> v1.Answer:
        """Answer, or break a rule."""
        return v1.Answer() if 0 in (decision.number % 3, decision.number % 10) else decision.default_answer

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> v1.Answer:  # noqa: ARG002 - it insists or gives in
        """Insist on it, or be sensible."""
        return decision.default_answer if decision.number % 10 else v1.Answer()


if __name__ == "__main__":
    ordago_bot.run(Stubborn)
