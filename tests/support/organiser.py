"""An organiser of a small event who plays it in memory, and publishes it honestly, or otherwise.

Four play Mitaines in pairs. One is refused now and then, one is late now and then, one crashes at every match, and is
suspended after its last. One attempt at a match is void. What is published is made by the code that publishes
events: an organiser who cheats would use it, too.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

from support.players import FakePlayer, Strategy, Thought, by_default, by_number, played_out

from ordago import v1
from ordago.match import Match
from ordago.record import FinishedRecord, digest, fault_named, read_record, result_of, to_file_bytes
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import (
    CheckedIn,
    CheckInEntry,
    EndEntry,
    Entry,
    RestorationEntry,
    ResultEntry,
    SuspensionEntry,
    VoidEntry,
    read_ledger,
)
from ordago.store import Entrant, IssuedMatch, MatchResult, PlannedMatch, played_match
from ordago.store.event.store import Store
from ordago_bot.receipts import Receipts
from ordago_ladder.event_file.file import parse_event, without_environment
from ordago_ladder.folder import match_page_name, record_name
from ordago_ladder.matches.terms import begin_entry, match_id_of, match_terms
from ordago_ladder.publication.publish import open_matches, published_files, published_ladder
from ordago_ladder.rating.think_times import think_times
from ordago_ladder.run.kept_event import description_of
from ordago_ladder.schedule.conduct import Suspension, Suspensions
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings
from ordago_ladder.showing.match_page import match_page

EVENT: Final = """
# A small event.
[event]
name = "small"
title = "A small event"
forfeit_after = 3
suspend_after = 6

[[game]]
name = "mitaines"
seats = 2
options = { target = 20 }

[[entrant]]
name = "ana"
command = "./ana"

[[entrant]]
name = "ben"
command = "./ben"
env = { KEY = "a secret of ben's" }

[[entrant]]
name = "cleo"
command = "./cleo"

