"""``ordago announce``, ``seating`` and ``session`` as they are typed, at the folder and at a running server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.commands import assert_told, ordago

from .test_account import Server

SENTENCE = "maintenance at 20:00 UTC"


def told(*arguments: object) -> Any:
    """Return what a command tells a program."""
    result = ordago(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server that does not run."""
    assert ordago("token", "create", "--data", tmp_path, "--account", "root", "--scope", "admin").exit_code == 0
    return tmp_path


def test_an_announcement_is_made_listed_and_withdrawn(data: Path) -> None:
    [made] = told("announce", SENTENCE, "--for", "3", "--data", data)
    assert (made["number"], made["announcement"], made["seating"]) == ("1", SENTENCE, None)
    assert made["ends"] > made["made"]
    assert told("announce", "--data", data) == [made]
    assert SENTENCE in ordago("announce", "--data", data).output
    assert told("announce", "--withdraw", "1", "--why", "postponed", "--data", data) == [made]
    assert told("announce", "--data", data) == []
    log = told("account", "log", "--data", data)["entries"]
    assert [(one["act"], one["subject"], one["detail"], one["why"]) for one in log[:2]] == [
        ("withdraw announcement", "1", SENTENCE, "postponed"),
        ("announce", "1", SENTENCE, None),
    ]


def test_seating_is_paused_until_it_is_resumed(data: Path) -> None:
    [paused] = told("seating", "pause", "--data", data)
    assert (paused["seating"], paused["ends"]) == ("paused", None)
    assert_told(ordago("seating", "pause", "--data", data), 3, "paused already, by announcement 1")
    assert told("seating", "resume", "--data", data) == [paused]
    assert_told(ordago("seating", "resume", "--data", data), 3, "seating is not paused")
    [paused] = told("seating", "pause", "a new disk", "--for", "0.5", "--data", data)
    assert (paused["announcement"], paused["ends"] is None) == ("a new disk", False)
    assert_told(ordago("seating", "resume", "--data", data), 0, "withdrawn: 2 a new disk", "seating is resumed")


@pytest.mark.parametrize(
    ("arguments", "exit_code", "words"),
    [
        (["announce", "\x1b[2J"], 2, "printable"),
        (["announce", "two\nlines"], 2, "printable"),
        (["announce", "x" * 201], 2, "printable"),
        (["announce", "x", "--withdraw", "1"], 2, "--withdraw"),
        (["announce", "x", "--for", "0"], 2, "--for"),
        (["announce", "--withdraw", "9"], 3, "No announcement has the number 9"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(data: Path, arguments: list[str], exit_code: int, words: str) -> None:
    assert_told(ordago(*arguments, "--data", data), exit_code, words)
    assert told("announce", "--data", data) == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("operation"))
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


@pytest.mark.slow
def test_at_a_server_by_the_token_of_an_admin_alone(server: Server) -> None:
    author, admin = server.by(server.join("ana")), server.by(server.admin)
    for arguments in (["announce", SENTENCE], ["seating", "pause"], ["session", "list"]):
        assert_told(ordago(*arguments, *author), 3, "admin")
    [paused] = told("seating", "pause", *admin)
    assert told("announce", *author) == [paused], "what is announced is no secret"
    server.logged("seating paused")
    assert told("seating", "resume", *admin) == [paused]
    server.logged("seating resumed")
    assert told("session", "list", *admin) == {"sessions": [], "next_page_token": ""}
    assert_told(ordago("session", "end", "nobody", "--reason", "x", *admin), 3, "There is no session 'nobody'")
