"""Receipts contradict whoever publishes another ledger than he told of; those of one entrant are enough."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from support.ledgers import beginning

from ordago import v1
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import (
    BeaconEntry,
    BeaconRound,
    BeginEntry,
    CheckedIn,
    CheckInEntry,
    EndEntry,
    Entry,
    Ledger,
    ResultEntry,
    VoidEntry,
    read_ledger,
)
from ordago.record.ledgers.receipts import ReceiptError, is_ahead, parse_receipts, verify_receipts
from ordago_bot.receipts import Receipts

ANA, BEN = "ana", "ben"


def digest_of(match: str, played: int = 0) -> str:
    return f"{match[1]}{played}" * 32


class Bot:
    """A bot that keeps receipts, as the SDK makes them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nonce = name.encode() * 8
        self.kept: list[Mapping[str, object]] = []
        self.receipts = Receipts(self.kept.append)

    def findings(self, ledger: Ledger) -> list[str]:
        text = "".join(f"{json.dumps(receipt)}\n" for receipt in self.kept)
        return list(verify_receipts(ledger, parse_receipts(text)))


class Organiser:
    """Whoever keeps the ledger of an event with two bots, and tells them of it."""

    def __init__(
        self, bots: Sequence[Bot], *, secret: bytes = b"s" * 32, event: str = "cup", beacon: BeaconRound | None = None
    ) -> None:
        self.secret = secret
        self.bots = bots
        self.begin = beginning(secret=secret, entrants=[bot.name for bot in bots], event=event, beacon=beacon)
        brought = [CheckedIn(name=bot.name, nonce=bot.nonce.hex(), version="", build="") for bot in bots]
        self.entries: list[Entry] = [self.begin, CheckInEntry(entrants=tuple(brought))]
        self.starts: dict[str, list[v1.MatchStart]] = {}
        if beacon is None:
            self.describe()

    @property
    def ledger(self) -> Ledger:
        return read_ledger(chained(self.entries))

    def describe(self, value: bytes = b"") -> None:
        begin = self.begin
        digests = {name: bytes.fromhex(getattr(begin, name)) for name in ("commitment", "secret_digest")}
        described = v1.DescribeEventResponse(
            event=begin.event, settings_digest=bytes(32), entrants=begin.entrants, **digests
        )
        if begin.beacon is not None:
            described.beacon.MergeFrom(v1.Beacon(source=begin.beacon.source, round=begin.beacon.round, value=value))
        for bot in self.bots:
            bot.receipts.describe(described, nonce=bot.nonce)

    def start(self, match: str) -> None:
        length, head = self.ledger.head
        players = [v1.Player(name=bot.name) for bot in self.bots]
        heads = {"ledger_length": length, "ledger_head": head}
        self.starts[match] = [v1.MatchStart(match_id=match, seat=seat, players=players, **heads) for seat in (0, 1)]
        for bot, start in zip(self.bots, self.starts[match], strict=True):
            bot.receipts.begin(start)

    def tell_end(self, match: str, digest: str = "") -> None:
        length, head = self.ledger.head
        end = v1.MatchEnd(record_digest=bytes.fromhex(digest), ledger_length=length, ledger_head=head)
        for bot, start in zip(self.bots, self.starts[match], strict=True):
            bot.receipts.end(start, end)

    def play(self, match: str, *, attempt: int = 0, played: int = 0) -> None:
        self.start(match)
        digest = digest_of(match, played)
        self.entries.append(ResultEntry(match_id=match, attempt=attempt, record_digest=digest))
        self.tell_end(match, digest)

    def lose(self, match: str) -> None:
        """Declare a match void."""
        self.start(match)
        self.entries.append(VoidEntry(match_id=match, attempt=0, reason="the server failed"))
        self.tell_end(match)

    def end(self) -> Ledger:
        self.entries.append(EndEntry(secret=self.secret.hex()))
        return self.ledger


@pytest.fixture
def ana() -> Bot:
    return Bot(ANA)


@pytest.fixture
def played(ana: Bot) -> Organiser:
    """An event that was played to its end but for the last entry: its second match was void once."""
    organiser = Organiser([ana, Bot(BEN)])
    organiser.play("m0")
    organiser.lose("m1")
    organiser.play("m1", attempt=1)
    organiser.play("m2")
    organiser.play("m3")
    return organiser


