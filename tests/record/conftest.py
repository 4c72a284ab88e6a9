"""A match of Mittlere Jass played at random, as the match layer would record it."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from ordago import v1
from ordago.chance import SecretDeals, commitment, seed_text
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game
from ordago.record import FORMAT_VERSION, RecordBuilder

SECRET = bytes(range(32))
PLAYERS = ("ana", "beñat", "chloé")


@cache
def play(*, deals: int, seed: int = 1, secret: bytes = b"") -> v1.MatchRecord:
    """Return the record of a match at random, in which every seventh choice is the default one for a late bot.

    It is shared: do not change it.
    """
    game = find_game("mittlere")
    options = game.rules.options({"deals": deals})
    deal_seed = seed_text(game=game.name, event="trial", nonces={"ana": b"1"}, repetition=seed, attempt=0)
    heading = v1.MatchRecord(
        format_version=FORMAT_VERSION,
        match_id=f"{seed:032x}",
        game=game.name,
        rules_version=game.rules.version,
        options=game.codec.options(options),
        seats=[v1.RecordSeat(name=name, version="1.0", side=side) for side, name in enumerate(PLAYERS)],
        clock=v1.ClockTerms(decision_ms=10_000),
        commitment=commitment(SECRET),
        deal_seed=deal_seed,
        secret=secret,
    )
    record = RecordBuilder(heading)
    rng, shuffles = Random(seed), SecretDeals(SECRET, deal_seed)
    state = game.rules.new_match(seats=3, options=options)
    choices = 0
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due = state.shuffle_due()
            cards = shuffles.shuffled(due)
            record.shuffled(due, cards)
            events = state.supply(cards)
        else:
            choices += 1
            late = choices % 7 == 0
            action = state.default_action() if late else rng.choice(state.legal_actions()).action
            fault = v1.FAULT_TOO_LATE if late else v1.FAULT_UNSPECIFIED
            record.chosen(state.actor, game.codec.action(action).SerializeToString(), charged_ms=choices, fault=fault)
            events = state.apply(action)
        record.happened(*(game.codec.event(event.full) for event in events))
    outcome = state.outcome
    assert outcome is not None
    return record.finish(outcome).message


@pytest.fixture(scope="session")
def played() -> v1.MatchRecord:
    """A match of three deals. It is shared: do not change it."""
    return play(deals=3)


@pytest.fixture
def record(played: v1.MatchRecord) -> v1.MatchRecord:
    """A copy of the match, to be changed."""
    copy = v1.MatchRecord()
    copy.CopyFrom(played)
    return copy


@pytest.fixture(scope="session")
def play_match() -> Callable[..., v1.MatchRecord]:
    """Plays a match, or hands out the one that was played so before: do not change it."""
    return play


@pytest.fixture(scope="session")
def secret() -> bytes:
    """The secret that the deals of all matches come from."""
    return SECRET
