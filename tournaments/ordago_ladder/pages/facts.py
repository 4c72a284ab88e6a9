"""Facts about an event from its file and ledger, apart from results, as texts for its pages."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from typing import Final, NamedTuple

from ordago.record.ledgers.event import (
    ChangeEntry,
    ClosingEntry,
    FewerProcessesEntry,
    Ledger,
    Processes,
    RestorationEntry,
    ResultEntry,
    SuspensionEntry,
)
from ordago.scene import Sentence, sentence
from ordago.store import MatchResult
from ordago_ladder.rating.prizes import Prize
from ordago_ladder.schedule.process_slots import duplicates_share, few_processes, slots_of
from ordago_ladder.settings.sections import EntrantSettings, EventSettings
from ordago_ladder.settings.settings import Settings

_MOST_PRIZES: Final = 3
"""The last place with a prize, as a rule."""
_MOST_NAMES: Final = 8
"""The most names in a sentence: an event may have a thousand entrants."""


def format_sentence(settings: Settings) -> Sentence:
    """Return the format of an event in words, for an open one with its conditions to end."""
    event = settings.event
    match event.format:
        case "gauntlet":
            newcomers = [entrant.name for entrant in settings.entrants if entrant.newcomer]
            return sentence("gauntlet of {names}", names=", ".join(newcomers))
        case "swiss":
            return sentence("Swiss in {rounds} rounds", rounds=event.rounds)
        case "open":
            return sentence("open, until {end}", end=reduce(_either, _ends(settings)))
        case "round-robin":
            return sentence("round robin") if event.until_decided is None else _until_decided(event)
        case "knockout":
            return sentence("knockout")
        case "double-elimination":
            return sentence("double elimination")
        case "league":
            return sentence("league")


def _until_decided(event: EventSettings) -> Sentence:
    if event.until_decided == 1:
        return sentence("round robin of {most} repetitions at most, until first place is decided", most=event.at_most)
    return sentence(
        "round robin of {most} repetitions at most, until the first {places} places are decided",
        most=event.at_most,
        places=event.until_decided,
    )


def _either(one: Sentence, other: Sentence) -> Sentence:
    return sentence("{one} or {other}", one=one, other=other)


def _ends(settings: Settings) -> Iterator[Sentence]:
    event = settings.event
    if event.sets_wanted is not None:
        yield sentence("{sets} sets are played", sets=event.sets_wanted)
    if event.half_width is not None:
        yield sentence("the order is known to ±{width}", width=f"{event.half_width:g}")
    if event.until is not None:
        yield sentence("{time} UTC", time=f"{event.until:%Y-%m-%d %H:%M}")


def prize_sentences(prizes: Iterable[Prize]) -> Iterator[Sentence]:
    """Yield a sentence for each prize down to third place."""
    for first, last, entrants in prizes:
        if first > _MOST_PRIZES:
            return
        who = _some(entrants)
        if first == last:
            yield sentence("Place {place}: {name}", place=first, name=who)
        elif last == first + 1:
            yield sentence("Places {first} and {last} are shared: {names}", first=first, last=last, names=who)
        else:
            yield sentence("Places {first} to {last} are shared: {names}", first=first, last=last, names=who)


def notes_of(settings: Settings, ledger: Ledger) -> dict[str, list[Sentence]]:
    """Return notes about each entrant: house or remote bot, processes, newcomer, late or absent."""
    late = {name: change.issued for change in ledger.changes for name in change.joined}
    absent = {entrant.name for entrant in ledger.checked_in if not entrant.nonce}
    return {
        entrant.name: list(_notes(entrant, issued=late.get(entrant.name), absent=entrant.name in absent))
        for entrant in settings.entrants
    }


def _notes(entrant: EntrantSettings, *, issued: int | None, absent: bool) -> Iterator[Sentence]:
    if entrant.house is not None:
        yield sentence("house bot")
    if entrant.remote:
        yield sentence("remote")
    if entrant.processes is not None:
        one = entrant.processes == 1
        yield sentence("1 process") if one else sentence("{number} processes", number=entrant.processes)
    if entrant.time_odds != 1:
        yield time_odds(entrant.time_odds)
    if entrant.newcomer:
        yield sentence("newcomer")
    if issued is not None:
        yield sentence("joined after {issued} matches had been issued", issued=issued)
    if entrant.withdrawn:
        yield sentence("withdrew")
    if absent:
        yield sentence("did not connect")


def time_odds(odds: float) -> Sentence:
    """Return the factor of an entrant's time to think, as a note beside it."""
    return sentence("time × {odds}", odds=f"{odds:g}")


