"""The ledger of an event: what was entered cannot be changed unnoticed, and it fits together."""

import hashlib
import json
from collections.abc import Callable, Sequence

import pytest
from support.ledgers import beginning

from ordago.record.head import NO_LINES, Head
from ordago.record.ledgers.chain import LedgerError, chained, ledger_text
from ordago.record.ledgers.event import (
    BeaconEntry,
    BeaconRound,
    CheckedIn,
    CheckInEntry,
    EndEntry,
    Entry,
    ResultEntry,
    SuspensionEntry,
    VoidEntry,
    parse_ledger,
    read_ledger,
)
from ordago.record.ledgers.event_order import order_problems

SECRET = bytes(range(32))
BEACON = BeaconRound(source="drand quicknet", round=7)
BEGIN = beginning(secret=SECRET, entrants=("ana", "ben"), event="cup")
CHECK_IN = CheckInEntry(
    entrants=tuple(CheckedIn(name=name, nonce="a1" * 16, version="1", build="") for name in BEGIN.entrants)
)
VALUE = BeaconEntry(source=BEACON.source, round=BEACON.round, value="b0" * 32)
VOID = VoidEntry(match_id="m1", attempt=0, reason="the server failed")
RESULTS = [
    ResultEntry(match_id=match, attempt=attempt, record_digest=f"{attempt}{match[1]}" * 32)
    for match, attempt in (("m0", 0), ("m1", 1))
]
SUSPENSION = SuspensionEntry(entrant="ben", fault="crashed", sentence="suspended after 1 forfeited matches")
END = EndEntry(secret=SECRET.hex())
ENTRIES: Sequence[Entry] = (BEGIN, CHECK_IN, VOID, RESULTS[0], SUSPENSION, RESULTS[1], END)
LINES = chained(ENTRIES)


def sentences(*entries: Entry) -> list[str]:
    """Return what is wrong with some entries, each with the number of its entry."""
    return [f"{problem.entry}: {problem.sentence}" for problem in order_problems(read_ledger(chained(entries)))]


def test_a_ledger_is_read_as_it_was_written() -> None:
    ledger = parse_ledger(ledger_text(LINES))
    assert ledger == read_ledger(LINES)
    assert ledger.entries == tuple(ENTRIES)
    assert (ledger.begin, ledger.end, ledger.checked_in) == (BEGIN, END, CHECK_IN.entrants)
    assert (ledger.results, ledger.voids, ledger.suspensions) == (tuple(RESULTS), (VOID,), (SUSPENSION,))
    assert ledger.beacon is None
    assert list(order_problems(ledger)) == []


def test_each_line_names_the_digest_of_the_one_before() -> None:
    """As anybody finds it with sha256sum."""
    before = "0" * 64
    for index, line in enumerate(LINES):
        content = json.loads(line)
        assert (content["index"], content["before"]) == (index, before)
        before = hashlib.sha256(line.encode()).hexdigest()
    assert read_ledger(LINES).head == Head(len(LINES), bytes.fromhex(before))


def test_lines_go_on_from_a_head() -> None:
    begun = chained(ENTRIES[:3])
    assert begun + chained(ENTRIES[3:], read_ledger(begun).head) == LINES
    assert read_ledger(LINES).head_at(3) == read_ledger(begun).head
    assert read_ledger([]).head == NO_LINES
    with pytest.raises(IndexError):
        read_ledger(LINES).head_at(len(LINES) + 1)


def dropped(lines: list[str]) -> None:
    del lines[3]


def changed(lines: list[str]) -> None:
    lines[3] = lines[3].replace('"attempt":0', '"attempt":1')


def put_in(lines: list[str]) -> None:
    lines.insert(3, lines[2])


def exchanged(lines: list[str]) -> None:
    lines[2], lines[3] = lines[3], lines[2]


def spaced(lines: list[str]) -> None:
    lines[3] = lines[3].replace(",", ", ")


def said_twice(lines: list[str]) -> None:
    lines[3] = lines[3].replace('"index":3', '"index":3,"index":3')


def numbered_otherwise(lines: list[str]) -> None:
    lines[3] = lines[3].replace('"index":3', '"index":3.0')


def numbered_by_truth(lines: list[str]) -> None:
    lines[0] = lines[0].replace('"index":0', '"index":false')


def without_what_is_null(lines: list[str]) -> None:
    lines[0] = lines[0].replace('"beacon":null,', "")


def with_more(lines: list[str]) -> None:
    """An entry of a kind that there is, with a field that no entry has."""
    content = json.loads(lines[-1]) | {"more": 1}
    lines[-1] = json.dumps(content, sort_keys=True, separators=(",", ":"))


def of_no_kind(lines: list[str]) -> None:
    lines[-1] = lines[-1].replace('"kind":"end"', '"kind":"kind"')


