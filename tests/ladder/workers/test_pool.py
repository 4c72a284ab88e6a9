"""Workers that fail: nothing is lost, and nobody waits for ever."""

from pathlib import Path

import pytest
from support.events import ReceiptedEvent

from ordago.games import find_game
from ordago_ladder.run.playing import WorkforceError
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.workers import pool as pool_module
from ordago_ladder.workers.pool import pool_of


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.mark.slow
async def test_a_match_that_is_void_at_a_worker_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger knows it before the bots are told, and what they keep agrees with it."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setattr(pool_module, "WORKER_MODULE", "support.failing_worker")
    event = ReceiptedEvent(tmp_path)
    ladder = await event.run(opening=pool_of(2))
    assert [result.match.attempt for result in ladder.results] == [1] * 6
    assert len(event.ledger.voids) == 6
    assert {void.reason for void in event.ledger.voids} == {"the server failed in the match (ZeroDivisionError)"}
    assert sum("which is void and starts again" in warning for warning in event.warnings) == 6
    assert event.receipts("ana")
    assert event.contradictions() == []
    assert verify_folder(event.folder.path).findings == ()


@pytest.mark.slow
async def test_workers_that_cannot_work_are_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    event = ReceiptedEvent(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(pool_module, "WORKER_MODULE", "ordago_ladder.there_is_no_such_worker")
        with pytest.raises(WorkforceError, match=r"6 workers ended, one after the other; see .*worker\.log"):
            await event.run(opening=pool_of(1))
    assert len((await event.run(opening=pool_of(1))).results) == 6
