"""The ledger of an epoch: what was entered cannot be changed unnoticed, and it fits together."""

import json
import re
from collections.abc import Callable

import pytest
from support.epochs import CHAIN, epoch_begin, player_entry, seating_entry

from ordago.chance import seed_text
from ordago.record.ledgers.chain import LedgerError, chained, ledger_text
from ordago.record.ledgers.ladder import (
    EpochEnd,
    LadderEntry,
    LadderResultEntry,
    LadderVoidEntry,
    PreviousLedger,
    SeatEntry,
    ladder_deal_seed,
    ladder_match_id,
    parse_epoch,
    read_epoch,
)
from ordago.record.ledgers.ladder_order import epoch_problems

BEGIN = epoch_begin(1)
PLAYERS = [player_entry(1, "ana"), player_entry(2, "ben"), player_entry(3, "solid", account="")]
SEATINGS = [seating_entry(0, 1, 2), seating_entry(1, 2, 3)]
RESULT = LadderResultEntry(match_id=SEATINGS[0].match_id, record_digest="ab" * 32, ended=1_060)
VOID = LadderVoidEntry(match_id=SEATINGS[1].match_id, reason="the server failed")
END = EpochEnd(link=CHAIN.link(1).hex())
ENTRIES: list[LadderEntry] = [BEGIN, *PLAYERS, *SEATINGS, RESULT, VOID, END]


def sentences(entries: list[LadderEntry]) -> list[str]:
    """Return what is wrong with some entries, each with the number of its entry."""
    return [f"{problem.entry}: {problem.sentence}" for problem in epoch_problems(read_epoch(chained(entries)))]


def test_a_ledger_is_read_as_it_was_written() -> None:
    ledger = parse_epoch(ledger_text(chained(ENTRIES)))
    assert ledger.entries == tuple(ENTRIES)
    assert (ledger.begin, ledger.end, ledger.secret) == (BEGIN, END, CHAIN.secret(1))
    assert ledger.players == {player.player: player for player in PLAYERS}
    assert list(ledger.seatings.values()) == SEATINGS
    assert (ledger.results, ledger.voids) == ((RESULT,), (VOID,))
    assert list(epoch_problems(ledger)) == []


def test_an_epoch_that_goes_on_is_well_and_tells_no_secret() -> None:
    ledger = read_epoch(chained(ENTRIES[:6]))
    assert list(epoch_problems(ledger)) == []
    assert (ledger.end, ledger.secret) == (None, None)
    for epoch in (1, 2):
        for told in (CHAIN.link(epoch), CHAIN.secret(epoch)):
            assert told.hex() not in ledger_text(chained(ENTRIES[:-1]))


@pytest.mark.parametrize(
    "forge",
    [
        lambda lines: lines.pop(4),
        lambda lines: lines.insert(5, lines[4]),
        lambda lines: lines.__setitem__(5, lines[5].replace('"number":1', '"number":2')),
        lambda lines: lines.__setitem__(0, lines[0].replace('"epoch":1', '"epoch":1.0')),
        lambda lines: lines.__setitem__(0, lines[0].replace('"epoch":1', '"epoch":1000000000000')),
        lambda lines: lines.__setitem__(1, lines[1].replace('"house":false', '"house":0')),
        lambda lines: lines.__setitem__(4, lines[4].replace("01" * 16, "01" * 15)),
        lambda lines: lines.__setitem__(4, lines[4].replace("01" * 16, "01" * 65)),
        lambda lines: lines.__setitem__(-1, lines[-1].replace('"kind":"end"', '"kind":"void"')),
    ],
)
def test_a_line_that_was_changed_is_found(forge: Callable[[list[str]], object]) -> None:
    lines = chained(ENTRIES)
    forge(lines)
    with pytest.raises(LedgerError, match=r"^Line [0-9]+ of the ledger"):
        read_epoch(lines)


def test_a_line_in_the_form_of_an_event_is_none_of_an_epoch() -> None:
    line = json.dumps(json.loads(chained([END])[0]) | {"secret": "ab" * 32}, sort_keys=True, separators=(",", ":"))
    with pytest.raises(LedgerError):
        read_epoch([line])


