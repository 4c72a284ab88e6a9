"""Events that are announced: once each, in order, signed, and without holding up play."""

import base64
import hashlib
import hmac
from pathlib import Path

import pytest
from support.events import ReceiptedEvent
from support.webhooks import Hook, Received, received_announcements

from ordago.games import find_game
from ordago_ladder.announcing import delivery, listener
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder

KEY = f"whsec_{base64.b64encode(bytes(range(24))).decode()}"


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FIRST_PAUSE", 0.001)


class AnnouncedEvent(ReceiptedEvent):
    """An event that is announced to a receiver."""

    def __init__(self, place: Path, hook: Hook, *, more: str = "", **options: str) -> None:
        super().__init__(place, **options)
        self.text += f'[[announce]]\nurl = "{hook.url}"\nkey = "{KEY}"\n{more}\n'

    def warned(self, sentence: str) -> None:
        self.warnings.append(sentence)


def kinds(received: list[Received]) -> list[str]:
    return [request.content["kind"] for request in received]


async def test_the_start_and_the_end_are_announced_once(tmp_path: Path):
    with received_announcements() as hook:
        event = AnnouncedEvent(tmp_path, hook)
        await event.run()
        ladder = await event.run()
    assert kinds(hook.received) == ["start", "end"]
    start, end = (request.content for request in hook.received)
    assert (start["event"], start["planned"], end["played"]) == ("cup", 6, 6)
    assert end["ladder"] == [{"rank": line.rank, "entrant": line.entrant} for line in ladder.overall.lines]


async def test_rounds_are_announced(tmp_path: Path):
    with received_announcements() as hook:
        event = AnnouncedEvent(tmp_path, hook, terms='format = "swiss"\nrounds = 2', more='kinds = ["round", "end"]')
        await event.run()
    assert kinds(hook.received) == ["round", "end"]


async def test_requests_are_signed(tmp_path: Path):
    with received_announcements() as hook:
        await AnnouncedEvent(tmp_path, hook).run()
    for request in hook.received:
        signed = ".".join((request.headers["webhook-id"], request.headers["webhook-timestamp"], "")).encode()
        mac = hmac.new(bytes(range(24)), signed + request.body, hashlib.sha256).digest()
        assert request.headers["webhook-signature"] == f"v1,{base64.b64encode(mac).decode()}"
    assert len({request.headers["webhook-id"] for request in hook.received}) == len(hook.received)


async def test_an_announcement_is_repeated_under_its_id_until_it_is_taken(tmp_path: Path):
    with received_announcements(503, 503) as hook:
        event = AnnouncedEvent(tmp_path, hook)
        await event.run()
    assert kinds(hook.received) == ["start", "start", "start", "end"]
    assert len({request.headers["webhook-id"] for request in hook.received[:3]}) == 1
    [warning] = event.warnings
    assert "503" in warning


async def test_a_receiver_that_is_gone_delays_only_the_end_and_is_sent_the_rest_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(listener, "LAST_SECONDS", 0.1)
    with received_announcements(*[503] * 100_000) as hook:
        event = AnnouncedEvent(tmp_path, hook)
        ladder = await event.run()
    assert ladder.finished
    assert set(kinds(hook.received)) == {"start"}
    with received_announcements() as later:
        event.text = event.text.replace(hook.url, later.url)
        await event.run()
    assert kinds(later.received) == ["end"]


async def test_a_refusal_is_final(tmp_path: Path):
    with received_announcements(404) as hook:
        event = AnnouncedEvent(tmp_path, hook)
        await event.run()
    assert kinds(hook.received) == ["start", "end"]
    assert any("404" in warning for warning in event.warnings)


async def test_a_server_announces_nowhere_unless_it_is_allowed(tmp_path: Path):
    with received_announcements() as hook:
        event = AnnouncedEvent(tmp_path, hook)
        ladder = await event.run(announce_to=())
    assert ladder.finished
    assert hook.received == []


async def test_neither_url_nor_key_is_published_or_said(tmp_path: Path):
    with received_announcements(404) as hook:
        event = AnnouncedEvent(tmp_path, hook)
        await event.run()
    published = [
        path.read_bytes()
        for path in event.folder.path.rglob("*")
        if path.is_file() and event.folder.private not in path.parents
    ]
    said = b"".join([*published, *(warning.encode() for warning in event.warnings)])
    assert b"let-me-in" not in said
    assert KEY.encode() not in said
    assert verify_folder(event.folder.path).findings == ()


async def test_announcements_may_change_while_an_event_goes_on(tmp_path: Path):
    with received_announcements() as hook:
        event = AnnouncedEvent(tmp_path, hook)
        await event.run()
        event.text = event.text.partition("[[announce]]")[0]
        ladder = await event.run()
    assert ladder.finished


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ('url = "ftp://x.example"', "url"),
        ('url = ""', "url"),
        ('form = "json"', "url"),
        ('url = "https://x.example"\nform = "teams"', "form"),
        ('url = "https://x.example"\nkinds = []', "kinds"),
        ('url = "https://x.example"\nkinds = ["dinner"]', "kinds"),
        ('url = "https://x.example"\nkey = "secret"', "key"),
        ('url = "https://x.example"\nurls = 1', "urls"),
    ],
)
def test_wrong_sections_are_refused_by_their_keys(tmp_path: Path, section: str, key: str):
    text = ReceiptedEvent(tmp_path).text + f"[[announce]]\n{section}\n"
    with pytest.raises(EventFileError) as refused:
        parse_event(text)
    [problem] = refused.value.problems
    assert "[[announce]] 1: " in problem
    assert f"'{key}'" in problem


def test_an_event_is_not_announced_to_any_number_of_urls(tmp_path: Path):
    text = ReceiptedEvent(tmp_path).text + '[[announce]]\nurl = "https://x.example"\n' * 9
    with pytest.raises(EventFileError):
        parse_event(text)
