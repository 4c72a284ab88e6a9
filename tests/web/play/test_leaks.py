"""Not one byte that a person is told depends on what his seat may not see."""

import json
from dataclasses import replace
from random import Random

import pytest
import trio
from support.people import OWNER
from torture.worlds import twins

from ordago import v1
from ordago.match import SeatTerms, single_match_terms
from ordago.match.terms import FaultTerms, TimeTerms
from ordago_web.play.answers import Answered
from ordago_web.play.human_match import HumanMatch, Person
from ordago_web.play.table import PlayTable
from ordago_web.play.wishes import Wish, played_games

pytestmark = pytest.mark.virtual_time
PAIRS = 5


class Dealt:
    """Shuffles by their addresses, in the order in which they are asked for first."""

    def __init__(self, shuffles):
        self._shuffles = iter(shuffles)
        self._known = {}

    def shuffled(self, due):
        address = (due.deal, due.shuffle)
        if address not in self._known:
            self._known[address] = tuple(next(self._shuffles, due.cards))
        return self._known[address]


class Scripted:
    """Plays what a world says: as the house, and as the person."""

    def __init__(self, game, actions):
        self._game = game
        self.actions = iter(actions)
        self.over = False

    def next(self):
        action = next(self.actions, None)
        self.over = action is None
        return v1.Answer() if action is None else v1.Answer(action=self._game.codec.action(action))

    async def answer(self, _question):
        return self.next()


def match_of(worlds, world, *, company):
    """Return the match of the person that watches, one of another at the next seat if wanted, and their table."""
    names = tuple(f"player {seat}" for seat in range(worlds.seats))
    terms = single_match_terms(
        game=worlds.game, options={}, seats=map(SeatTerms, names), secret=bytes(32), event="play", nonces={},
        time=TimeTerms(), faults=FaultTerms(),
    )  # fmt: skip
    terms = replace(terms, options=worlds.options, deals=replace(terms.deals, source=Dealt(world.shuffles)))
    wish = Wish(worlds.game, {}, worlds.watched, names, ("chance",) * worlds.seats)
    seats = [worlds.watched, (worlds.watched + 1) % worlds.seats][: 1 + company]
    people = {seat: HumanMatch(terms, wish._replace(seat=seat), Person(OWNER, ""), idle_seconds=60) for seat in seats}
    return *people.values(), PlayTable(terms, wish, people)


async def answer_for(human_match, script):
    """Play for the person at the next seat."""
    async for message in human_match.listen(0, beat_seconds=1000):
        if message is not None and message.event == "decision":
            answer = script.next()
            if script.over:
                return
            human_match.answer(Answered(json.loads(message.data)["number"], answer))


async def told(worlds, world, *, company=False):
    """Return all that the person is told up to the last decision of a world, and what refuses him."""
    human_match, *others, table = match_of(worlds, world, company=company)
    script = Scripted(worlds.game, world.actions)
    heard = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.play, script)
        for other in others:
            nursery.start_soon(answer_for, other, script)
        asked = 0
        async for message in human_match.listen(0, beat_seconds=1000):
            heard.append(message)
            if message.event != "decision":
                continue
            asked += 1
            for probe in worlds.probes[-1]:
                answer = v1.Answer(action=worlds.game.codec.action(probe))
                heard.append(human_match._seat_view.violation(answer))
            answer = script.next()
            if script.over:
                heard += human_match.since(None)
                nursery.cancel_scope.cancel()
                break
            human_match.answer(Answered(asked, answer))
    return heard


@pytest.mark.slow
@pytest.mark.parametrize("company", [False, True], ids=["alone", "beside a friend"])
@pytest.mark.parametrize("game", [game.name for game in played_games()])
async def test_deals_that_look_the_same_to_a_seat_are_told_alike(game, company):
    different = 0
    for seed in range(PAIRS):
        worlds = twins(game, Random(f"{game} {seed}"), deals_before=seed % 2)
        first, second = [await told(worlds, world, company=company) for world in (worlds.first, worlds.second)]
        assert first == second
        assert first
        different += worlds.first != worlds.second
    assert different >= PAIRS / 2