def test_an_honest_organiser_is_not_contradicted(played: Organiser, ana: Bot) -> None:
    """Neither while the event goes on, with a match that is not over, nor afterwards; nor after a restart."""
    played.start("m4")
    assert ana.findings(played.ledger) == []
    played.describe()
    played.play("m4")
    assert ana.findings(played.end()) == []
    kinds = [receipt["kind"] for receipt in ana.kept]
    assert kinds == ["event", *["match_start", "match_end"] * 5, "match_start", "event", "match_start", "match_end"]


def drop(entries: list[Entry]) -> None:
    entries[:] = [entry for entry in entries if not (isinstance(entry, ResultEntry) and entry.match_id == "m2")]


def replace_record(entries: list[Entry]) -> None:
    """Put another record in the place of one, and chain all that follows anew."""
    place = entries.index(ResultEntry(match_id="m2", attempt=0, record_digest=digest_of("m2")))
    entries[place] = ResultEntry(match_id="m2", attempt=0, record_digest="ff" * 32)


def play_again(entries: list[Entry]) -> None:
    """Declare a match void afterwards, and publish what came of it the second time."""
    place = entries.index(ResultEntry(match_id="m2", attempt=0, record_digest=digest_of("m2")))
    entries[place] = VoidEntry(match_id="m2", attempt=0, reason="the server failed")
    entries.append(ResultEntry(match_id="m2", attempt=1, record_digest="ff" * 32))


def hide_void(entries: list[Entry]) -> None:
    entries[:] = [entry for entry in entries if not isinstance(entry, VoidEntry)]


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (
            drop,
            ["Line 6 of the ledger, or one before it", "Match m2 was begun, by a receipt, and", "Match m2 had its re"],
        ),
        (replace_record, ["Line 6 of the ledger, or one before it", "Match m2 has another record than it had"]),
        (play_again, ["Line 6 of the ledger, or one before it", "Match m2 has another record than it had"]),
        (hide_void, ["Line 4 of the ledger, or one before it", "Match m1 was void, by a receipt, and the ledger"]),
    ],
)
def test_a_ledger_that_was_rewritten_is_contradicted(
    played: Organiser, ana: Bot, forge: Callable[[list[Entry]], None], told: Sequence[str]
) -> None:
    """Though it is whole in itself: all lines after the forgery follow from it."""
    played.entries.append(EndEntry(secret=played.secret.hex()))
    forge(played.entries)
    findings = ana.findings(played.ledger)
    assert all(any(finding.startswith(start) for finding in findings) for start in told), findings


def test_receipts_ahead_of_a_ledger_that_goes_on_contradict_nothing_yet(played: Organiser, ana: Bot) -> None:
    """The published ledger lags behind the one that bots were sent, and has to catch up by the end of the event."""
    del played.entries[-2:]
    assert ana.findings(played.ledger) == []
    receipts = parse_receipts("".join(f"{json.dumps(receipt)}\n" for receipt in ana.kept))
    assert sum(is_ahead(receipt, played.ledger) for receipt in receipts) == 3
    found = "\n".join(ana.findings(played.end()))
    assert "The ledger ends after 6 lines; there were 7 by a receipt of match m3." in found
    assert "Line 6 of the ledger, or one before it, is not what it was" in found
    assert "Match m3 was begun, by a receipt, and the ledger has no result of it." in found


def test_a_match_that_is_played_again_after_its_result_is_noticed_at_once(played: Organiser, ana: Bot) -> None:
    """Its second start already knows a ledger that has the result."""
    played.start("m2")
    assert ana.findings(played.ledger) == ["Match m2 was begun once more, by a receipt, when it had its result."]


def test_an_event_that_was_run_twice_is_contradicted_whichever_run_is_published(ana: Bot) -> None:
    runs = []
    for secret in (b"1" * 32, b"2" * 32):
        runs.append(Organiser([ana, Bot(BEN)], secret=secret))
        runs[-1].play("m0")
    first, second = runs
    for organiser, other in ((first, second), (second, first)):
        assert ana.findings(organiser.end()) == [
            f"By the receipts the event was run under another commitment, too: {other.begin.commitment}."
        ]


def test_a_second_run_with_the_same_secret_and_the_same_nonces_is_contradicted(ana: Bot) -> None:
    """The same deals, played until they end as somebody likes."""
    first, second = Organiser([ana, Bot(BEN)]), Organiser([ana, Bot(BEN)])
    first.play("m0")
    second.play("m0", played=1)
    for organiser in (first, second):
        found = ana.findings(organiser.end())
        assert found[0].startswith("Line 3 of the ledger, or one before it, is not what it was by a receipt")
        assert found[1].startswith("Match m0 has another record than it had by a receipt")