[[entrant]]
name = "dan"
command = "./dan"
"""
SECRET: Final = bytes(range(32))


def careless(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
    """Be refused once at every third decision, and to the end at the fifth."""
    wrong = decision.number == 5 or (decision.number % 3 == 0 and not refusals)
    return v1.Answer() if wrong else by_number(decision)


def slow(decision: v1.Decision, _refusals: Sequence[v1.Refused]) -> Thought:
    """Say nothing at the second decision."""
    return None if decision.number == 2 else by_default(decision)


def fleeting(decision: v1.Decision, _refusals: Sequence[v1.Refused]) -> Thought:
    """Crash at the second decision."""
    return v1.FAULT_CRASHED if decision.number == 2 else by_default(decision)


PLAYS: Final[Mapping[str, Strategy]] = {"ana": by_number, "ben": careless, "cleo": slow, "dan": fleeting}


@dataclass
class Organiser:
    """All that there is of an event. Whoever changes some of it may have the rest made anew."""

    text: str = EVENT
    secret: bytes = SECRET
    plays: dict[str, Strategy] = field(default_factory=lambda: dict(PLAYS))
    entrants: dict[str, Entrant] = field(default_factory=dict)
    void: frozenset[int] = frozenset({3})
    """The rows of the schedule whose first attempts are void."""
    restored: frozenset[int] = frozenset()
    """The rows of the schedule before which the store comes from a backup."""
    records: dict[str, v1.MatchRecord] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        """The event file, read."""
        return parse_event(self.text)

    def play(self) -> "Organiser":
        """Play the whole event."""
        self.begin()
        suspensions = Suspensions(suspend_after=self.settings.event.suspend_after)
        for planned in plan(self.settings).matches:
            if planned.row in self.restored:
                value = f"{planned.row:032x}"
                self.entries.append(RestorationEntry(time="2027-01-31T18:00:00Z", value=value))
            if planned.row in self.void:
                self.entries.append(VoidEntry(match_id=self.id_of(planned), attempt=0, reason="the server failed"))
            if suspensions.names.isdisjoint(planned.entrants):
                self.commit(self.match(planned), planned, suspensions)
        self.entries.append(EndEntry(secret=self.secret.hex()))
        return self

    def begin(self) -> None:
        """Let everybody check in, before anything is played."""
        if not self.entrants:
            names = [entrant.name for entrant in self.settings.entrants]
            self.entrants = {name: Entrant(name, name.encode() * 8, "1.0", "a") for name in names}
        self.records, self.entries = {}, [*self.opening()]

    def opening(self) -> Iterable[Entry]:
        """Return what the ledger tells before the first match."""
        yield begin_entry(self.settings, secret=self.secret)
        brought = [
            CheckedIn(name=one.name, nonce=(one.nonce or b"").hex(), version=one.version, build=one.build)
            for one in self.entrants.values()
        ]
        yield CheckInEntry(entrants=tuple(brought))

    def commit(self, record: v1.MatchRecord, planned: PlannedMatch, suspensions: Suspensions) -> None:
        """Enter the result of a match, and what comes of it."""
        self.records[record.match_id] = record
        self.entries.append(entry_of(record))
        self.entries += [one.entry for one in suspensions.count(planned.entrants, result_of(record))]

    def id_of(self, planned: PlannedMatch) -> str:
        """Return the name of a match."""
        return match_id_of(planned, secret=self.secret)

    def match(
        self, planned: PlannedMatch, suspended: Iterable[Suspension] = (), *, attempt: int | None = None
    ) -> v1.MatchRecord:
        """Play a match."""
        terms = match_terms(
            planned,
            settings=self.settings,
            secret=self.secret,
            entrants=self.entrants,
            mixed_in=read_ledger(chained(self.entries)).mixed_in[-1],
            attempt=int(planned.row in self.void) if attempt is None else attempt,
        )
        players = [FakePlayer(self.plays[name], thinks=0.25) for name in planned.entrants]
        match = Match(terms)
        for suspension in suspended:
            for seat, name in enumerate(planned.entrants):
                if name == suspension.entrant:
                    match.forfeit(seat, fault_named(suspension.fault), suspension.sentence)
        return played_out(match, players).record.message

    @property
    def schedule(self) -> dict[str, PlannedMatch]:
        """The matches by their names."""
        return {self.id_of(planned): planned for planned in plan(self.settings).matches}

    def enter_anew(self) -> None:
        """Write the ledger once more, as it has to be for the records as they are now, in their order."""
        voids = [entry for entry in self.entries if isinstance(entry, VoidEntry)]
        over = [entry for entry in self.entries if isinstance(entry, EndEntry)]
        self.entries = [*self.opening(), *voids]
        suspensions = Suspensions(suspend_after=self.settings.event.suspend_after)
        schedule = self.schedule
        for match_id, record in list(self.records.items()):
            self.commit(record, schedule[match_id], suspensions)
        self.entries += over

    def publish(self, folder: Path) -> Path:
        """Publish all of it into a new folder."""
        settings, ledger = self.settings, read_ledger(chained(self.entries))
        entered = {entry.match_id: entry.attempt for entry in ledger.results}
        played = {
            match_id: MatchResult(IssuedMatch(planned, match_id, entered[match_id]), result_of(self.records[match_id]))
            for match_id, planned in self.schedule.items()
            if match_id in self.records and match_id in entered
        }
        # Whatever secret the ledger ends with is published.
        before_the_end = read_ledger(chained(entry for entry in self.entries if not isinstance(entry, EndEntry)))
        ladder = published_ladder(settings, played.values(), before_the_end)
        if ledger.end:
            ladder = ladder._replace(secret=bytes.fromhex(ledger.end.secret))
        shown = {match_id: self.records[match_id] for match_id in open_matches(settings, list(played.values()))}
        times = {match_id: think_times(record) for match_id, record in shown.items()}
        files = dict(published_files(without_environment(self.text), ladder, ledger, times))
        files |= {match_page_name(match_id): _told(to_file_bytes(record)) for match_id, record in shown.items()}
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / "records").mkdir()
        for match_id, record in shown.items():
            (folder / record_name(match_id)).write_bytes(to_file_bytes(record))
        return folder

    def keep(self, store: Store) -> None:
        """Write all of it into a store, as a run does."""
        store.begin_event(
            begin_entry(self.settings, secret=self.secret), settings=self.text, identity="", secret=self.secret
        )
        store.check_in(self.entrants.values())
        store.issue([IssuedMatch(planned, match_id) for match_id, planned in self.schedule.items()])
        for at, entry in enumerate(self.entries):
            if isinstance(entry, RestorationEntry):
                store.restore_event(entry)
            if isinstance(entry, VoidEntry):
                store.begin_anew(entry.match_id, reason=entry.reason)
            if isinstance(entry, ResultEntry):
                suspensions = tuple(one for one in self.entries[at + 1 : at + 2] if isinstance(one, SuspensionEntry))
                played = played_match(FinishedRecord.of(self.records[entry.match_id]))
                store.commit_results([replace(played, suspensions=suspensions)])
        if isinstance(self.entries[-1], EndEntry):
            store.finish_event()

    def receipts_of(self, name: str) -> str:
        """Return what an entrant keeps of the event, as a file of receipts."""
        ledger, kept = read_ledger(chained(self.entries)), list[Mapping[str, object]]()
        receipts = Receipts(kept.append)
        receipts.describe(description_of(ledger), nonce=self.entrants[name].nonce or b"")
        for index, entry in enumerate(ledger.entries):
            if isinstance(entry, ResultEntry):
                seats = [seat.name for seat in self.records[entry.match_id].seats]
                start = v1.MatchStart(match_id=entry.match_id, ledger_length=index, players=_players(seats))
                start.ledger_head, end = ledger.head_at(index).digest, v1.MatchEnd(ledger_length=index + 1)
                end.ledger_head = ledger.head_at(index + 1).digest
                end.record_digest = bytes.fromhex(entry.record_digest)
                if name in seats:
                    start.seat = seats.index(name)
                    receipts.begin(start)
                    receipts.end(start, end)
        return "".join(f"{json.dumps(receipt)}\n" for receipt in kept)

    def copy(self) -> "Organiser":
        """Return another who has the same."""
        records = {match_id: v1.MatchRecord.FromString(it.SerializeToString()) for match_id, it in self.records.items()}
        return replace(
            self, plays=dict(self.plays), entrants=dict(self.entrants), records=records, entries=[*self.entries]
        )


@cache
def _told(record: bytes) -> bytes:
    """Return the page that tells a match. Most matches are the same whatever an organiser does."""
    return match_page(read_record(record)).encode()


def _players(names: Iterable[str]) -> list[v1.Player]:
    return [v1.Player(name=name) for name in names]


def entry_of(record: v1.MatchRecord) -> ResultEntry:
    """Return what the ledger tells of a record."""
    return ResultEntry(match_id=record.match_id, attempt=record.attempt, record_digest=digest(record).hex())
