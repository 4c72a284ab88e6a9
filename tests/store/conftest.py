import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.ledgers import beginning

from ordago.record import FaultCount, Result, SeatForfeit, StrikeCount
from ordago.store import IssuedMatch, PlannedMatch, PlayedMatch
from ordago.store.event.store import Store

SECRET = bytes(range(32))
ENTRANTS = ("ana", "ben", "chloé")


def _begin(store: Store) -> None:
    store.begin_event(beginning(secret=SECRET, entrants=ENTRANTS), settings="[event]", identity="d1", secret=SECRET)


def _issued(row: int) -> IssuedMatch:
    planned = PlannedMatch(
        row=row,
        game="mittlere",
        set_key=f"mittlere|ana,ben,chloé|{row // 6}",
        seating=row % 6,
        repetition=row // 6,
        entrants=("chloé", "ana", "ben"),
    )
    return IssuedMatch(planned, match_id=f"match-{row}")


def _played(row: int, *, record: bytes = b"the record") -> PlayedMatch:
    return PlayedMatch(
        match_id=f"match-{row}",
        result=Result(
            scores=(row, -row, 0),
            placings=(1, 3, 2),
            faults=((), (FaultCount("too_late", 2),), ()),
            forfeits=(SeatForfeit(1, "too_late"),),
            strikes=((StrikeCount("follow_suit", row),), (), ()) if row % 2 else ((), (), ()),
        ),
        record=record,
        record_digest=hashlib.sha256(record).digest(),
    )


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of the database. What holds for one kind alone is tested by files that say so."""
    name: str = request.param
    return name


@pytest.fixture
def place(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Path | str:
    """Where there is no database yet."""
    if kind == "sqlite":
        return tmp_path / "event.sqlite"
    url: str = request.getfixturevalue("postgresql").place()
    return url


@pytest.fixture
def empty_store(place: Path | str) -> Iterator[Store]:
    with Store.open(place, create=True) as store:
        yield store


@pytest.fixture
def store(empty_store: Store) -> Store:
    """A store of an event of which twelve matches are issued, the last first."""
    _begin(empty_store)
    empty_store.issue([_issued(row) for row in reversed(range(12))])
    return empty_store


@pytest.fixture
def issued() -> Callable[[int], IssuedMatch]:
    """Makes the match of a row of the plan."""
    return _issued


@pytest.fixture
def played() -> Callable[..., PlayedMatch]:
    """Makes the result of the match of a row of the plan."""
    return _played


@pytest.fixture
def secret() -> bytes:
    """The secret of the event."""
    return SECRET