def test_who_shows_each_entrant_a_ledger_of_his_own_is_contradicted_by_one_of_them() -> None:
    """Both play the same match; one is told that it ended otherwise."""
    ana, ben = Bot(ANA), Bot(BEN)
    shown = [Organiser([bot, Bot("cleo")]) for bot in (ana, ben)]
    for organiser in shown:
        organiser.begin = shown[0].begin
        organiser.entries = list(shown[0].entries)
    ben.kept.clear()
    shown[1].describe()
    for number, organiser in enumerate(shown):
        organiser.play("m0", played=number)
        organiser.play("m1")
    ledger = shown[0].end()
    assert ana.findings(ledger) == []
    assert ben.findings(ledger)[0].startswith("Line 3 of the ledger, or one before it, is not what it was by a receipt")


def test_other_settings_than_those_that_were_told_are_contradicted(played: Organiser, ana: Bot) -> None:
    """Even where the commitment is claimed to be the same."""
    begin = played.entries[0]
    assert isinstance(begin, BeginEntry)
    played.entries[0] = begin.model_copy(update={"settings_digest": "1" * 64})
    assert "The secret, the settings or the entrants are not those that a receipt knows." in ana.findings(played.ledger)


def test_a_nonce_that_was_never_sent_is_contradicted(ana: Bot) -> None:
    """With a nonce of his own choice in the place of an entrant's, an organiser who knows the secret chooses deals."""
    organiser = Organiser([ana, Bot(BEN)])
    check_in = organiser.entries[1]
    assert isinstance(check_in, CheckInEntry)
    theirs = check_in.entrants[0].model_copy(update={"nonce": "00" * 16})
    organiser.entries[1] = CheckInEntry(entrants=(theirs, check_in.entrants[1]))
    organiser.play("m0")
    assert ana.findings(organiser.ledger) == ["The nonce of 'ana' is none of those that the receipts say were sent."]


def test_another_value_of_the_beacon_than_was_told_is_contradicted(ana: Bot) -> None:
    beacon = BeaconRound(source="drand quicknet", round=7)
    organiser = Organiser([ana, Bot(BEN)], beacon=beacon)
    organiser.describe()
    organiser.entries.append(BeaconEntry(**beacon.model_dump(), value="b1" * 32))
    organiser.describe(b"\xb1" * 32)
    organiser.play("m0")
    assert ana.findings(organiser.ledger) == []
    organiser.entries[2] = BeaconEntry(**beacon.model_dump(), value="b2" * 32)
    first, second, *_ = ana.findings(organiser.ledger)
    assert first == f"The value of the beacon was {'b1' * 32} by a receipt, and is not in the ledger."
    assert second.startswith("Line 3 of the ledger")


def test_receipts_of_other_events_mean_nothing_but_there_have_to_be_some(played: Organiser, ana: Bot) -> None:
    other = Organiser([ana, Bot(BEN)], event="league")
    other.play("m0", played=3)
    assert ana.findings(played.ledger) == []
    assert Bot(BEN).findings(played.ledger) == ["No receipt is of the event 'cup'."]
    assert ana.findings(read_ledger([])) == ["The ledger does not begin with the beginning of an event."]


@pytest.mark.parametrize("line", ["", "{}", '{"kind": "event"}', "[" * 100_000, "\x00", "1e9"])
@pytest.mark.usefixtures("played")
def test_what_is_no_receipt_is_named(ana: Bot, line: str) -> None:
    whole = json.dumps(ana.kept[0])
    with pytest.raises(ReceiptError, match=r"^Line 2 is no receipt\.$"):
        parse_receipts(f"{whole}\n{line}\n")


@pytest.mark.usefixtures("played")
def test_only_a_line_end_ends_a_receipt(ana: Bot) -> None:
    """A client in another language may write texts as they are, and JSON allows these signs in them."""
    told = {**ana.kept[1], "match_id": "m\N{LINE SEPARATOR}0\N{NEXT LINE}"}
    assert len(parse_receipts(json.dumps(told, ensure_ascii=False) + "\r\n")) == 1


@pytest.mark.usefixtures("played")
def test_receipts_may_say_more_than_we_know(ana: Bot) -> None:
    """Those of a newer client."""
    told: dict[str, Any] = {**ana.kept[1], "more": {"of": "it"}}
    assert parse_receipts(json.dumps(told)) == parse_receipts(json.dumps(ana.kept[1]))
