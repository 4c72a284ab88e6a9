"""Who looks on at a match sees nothing that a seat may not see: the attack would be a player's friend who tells him."""

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.matches import match_terms
from support.players import FakePlayer, Thought, by_default, play_match
from torture.worlds import ScriptedShuffles, Twins, World, twins

from ordago import IS_COMPILED, v1
from ordago.game import CHANCE, FINISHED, Event, Shuffle
from ordago.games import game_names
from ordago.games.definition import AnyGame
from ordago.match import SeatTerms
from ordago.record import replay


@dataclass(slots=True)
class FakeOnlooker:
    """Somebody who looks on."""

    news: list[bytes] = field(default_factory=list)

    @property
    def events(self) -> list[v1.Event]:
        """What he saw."""
        return list(v1.WatchMatchResponse.FromString(b"".join(self.news)).events)


class Shuffles(ScriptedShuffles):
    """Shuffles that are written down, and then those of chance: of cards as they come some matches never end."""

    def shuffled(self, due: Shuffle) -> tuple[int, ...]:
        """Return the cards that are dealt next."""
        written = super().shuffled(due)
        return tuple(Random(str(due)).sample(due.cards, len(due.cards))) if written == due.cards else written


class _EnoughSeenError(Exception):
    """What was to be compared was played."""


def seen(worlds: Twins, world: World) -> list[bytes]:
    """Return what is seen of a world up to the decision in which it ends."""
    onlooker = FakeOnlooker()

    def stop(_decision: v1.Decision) -> Thought:
        raise _EnoughSeenError

    with suppress(_EnoughSeenError):
        play_world(worlds, world, onlooker, then=stop)
    return onlooker.news


def play_world(
    worlds: Twins, world: World, onlooker: FakeOnlooker, *, then: Callable[[v1.Decision], Thought]
) -> tuple[v1.MatchRecord, list[FakePlayer]]:
    """Play what is written down, and then otherwise."""
    actions = deque(world.actions)

    def play(decision: v1.Decision, _refusals: object) -> Thought:
        return v1.Answer(action=worlds.game.codec.action(actions.popleft())) if actions else then(decision)

    players = [FakePlayer(play) for _ in range(worlds.seats)]
    seats = tuple(SeatTerms(f"bot {seat}") for seat in range(worlds.seats))
    source = Shuffles(world.shuffles)
    terms = match_terms(worlds.game, options=worlds.options, seats=seats, source=source)
    return play_match(terms, players, onlookers=[onlooker]), players


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_deals_that_differ_in_hidden_cards_are_watched_the_same(game: str, seed: int) -> None:
    worlds = twins(game, Random(seed), deals_before=seed % 2)
    assert seen(worlds, worlds.first) == seen(worlds, worlds.second)


@pytest.mark.parametrize("game", game_names())
def test_the_comparison_can_tell_deals_apart(game: str) -> None:
    """Whoever saw all that happened in full would tell nearly all of these deals apart."""
    pairs = [twins(game, Random(seed), deals_before=0) for seed in range(20)]
    told_apart = [worlds for worlds in pairs if in_full(worlds, worlds.first) != in_full(worlds, worlds.second)]
    assert len(told_apart) > len(pairs) / 2


def in_full(worlds: Twins, world: World) -> list[object]:
    return [event.full for event in happened(worlds.game, worlds.seats, worlds.options, world)]


def happened(game: AnyGame, seats: int, options: object, world: World) -> Iterator[Event[object]]:
    state = game.rules.new_match(seats=seats, options=options)
    shuffles, actions = deque(world.shuffles), deque(world.actions)
    while state.actor != FINISHED and (shuffles if state.actor == CHANCE else actions):
        yield from state.supply(shuffles.popleft()) if state.actor == CHANCE else state.apply(actions.popleft())


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_nothing_is_seen_that_a_seat_was_not_shown(game: str) -> None:
    """Every seat was told each event that is watched, or more of it; and the record says the same."""
    for seed in range(5):
        onlooker, worlds = FakeOnlooker(), twins(game, Random(seed), deals_before=2)
        record, players = play_world(worlds, worlds.first, onlooker, then=by_default)
        for player in players:
            told = [event for message in player.told for event in getattr(message, "events", ())]
            assert_is_part(onlooker.events, told)
        codec = worlds.game.codec
        assert [codec.event(event) for event in replay(record).public] == onlooker.events
        assert [codec.event_from(event) for event in onlooker.events] == list(replay(record).public)


def assert_is_part(events: Sequence[v1.Event], told: Sequence[v1.Event]) -> None:
    """Check that all these events were told, in this order, whatever was told between them or besides."""
    rest = iter(told)
    for event in events:
        assert any(says(each, event) for each in rest), f"a seat was not told: {event}"


def says(told: v1.Event, event: v1.Event) -> bool:
    """Say whether what was told has all that is in an event."""
    game = told.WhichOneof("game")
    if game != event.WhichOneof("game"):
        return False
    mine, others = (dict(getattr(each, str(game)).ListFields()) for each in (told, event))
    return all(key in mine and mine[key] == value for key, value in others.items())


@pytest.mark.skipif(IS_COMPILED, reason="calls are counted, and nobody sees those of compiled functions")
def test_who_looks_on_calls_nothing() -> None:
    """However many watch a match: they read the list of one who looks on, which is extended step by step."""
    onlookers = [FakeOnlooker() for _ in range(_RUNS)]
    alone = calls_of([_a_match] * _RUNS)
    looked_on = calls_of([partial(_a_match, onlooker) for onlooker in onlookers])
    assert len(onlookers[0].news) > 100
    assert looked_on == alone


_RUNS = 4


def _a_match(*onlookers: FakeOnlooker) -> None:
    play_match(match_terms(), [FakePlayer() for _ in range(3)], onlookers=onlookers)


def calls_of(plays: Sequence[Callable[[], object]]) -> Counter[str]:
    """Count the functions that are called, those of Python and those of C, in the one play that takes the fewest.

    In the others something is made that is kept from then on, or made anew because too much was kept.
    """
    counts = []
    for play in plays:
        count = Counter[str]()
        sys.setprofile(lambda _frame, event, _argument, count=count: count.update([event]))
        play()
        sys.setprofile(None)
        counts.append(count)
    return min(counts, key=Counter.total)


def test_a_match_that_goes_on_is_seen_from_its_beginning() -> None:
    whole = FakeOnlooker()
    record = play_match(match_terms(), [FakePlayer() for _ in range(3)], onlookers=[whole])
    choices = [entry for entry in record.entries if entry.HasField("choice")]
    again = FakeOnlooker()
    play_match(match_terms(), [FakePlayer() for _ in range(3)], past=choices[:20], onlookers=[again])
    assert again.news == whole.news


def test_an_event_for_all_but_one_seat_is_not_for_those_who_hold_no_cards() -> None:
    """A game may name its audience by what is not in it; seats that there are not are in it then."""
    assert Event("card", audience=~1, redacted="a card").public == "a card"
    assert Event("card", audience=~1).public is None
    assert Event("card").public == "card"
