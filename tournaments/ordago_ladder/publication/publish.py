"""Published files of an event besides its records: functions of event file, ledger, results and think times.

A verification generates them again.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from ordago.record.ledgers.chain import ledger_text
from ordago.record.ledgers.event import Ledger
from ordago.store import MatchResult, PlannedMatch
from ordago.version import __version__
from ordago_ladder.event_file.file import without_environment
from ordago_ladder.folder import match_page_name, record_name
from ordago_ladder.matches.due import progress_of
from ordago_ladder.pages.assets import FACE_FOLDERS, FOLDER, asset_files, asset_names
from ordago_ladder.pages.claims import claims_of
from ordago_ladder.pages.page import PAGE_FOLDERS, ladder_pages, page_names
from ordago_ladder.publication.exports import ladder_csv, ladder_json, ladder_pgn
from ordago_ladder.rating.ladder import Ladder, build_ladder, complete_sets
from ordago_ladder.rating.think_times import ThinkTimes
from ordago_ladder.schedule.process_slots import as_played
from ordago_ladder.settings.settings import Settings

FILES: Final = ("event.toml", "ladder.csv", "ladder.json", "ladder.pgn", "ledger.jsonl")
"""The names of the published files besides pages, assets, records and match pages."""
SHOWING_FOLDERS: Final = {
    "told": ".html",
    FOLDER: "",
    **dict.fromkeys(PAGE_FOLDERS, ".html"),
    **dict.fromkeys(FACE_FOLDERS.values(), ".svg"),
}
"""The folders of pages and their assets, with the suffix of the names in each. One that a version had stays here."""


def is_data(name: str) -> bool:
    """Return whether a published file, given by its path, is for programs: its form is the same in every version."""
    return name in FILES or name.startswith("records/")


def published_names(settings: Settings, matches: Iterable[PlannedMatch], open_matches: Iterable[str]) -> list[str]:
    """Return the paths, in the event's folder, of all files that an event publishes.

    Args:
        settings: the event.
        matches: the matches that have a result.
        open_matches: the IDs of the matches whose records are open.
    """
    of_records = (name for match_id in open_matches for name in (record_name(match_id), match_page_name(match_id)))
    return [*FILES, *asset_names(_games(settings)), *page_names(settings, matches), *of_records]


def published_ladder(settings: Settings, results: Collection[MatchResult], ledger: Ledger) -> Ladder:
    """Return the ladder of an event as it is published, from its settings, results and ledger alone."""
    return build_ladder(
        as_played(settings, ledger),
        results,
        secret_digest=bytes.fromhex(ledger.parts[-1].begin.secret_digest),
        progress=progress_of(settings, ledger, results),
        secret=bytes.fromhex(ledger.end.secret) if ledger.end else None,
        versions={entrant.name: entrant.version for entrant in ledger.checked_in},
    )


def published_files(
    text: str, ladder: Ladder, ledger: Ledger, times: Mapping[str, ThinkTimes], *, version: str = __version__
) -> Mapping[str, bytes]:
    """Return the contents of all published files but records and match pages, by path.

    Args:
        text: the event file.
        ladder: the ladder, as ``published_ladder`` returns it.
        ledger: the ledger.
        times: the think times in each match whose record is open, by match ID.
        version: the version of Ordago that publishes them.
    """
    texts = {
        "event.toml": without_environment(text),
        "ladder.csv": ladder_csv(ladder),
        "ladder.json": ladder_json(ladder, version=version),
        "ladder.pgn": ladder_pgn(ladder),
        "ledger.jsonl": ledger_text(ledger.lines),
        **ladder_pages(ladder, ledger, claims_of(ladder.settings, ledger), times),
    }
    return {**{name: content.encode() for name, content in texts.items()}, **asset_files(_games(ladder.settings))}


def _games(settings: Settings) -> list[str]:
    return [game.name for game in settings.games]


def open_matches(settings: Settings, results: Collection[MatchResult]) -> list[str]:
    """Return the IDs of the matches whose records are public.

    A record shows the deals, so all matches of its duplicate set have to be played first.
    """
    complete = complete_sets(settings, results)
    return [played.match.match_id for played in results if played.planned.set_key in complete]
