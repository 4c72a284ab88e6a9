"""A ladder in its first epoch, into which tests write matches."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.ladders import BEGAN, Writer, ladder_row

from ordago.store.ladder.store import LadderStore


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Writes into a new ladder."""
    with LadderStore.open(tmp_path / "ladder.sqlite", create=True) as store:
        store.create(ladder_row())
        store.begin_epoch(1, began=BEGAN)
        yield Writer(store)