OTHER_LINK = EpochEnd(link=CHAIN.link(2).hex())
WRONG: dict[str, tuple[Callable[[list[LadderEntry]], list[LadderEntry]], str]] = {
    "no beginning": (lambda entries: entries[1:], "0: The ledger does not begin"),
    "two beginnings": (lambda entries: [BEGIN, *entries], "1: The epoch begins a second time"),
    "a first epoch after another": (
        lambda entries: [
            BEGIN.model_copy(update={"previous": PreviousLedger(length=1, head="0" * 64)}),
            *entries[1:],
        ],
        "0: The first epoch names no head",
    ),
    "a later epoch after none": (
        lambda entries: [BEGIN.model_copy(update={"epoch": 2}), *entries[1:]],
        "0: The first epoch names no head",
    ),
    "a player twice": (lambda entries: [*entries[:2], *entries[1:]], "2: Player 1 is entered twice"),
    "a player under two numbers": (
        lambda entries: [*entries[:2], player_entry(9, "ana"), *entries[2:]],
        "2: Version '1' of 'ana' has two numbers",
    ),
    "a house bot of an account": (
        lambda entries: [BEGIN, PLAYERS[0].model_copy(update={"house": True}), *entries[2:]],
        "1: Player 1 is a house bot and has an account",
    ),
    "a gap in the numbers": (
        lambda entries: [*entries[:4], *entries[5:]],
        "4: Match 1 is seated in place of match 0",
    ),
    "a number twice": (
        lambda entries: [*entries[:5], *entries[4:]],
        "5: Match 0 is seated in place of match 1",
    ),
    "somebody who never came": (
        lambda entries: [*entries[:2], *entries[3:]],
        "3: Players 2 are seated before they are entered",
    ),
    "somebody twice at a table": (
        lambda entries: [*entries[:4], seating_entry(0, 1, 1), *entries[5:]],
        "4: A player sits twice at the table of match 0",
    ),
    "two versions of a bot at a table": (
        lambda entries: [BEGIN, PLAYERS[0], player_entry(2, "ana", version="2", account="x"), *entries[3:]],
        "4: A player sits twice at the table of match 0",
    ),
    "two bots of an account at a table": (
        lambda entries: [BEGIN, PLAYERS[0], player_entry(2, "ben", account="ana"), *entries[3:]],
        "4: Two bots of one account sit at the table of match 0",
    ),
    "a result of no match": (
        lambda entries: [*entries[:4], RESULT, *entries[5:]],
        f"4: Match {RESULT.match_id} was never seated",
    ),
    "two results": (lambda entries: [*entries[:7], *entries[6:]], f"7: Match {RESULT.match_id} was over before"),
    "void after its result": (
        lambda entries: [*entries[:7], LadderVoidEntry(match_id=RESULT.match_id, reason="bad luck"), *entries[7:]],
        f"7: Match {RESULT.match_id} was over before: a result",
    ),
    "a result after it was void": (
        lambda entries: [*entries[:8], RESULT.model_copy(update={"match_id": VOID.match_id}), END],
        f"8: Match {VOID.match_id} was over before: void",
    ),
    "a clock that runs back": (
        lambda entries: [*entries[:6], RESULT.model_copy(update={"ended": 999}), *entries[7:]],
        "6: Match .* ended before an event that the ledger has earlier",
    ),
    "a match dropped": (
        lambda entries: [*entries[:6], *entries[7:]],
        f"7: Match 0, {RESULT.match_id}, has neither a result nor is it void",
    ),
    "the link of the next epoch": (lambda entries: [*entries[:-1], OTHER_LINK], "8: The link does not lead back"),
    "another chain": (
        lambda entries: [*entries[:-1], EpochEnd(link="0" * 64)],
        "8: The secret is not the one that was committed to",
    ),
    "the name of another match": (
        lambda entries: [*entries[:5], SEATINGS[1].model_copy(update={"match_id": "ab" * 16}), RESULT, END],
        f"7: The name of match 1, {'ab' * 16}, is not that of its number",
    ),
    "something after the end": (lambda entries: [*entries, PLAYERS[0]], "9: The epoch was over before this entry"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_found(name: str) -> None:
    forge, sentence = WRONG[name]
    assert any(re.match(sentence, found) for found in sentences(forge([*ENTRIES]))), sentences(forge([*ENTRIES]))


def test_the_deals_of_a_match_come_from_its_number_its_epoch_and_its_table() -> None:
    secret = CHAIN.secret(1)
    assert ladder_match_id(0, secret=secret) != ladder_match_id(1, secret=secret)
    assert ladder_match_id(0, secret=secret) != ladder_match_id(0, secret=CHAIN.secret(2))
    nonces = {"ana": bytes([1]) * 16, "ben": bytes([2]) * 16}
    wanted = seed_text(game="mitaines", event="demo/1", nonces=nonces, repetition=0, attempt=0)
    assert ladder_deal_seed(BEGIN, SEATINGS[0], ["ana", "ben"]) == wanted
    again = SEATINGS[0].model_copy(update={"number": 1})
    other = SEATINGS[0].model_copy(
        update={"seats": (SEATINGS[0].seats[0], SeatEntry(player=2, nonce="03" * 16))},
    )
    cases = [(BEGIN, SEATINGS[0]), (BEGIN, again), (BEGIN, other), (epoch_begin(2), SEATINGS[0])]
    assert len({ladder_deal_seed(begin, seating, ["ana", "ben"]) for begin, seating in cases}) == 4
