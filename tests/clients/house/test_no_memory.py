"""House bots keep nothing from one decision to the next that their answers depend on.

So a new process carries on a match in the middle as the one before it would have done.
"""

import pytest
from support.matches import SECRET, match_terms
from support.players import FakePlayer, play_match

from ordago import v1
from ordago.chance import SecretDeals
from ordago.games import find_game, game_names
from ordago_bot import Bot, Choosable, complete
from ordago_bot.bot import BotFactory
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.seat import Seat


class BotPlayer(FakePlayer):
    """A seat that one object of a bot plays for the whole match."""

    def __init__(self, factory: BotFactory) -> None:
        super().__init__(lambda decision, _refusals: self._answer(decision))
        self._factory = factory
        self._answers: list[v1.Answer] = []

    def begin(self, start: v1.MatchStart) -> None:
        super().begin(start)
        self._start = start
        self._seat = self._new_seat()

    def _new_seat(self) -> Seat:
        return Seat(self._start, self._factory)

    def _answer(self, decision: v1.Decision) -> v1.Answer:
        self._answers.append(answer_at(self._seat, decision))
        return self._answers[-1]

    def differing(self) -> list[int]:
        """Return the numbers of the decisions that a new object answers in another way.

        The last is asked first, so that what all objects remember together is not what it was in the match.
        """
        answered = reversed(list(zip(self.decisions, self._answers, strict=True)))
        return [decision.number for decision, answer in answered if answer_at(self._new_seat(), decision) != answer]


def answer_at(seat: Seat, decision: v1.Decision) -> v1.Answer:
    return seat.decide(decision, seconds=0.0).choice.answer


def played(game_name: str, factory: BotFactory, *, deals: str = "a") -> list[BotPlayer]:
    game = find_game(game_name)
    players = [BotPlayer(factory) for _ in range(game.rules.seat_counts[0])]
    play_match(match_terms(game, source=SecretDeals(SECRET, deals)), players)
    return players


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSE_BOTS)
@pytest.mark.parametrize("game_name", game_names())
def test_new_objects_answer_as_one_does_over_the_whole_match(game_name: str, name: str) -> None:
    # What time is left decides of the deals imagined only with a budget.
    factory = HOUSE_BOTS[name].load(dict.fromkeys(HOUSE_BOTS[name].settings, 1) | {"budget_ms": 0})
    players = [player for deals in ("a", "b", "c") for player in played(game_name, factory, deals=deals)]
    assert sum(len(player.decisions) for player in players) > 10
    assert [player.differing() for player in players] == [[]] * len(players)


def test_a_bot_that_remembers_is_found() -> None:
    class Remembering(Bot):
        asked = 0

        def choose(self, decision: v1.Decision) -> Choosable:
            self.asked += 1
            return complete(decision.actions[self.asked % len(decision.actions)], self.random)

    assert any(player.differing() for player in played("mittlere", Remembering))