def nested(lines: list[str]) -> None:
    lines[3] = "[" * 1_000_000


def garbled(lines: list[str]) -> None:
    lines[3] = "\N{SNOWMAN}\x1b"


@pytest.mark.parametrize(
    ("forge", "line"),
    [
        (dropped, 4),
        (changed, 5),
        (put_in, 4),
        (exchanged, 3),
        (spaced, 4),
        (said_twice, 4),
        (numbered_otherwise, 4),
        (numbered_by_truth, 1),
        (without_what_is_null, 1),
        (with_more, 7),
        (of_no_kind, 7),
        (nested, 4),
        (garbled, 4),
    ],
)
def test_what_was_entered_cannot_be_changed_unnoticed(forge: Callable[[list[str]], None], line: int) -> None:
    """Whoever changes a line has to write all that follow anew, and then the head is another one."""
    lines = list(LINES)
    forge(lines)
    with pytest.raises(LedgerError, match=rf"^Line {line} of the ledger [a-zJSON ,.]+\.$"):
        read_ledger(lines)


def test_a_last_line_that_is_not_whole_is_noticed() -> None:
    with pytest.raises(LedgerError, match="incomplete"):
        parse_ledger(ledger_text(LINES)[:-1])


def test_a_beacon_comes_after_the_nonces_and_before_the_results() -> None:
    begin = BEGIN.model_copy(update={"beacon": BEACON})
    assert sentences(begin, CHECK_IN, VALUE, RESULTS[0]) == []
    assert sentences(begin, VALUE, CHECK_IN) == [
        "1: The nonces have to be fixed before this entry, and ana, ben did not check in.",
        "2: An entrant checked in after the nonces were fixed.",
    ]
    assert sentences(begin, CHECK_IN, RESULTS[0], VALUE) == [
        "2: A match ended before the value of the beacon was known.",
        "3: The value of the beacon came after it was fixed, or after deals depended on it.",
    ]
    other = VALUE.model_copy(update={"round": 8})
    for first in (begin, BEGIN):
        assert sentences(first, CHECK_IN, other) == ["2: The event did not name this beacon and round when it began."]


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([], "0: The ledger does not begin with the beginning of an event."),
        ([CHECK_IN], "0: The ledger does not begin with the beginning of an event."),
        ([BEGIN, BEGIN], "1: The event begins a second time."),
        ([BEGIN.model_copy(update={"entrants": ("a", "a")})], "0: An entrant is named twice."),
        (
            [BEGIN.model_copy(update={"settings_digest": "1" * 64})],
            "0: The commitment does not match its digests of secret and settings.",
        ),
        ([BEGIN, CHECK_IN, END, END], "3: The event was over before this entry."),
        (
            [BEGIN, CHECK_IN, EndEntry(secret="00" * 32)],
            "2: The secret is not the one that was committed to.",
        ),
        (
            [BEGIN, RESULTS[0]],
            "1: The nonces have to be fixed before this entry, and ana, ben did not check in.",
        ),
        ([BEGIN, CHECK_IN, RESULTS[0], RESULTS[0]], "3: Match m0 has a second result."),
        (
            [BEGIN, CHECK_IN, RESULTS[1]],
            "2: Match m1 has a result of attempt 1, and 0 of its attempts were void before.",
        ),
        (
            [BEGIN, CHECK_IN, VOID, VOID],
            "3: Attempt 0 at match m1 is void, and 1 of its attempts were void before.",
        ),
        ([BEGIN, CHECK_IN, VOID, RESULTS[1], VOID.model_copy(update={"attempt": 1})], "4: Match m1 is void though it"),
        ([BEGIN, CHECK_IN, SUSPENSION], "2: A suspension does not directly follow the result that causes it."),
        ([BEGIN, CHECK_IN, RESULTS[0], SUSPENSION, SUSPENSION], "4: Entrant 'ben' is suspended twice."),
        (
            [BEGIN, CHECK_IN, RESULTS[0], SUSPENSION.model_copy(update={"entrant": "zoe"})],
            "3: There is no entrant 'zoe' in this event.",
        ),
    ],
)
def test_entries_that_do_not_fit_together_are_found(entries: Sequence[Entry], found: str) -> None:
    [sentence] = sentences(*entries)
    assert sentence.startswith(found)


def test_who_checks_in_is_an_entrant_and_does_so_once() -> None:
    zoe = CheckedIn(name="zoe", nonce="", version="", build="")
    assert sentences(BEGIN, CHECK_IN, CheckInEntry(entrants=(zoe, CHECK_IN.entrants[0]))) == [
        "2: There is no entrant 'zoe' in this event.",
        "2: Entrant 'ana' checked in twice.",
    ]
