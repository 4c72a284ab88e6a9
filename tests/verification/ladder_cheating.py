"""What the organiser of a standing ladder can do who knows all secrets, and makes digests and heads anew afterwards."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from support.standing_ladder import PLAYERS, SETTINGS, StandingLadder
from verification.cheating import forfeit

from ordago import v1
from ordago.record.epochs import LinkChain
from ordago.record.ledgers.ladder import (
    EpochBegin,
    EpochEnd,
    LadderEntry,
    LadderResultEntry,
    LadderVoidEntry,
    PlayerEntry,
    SeatingEntry,
)


class Found(NamedTuple):
    """A way to cheat that contradicts itself, and what is found."""

    cheat: Callable[[StandingLadder], object]
    words: str


def _places(ladder: StandingLadder, epoch: int, kind: type[LadderEntry]) -> list[int]:
    return [at for at, entry in enumerate(ladder.entries[epoch]) if isinstance(entry, kind)]


def _update(epoch: int, kind: type[LadderEntry], number: int = 0, **changes: Any) -> Callable[[StandingLadder], None]:
    """Return a change of an entry of a kind, after which heads are made anew."""

    def cheat(ladder: StandingLadder) -> None:
        at = _places(ladder, epoch, kind)[number]
        ladder.entries[epoch][at] = ladder.entries[epoch][at].model_copy(update=changes)
        ladder.enter_anew()

    return cheat


def _without(epoch: int, kind: type[LadderEntry], number: int = 0) -> Callable[[StandingLadder], None]:
    def cheat(ladder: StandingLadder) -> None:
        del ladder.entries[epoch][_places(ladder, epoch, kind)[number]]

    return cheat


def _in_record(change: Callable[[v1.MatchRecord], object]) -> Callable[[StandingLadder], None]:
    """Return a change of the record of the first match, after which digests and heads are made anew."""

    def cheat(ladder: StandingLadder) -> None:
        change(_first(ladder))
        ladder.enter_anew()

    return cheat


def _first(ladder: StandingLadder) -> v1.MatchRecord:
    [seating, *_] = _seatings(ladder, 1)
    return ladder.records[seating.match_id]


def _seatings(ladder: StandingLadder, epoch: int) -> list[SeatingEntry]:
    return [entry for entry in ladder.entries[epoch] if isinstance(entry, SeatingEntry)]


def reorder_epochs(ladder: StandingLadder) -> None:
    """Say that the first epoch came second."""
    ladder.entries[1], ladder.entries[2] = ladder.entries[2], ladder.entries[1]


def drop_match_and_close_ranks(ladder: StandingLadder) -> None:
    """Leave out an unwelcome match, with all trace of it, and give those after it the numbers before."""
    unwelcome = _seatings(ladder, 1)[0]
    kept = [entry for entry in ladder.entries[1] if getattr(entry, "match_id", "") != unwelcome.match_id]
    ladder.entries[1] = [
        entry.model_copy(update={"number": entry.number - 1}) if isinstance(entry, SeatingEntry) else entry
        for entry in kept
    ]
    name_earlier_head(2)(ladder)


def play_other_deals(ladder: StandingLadder) -> None:
    """Play the first match with the cards of the seventh."""
    seating = _seatings(ladder, 1)[0]
    record = ladder.match(1, seating.model_copy(update={"number": 7}))
    ladder.records[seating.match_id] = record
    ladder.enter_anew()


def play_other_nonces(ladder: StandingLadder) -> None:
    """Play the first match with a nonce that nobody brought."""
    seating = _seatings(ladder, 1)[0]
    friend = seating.seats[0].model_copy(update={"nonce": "77" * 16})
    ladder.records[seating.match_id] = ladder.match(1, seating.model_copy(update={"seats": (friend, seating.seats[1])}))
    ladder.enter_anew()


def pick_number(ladder: StandingLadder) -> None:
    """Seat a friend at the number whose cards suit him."""
    seating = ladder.seating(3, 9, "mitaines", 1, 2)
    ladder.entries[3] += [PLAYERS[1], seating]


def seat_late(ladder: StandingLadder) -> None:
    """Put a match into the first epoch when the second has begun: its secret is his alone for a while."""
    seating = ladder.seating(1, 4, "mitaines", 1, 3)
    ladder.records[seating.match_id] = record = ladder.match(1, seating)
    ladder.entries[1][-1:-1] = [seating, ladder.result(1, record)]


def second_version(ladder: StandingLadder) -> None:
    """Say of a match that it was void, and leave the head as it is that the second epoch knows."""
    at = _places(ladder, 1, LadderResultEntry)[0]
    unwelcome = ladder.entries[1][at]
    assert isinstance(unwelcome, LadderResultEntry)
    ladder.entries[1][at] = LadderVoidEntry(match_id=unwelcome.match_id, reason="bad luck")
    del ladder.records[unwelcome.match_id]


def name_head(**changes: Any) -> Callable[[StandingLadder], None]:
    """Return a change of the head that the second epoch names."""

    def cheat(ladder: StandingLadder) -> None:
        begin = ladder.entries[2][0]
        assert isinstance(begin, EpochBegin)
        assert begin.previous is not None
        ladder.entries[2][0] = begin.model_copy(update={"previous": begin.previous.model_copy(update=changes)})

    return cheat


def name_earlier_head(less: int) -> Callable[[StandingLadder], None]:
    """Return a change by which the second epoch names a head that the ledger had some lines before."""

    def cheat(ladder: StandingLadder) -> None:
        begin = ladder.entries[2][0]
        assert isinstance(begin, EpochBegin)
        assert begin.previous is not None
        name_head(length=begin.previous.length - less)(ladder)
        ladder.enter_anew()

    return cheat


def other_settings(ladder: StandingLadder) -> None:
    """Say that the first epoch was played under other settings."""
    ladder.of_epochs[1] = SETTINGS.model_copy(update={"decision_ms": 2_000})


def other_settings_from_the_start(ladder: StandingLadder) -> None:
    """Say so in the ledger, too."""
    other_settings(ladder)
    _update(1, EpochBegin, settings_digest=ladder.of_epochs[1].digest.hex())(ladder)


def other_options(ladder: StandingLadder) -> None:
    """Play a match with other options than the others had."""
    games = tuple(game.model_copy(update={"options": {}}) for game in SETTINGS.games)
    seating = _seatings(ladder, 1)[0]
    settings = SETTINGS.model_copy(update={"games": games})
    ladder.records[seating.match_id] = ladder.match(1, seating, settings=settings)
    ladder.enter_anew()


def another_chain(ladder: StandingLadder) -> None:
    """Play the second epoch with the secrets of another chain, and put its anchor there."""
    other = StandingLadder(chain=LinkChain(b"other" * 6 + b"..", length=10)).play()
    ladder.entries[2] = other.entries[2]
    ladder.records |= other.records
    ladder.enter_anew()


def reveal_too_early(ladder: StandingLadder) -> None:
    """Reveal the second epoch while the first goes on, whose secret follows."""
    del ladder.entries[1][-1]


def seasons(*names: str) -> Callable[[StandingLadder], None]:
    """Return a change of the seasons of all epochs, after which heads are made anew."""

    def cheat(ladder: StandingLadder) -> None:
        for epoch, name in enumerate(names, start=1):
            _update(epoch, EpochBegin, season=name)(ladder)

    return cheat


def other_anchors(ladder: StandingLadder) -> None:
    """Lift a bot of the house in the middle of a season, and with it all who played it."""
    ladder.of_epochs[2] = SETTINGS.model_copy(update={"anchors": {"solid": 1900.0}})
    _update(2, EpochBegin, settings_digest=ladder.of_epochs[2].digest.hex())(ladder)


def play_without_seat(ladder: StandingLadder) -> None:
    """Put somebody else into the record."""
    _first(ladder).seats[0].name = "solid"
    ladder.enter_anew()


def claim_digest(ladder: StandingLadder) -> None:
    """Enter the digest of a record that nobody has."""
    at = _places(ladder, 2, LadderResultEntry)[-1]
    ladder.entries[2][at] = ladder.entries[2][at].model_copy(update={"record_digest": "ab" * 32})


SELF_CONTRADICTING: Final[Mapping[str, Found]] = {
    "epochs reordered": Found(reorder_epochs, "The ledger is of epoch 2"),
    "a result dropped": Found(_without(1, LadderResultEntry), "has neither a result nor is it void"),
    "a seating dropped": Found(_without(1, SeatingEntry), "is seated in place of match 0"),
    "a match dropped": Found(drop_match_and_close_ranks, "is not that of its number"),
    "other deals": Found(play_other_deals, "The seed of the deals is not that of this match"),
    "a nonce that nobody brought": Found(play_other_nonces, "The seed of the deals is not that of this match"),
    "a number picked": Found(pick_number, "Match 9 is seated in place of match 2"),
    "a match put in later": Found(seat_late, "Match 4 was seated after the next epoch had begun"),
    "a second version of an epoch": Found(second_version, "The previous ledger was different when this epoch began"),
    "other settings": Found(other_settings, "are not those that the epoch began with"),
    "other settings from the start": Found(other_settings_from_the_start, "The times, or the consequences of faults"),
    "other options": Found(other_options, "its options are not those of the settings"),
    "another chain": Found(another_chain, "has another anchor than the one before"),
    "another anchor": Found(_update(1, EpochBegin, anchor="ab" * 32), "does not lead back to the anchor in 1 steps"),
    "another digest of the secret": Found(_update(1, EpochBegin, secret_digest="ab" * 32), "not the one that was"),
    "another link": Found(_update(2, EpochEnd, link="ab" * 32), "does not lead back to the anchor in 2 steps"),
    "a secret before its time": Found(reveal_too_early, "and with it epoch 1, which is not over"),
    "a clock that runs back": Found(_update(2, EpochBegin, began=1), "began before the one before it"),
    "another author at the number": Found(_update(2, PlayerEntry, account="eve"), "in an earlier"),
    "another number of a version": Found(_update(2, PlayerEntry, 1, player=22), "was player 2 before"),
    "a head never had": Found(name_head(head="ab" * 32), "was different when this epoch began"),
    "a head beyond the end": Found(name_head(length=99), "was different when this epoch began"),
    "an earlier head": Found(name_earlier_head(1), "Match 3 was seated after the next epoch had begun"),
    "a game that is not played": Found(_update(3, SeatingEntry, 1, game="mus"), "is not played in this epoch"),
    "a table too small": Found(_update(3, SeatingEntry, 1, game="mittlere"), "match 1: 3 should be at the table"),
    "a seat for another": Found(play_without_seat, "the ledger says ana 1.0 a1, ben 1.0"),
    "an answer of 1,000 s": Found(
        _in_record(lambda record: setattr(_choice(record), "charged_ms", 1_000_000)), "1000000 ms are charged"
    ),
    "a forfeit without a reason": Found(
        _in_record(forfeit(v1.FAULT_ILLEGAL)), "Nothing accounts for the forfeit of seat"
    ),
    "a match that could be conceded": Found(
        _in_record(lambda record: setattr(record, "conceding", True)), "No match of a ladder can be conceded"
    ),
    "another commitment": Found(
        _in_record(lambda record: setattr(record, "commitment", bytes(32))), "not the one that was committed to"
    ),
    "another score": Found(
        _in_record(lambda record: record.outcome.scores.__setitem__(0, 999)), "By the rules the match ended differently"
    ),
    "a secret in a record": Found(
        _in_record(lambda record: setattr(record, "secret", bytes(32))), "contains the secret"
    ),
    "another attempt": Found(
        _in_record(lambda record: setattr(record, "attempt", 1)), "The record is of another match"
    ),
    "a season that comes back": Found(
        seasons("spring", "summer", "spring"), "'spring' has ended and cannot begin again"
    ),
    "a season that looks like another": Found(
        seasons("season-1", "season-2", "seas0n-l"), "looks like the earlier 'season-1'"
    ),
    "a season by a path": Found(
        _update(3, EpochBegin, season="../x"), "Line 1 of the ledger is not an entry of a ledger, by"
    ),
    "other anchors in a season": Found(other_anchors, "The anchors are not those of epoch 1, with which its season"),
    "another record": Found(claim_digest, "The ledger has the digest of another record"),
}
"""What is found however much is made anew."""


def _choice(record: v1.MatchRecord) -> v1.RecordedChoice:
    return next(entry.choice for entry in record.entries if entry.HasField("choice"))
