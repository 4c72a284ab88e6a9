"""Entrants that authors enter into an event themselves: sections that are added to its file."""

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Final

from ordago_ladder.event_file.file import parse_event
from ordago_ladder.settings.sections import MOST_ENTERED
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import UnfitValueError, entrant_name, name_key

_LONGEST_TEXT: Final = 128
"""As for authors in event files."""
_ENOUGH_PROCESSES: Final = 8
"""More than the seats of a team in any game, so that nothing depends on the processes of a placeholder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entrant that its author entered."""

    entrant: str
    """The name of the entrant."""
    account: str
    """The account whose bots play for it."""
    author: str = ""
    """The author, for the ladder."""
    version: str = ""
    """The version, for the ladder; empty for the one that the bot reports."""
    removed: bool = False
    """True if the organiser removed it. It is kept so that its account does not enter again."""


def entry_of(*, entrant: str, account: str, author: str = "", version: str = "") -> Entry:
    """Return an entry by an account.

    Raises:
        UnfitValueError: the name or a text cannot be that of an entrant.
    """
    for key, text in (("author", author), ("version", version)):
        if len(text) > _LONGEST_TEXT or not text.isprintable():
            raise UnfitValueError(f"{key!r} takes at most {_LONGEST_TEXT} characters, all visible")
    return Entry(entrant=entrant_name(entrant), account=account, author=author, version=version)


def entered_text(text: str, entries: Sequence[Entry]) -> str:
    """Return an event file with a section for each entry.

    Raises:
        EventFileError: the file is invalid, whoever enters.
    """
    if not _present(entries):
        return text
    team = max(game.team_size for game in filled_settings(text).games)
    return "\n\n".join([text, *(_section(entry, processes=team) for entry in _present(entries))])


def filled_settings(text: str, entries: Sequence[Entry] = (), *, source: str = "event file") -> Settings:
    """Return an event as it is when all places for authors are taken: behind the entries by placeholders.

    Raises:
        EventFileError: the file is invalid.
    """
    free = max(0, _places(text) - len(_present(entries)))
    taken = {name_key(each) for section in _sections(text) for each in _names(section)}
    taken |= {name_key(each) for entry in entries for each in (entry.entrant, entry.account)}
    names = (name for name in map("place {}".format, count(1)) if name not in taken)
    added = [*_present(entries), *(Entry(entrant=name, account=name) for name in islice(names, free))]
    sections = (_section(entry, processes=_ENOUGH_PROCESSES) for entry in added)
    return parse_event("\n\n".join([text, *sections]), source=source)


def without_places(settings: Settings, text: str, entries: Sequence[Entry] = ()) -> Settings:
    """Return an event of ``filled_settings`` without its placeholders. It may have too few entrants for its games."""
    known = len(_sections(text)) + len(_present(entries))
    return settings.model_copy(update={"entrants": settings.entrants[:known]})


def entries_beside(text: str, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return those of some entries whose account has no entrant in an event file itself."""
    accounts = {section.get("account") or section.get("name") for section in _sections(text) if section.get("remote")}
    return tuple(entry for entry in entries if entry.account not in accounts)


def _present(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if not entry.removed]


def _section(entry: Entry, *, processes: int) -> str:
    """Return the section of an entry. A JSON text without control characters is a TOML text, too."""
    values = {"name": entry.entrant, "account": entry.account, "author": entry.author, "version": entry.version}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if value]
    several = [f"processes = {processes}"] if processes > 1 else []
    return "\n".join(["[[entrant]]", *lines, "remote = true", *several, ""])


def _names(section: dict[str, object]) -> Iterator[str]:
    yield from (value for value in (section.get("name"), section.get("account")) if isinstance(value, str))


def _places(text: str) -> int:
    """Return the number of places for authors in an event file; 0 if it is invalid, which its parser reports."""
    event = _document(text).get("event")
    most = event.get("entrants_at_most") if isinstance(event, dict) and event.get("open_entry") is True else None
    return min(most, MOST_ENTERED) - len(_sections(text)) if isinstance(most, int) else 0


def _sections(text: str) -> list[dict[str, object]]:
    """Return the entrants of an event file as they are written."""
    written = _document(text).get("entrant")
    return [one for one in written if isinstance(one, dict)] if isinstance(written, list) else []


def _document(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