def duplicate_sentences(settings: Settings) -> Iterator[Sentence]:
    """Yield for each game which tables play duplicates, in which way, and which entrants could gain by it."""
    for game in settings.games:
        apart, in_turns = few_processes(settings, game)
        share = duplicates_share(settings, game)
        short = {"names": _some(apart), "number": slots_of(game, duplicates=True)}
        if share == 1:
            said = sentence("all seatings of a table get the same deals")
        elif share:
            said = sentence(
                "all seatings of a table get the same deals, but not where one of these with fewer than {number} "
                "processes plays: {names}",
                **short,
            )
        elif apart:
            said = sentence(
                "each match has its own deals, since these have fewer than {number} processes: {names}", **short
            )
        else:
            said = sentence("each match has its own deals")
        yield sentence("{title}: {said}.", title=game.title, said=said)
        if in_turns:
            yield sentence(
                "{title}: seatings of a set follow one another where one of these plays: {names}. Their processes get "
                "the same deals again. They could remember the cards, and gain by it.",
                title=game.title,
                names=_some(in_turns),
            )


def _some(names: Sequence[str]) -> Sentence | str:
    more = len(names) - _MOST_NAMES
    shown = ", ".join(names[:_MOST_NAMES])
    return sentence("{names} and {more} more", names=shown, more=more) if more > 0 else shown


def happenings(ledger: Ledger) -> list[Sentence]:
    """Return the incidents in the ledger, in order, such as changes, restorations and suspensions."""
    sentences, results = list[Sentence](), 0
    for entry in ledger.entries:
        match entry:
            case ResultEntry():
                results += 1
            case ChangeEntry():
                sentences += (_after(results, said) for said in _changes(entry))
            case FewerProcessesEntry(entrants=short):
                said = sentence("{names} connected with fewer processes than the event file says.", names=_came(short))
                sentences.append(_after(results, said))
            case RestorationEntry():
                said = sentence("it was restored from a backup. Later results were lost, and later deals are new.")
                sentences.append(_after(results, said))
            case SuspensionEntry():
                sentences.append(
                    _after(
                        results, sentence("{name} is {why}, and plays no more.", name=entry.entrant, why=entry.sentence)
                    )
                )
            case ClosingEntry(issued=issued):
                said = sentence("the time was up. {issued} matches were due, and no more were added.", issued=issued)
                sentences.append(_after(results, said))
            case _:
                pass
    return sentences


def _changes(change: ChangeEntry) -> Iterator[Sentence]:
    if change.joined:
        yield sentence("{names} joined late. Matches that were due before stayed due.", names=", ".join(change.joined))
    for name in change.withdrawn:
        yield sentence("{name} withdrew. Matches that it had not finished are left out.", name=name)
    for one in change.keys:
        key = one.key if one.section == "event" else f"{one.section}: {one.key}"
        yield sentence("{key} was {was} and is {now}.", key=key, was=_written(one.was), now=_written(one.now))


def _written(value: float | str | None) -> str:
    return "–" if value is None else str(value)


def _came(short: Iterable[Processes]) -> str:
    return ", ".join(f"{one.name} ({one.processes})" for one in short)


def _after(results: int, said: Sentence) -> Sentence:
    if results == 1:
        return sentence("After 1 result: {said}", said=said)
    return sentence("After {results} results: {said}", results=results, said=said)


class VoidReason(NamedTuple):
    """A reason for void attempts, with the matches that it struck."""

    reason: str
    attempts: int
    matches: tuple[MatchResult, ...]
    """The matches of these attempts that have a result by now, in the order of the schedule."""


def void_reasons(ledger: Ledger, results: Collection[MatchResult]) -> list[VoidReason]:
    """Return the void attempts by reason, in alphabetical order."""
    matches: dict[str, list[str]] = {}
    for void in ledger.voids:
        matches.setdefault(void.reason, []).append(void.match_id)
    by_id = {played.match.match_id: played for played in results}
    return [
        VoidReason(reason, len(ids), tuple(sorted(by_id[match_id] for match_id in set(ids) if match_id in by_id)))
        for reason, ids in sorted(matches.items())
    ]
