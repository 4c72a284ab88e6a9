"""The formats of events: what of an event file belongs to each, and what each takes."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from ordago_ladder.settings import GameSettings, Settings

Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "open"]
"""Which tables of an event play."""
Partners: TypeAlias = Literal["one", "mixed"]
"""Whether partners are one entrant, or different ones."""

BY_ROUNDS: Final = ("swiss", "open")
"""The formats in which results decide who plays next."""
_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "rounds": ("swiss",),
    "sets_wanted": ("open",),
    "half_width": ("open",),
    "until": ("open",),
}
"""The formats that a key of ``[event]`` is for."""
_ENDS: Final = ("sets_wanted", "half_width", "until")
"""What an open event ends with."""


def format_of(written: object) -> object:
    """Return the name of a format.

    Raises:
        ValueError: it is none; the message says which there are.
    """
    if written not in get_args(Format):
        raise ValueError(f"'format' takes {', '.join(get_args(Format))}, not {written!r}")
    return written


def partners_of(written: object) -> object:
    """Return what partners are.

    Raises:
        ValueError: it is none of what they can be.
    """
    if written not in get_args(Partners):
        raise ValueError(f'\'partners\' takes "one" or "mixed", not {written!r}')
    return written


def until_of(written: object) -> datetime:
    """Return a time with its zone.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(written, datetime) or written.tzinfo is None:
        shown = written.isoformat() if isinstance(written, datetime) else repr(written)
        raise ValueError(f"'until' takes a time with its zone, for instance until = 2027-01-31T18:00:00Z, not {shown}")
    try:
        return written.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"'until' takes a time of the years 1 to 9999, not {written.isoformat()}") from None


def format_problems(settings: "Settings") -> Iterator[str]:
    """Yield what does not fit together in an event, in one sentence each."""
    yield from _foreign_keys(settings)
    yield from _missing(settings)
    for number, game in enumerate(settings.games, start=1):
        place = f"[[game]] {number}: {game.name} with {game.seats} seats"
        yield from (f"{place} {problem}" for problem in _game_problems(settings, game))
    yield from _process_problems(settings)


def _foreign_keys(settings: "Settings") -> Iterator[str]:
    event = settings.event
    for key, formats in _KEYS.items():
        if getattr(event, key) is not None and event.format not in formats:
            yield f"[event]: {key!r} is for the format {' and '.join(formats)}, not for {event.format}; take it out"
    if event.format == "open" and event.repetitions > 1:
        yield "[event]: 'repetitions' is not for the format open; write 'sets_wanted'"
    for number, game in enumerate(settings.games, start=1):
        if game.sets is not None and event.format in BY_ROUNDS:
            instead = "'rounds'" if event.format == "swiss" else "'sets_wanted'"
            yield f"[[game]] {number}: 'sets' is not for the format {event.format}; write {instead} into [event]"
    for number, entrant in enumerate(settings.entrants, start=1):
        if entrant.newcomer and event.format != "gauntlet":
            yield f"[[entrant]] {number}: 'newcomer' is for the format gauntlet, not for {event.format}; take it out"


def _missing(settings: "Settings") -> Iterator[str]:
    event = settings.event
    if event.format == "swiss" and event.rounds is None:
        yield "[event]: the format swiss takes the number of rounds; write 'rounds'"
    if event.format == "open" and all(getattr(event, key) is None for key in _ENDS):
        yield "[event]: the format open has to end; write 'sets_wanted', 'half_width' or 'until'"
    if event.format == "gauntlet" and not any(entrant.newcomer for entrant in settings.entrants):
        yield "a gauntlet is about newcomers, and there is none; write newcomer = true at an [[entrant]]"


def _game_problems(settings: "Settings", game: "GameSettings") -> Iterator[str]:
    if game.mixed and len(set(game.sides)) == game.seats:
        yield "has no partners to be mixed; take out 'partners'"
    entrants, needed = len(settings.entrants), game.table_size
    if entrants < needed:
        yield f"takes {needed} entrants a table, and there are {entrants}; add an [[entrant]]"
    elif settings.event.format == "gauntlet":
        field = sum(not entrant.newcomer for entrant in settings.entrants)
        if field < needed - 1:
            yield (
                f"takes {needed - 1} of the field at the table of a newcomer, and there are {field}; "
                "add an [[entrant]] that is no newcomer"
            )


def _process_problems(settings: "Settings") -> Iterator[str]:
    """Yield who has too few processes for his seats at one table: one process must not know two hands."""
    team, game = max((game.team_size, game.name) for game in settings.games)
    ways_out = f'write processes = {team}, or partners = "mixed"'
    if settings.event.processes is not None and settings.event.processes < team:
        yield f"[event]: an entrant has {team} seats at a table of {game}, a process for each; {ways_out}"
    for number, entrant in enumerate(settings.entrants, start=1):
        if entrant.processes is not None and entrant.processes < team:
            yield f"[[entrant]] {number}: he has {team} seats at a table of {game}, a process for each; {ways_out}"
