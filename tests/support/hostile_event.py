"""A published event whose author wrote markup wherever the event file takes a text."""

import json
from collections.abc import Mapping
from functools import cache

from support.times import times_of

from ordago.chance import commitment
from ordago.record import FaultCount, Result
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import CheckedIn, CheckInEntry, EndEntry, VoidEntry, read_ledger
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.publication.publish import published_files, published_ladder
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

HOSTILE = "</script></title><img src=x onerror='window.owned=1'>\"&{{7*7}}"
UNSEEN = "\u202e\u0000\u2066"
"""Characters that reverse a line, or end a text."""
LONG = "W" * 64
NAMES = ("a", "b b", "Ünïcödé", "日本語", LONG, "x.html")
SECRET = bytes(range(32))


def hostile_settings() -> Settings:
    """Return an event of two games and six entrants, with hostile texts and the longest names."""
    text = f'[event]\nname = "hostile"\ntitle = {json.dumps(HOSTILE + UNSEEN)}\n[[game]]\nname = "mittlere"\nsets = 6\n'
    text += 'duplicates = true\n[[game]]\nname = "mus"\nsets = 6\n'
    for place, name in enumerate(NAMES):
        text += f'[[entrant]]\nname = {json.dumps(name)}\ncommand = "./x"\nversion = {json.dumps(HOSTILE + UNSEEN)}\n'
        text += f"author = {json.dumps(HOSTILE)}\nlanguage = {json.dumps(HOSTILE if place % 3 == 0 else 'Rust')}\n"
    return parse_event(text)


@cache
def hostile_files() -> Mapping[str, bytes]:
    """Return all that is published of the event but records."""
    settings = hostile_settings()
    results = [_played(planned) for planned in plan(settings).matches]
    ledger = read_ledger(
        chained(
            [
                begin_entry(settings, secret=SECRET),
                CheckInEntry(entrants=tuple(_came(name) for name in NAMES)),
                VoidEntry(match_id=results[0].match.match_id, attempt=0, reason=HOSTILE + UNSEEN),
                EndEntry(secret=SECRET.hex()),
            ]
        )
    )
    assert commitment(SECRET).hex() == begin_entry(settings, secret=SECRET).secret_digest
    times = {one.match.match_id: times_of(len(one.planned.entrants)) for one in results}
    return published_files("", published_ladder(settings, results, ledger), ledger, times)


def _came(name: str) -> CheckedIn:
    return CheckedIn(name=name, nonce="00" * 16, version=HOSTILE + UNSEEN, build="")


def _played(planned: PlannedMatch) -> MatchResult:
    strengths = {name: (7 * NAMES.index(name) + 3 * planned.row) % 11 for name in planned.entrants}
    scores = tuple(strengths[name] for name in planned.entrants)
    placings = tuple(1 + len({other for other in scores if other > score}) for score in scores)
    none = ((),) * len(scores)
    faults = ((FaultCount("illegal", 1),), *none[1:])
    strikes = (((HOSTILE, 2),), *none[1:])
    result = Result(scores=scores, placings=placings, faults=faults, forfeits=(), strikes=strikes)
    return MatchResult(IssuedMatch(planned, f"{planned.row:032x}"), result)
