"""What may be opened on a server: whoever leaked an organiser's token can read, run and fill up nothing by it."""

import time

import pytest
from support.venue import event_file

from ordago.edge.services.events import LONGEST_FILE_BYTES
from ordago_ladder.hosted.events_api import EventRefusedError
from ordago_ladder.hosted.permissions import hosted_settings


def friday(*, terms: str = "", repetitions: int = 1) -> str:
    """Return an event that may be opened, but for what is said of it."""
    return event_file("friday", house=True, terms=terms, repetitions=repetitions)


WELL = friday()


def entrant(line: str) -> str:
    """Return an event with one more entrant, of whom this is said."""
    return f'{WELL}[[entrant]]\nname = "eve"\n{line}\n'


def test_remote_entrants_and_those_of_the_house_may_be_opened() -> None:
    settings = hosted_settings(f'{WELL}[[entrant]]\nname = "solid"\nhouse = "solid"\nsettings = {{ worlds = 2 }}\n')
    assert [one.remote for one in settings.entrants] == [False, True, True, False]


@pytest.mark.parametrize("name", ["../../etc", "/etc", "a/b", "..", ".", "Friday", "fri\u0000day", "", "x" * 65])
def test_a_name_is_the_name_of_one_folder(name: str) -> None:
    with pytest.raises(EventRefusedError, match=r"'name' takes|is no TOML|control"):
        hosted_settings(WELL.replace('"friday"', f'"{name}"'.replace("\u0000", "\\u0000")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (entrant('command = "cat /etc/shadow"'), "[[entrant]] 4: 'command' is not for events on a server"),
        (entrant('command = "a"\nbuild = "make"\nfolder = "f"'), "[[entrant]] 4: 'build' is not for events"),
        (entrant('house = "random"\nenv = { LD_PRELOAD = "/tmp/x.so" }'), "[[entrant]] 4: 'env' is not for events"),
        (entrant('house = "random"\nfolder = "/root"'), "[[entrant]] 4: 'folder' is not for events on a server"),
        (entrant('house = "random"\nreadable = ["/etc/shadow"]'), "[[entrant]] 4: 'readable' is not for events"),
        (entrant("remote = true\nprocesses = 1_000_000_000"), "[[entrant]] 4: 'processes' takes 64 at most"),
        (entrant('remote = true\nversion = "\\u001b[2J"'), "[[entrant]] 4: 'version' takes at most 200 characters"),
        (WELL.replace("The friday", "\\u001b]0;mine\\u0007"), "[event]: 'title' takes at most 200 characters, all"),
        (entrant('house = "/bin/sh"'), "there is no house bot"),
        (f"{WELL}[limits]\nmemory_mib = 1_000_000\n", "[limits] is for bots that the organiser starts"),
        (
            friday(terms=f'secret = "{"00" * 32}"'),
            "[event]: 'secret' is not for events on a server",
        ),
        (
            friday(terms="parallel = 10_000"),
            "[event]: 'parallel' takes 64 at most on a server",
        ),
        (friday(repetitions=3_334), "this event has 20,004 matches, and a server plays at most 20,000"),
        (friday(repetitions=10**12), "and at most 100,000 are allowed"),
        (
            friday().replace("repetitions = 1", 'format = "open"\nsets_wanted = 90_000'),
            "and a server plays at most 20,000",
        ),
        ("[event", "line 1"),
        ("", "[event]"),
    ],
)
def test_what_may_not_be_opened_is_refused_by_its_key(text: str, words: str) -> None:
    with pytest.raises(EventRefusedError) as refused:
        hosted_settings(text)
    assert words in str(refused.value)
    assert str(refused.value).startswith("the event file")


@pytest.mark.parametrize(
    "url", ["https://other.example/x", "http://hooks.example/x", "https://127.0.0.1/", "https://hooks.example.evil/"]
)
def test_an_event_is_announced_to_no_other_hosts_than_the_operator_allows(url: str) -> None:
    text = f'{WELL}[[announce]]\nurl = "{url}"\n'
    with pytest.raises(EventRefusedError, match=r"\[\[announce\]\] 1: .* hooks.example alone"):
        hosted_settings(text, announce_to=("hooks.example",))
    with pytest.raises(EventRefusedError, match=r"\[\[announce\]\] 1: .* nowhere"):
        hosted_settings(text)


def test_an_event_is_announced_to_hosts_that_the_operator_allows() -> None:
    text = f'{WELL}[[announce]]\nurl = "https://Hooks.Example/x"\n'
    assert len(hosted_settings(text, announce_to=("hooks.example",)).announce) == 1


def test_a_beacon_is_for_who_can_tell_its_value() -> None:
    with pytest.raises(EventRefusedError, match="'beacon' is for ordago run"):
        hosted_settings(friday(terms='beacon = { source = "drand quicknet", round = 7 }'))


def test_an_army_of_the_house_is_refused() -> None:
    army = "".join(f'[[entrant]]\nname = "h{number}"\nhouse = "random"\n' for number in range(16))
    with pytest.raises(EventRefusedError, match="house bots would have 17 processes at once, and a server allows 16"):
        hosted_settings(WELL + army)


def test_a_long_file_is_refused_before_it_is_read() -> None:
    began = time.monotonic()
    with pytest.raises(EventRefusedError, match="has 100,000,000 bytes, and at most 65,536 are accepted"):
        hosted_settings("é" * 50_000_000)
    assert time.monotonic() - began < 5
    assert hosted_settings(WELL + "#" * (LONGEST_FILE_BYTES - len(WELL.encode())))
