"""Checks of an event as a whole: what its sections say has to fit together."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ordago_ladder.settings.formats import BY_ROUNDS
from ordago_ladder.settings.sections import EntrantSettings, EventSettings, GameSettings

_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "rounds": ("swiss",),
    "sets_wanted": ("open",),
    "half_width": ("open",),
    "until": ("open",),
}
"""The formats that a key of ``[event]`` is for."""
_ENDS: Final = ("sets_wanted", "half_width", "until")
"""What an open event ends with."""


def problems_of(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    """Yield what does not fit together in an event, in one sentence each."""
    yield from _account_problems(entrants)
    yield from _foreign_keys(event, games, entrants)
    yield from _missing(event, entrants)
    for number, game in enumerate(games, start=1):
        place = f"[[game]] {number}: {game.name} with {game.seats} seats"
        yield from (f"{place} {problem}" for problem in _game_problems(event, entrants, game))
    yield from _process_problems(event, games, entrants)


def _foreign_keys(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    for key, formats in _KEYS.items():
        if getattr(event, key) is not None and event.format not in formats:
            yield f"[event]: {key!r} is for the format {' and '.join(formats)}, not for {event.format}; take it out"
    if event.format == "open" and event.repetitions > 1:
        yield "[event]: 'repetitions' is not for the format open; write 'sets_wanted'"
    for number, game in enumerate(games, start=1):
        if game.sets is not None and event.format in BY_ROUNDS:
            instead = "'rounds'" if event.format == "swiss" else "'sets_wanted'"
            yield f"[[game]] {number}: 'sets' is not for the format {event.format}; write {instead} into [event]"
    for number, entrant in enumerate(entrants, start=1):
        if entrant.newcomer and event.format != "gauntlet":
            yield f"[[entrant]] {number}: 'newcomer' is for the format gauntlet, not for {event.format}; take it out"


def _missing(event: EventSettings, entrants: Sequence[EntrantSettings]) -> Iterator[str]:
    if event.format == "swiss" and event.rounds is None:
        yield "[event]: the format swiss takes the number of rounds; write 'rounds'"
    if event.format == "open" and all(getattr(event, key) is None for key in _ENDS):
        yield "[event]: the format open has to end; write 'sets_wanted', 'half_width' or 'until'"
    if event.format == "gauntlet" and not any(entrant.newcomer for entrant in entrants):
        yield "a gauntlet is about newcomers, and there is none; write newcomer = true at an [[entrant]]"


def _game_problems(event: EventSettings, entrants: Sequence[EntrantSettings], game: GameSettings) -> Iterator[str]:
    if game.mixed and len(set(game.sides)) == game.seats:
        yield "has no partners to be mixed; take out 'partners'"
    needed = game.table_size
    if len(entrants) < needed:
        yield f"takes {needed} entrants a table, and there are {len(entrants)}; add an [[entrant]]"
    elif event.format == "gauntlet":
        field = sum(not entrant.newcomer for entrant in entrants)
        if field < needed - 1:
            yield (
                f"takes {needed - 1} of the field at the table of a newcomer, and there are {field}; "
                "add an [[entrant]] that is no newcomer"
            )


def _process_problems(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    """Yield who has too few processes for its seats at one table: one process must not know two hands."""
    team, game = max((game.team_size, game.name) for game in games)
    ways_out = f'write processes = {team}, or partners = "mixed"'
    if event.processes is not None and event.processes < team:
        yield f"[event]: an entrant has {team} seats at a table of {game}, a process for each; {ways_out}"
    for number, entrant in enumerate(entrants, start=1):
        if entrant.processes is not None and entrant.processes < team:
            yield f"[[entrant]] {number}: it has {team} seats at a table of {game}, a process for each; {ways_out}"


def _account_problems(entrants: Sequence[EntrantSettings]) -> Iterator[str]:
    """Yield a sentence for each account that two entrants have: nobody could tell whose bot comes in."""
    taken: dict[str, str] = {}
    for entrant in filter(lambda entrant: entrant.remote, entrants):
        account = entrant.account or entrant.name
        first = taken.setdefault(account, entrant.name)
        if first != entrant.name:
            yield f"the account {account!r} is that of {first!r}; {entrant.name!r} needs one of its own"
