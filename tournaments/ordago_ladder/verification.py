"""The proof of what an event published: records, deals, seatings, scores and ratings, from the folder alone."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ordago import v1
from ordago.chance import commitment
from ordago.games import find_game
from ordago.record import RecordError, faults_of, forfeits_of, read_record, verify
from ordago_ladder.event_file import EventFileError, read_event
from ordago_ladder.exports import ladder_json, match_json
from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import build_ladder
from ordago_ladder.results import MatchResult
from ordago_ladder.schedule import PlannedMatch, plan
from ordago_ladder.settings import Settings
from ordago_ladder.terms import deal_seed_of, fault_terms, game_settings, match_id_of, time_terms


class Finding(NamedTuple):
    """Something that is wrong in a folder."""

    file: str
    """The file, by its path in the folder."""
    sentence: str
    """What is wrong, in one sentence, down to the entry of a record."""


class NoEventError(Exception):
    """A folder in which no event was published. The user erred."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of verifying a folder."""

    records: int
    """How many records were played again."""
    finished: bool
    """Whether the event is finished, so that deals, schedule and ratings could be proved too."""
    findings: tuple[Finding, ...]


def verify_folder(path: Path) -> Verification:
    """Verify everything that an event published.

    Every record is played again by the rules. Of a finished event the secret is known, and with it every deal, the
    name and the seating of every match, and the ladder itself are computed anew and compared.

    Raises:
        NoEventError: the folder holds no published event.
    """
    folder = EventFolder(path)
    settings, published = _read(folder)
    secret = published.secret
    findings: list[Finding] = []
    records = dict(_records(folder, secret, findings))
    if secret is None:
        findings += _result_findings(published.matches, records)
        return Verification(len(records), finished=False, findings=tuple(findings))
    findings += _schedule_findings(settings, records, secret)
    if not findings:
        findings += _ladder_findings(settings, records, published)
    return Verification(len(records), finished=True, findings=tuple(findings))


class _Published(NamedTuple):
    """What ``ladder.json`` says."""

    text: str
    secret: bytes | None
    matches: Mapping[str, Any]
    """The results by the names of their matches."""
    versions: Mapping[str, str]
    """The version of each entrant."""


def _read(folder: EventFolder) -> tuple[Settings, _Published]:
    try:
        published = _published(folder.ladder.read_text(encoding="utf-8"))
        return read_event(folder.event_file), published
    except OSError as error:
        missing = Path(str(error.filename)).name
        raise NoEventError(f"{folder.path} holds no published event: {missing} cannot be read") from error
    except ValueError as error:  # EventFileError, JSONDecodeError and _MisshapenError are such
        name = folder.event_file.name if isinstance(error, EventFileError) else folder.ladder.name
        raise NoEventError(f"{folder.path / name} is damaged: {error}") from error


class _MisshapenError(ValueError):
    """A ladder is written as JSON, but not as a ladder. Whoever changed the file erred."""


def _published(text: str) -> _Published:
    content = json.loads(text)
    try:
        secret = content["secret"]
        return _Published(
            text=text,
            secret=None if secret is None else bytes.fromhex(secret),
            matches={match["match_id"]: match for match in content["matches"]},
            versions={entrant["name"]: entrant["version"] for entrant in content["entrants"]},
        )
    except (KeyError, TypeError, ValueError):
        raise _MisshapenError("its secret, its matches or its entrants are not where they belong") from None


def _records(
    folder: EventFolder, secret: bytes | None, findings: list[Finding]
) -> Iterator[tuple[str, v1.MatchRecord]]:
    for path in sorted(folder.records.glob("*.record")):
        name = f"{folder.records.name}/{path.name}"
        try:
            record = read_record(path.read_bytes())
        except RecordError as error:
            findings.append(Finding(name, str(error)))
            continue
        for problem in verify(record, secret=secret):
            where = "" if problem.entry is None else f"entry {problem.entry}: "
            findings.append(Finding(name, f"{where}{problem.sentence}"))
        if f"{record.match_id}.record" != path.name:
            findings.append(Finding(name, f"The record is of another match, {record.match_id!r}."))
        yield record.match_id, record


