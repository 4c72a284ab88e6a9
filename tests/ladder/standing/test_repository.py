"""What the repository of a ladder know of matches though the database failed."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.ladder_halls import ladder_hall

from ordago.games import find_game
from ordago.store import StoreFailedError
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.tables.repository import Brought, Sitter

pytestmark = pytest.mark.virtual_time


def seats() -> Sequence[Brought]:
    return [Brought(Sitter(name, "", name, house=False), "", bytes(32)) for name in ("ana", "ben", "cleo")]


async def test_a_match_that_was_entered_though_nobody_learned_of_it_is_void_and_no_other_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that stops in the middle of a commit may have committed when it goes on."""
    monkeypatch.setattr(common_settings, "find_game", find_game)
    with ladder_hall(tmp_path) as hall:
        repository, begin = hall.ladder._repository, hall.store.begin_match
        known = repository.begin_match("mittlere", seats())
        assert repository.settle_doubts("why") == []

        def stop(**how: object) -> None:
            begin(**how)  # type: ignore[arg-type]  # as it is called
            raise StoreFailedError("The database cannot be used: the server has not answered for 30 s.")

        monkeypatch.setattr(hall.store, "begin_match", stop)
        with pytest.raises(StoreFailedError):
            repository.begin_match("mittlere", seats())
        running = {seating.match_id for seating in hall.store.running()}
        [unknown] = running - {known.terms.match_id}
        [void] = repository.settle_doubts("the server could not find out if the match had begun")
        assert void.match_id == unknown
        assert [seating.match_id for seating in hall.store.running()] == [known.terms.match_id]
