"""Old records make room while a server runs: by its own hand, and never before their epoch is proved."""

from pathlib import Path
from typing import Any

import pytest
import trio
from support.kept_ladder import KeptLadder

from ordago.telemetry.telemetry import Telemetry
from ordago_ladder import helpers
from ordago_ladder.standing import retention
from ordago_ladder.standing.retention import Limits, Retention

NOTHING = {"problem": "", "doubts": [], "pruned": 0, "bytes": 0, "dropped": 0}


class Told(Retention):
    """A retention whose process says what a test wants, or is a real one."""

    def __init__(self, place: Path, archive: Path, limits: Limits, *says: dict[str, Any]) -> None:
        self.warnings: list[str] = []
        self.asked: list[float] = []
        self._says = list(says)
        super().__init__(str(place), archive, limits, telemetry=Telemetry(), warn=self.warnings.append)

    async def _make_room(self) -> dict[str, Any]:
        self.asked.append(trio.current_time())
        if not self._says:
            return await super()._make_room()
        await trio.sleep(2)
        return NOTHING | self._says.pop(0)

    async def look(self) -> None:
        """Look once, as the first time."""
        self._tell(await self._make_room())


@pytest.fixture
def kept(tmp_path: Path) -> KeptLadder:
    """A ladder of three epochs, of which two are revealed."""
    return KeptLadder(tmp_path / "data")


@pytest.mark.slow
def test_a_server_gives_up_what_is_old_and_proved_in_a_process_of_its_own(kept: KeptLadder) -> None:
    room = Told(kept.place, kept.archive, Limits(1))
    trio.run(room.look)
    assert kept.pruned() == [1]
    assert not room.warnings


@pytest.mark.slow
def test_published_records_go_after_those_in_the_store_and_never_before(kept: KeptLadder) -> None:
    [first, second] = sorted(kept.archive.glob("epochs/*/records"))
    trio.run(Told(kept.place, kept.archive, Limits(1, keep_archive_days=9)).look)
    assert kept.pruned() == [1]
    assert first.exists()
    trio.run(Told(kept.place, kept.archive, Limits(1, keep_archive_days=0)).look)
    assert not first.exists()
    assert second.exists(), "the store has its records still, and would publish them again"


@pytest.mark.slow
def test_the_oldest_published_records_go_until_the_others_have_room(kept: KeptLadder) -> None:
    first, second = (path.parent for path in sorted(kept.archive.glob("epochs/*/records/*")))
    sizes = [sum(path.stat().st_size for path in folder.iterdir()) for folder in (first, second)]
    trio.run(Told(kept.place, kept.archive, Limits(keep_days=0, keep_archive_bytes=sum(sizes))).look)
    assert kept.pruned() == [1, 2]
    assert first.exists()
    trio.run(Told(kept.place, kept.archive, Limits(keep_archive_bytes=sizes[1])).look)
    assert (first.exists(), second.exists()) == (False, True)
    trio.run(Told(kept.place, kept.archive, Limits(keep_archive_bytes=0)).look)
    assert not second.exists()


@pytest.mark.slow
def test_what_was_forged_in_the_archive_keeps_its_records_and_is_told_the_second_time(kept: KeptLadder) -> None:
    """Who can write into the archive must not bring it about that the last true copy goes."""
    [record] = kept.archive.glob("epochs/000001/records/*.record")
    record.write_bytes(record.read_bytes()[:-1])
    room = Told(kept.place, kept.archive, Limits(None, 0))
    trio.run(room.look)
    assert not room.warnings, "what was only just revealed may not be published yet"
    trio.run(room.look)
    assert kept.pruned() == [2]
    [warning] = room.warnings
    assert warning.startswith(f"epoch 1 did not verify, so its records stay: epochs/000001/records/{record.name}: ")


@pytest.mark.slow
def test_a_store_that_cannot_be_used_is_told_in_a_sentence(kept: KeptLadder) -> None:
    kept.place.unlink()
    room = Told(kept.place, kept.archive, Limits(1))
    trio.run(room.look)
    [warning] = room.warnings
    assert warning.startswith("old records are not deleted: There is no database")


@pytest.mark.slow
def test_a_process_that_fails_is_told_in_a_sentence_and_tried_again(
    kept: KeptLadder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helpers, "command_of", lambda _module: ["sh", "-c", "echo out of memory >&2; exit 3"])
    monkeypatch.setattr(retention, "_PUBLISHED_SECONDS", 0.0)
    monkeypatch.setattr(retention, "_REST", 0.0)
    room = Told(kept.place, kept.archive, Limits(1))

    async def twice() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(room.run)
            while len(room.asked) < 2:
                room.more()
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()

    trio.run(twice)
    assert room.warnings[0] == "old records are not deleted: their process ended with 3: out of memory"


@pytest.mark.virtual_time
async def test_room_is_made_after_each_epoch_and_every_hour_and_rests_longer_than_it_works(tmp_path: Path) -> None:
    room = Told(tmp_path, tmp_path, Limits(1), *[{}] * 9)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(room.run)
        await trio.sleep(1)
        room.more()
        await trio.sleep(1000)
        room.more()
        await trio.sleep(5000)
        nursery.cancel_scope.cancel()
    assert [round(at) for at in room.asked] == [0, 15, 1006, 4621]
