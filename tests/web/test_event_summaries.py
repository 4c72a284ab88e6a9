"""The list of events, and how far a running one is, for folders of any origin."""

import json
import os
import time
from pathlib import Path

import pytest
from support.site import Visitor

from ordago_ladder.folder import EventFolder
from ordago_ladder.run.run_note import RunNote, write_note
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.event_summaries import event_summaries
from ordago_web.pages import Pages
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time
MARKUP = "<b>Spring</b>"


def ladder(**state: object) -> dict[str, object]:
    return {
        "event": {"title": MARKUP},
        "state": {"finished": False, "played": 2, "planned": 9, **state},
        "games": [{"title": "Mus"}],
        "entrants": [{}, {}],
    }


def published(parent: Path, name: str, content: object, *, changed: int = 1_700_000_000) -> Path:
    folder = parent / name
    (folder / "private").mkdir(parents=True)
    (folder / "index.html").write_text("<h1>Spring</h1>")
    (folder / "ladder.json").write_text(content if isinstance(content, str) else json.dumps(content))
    (folder / "ledger.jsonl").touch()
    os.utime(folder / "ledger.jsonl", (changed, changed))
    return folder


def run(folder: Path, *, written: float) -> None:
    write_note(EventFolder(folder), RunNote(1, written - 4, 0, 4, 9, written))


def stage(folder: Path) -> tuple[str, int, int]:
    [found] = event_summaries({folder.name: folder})
    return (found.stage.written(str) if found.stage else "", found.played, found.planned)


def test_each_event_has_its_stage(tmp_path: Path) -> None:
    assert stage(published(tmp_path, "a", ladder(played=0))) == ("To begin", 0, 9)
    assert stage(published(tmp_path, "b", ladder())) == ("Stopped", 2, 9)
    assert stage(published(tmp_path, "c", ladder(finished=True, played=9))) == ("Finished", 9, 9)
    running = published(tmp_path, "d", ladder())
    run(running, written=time.time())
    assert stage(running) == ("Running", 4, 9)
    run(running, written=time.time() - 600)
    assert stage(running) == ("Stopped", 2, 9)


def test_the_newest_comes_first(tmp_path: Path) -> None:
    folders = {name: published(tmp_path, name, ladder(), changed=at) for name, at in (("a", 10), ("b", 30), ("c", 20))}
    assert [one.name for one in event_summaries(folders)] == ["b", "c", "a"]


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "[" * 100_000, '{"state": 1}', "9" * 10_000),
        *(ladder(played=10**12), ladder(planned=-1), ladder(played="<b>"), ladder(played=1.5)),
        *({**ladder(), "games": "Mus"}, {**ladder(), "event": {"title": 7}}, {**ladder(), "entrants": None}),
    ],
)
def test_a_hostile_ladder_leaves_the_name_alone(tmp_path: Path, content: object) -> None:
    assert stage(published(tmp_path, "a", content)) == ("", 0, 0)


def test_no_link_is_followed_to_a_ladder(tmp_path: Path) -> None:
    other, folder = published(tmp_path, "a", ladder()), published(tmp_path, "b", ladder())
    (folder / "ladder.json").unlink()
    (folder / "ladder.json").symlink_to(other / "ladder.json")
    assert stage(folder) == ("", 0, 0)


async def test_the_progress_of_a_run_is_told_and_nothing_else_of_its_note(tmp_path: Path) -> None:
    folder = published(tmp_path, "spring", ladder())
    visitor = Visitor(site(AppContext(pages=Pages(), events=EventFolders([folder]))))
    assert (await visitor.get("/events/spring/progress.json")).text == "{}"
    run(folder, written=time.time())
    answer = await visitor.get("/events/spring/progress.json")
    assert json.loads(answer.text) == {"played": 4, "planned": 9, "left": 5}
    again = await visitor.get("/events/spring/progress.json", if_none_match=answer.headers["etag"])
    assert again.status == 304
    assert (await visitor.get("/events/private/progress.json")).text == "{}"
    listed = (await visitor.get("/events")).text
    assert "&lt;b&gt;Spring&lt;/b&gt;" in listed
    assert MARKUP not in listed
    assert "4 of 9 matches" in listed