def _schedule_findings(settings: Settings, records: Mapping[str, v1.MatchRecord], secret: bytes) -> Iterator[Finding]:
    """Compare each match of the schedule, as the event file and the secret give it, with its record."""
    due = {match_id_of(planned, secret=secret): planned for planned in plan(settings)}
    nonces = _nonces(records.values())
    for match_id, planned in due.items():
        name = f"records/{match_id}.record"
        if match_id not in records:
            yield Finding(name, "The record is missing.")
        else:
            for sentence in _differences(records[match_id], planned, settings=settings, nonces=nonces):
                yield Finding(name, sentence)
    for match_id in records.keys() - due.keys():
        yield Finding(f"records/{match_id}.record", "The schedule has no such match.")


def _differences(
    record: v1.MatchRecord, planned: PlannedMatch, *, settings: Settings, nonces: Mapping[str, bytes]
) -> Iterator[str]:
    seated = tuple(seat.name for seat in record.seats)
    if seated != planned.entrants:
        yield f"Seated are {', '.join(seated)}; the schedule says {', '.join(planned.entrants)}."
    game = find_game(planned.game)
    options = game.rules.options(dict(game_settings(settings, planned.game).options))
    if record.options != game.codec.options(options):
        yield "The options are not those of the event file."
    if record.clock != time_terms(settings.event).message() or record.faults != fault_terms(settings.event).message():
        yield "The times, or what comes of faults, are not those of the event file."
    if not _is_dealt_as_planned(record, planned, event=settings.event.name, nonces=nonces):
        yield "The seed of the deals is not that of the set, or an entrant's nonce changed in the event."


def _is_dealt_as_planned(
    record: v1.MatchRecord, planned: PlannedMatch, *, event: str, nonces: Mapping[str, bytes]
) -> bool:
    """Say whether the deals are those of the set, or, where the match was begun anew, of its later attempt."""
    if not all(entrant in nonces for entrant in planned.entrants):
        return False
    return record.deal_seed == deal_seed_of(planned, event=event, nonces=nonces, attempt=record.attempt)


def _nonces(records: Iterable[v1.MatchRecord]) -> dict[str, bytes]:
    """Return the nonce of each entrant, as the first record that names it has it."""
    nonces: dict[str, bytes] = {}
    for record in records:
        parts = record.deal_seed.split("|")
        for pair in parts[3].split(",") if len(parts) == 6 else ():
            name, _, written = pair.rpartition(":")
            try:
                nonces.setdefault(name, bytes.fromhex(written))
            except ValueError:
                continue
    return nonces


def _ladder_findings(
    settings: Settings, records: Mapping[str, v1.MatchRecord], published: _Published
) -> Iterator[Finding]:
    """Compute the ladder anew from the records, which are all there and clean, and compare it byte for byte."""
    assert published.secret is not None
    due = {match_id_of(planned, secret=published.secret): planned for planned in plan(settings)}
    played = {seat.name: seat.version for record in records.values() for seat in record.seats}
    ladder = build_ladder(
        settings,
        [_result(records[match_id], planned) for match_id, planned in due.items()],
        commitment=commitment(published.secret),
        secret=published.secret,
        # Of an entrant whom no table needs there is nothing to prove.
        versions={**published.versions, **played},
    )
    if ladder_json(ladder) != published.text:
        yield Finding("ladder.json", "The ladder is not the one that the records give.")


def _result(record: v1.MatchRecord, planned: PlannedMatch) -> MatchResult:
    return MatchResult(
        row=planned.row,
        match_id=record.match_id,
        game=planned.game,
        set_key=planned.set_key,
        seating=planned.seating,
        entrants=planned.entrants,
        **_what_became_of(record),
    )


def _what_became_of(record: v1.MatchRecord) -> dict[str, Any]:
    """Return what a result says that follows from the record alone."""
    return {
        "scores": tuple(record.outcome.scores),
        "placings": tuple(record.outcome.placings),
        "faults": faults_of(record),
        "forfeits": forfeits_of(record),
        "attempt": record.attempt,
    }


def _result_findings(matches: Mapping[str, Any], records: Mapping[str, v1.MatchRecord]) -> Iterator[Finding]:
    """Compare the results of an event that goes on with the records that are open."""
    for match_id, match in matches.items():
        if match_id in records and not _agrees(match, records[match_id]):
            yield Finding("ladder.json", f"The result of match {match_id} is not that of its record.")


def _agrees(match: Mapping[str, Any], record: v1.MatchRecord) -> bool:
    played = {"game": record.game, "entrants": tuple(seat.name for seat in record.seats), **_what_became_of(record)}
    try:
        return match_json(MatchResult(**{**match, **played})) == match
    except TypeError:
        return False
