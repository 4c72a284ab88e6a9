"""What an organiser can do who knows the secret, and makes everything anew after he has cheated: all digests, the
ledger, the ladder and the page. Only what contradicts itself is found then, and what somebody else has kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from support.organiser import Organiser, entry_of
from support.players import Thought, by_default, by_number

from ordago import v1
from ordago.record.ledgers.event import (
    BeaconEntry,
    BeginEntry,
    CheckInEntry,
    EndEntry,
    Entry,
    ResultEntry,
    SuspensionEntry,
    VoidEntry,
)
from ordago.store import Entrant
from ordago_ladder.schedule.conduct import Suspension

Cheat = Callable[[Organiser], object]


class Found(NamedTuple):
    """A way to cheat that contradicts itself, and what is found."""

    cheat: Cheat
    words: str


def _rows(organiser: Organiser, *names: str) -> list[v1.MatchRecord]:
    """Return the records of the matches between some entrants, in the order of the schedule."""
    records = (organiser.records[match_id] for match_id in organiser.schedule)
    return [record for record in records if {seat.name for seat in record.seats} == set(names)]


def _choices(record: v1.MatchRecord, *, fault: int = 0) -> list[v1.RecordedChoice]:
    return [entry.choice for entry in record.entries if entry.HasField("choice") and entry.choice.fault == fault]


def _in_record(edit: Callable[[v1.MatchRecord], object], *names: str) -> Cheat:
    """Return a change of the first record of a match between some entrants, after which the ledger is made anew."""

    def cheat(organiser: Organiser) -> None:
        edit(_rows(organiser, *(names or ("ana", "ben")))[0])
        organiser.enter_anew()

    return cheat


def _charge(milliseconds: int) -> Callable[[v1.MatchRecord], object]:
    return lambda record: setattr(_choices(record)[0], "charged_ms", milliseconds)


def _strike(record: v1.MatchRecord) -> None:
    choice = _choices(record)[0]
    choice.strikes = 999
    choice.broken_rules[:] = ["answer"] * 999


def _forget_the_rule(record: v1.MatchRecord) -> None:
    next(choice for choice in _choices(record) if choice.strikes).broken_rules[:] = []


def forfeit(fault: v1.Fault) -> Callable[[v1.MatchRecord], None]:
    """Return a change that forfeits the seat that acts last, before its last choice, which is the default one."""

    def change(record: v1.MatchRecord) -> None:
        for at in range(len(record.entries) - 1, 0, -1):
            choice = record.entries[at].choice
            if record.entries[at].HasField("choice") and not choice.fault:
                seat = choice.seat
                choice.CopyFrom(v1.RecordedChoice(seat=seat, action=choice.action, fault=fault))
                record.entries.insert(at, v1.RecordEntry(forfeit=v1.Forfeit(seat=seat, fault=fault)))
                return

    return change


def _drop_forfeit(record: v1.MatchRecord) -> None:
    """The seat crashed, and yet it is not forfeited: it is late from then on."""
    index = next(at for at, entry in enumerate(record.entries) if entry.HasField("forfeit"))
    del record.entries[index]


def _in_entries(edit: Callable[[list[Entry]], list[Entry]]) -> Cheat:
    def cheat(organiser: Organiser) -> None:
        organiser.entries = edit(organiser.entries)

    return cheat


def _each(kind: type[Entry], change: Callable[[Entry], Entry]) -> Cheat:
    return _in_entries(lambda entries: [change(entry) if isinstance(entry, kind) else entry for entry in entries])


def _without(kind: type[Entry]) -> Cheat:
    return _in_entries(lambda entries: [entry for entry in entries if not isinstance(entry, kind)])


def _brings(name: str, nonce: bytes) -> Cheat:
    """Return a cheat with the nonce of an entrant, after which everything is played anew."""

    def cheat(organiser: Organiser) -> None:
        organiser.entrants[name] = Entrant(name, nonce, "1.0", "a")
        organiser.play()

    return cheat


def _absent(name: str) -> Cheat:
    """Return a cheat that denies that an entrant came to check-in, after which everything is played anew."""

    def cheat(organiser: Organiser) -> None:
        organiser.entrants[name] = Entrant(name, b"")
        organiser.play()

    return cheat


def _plays_with_text(old: str, new: str) -> Cheat:
    def cheat(organiser: Organiser) -> None:
        assert old in organiser.text
        organiser.text = organiser.text.replace(old, new)
        organiser.play()

    return cheat


def _attempt(attempt: int, voids: int) -> Cheat:
    """Return a cheat that plays a match of the first two at another attempt, of which as many as said were void."""

    def cheat(organiser: Organiser) -> None:
        match_id, planned = next(iter(organiser.schedule.items()))
        organiser.records[match_id] = organiser.match(planned, attempt=attempt)
        organiser.entries += [
            VoidEntry(match_id=match_id, attempt=number, reason="bad luck") for number in range(voids)
        ]
        organiser.enter_anew()

    return cheat


def _suspend(name: str) -> SuspensionEntry:
    return SuspensionEntry(entrant=name, fault="crashed", sentence="suspended after 6 forfeited matches")


def _first_result(entries: Sequence[Entry]) -> int:
    return next(at for at, entry in enumerate(entries) if isinstance(entry, ResultEntry))


def _put(at: int, entry: Entry) -> Cheat:
    """Return a cheat that puts an entry so many places after the first result."""

    def edit(entries: list[Entry]) -> list[Entry]:
        place = _first_result(entries) + at
        return [*entries[:place], entry, *entries[place:]]

    return _in_entries(edit)


def _drop_result(entries: list[Entry]) -> list[Entry]:
    return [entry for at, entry in enumerate(entries) if at != _first_result(entries)]


def _double_result(entries: list[Entry]) -> list[Entry]:
    at = _first_result(entries)
    return [*entries[: at + 1], *entries[at:]]


def _late_check_in(entries: list[Entry]) -> list[Entry]:
    at = _first_result(entries)
    return [entries[0], *entries[2 : at + 1], entries[1], *entries[at + 1 :]]


def _void_after_result(entries: list[Entry]) -> list[Entry]:
    result = entries[_first_result(entries)]
    assert isinstance(result, ResultEntry)
    return [*entries[:-1], VoidEntry(match_id=result.match_id, attempt=0, reason="late"), entries[-1]]


def _check_in_twice(entries: list[Entry]) -> list[Entry]:
    check_in = entries[1]
    assert isinstance(check_in, CheckInEntry)
    again = check_in.entrants[0].model_copy(update={"nonce": "22" * 16})
    return [*entries[:2], CheckInEntry(entrants=(again,)), *entries[2:]]


def _stand_in(organiser: Organiser) -> None:
    """Let a stand-in sit for somebody who was never suspended."""
    match_id, planned = next(iter(organiser.schedule.items()))
    organiser.records[match_id] = organiser.match(planned, [Suspension(planned.entrants[1], 2, "too_late")])
    organiser.enter_anew()


def _other_cards(organiser: Organiser) -> None:
    """Play the cards of another set."""
    match_id, planned = next(iter(organiser.schedule.items()))
    organiser.records[match_id] = organiser.match(planned._replace(repetition=7))
    organiser.enter_anew()


_ZEROS: Final = "0" * 64

SELF_CONTRADICTING: Mapping[str, Found] = {
    "an answer of 1,000 s": Found(_in_record(_charge(1_000_000)), "1000000 ms are charged"),
    "an answer of a second too much": Found(_in_record(_charge(2_000)), "the seat had 1000 ms"),
    "999 strikes": Found(_in_record(_strike), "999 answers were refused"),
    "strikes for no rule": Found(_in_record(_forget_the_rule), "names 0 broken rules"),
    "a forfeit without a reason": Found(_in_record(forfeit(v1.FAULT_ILLEGAL)), "Nothing accounts for the forfeit"),
    "a stand-in for nobody": Found(_stand_in, "Nothing accounts for the forfeit"),
    "a forfeit by the server": Found(_in_record(forfeit(v1.FAULT_SERVER)), "Nobody forfeits for the fault"),
    "a forfeit forgotten": Found(_in_record(_drop_forfeit, "cleo", "dan"), "was to be forfeited before"),
    "attempt 4711": Found(_attempt(4711, 0), "of attempt 4711, and 0 of its attempts were void"),
    "attempt 4711 after as many": Found(_attempt(4711, 4711), "more than 1,048 lines"),
    "no nonces": Found(_brings("ana", b""), "has no nonce, as if it had not checked in"),
    "short nonces": Found(_brings("ana", b"1"), "does not have 16 to 64 bytes"),
    "long nonces": Found(_brings("ana", b"1" * 65), "does not have 16 to 64 bytes"),
    "another secret at the end": Found(
        _each(EndEntry, lambda _: EndEntry(secret="ab" * 32)), "not the one that was committed to"
    ),
    "no secret": Found(_without(EndEntry), "the secret is not revealed"),
    "something after the end": Found(_in_entries(lambda entries: [*entries, entries[-2]]), "was over before"),
    "no check-in": Found(_without(CheckInEntry), "did not check in"),
    "a late check-in": Found(_in_entries(_late_check_in), "nonces have to be fixed"),
    "a second check-in": Found(_in_entries(_check_in_twice), "checked in twice"),
    "another version": Found(
        _in_record(lambda record: setattr(record.seats[0], "version", "2.0")), "not the one that it checked in with"
    ),
    "another commitment": Found(
        _each(BeginEntry, lambda begin: begin.model_copy(update={"commitment": _ZEROS})),
        "The commitment does not match",
    ),
    "other settings": Found(
        _each(BeginEntry, lambda begin: begin.model_copy(update={"settings_digest": _ZEROS})),
        "The commitment does not match",
    ),
    "a beacon from nowhere": Found(
        _in_entries(lambda entries: [*entries[:2], BeaconEntry(source="x", round=1, value="ab"), *entries[2:]]),
        "did not name this beacon",
    ),
    "a result dropped": Found(_in_entries(_drop_result), "has no result"),
    "a result doubled": Found(_in_entries(_double_result), "has a second result"),
    "a result of no match": Found(
        _put(0, ResultEntry(match_id="ab" * 16, attempt=0, record_digest=_ZEROS)), "the ledger has a result of it"
    ),
    "another record": Found(
        _each(ResultEntry, lambda entry: entry.model_copy(update={"record_digest": _ZEROS})), "digest of another record"
    ),
    "a void attempt after the result": Found(_in_entries(_void_after_result), "is void though it has a result"),
    "a void attempt forgotten": Found(_without(VoidEntry), "and 0 of its attempts were void before"),
    "a suspension forgotten": Found(_without(SuspensionEntry), "should have been suspended before"),
    "a suspension invented": Found(_put(1, _suspend("ana")), "do not cause a suspension"),
    "a suspension put off": Found(
        _in_entries(
            lambda entries: [
                *(entry for entry in entries[:-1] if not isinstance(entry, SuspensionEntry)),
                _suspend("dan"),
                entries[-1],
            ]
        ),
        "should have been suspended before",
    ),
    "another reason to suspend": Found(
        _each(SuspensionEntry, lambda entry: entry.model_copy(update={"fault": "too_late"})), "do not cause"
    ),
    "other options": Found(
        _in_record(lambda record: setattr(record.options.mitaines, "target", 21)), "not those of the event file"
    ),
    "other times": Found(
        _in_record(lambda record: setattr(record.clock, "bank_ms", 9)), "The times, or the consequences"
    ),
    "other terms of faults": Found(
        _in_record(lambda record: setattr(record.faults, "forfeit_after", 9)), "The times, or the consequences"
    ),
    "another seed": Found(
        _in_record(lambda record: setattr(record, "deal_seed", record.deal_seed[:-1] + "7")), "give another shuffle"
    ),
    "the cards of another set": Found(_other_cards, "The seed of the deals is not that of the set"),
    "a seat for another": Found(
        _in_record(lambda record: setattr(record.seats[0], "name", "cleo")), "the schedule says"
    ),
}
"""What is found however much is made anew."""


def _replay_as(name: str, plays: Callable[..., Thought]) -> Cheat:
    """Return a cheat that invents all choices of an entrant, and has played what would have come of them."""

    def cheat(organiser: Organiser) -> None:
        organiser.plays[name] = plays
        organiser.play()

    return cheat


def _remove(name: str) -> Cheat:
    """Return a cheat that takes an entrant out of the event, with all of his matches."""

    def cheat(organiser: Organiser) -> None:
        organiser.text = organiser.text.replace(f'[[entrant]]\nname = "{name}"\ncommand = "./{name}"\n', "")
        assert name not in {entrant.name for entrant in organiser.settings.entrants}
        del organiser.entrants[name]
        schedule = organiser.schedule
        organiser.records = {match_id: record for match_id, record in organiser.records.items() if match_id in schedule}
        organiser.enter_anew()

    return cheat


def _exchange(organiser: Organiser) -> None:
    """Give to each of two what the other has played in the same seat with the same cards."""
    first, second = _rows(organiser, "ana", "cleo")
    for record in (first, second):
        for seat in record.seats:
            seat.name = {"ana": "cleo", "cleo": "ana"}[seat.name]
    first.match_id, second.match_id = second.match_id, first.match_id
    organiser.records |= {record.match_id: record for record in (first, second)}
    organiser.enter_anew()


def _forgive(organiser: Organiser) -> None:
    """Say of an answer that never came that it came in time."""
    for record in organiser.records.values():
        for choice in _choices(record, fault=v1.FAULT_TOO_LATE):
            choice.fault, choice.charged_ms = v1.FAULT_UNSPECIFIED, 999
    organiser.enter_anew()


def _another_secret(organiser: Organiser) -> None:
    organiser.secret = b"x" * 32
    organiser.play()


def _another_order(organiser: Organiser) -> None:
    """Say that two matches ended in the other order."""
    ids = list(organiser.records)
    ids[0], ids[1] = ids[1], ids[0]
    organiser.records = {match_id: organiser.records[match_id] for match_id in ids}
    organiser.enter_anew()


def _upgrade(organiser: Organiser) -> None:
    organiser.entrants = {name: entrant._replace(version="2.0") for name, entrant in organiser.entrants.items()}
    for record in organiser.records.values():
        for seat in record.seats:
            seat.version = "2.0"
    organiser.enter_anew()


def _rename_reason(organiser: Organiser) -> None:
    organiser.entries = [
        entry.model_copy(update={"reason": "the weather"}) if isinstance(entry, VoidEntry) else entry
        for entry in organiser.entries
    ]


def _repeat_match(organiser: Organiser) -> None:
    """Play a match again until its result is better, and publish that alone."""
    match_id, planned = next(iter(organiser.schedule.items()))
    better = replace(organiser, plays={**organiser.plays, planned.entrants[1]: by_default})
    organiser.records[match_id] = better.match(planned)
    at = next(
        at
        for at, entry in enumerate(organiser.entries)
        if isinstance(entry, ResultEntry) and entry.match_id == match_id
    )
    organiser.entries[at] = entry_of(organiser.records[match_id])


CONTRADICTED_BY_RECEIPTS: Mapping[str, Cheat] = {
    "the winner removed": _remove("ana"),
    "the last removed": _remove("dan"),
    "two exchanged at common tables": _exchange,
    "choices invented": _replay_as("ben", by_default),
    "a crash undone": _replay_as("dan", by_number),
    "nonces invented": _brings("ben", b"7" * 24),
    "his own nonce invented": _brings("ana", b"7" * 24),
    "an entrant who came said to be absent": _absent("ana"),
    "another secret from the start": _another_secret,
    "versions invented": _upgrade,
    "other terms from the start": _plays_with_text("forfeit_after = 3", "forfeit_after = 4"),
    "other options from the start": _plays_with_text("target = 20", "target = 21"),
    "another command from the start": _plays_with_text("./cleo", "./better"),
    "a late answer forgiven": _forgive,
    "a crash that nobody saw": _in_record(forfeit(v1.FAULT_CRASHED), "ana", "ben"),
    "deals tried out by void attempts": _attempt(3, 3),
    "another reason for what was void": _rename_reason,
    "a match repeated": _repeat_match,
    "another order": _another_order,
}
"""What is clean for itself: an organiser who has all the secrets has made another event of it. What the entrants of the
honest one have kept speaks against him."""
