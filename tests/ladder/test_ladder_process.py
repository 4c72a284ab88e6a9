"""The ladder that is fitted and published beside the play."""

from pathlib import Path

import pytest
import trio
from support.events import begun

from ordago.games import find_game
from ordago_ladder.publication.ladder_process import LadderProcess
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.settings import common as common_settings


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.mark.slow
async def test_the_page_grows_with_the_event_and_the_ladder_is_told(tmp_path: Path) -> None:
    event = await begun(tmp_path)
    event.folder.page.unlink()
    told, got_one = list[Ladder](), trio.Event()

    def tell(ladder: Ladder) -> None:
        told.append(ladder)
        got_one.set()

    process = LadderProcess(event.folder, place=None, tell=tell, warn=pytest.fail)
    process.more()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.run)
        await got_one.wait()
        nursery.cancel_scope.cancel()
    [ladder] = told
    assert 0 < len(ladder.results) < ladder.planned
    assert ladder.secret is None
    assert event.folder.page.is_file()


@pytest.mark.slow
async def test_what_cannot_be_published_is_told_in_a_sentence(tmp_path: Path) -> None:
    event = await begun(tmp_path)
    event.folder.store.unlink()
    told, warned = list[str](), trio.Event()

    def warn(sentence: str) -> None:
        told.append(sentence)
        warned.set()

    process = LadderProcess(event.folder, place=None, tell=pytest.fail, warn=warn)  # type: ignore[arg-type] - it takes anything
    process.more()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(process.run)
        await warned.wait()
        nursery.cancel_scope.cancel()
    [sentence] = told
    assert "There is no database" in sentence
