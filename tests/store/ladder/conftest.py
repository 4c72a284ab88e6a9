from collections.abc import Iterator
from pathlib import Path

import pytest
from support.ladders import BEGAN, Writer, ladder_row

from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore


@pytest.fixture
def place(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Path | str:
    """Where there is no database yet."""
    if kind == "sqlite":
        return tmp_path / "ladder.sqlite"
    url: str = request.getfixturevalue("postgresql").place()
    return url


@pytest.fixture
def store(place: Path | str) -> Iterator[LadderStore]:
    """A store of a ladder whose first epoch has begun."""
    with LadderStore.open(place, create=True) as store:
        store.create(ladder_row())
        store.begin_epoch(1, began=BEGAN)
        yield store


@pytest.fixture
def writer(store: LadderStore) -> Writer:
    """Writes to the store with few words."""
    return Writer(store)


@pytest.fixture
def queries(writer: Writer, place: Path | str) -> Iterator[LadderQueries]:
    """Reads what is in the store, by a connection of its own."""
    with LadderQueries.open(place) as queries:
        assert queries.ladder() == writer.store.create(ladder_row())
        yield queries
