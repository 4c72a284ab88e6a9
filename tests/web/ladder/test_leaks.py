"""Nothing that a site tells of an open epoch says how its cards fell: neither its secrets nor its records are there.

An attacker looks at each page, follows each link, and asks each call of the interface about each match.
"""

import base64
import http.client
import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.ladders import EPOCHS, LAST_LINK

from ordago.record.epochs import LinkChain

CORPUS = Path(__file__).parents[2] / "corpus"
CHAIN = LinkChain(LAST_LINK, EPOCHS)
OPEN_EPOCH = 2
"""The lively ladder is in its second epoch; the first one is revealed."""
OF_A_MATCH = (
    "/matches/{0}/embed",
    *("/matches/{0}", "/matches/{0}/watch", "/matches/{0}/live", "/matches/{0}/record", "/matches/{0}/analysis"),
    *("/api/v1/matches/{0}", "/api/v1/matches/{0}/record"),
)
_MOST_PAGES = 2000


def ask(site, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def addresses_in(body: bytes) -> Iterator[str]:
    text = unescape(body.decode(errors="replace"))
    yield from (
        place.partition("#")[0] for place in re.findall(r'(?:href|src|data-analysis|data-tables)="(/[^"]*)"', text)
    )
    for match_id in re.findall(r"\b[0-9a-f]{32}\b", text):
        yield from (place.format(match_id) for place in OF_A_MATCH)


@pytest.fixture(scope="module")
def everything(site) -> dict[str, tuple[int, bytes]]:
    """All that can be asked for, found as an attacker finds it."""
    calls = ("ladder", "standings", "epochs", "seasons", "matches", "matches?running=true", "bots/Anna/figures")
    left = deque(["/", *(f"/api/v1/{call}" for call in calls)])
    found: dict[str, tuple[int, bytes]] = {}
    while left and len(found) < _MOST_PAGES:
        path = left.popleft()
        if path in found or path.startswith(("/assets/", "/docs")):
            continue
        found[path] = ask(site, path)
        left += addresses_in(found[path][1])
    return found


def written(secret: bytes) -> tuple[bytes, ...]:
    """Return the ways in which bytes can be told, but for the last ones of their texts."""
    plain, safe = base64.b64encode(secret), base64.urlsafe_b64encode(secret)
    return secret, secret.hex().encode(), secret.hex().upper().encode(), plain[:-2], safe[:-2]


def tells(everything: dict[str, tuple[int, bytes]], secret: bytes) -> list[str]:
    return [path for path, (_, body) in everything.items() if any(way in body for way in written(secret))]


@pytest.mark.slow
@pytest.mark.parametrize("epoch", range(OPEN_EPOCH, EPOCHS + 1))
def test_no_response_holds_the_secret_of_an_epoch_that_is_not_revealed(everything, epoch: int):
    assert len(everything) > 300
    assert b'"scene":' in everything["/live/tables.json"][1]
    assert tells(everything, CHAIN.link(epoch)) == []
    assert tells(everything, CHAIN.secret(epoch)) == []


@pytest.mark.slow
def test_a_secret_that_is_told_is_found(everything):
    """The search can fail."""
    assert tells(everything, CHAIN.link(OPEN_EPOCH - 1)) != []


@pytest.mark.slow
def test_records_are_told_of_a_revealed_epoch_and_not_of_an_open_one(site, everything):
    kept = [path.read_bytes()[:24] for path in CORPUS.glob("*.record")]
    for epoch, record, replays in ((OPEN_EPOCH - 1, 200, True), (OPEN_EPOCH, 409, False)):
        matches = of_epoch(site, epoch)
        assert len(matches) > 10
        told = [everything[place.format(match)] for match in matches for place in OF_A_MATCH]
        assert {everything[f"/api/v1/matches/{match}/record"][0] for match in matches} == {record}
        # A replay of what spectators saw is there at once, but of a void match; hands, and the record, are not.
        assert sum(b'class="replaying"' in everything[f"/matches/{match}"][1] for match in matches) >= len(matches) - 1
        assert {b"data-look" in everything[f"/matches/{match}"][1] for match in matches} == {replays}
        assert any(way in body for _, body in told for one in kept for way in written(one)) is replays


def of_epoch(site, epoch: int) -> list[str]:
    """Return the matches of an epoch that are over."""
    text = ask(site, f"/api/v1/matches?epoch={epoch}&running=false&pageSize=500")[1].decode()
    return re.findall(r'"matchId": ?"([0-9a-f]{32})"', text)
