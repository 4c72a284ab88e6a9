"""The proof of what an event published: records, deals, seatings, scores and ratings, from the folder alone."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from ordago import v1
from ordago.chance import commitment
from ordago.games import find_game
from ordago.record import RecordError, read_record, result_of, verify
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.event_file import EventFileError, read_event
from ordago_ladder.exports import ladder_json, match_json
from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import Ladder, build_ladder
from ordago_ladder.schedule import plan
from ordago_ladder.settings import Settings
from ordago_ladder.terms import deal_seed_of, fault_terms, match_id_of, time_terms

_RECORDS: Final = "*.record"


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
    revealed: bool
    """Whether the secrets of all of them are known, so that deals are proved, and schedule and ratings of an event."""
    findings: tuple[Finding, ...]


def verify_folder(path: Path) -> Verification:
    """Verify everything that an event published.

    Every record is played again by the rules. Of a finished event the secret is known, and with it every deal, the
    name and the seating of every match, and the ladder itself are computed anew and compared.

    Raises:
        NoEventError: the folder holds no published event.
    """
    folder = EventFolder(path)
    settings, published, text = _read(folder)
    secret = published.secret
    findings: list[Finding] = []
    records = {record.match_id: record for record in _records_of_event(folder.records, findings, secret=secret)}
    if secret is None:
        findings += _result_findings(settings, published.matches, records)
        return Verification(len(records), revealed=False, findings=tuple(findings))
    due = {match_id_of(planned, secret=secret): planned for planned in plan(settings)}
    findings += _schedule_findings(settings, due, records)
    if not findings and ladder_json(_ladder(settings, due, records, published, secret)) != text:
        findings.append(Finding(folder.ladder.name, "The ladder is not the one that the records give."))
    return Verification(len(records), revealed=True, findings=tuple(findings))


class _Lenient(BaseModel):
    """Something in ``ladder.json`` of which only what is read of it has to be as it should."""

    model_config = ConfigDict(frozen=True, strict=True, val_json_bytes="hex")


class _PublishedMatch(_Lenient):
    """A result, with all that is said of it."""

    model_config = ConfigDict(extra="allow")
    match_id: str
    row: int | None = None


class _PublishedEntrant(_Lenient):
    name: str
    version: str


class _Published(_Lenient):
    """What ``ladder.json`` says, as far as it is not compared as a whole."""

    secret: bytes | None
    matches: tuple[_PublishedMatch, ...]
    entrants: tuple[_PublishedEntrant, ...]


def _read(folder: EventFolder) -> tuple[Settings, _Published, str]:
    """Return the event of a folder and what was published of it, once read and once as it stands there."""
    try:
        text = folder.ladder.read_text(encoding="utf-8")
        published = _Published.model_validate_json(text)
        return read_event(folder.event_file), published, text
    except OSError as error:
        missing = Path(str(error.filename)).name
        raise NoEventError(f"{folder.path} holds no published event: {missing} cannot be read") from error
    except EventFileError as error:
        raise NoEventError(f"{folder.path / folder.event_file.name} is damaged: {error}") from error
    except ValidationError as error:
        raise NoEventError(f"{folder.ladder} is damaged: {_damage(error)}") from None
    except ValueError as error:  # it is no UTF-8
        raise NoEventError(f"{folder.ladder} is damaged: {error}") from error


def _damage(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return first["msg"]
    return "its secret, its matches or its entrants are not where they belong"


def _records(
    folder: Path, findings: list[Finding], *, secret: bytes | None, of: str = ""
) -> Iterator[tuple[str, v1.MatchRecord]]:
    """Yield the records in a folder with the names of their files, and note what is wrong with each for itself."""
    for path in sorted(folder.glob(_RECORDS)):
        name = f"{of}{path.name}"
        try:
            record = read_record(path.read_bytes())
        except RecordError as error:
            findings.append(Finding(name, str(error)))
            continue
        findings += record_findings(record, name, secret=secret)
        yield name, record


def _records_of_event(folder: Path, findings: list[Finding], *, secret: bytes | None) -> Iterator[v1.MatchRecord]:
    """Yield the records of an event, each of which is found by the name of its match."""
    for name, record in _records(folder, findings, secret=secret, of=f"{folder.name}/"):
        if name != f"{folder.name}/{record.match_id}.record":
            findings.append(Finding(name, f"The record is of another match, {record.match_id!r}."))
        yield record


def record_findings(record: v1.MatchRecord, name: str, *, secret: bytes | None) -> Iterator[Finding]:
    """Yield what is wrong with a record, for itself.

    Args:
        record: any record, whatever it holds.
        name: its file.
        secret: the secret, where it was revealed elsewhere; ``None``: the one in the record, if there is one.
    """
    for problem in verify(record, secret=secret):
        where = "" if problem.entry is None else f"entry {problem.entry}: "
        yield Finding(name, f"{where}{problem.sentence}")


def holds_records(folder: Path) -> bool:
    """Say whether a folder holds records and no event: that of ``ordago serve --records``, for instance."""
    event = EventFolder(folder)
    return not any(path.exists() for path in (event.event_file, event.ladder, event.records)) and any(
        folder.glob(_RECORDS)
    )


def verify_records(folder: Path, *, secret: bytes | None = None) -> Verification:
    """Verify all records in a folder, each for itself.

    Raises:
        OSError: one cannot be read.
    """
    findings: list[Finding] = []
    revealed = [secret is not None or bool(record.secret) for _, record in _records(folder, findings, secret=secret)]
    return Verification(len(revealed), revealed=all(revealed), findings=tuple(findings))


def _schedule_findings(
    settings: Settings, due: Mapping[str, PlannedMatch], records: Mapping[str, v1.MatchRecord]
) -> Iterator[Finding]:
    """Compare each match of the schedule, as the event file and the secret give it, with its record."""
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
    options = game.rules.options(dict(settings.game_named(planned.game).options))
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


def _ladder(
    settings: Settings,
    due: Mapping[str, PlannedMatch],
    records: Mapping[str, v1.MatchRecord],
    published: _Published,
    secret: bytes,
) -> Ladder:
    """Compute the ladder anew from the records, which are all there and clean."""
    # Of an entrant whom no table needs there is nothing to prove.
    versions = {entrant.name: entrant.version for entrant in published.entrants}
    versions |= {seat.name: seat.version for record in records.values() for seat in record.seats}
    results = [_played(planned, records[match_id]) for match_id, planned in due.items()]
    return build_ladder(settings, results, secret_digest=commitment(secret), secret=secret, versions=versions)


def _played(planned: PlannedMatch, record: v1.MatchRecord) -> MatchResult:
    return MatchResult(IssuedMatch(planned, record.match_id, record.attempt), result_of(record))


def _result_findings(
    settings: Settings, matches: Iterable[_PublishedMatch], records: Mapping[str, v1.MatchRecord]
) -> Iterator[Finding]:
    """Compare the results of an event that goes on with the records that are open."""
    schedule = dict(enumerate(plan(settings)))
    for match in matches:
        record, planned = records.get(match.match_id), schedule.get(-1 if match.row is None else match.row)
        if record is not None and (planned is None or not _agrees(match, planned, record)):
            yield Finding("ladder.json", f"The result of match {match.match_id} is not that of its record.")


def _agrees(match: _PublishedMatch, planned: PlannedMatch, record: v1.MatchRecord) -> bool:
    """Say whether a published result is that of a record, in its place of the schedule."""
    seated = tuple(seat.name for seat in record.seats)
    played = _played(planned._replace(game=record.game, entrants=seated), record)
    return match.model_dump() == match_json(played)
