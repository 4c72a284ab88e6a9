"""What is published of an event beside its records: files that are functions of event file, ledger and results.

Whoever verifies an event makes them anew.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from ordago.record.ledgers.chain import ledger_text
from ordago.record.ledgers.event import Ledger
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.event_file.file import without_environment
from ordago_ladder.folder import record_name, told_name
from ordago_ladder.matches.due import progress_of
from ordago_ladder.pages.assets import asset_files, asset_names
from ordago_ladder.pages.claims import claims_of
from ordago_ladder.pages.page import ladder_pages, page_names
from ordago_ladder.publication.exports import ladder_csv, ladder_json, ladder_pgn
from ordago_ladder.rating.ladder import Ladder, build_ladder, complete_sets
from ordago_ladder.rating.think_times import ThinkTimes
from ordago_ladder.schedule.process_slots import as_played
from ordago_ladder.settings.settings import Settings

FILES: Final = ("event.toml", "ladder.csv", "ladder.json", "ladder.pgn", "ledger.jsonl")
"""The names of the files that are published beside pages, records and what is told of these."""


def published_names(settings: Settings, matches: Iterable[PlannedMatch], open_matches: Iterable[str]) -> list[str]:
    """Return the names of all files that an event publishes, with their folders.

    Args:
        settings: the event.
        matches: the matches that have a result.
        open_matches: the names of those whose records are open.
    """
    of_records = (name for match_id in open_matches for name in (record_name(match_id), told_name(match_id)))
    return [*FILES, *asset_names(_games(settings)), *page_names(settings, matches), *of_records]


def published_ladder(settings: Settings, results: Collection[MatchResult], ledger: Ledger) -> Ladder:
    """Return the ladder of an event, as it is published: what is known beside the results stands in the ledger."""
    assert ledger.begin is not None
    return build_ladder(
        as_played(settings, ledger),
        results,
        secret_digest=bytes.fromhex(ledger.begin.secret_digest),
        progress=progress_of(settings, ledger, results),
        secret=bytes.fromhex(ledger.end.secret) if ledger.end else None,
        versions={entrant.name: entrant.version for entrant in ledger.checked_in},
    )


def published_files(text: str, ladder: Ladder, ledger: Ledger, times: Mapping[str, ThinkTimes]) -> Mapping[str, bytes]:
    """Return all files that are published beside records and what is told of these, by their names.

    Args:
        text: the event file.
        ladder: the ladder, as ``published_ladder`` returns it.
        ledger: the ledger.
        times: how long the players took in each match whose record is open, by its name.
    """
    texts = {
        "event.toml": without_environment(text),
        "ladder.csv": ladder_csv(ladder),
        "ladder.json": ladder_json(ladder),
        "ladder.pgn": ladder_pgn(ladder),
        "ledger.jsonl": ledger_text(ledger.lines),
        **ladder_pages(ladder, ledger, claims_of(ladder.settings, ledger), times),
    }
    return {**{name: content.encode() for name, content in texts.items()}, **asset_files(_games(ladder.settings))}


def _games(settings: Settings) -> list[str]:
    return [game.name for game in settings.games]


def open_matches(settings: Settings, results: Collection[MatchResult]) -> list[str]:
    """Return the names of the matches whose records are open to everybody.

    A record shows the deals, so that all matches of its duplicate set have to be played.
    """
    complete = complete_sets(settings, results)
    return [played.match.match_id for played in results if played.planned.set_key in complete]
