"""Hints: the same whatever is hidden, and what a stranger tries at them."""

import json
from collections import Counter, deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random

import pytest
import trio
import trio.testing
from support.people import ORIGIN, OWNER, SHORT, ThinkingHere, wish
from support.play_site import context_of, opened_play
from torture.worlds import World, twins
from web.play.test_friends import begun
from web.play.test_play_over_http import Guest
from web.play.test_sessions import decision_of, sit

from ordago import v1
from ordago.match.terms import DealTerms
from ordago_web.play.answers import Answered
from ordago_web.play.hints import NoHintError
from ordago_web.play.human_match import ClosedDecisionError, HumanMatch, Person
from ordago_web.play.sessions import FullError, _terms
from ordago_web.play.table import PlayTable
from ordago_web.play.thinking import ThinkingFailedError
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time


@dataclass
class Scripted(ThinkingHere):
    """Dealer and house of a world that is written down, and the house that gives hints."""

    world: World
    game: object
    shuffles: dict = field(default_factory=dict)
    actions: deque = field(init=False)

    def __post_init__(self):
        self.actions = deque(self.world.actions)

    def shuffled(self, due):
        dealt = len(self.shuffles)
        if dealt < len(self.world.shuffles):
            self.shuffles.setdefault((due.deal, due.shuffle), tuple(self.world.shuffles[dealt]))
        return self.shuffles[due.deal, due.shuffle]

    def next(self) -> v1.Answer:
        return v1.Answer(action=self.game.codec.action(self.actions.popleft()))

    async def answer(self, _question):
        return self.next()


async def hint_in(worlds, world: World) -> tuple[list[str], str]:
    """Play a world up to the decision that looks the same in both, and return the hint there and the hands of all."""
    house = Scripted(world, worlds.game)
    seated = wish(worlds.game.name, seat=worlds.watched + 1, players=str(worlds.seats))
    terms = replace(_terms(seated, bytes(32)), options=worlds.options, deals=DealTerms(house, bytes(32), ""))
    human_match = HumanMatch(terms, seated, Person(OWNER, ORIGIN), idle_seconds=60)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(PlayTable(terms, seated, {seated.seat: human_match}).play, house)
        async for message in human_match.listen(None, beat_seconds=60):
            if message is None or message.event != "decision":
                continue
            number = json.loads(message.data)["number"]
            if not house.actions:
                break
            assert human_match.answer(Answered(number, house.next())) is None
        lines = await human_match.hint(number, house)
        nursery.cancel_scope.cancel()
    return lines, repr(world.shuffles)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", sorted(SHORT))
async def test_a_hint_is_the_same_in_all_deals_that_look_the_same_to_the_person(game, seed):
    worlds = twins(game, Random(seed), deals_before=0)
    hint, dealt = await hint_in(worlds, worlds.first)
    other_hint, dealt_otherwise = await hint_in(worlds, worlds.second)
    assert hint == other_hint
    assert hint[0].startswith("The house")
    assert dealt != dealt_otherwise or seed, "the first deals of each game differ"


class Counting(ThinkingHere):
    """A house that counts its hints."""

    def __init__(self) -> None:
        self.advised = Counter()

    async def advise(self, question):
        await trio.sleep(1)
        self.advised[question.decision] += 1
        return await super().advise(question)


@asynccontextmanager
async def opened(house):
    async with opened_play(house) as sessions:
        yield sessions, site(context_of(sessions))


async def ask(guest: Guest, number: object, *, place: str = "", **headers):
    told = {"accept": "application/json", "x-csrf-token": guest.csrf, **headers}
    return await guest.ask("POST", f"{place or guest.place}/hints/{number}", headers=told)


async def test_a_hint_has_the_choice_of_the_house_and_numbers_and_leaves_the_decision_open():
    async with opened(ThinkingHere()) as (_, application):
        guest = Guest(application)
        await guest.sit()
        decision = await guest.decision()
        answer = await ask(guest, decision["number"])
        assert answer.status == 200
        assert answer.headers["cache-control"] == "private, no-store"
        first, *others = answer.json()["lines"]
        assert first.startswith("The house: Play ")
        assert "points on average" in first
        assert 1 <= len(others) <= 2
        assert (await guest.answer({"decision": decision["number"], "action": 1})).status == 204


async def test_a_thousand_requests_cost_the_house_one_hint_and_are_refused_after_some():
    house = Counting()
    async with opened(house) as (_, application):
        guest = Guest(application)
        await guest.sit()
        number = (await guest.decision())["number"]
        statuses = Counter()

        async def once():
            statuses[(await ask(guest, number)).status] += 1

        async with trio.open_nursery() as nursery:
            for _ in range(1000):
                nursery.start_soon(once)
        assert house.advised.total() == 1
        assert statuses == {200: 20, 429: 980}


async def test_nobody_else_gets_a_hint_of_a_match():
    async with opened(ThinkingHere()) as (_, application):
        guest, stranger = Guest(application), Guest(application)
        await guest.sit()
        number = (await guest.decision())["number"]
        await stranger.sit()
        assert (await ask(stranger, number, place=guest.place)).status == 404
        assert (await ask(guest, number, **{"x-csrf-token": stranger.csrf})).status == 403
        assert (await ask(guest, number, origin="https://evil.example")).status == 403
        assert (await guest.get(f"{guest.place}/hints/{number}")).status == 405


@pytest.mark.parametrize(("number", "status"), [("0", 409), ("9" * 300, 409), ("-1", 404), ("1.0", 404), ("x", 404)])
async def test_there_is_a_hint_at_the_open_decision_alone(number, status):
    async with opened(ThinkingHere()) as (_, application):
        guest = Guest(application)
        await guest.sit()
        await guest.decision()
        assert (await ask(guest, number)).status == status


async def test_there_is_no_hint_where_another_person_plays_nor_after_it_left():
    house = Counting()
    async with opened(house) as (sessions, _):
        host, friend = begun(sessions).values()
        for leaver in (None, friend):
            if leaver is not None:
                leaver.give_up()
            number = (await decision_of(host))["number"]
            with pytest.raises(NoHintError):
                await sessions.hint(host, number)
        assert house.advised.total() == 0


async def test_hints_end_with_their_decision():
    async with opened(Counting()) as (sessions, _):
        human_match = sit(sessions)
        number = (await decision_of(human_match))["number"]
        human_match.give_up()
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(ClosedDecisionError):
            await sessions.hint(human_match, number)


async def test_an_address_gets_hints_again_after_a_while():
    async with opened(ThinkingHere()) as (sessions, _):
        human_match = sit(sessions)
        for _ in range(20):
            with pytest.raises(ClosedDecisionError):
                await sessions.hint(human_match, 0)
        with pytest.raises(FullError):
            await sessions.hint(human_match, 0)
        await trio.sleep(2)
        with pytest.raises(ClosedDecisionError):
            await sessions.hint(human_match, 0)


async def test_a_house_that_fails_is_said_and_asked_again():
    class Failing(ThinkingHere):
        left = 1

        async def advise(self, question):
            self.left -= 1
            if self.left >= 0:
                raise ThinkingFailedError("killed")
            return await super().advise(question)

    async with opened(Failing()) as (_, application):
        guest = Guest(application)
        await guest.sit()
        number = (await guest.decision())["number"]
        assert (await ask(guest, number)).status == 503
        assert (await ask(guest, number)).status == 200
