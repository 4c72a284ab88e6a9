"""The settings of an event: its terms, its games and its entrants.

They are parsed from the event file; ``common`` has the parts that ladder files share.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from ordago.match import TERM_BOUNDS
from ordago_ladder.settings.common import Section
from ordago_ladder.settings.leagues import league_problems
from ordago_ladder.settings.sections import (
    MOST_LOOKS,
    SCALED_BY_ODDS,
    AnnounceSettings,
    EntrantSettings,
    EventSettings,
    GameSettings,
    LimitSettings,
)
from ordago_ladder.settings.written_values import (
    BY_ROUNDS,
    DECISION_KEYS,
    DRAWN,
    ELIMINATION,
    UnfitValueError,
    anchors_of,
    check_anchors,
    listed,
    name_key,
)

_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "rounds": ("swiss",),
    **dict.fromkeys(("advance", "play_offs", "skip_decided"), DRAWN),
    **dict.fromkeys(("groups", "final", "final_repetitions"), ("league",)),
    "sets_wanted": ("open",),
    "half_width": ("open",),
    "until": ("open",),
    **dict.fromkeys(DECISION_KEYS, ("round-robin",)),
}
"""The formats that accept a key of ``[event]``. Keys that every format accepts are left out."""
_ENDS: Final = ("sets_wanted", "half_width", "until")
"""The keys that end an open event; it needs at least one."""
_MOST_ANNOUNCE: Final = 8
"""The most URLs that are told of an event: each takes a thread."""


def problems_of(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    """Yield a sentence for each inconsistency between the sections of an event."""
    yield from _account_problems(entrants)
    yield from _foreign_keys(event, games, entrants)
    yield from _missing(event, entrants)
    yield from _entry_problems(event)
    if event.format in ELIMINATION:
        yield from _elimination_problems(event, games)
    if event.format == "league":
        yield from league_problems(event, games, entrants)
    if any(getattr(event, key) is not None for key in DECISION_KEYS):
        yield from _decision_problems(event, games, entrants)
    for number, game in enumerate(games, start=1):
        place = f"[[game]] {number}: {game.name} with {game.seats} seats"
        yield from (f"{place} {problem}" for problem in _game_problems(event, entrants, game))
    yield from _process_problems(event, games, entrants)
    yield from _time_problems(event, entrants)


def _foreign_keys(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    for key, formats in _KEYS.items():
        if getattr(event, key) is not None and event.format not in formats:
            listed = f"{', '.join(formats[:-1])} and {formats[-1]}" if len(formats) > 1 else formats[0]
            yield f"[event]: {key!r} is for the format {listed}, not for {event.format}; remove it"
    if event.format == "open" and event.repetitions > 1:
        yield "[event]: 'repetitions' is not for the format open; write 'sets_wanted'"
    for number, game in enumerate(games, start=1):
        if game.sets is not None and event.format in BY_ROUNDS:
            instead = {"swiss": "rounds", "open": "sets_wanted"}.get(event.format, "repetitions")
            yield f"[[game]] {number}: 'sets' is not for the format {event.format}; write {instead!r} into [event]"
    if event.conceding and not any(game.can_be_conceded for game in games):
        yield "[event]: 'conceding' is for games of two sides, and none of these can be conceded; remove it"
    for number, entrant in enumerate(entrants, start=1):
        if entrant.newcomer and event.format != "gauntlet":
            yield f"[[entrant]] {number}: 'newcomer' is for the format gauntlet, not for {event.format}; remove it"
        if entrant.group and event.format != "league":
            yield f"[[entrant]] {number}: 'group' is for the format league, not for {event.format}; remove it"


def _missing(event: EventSettings, entrants: Sequence[EntrantSettings]) -> Iterator[str]:
    if event.format == "swiss" and event.rounds is None:
        yield "[event]: the format swiss needs a number of rounds; write 'rounds'"
    if event.format == "open" and all(getattr(event, key) is None for key in _ENDS):
        yield "[event]: the format open needs an end; write 'sets_wanted', 'half_width' or 'until'"
    if event.format == "gauntlet" and not any(entrant.newcomer for entrant in entrants):
        yield "a gauntlet needs a newcomer; write newcomer = true in an [[entrant]]"


def _entry_problems(event: EventSettings) -> Iterator[str]:
    if not event.open_entry:
        if event.entrants_at_most is not None:
            yield "[event]: 'entrants_at_most' is for open_entry = true; write that too, or remove it"
        return
    if event.begins is None:
        yield "[event]: 'open_entry' needs a time at which it ends; write 'begins'"
    if event.entrants_at_most is None:
        yield "[event]: 'open_entry' needs the most entrants; write 'entrants_at_most'"
    if not event.absentees_forfeit:
        yield "[event]: with 'open_entry' one absent author would stop the event; write absentees_forfeit = true"


def _elimination_problems(event: EventSettings, games: Sequence[GameSettings]) -> Iterator[str]:
    sizes = {game.table_size for game in games}
    if len(sizes) > 1:
        listed = ", ".join(f"{game.name} {game.table_size}" for game in games)
        yield f"the games of a {event.format} take the same number of entrants at a table, not {listed}; choose others"
    elif event.going_on(games[0]) >= games[0].table_size:
        yield (
            f"[event]: 'advance' takes less than the {games[0].table_size} entrants at a table of {games[0].name}, not "
            f"{event.advance}"
        )


def _decision_problems(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    """Yield a sentence for each reason why an event cannot go on until places are decided."""
    if event.until_decided is None or event.at_most is None:
        yield "[event]: 'until_decided' and 'at_most' belong together; write both, or neither"
    elif event.until_decided >= len(entrants):
        yield f"[event]: 'until_decided' takes less than the number of entrants, {len(entrants)}; lower it"
    elif not event.repetitions <= event.at_most <= MOST_LOOKS * event.repetitions:
        yield (
            f"[event]: 'at_most' takes one to {MOST_LOOKS} times 'repetitions', after which the event looks whether to "
            f"go on: {event.repetitions} to {MOST_LOOKS * event.repetitions}, not {event.at_most}"
        )
    if event.overall != "pairings":
        yield "[event]: 'until_decided' decides by points of all games; remove 'overall'"
    for number, game in enumerate(games, start=1):
        if game.sets is not None:
            yield f"[[game]] {number}: 'until_decided' needs every table in each repetition; remove 'sets'"


def _game_problems(event: EventSettings, entrants: Sequence[EntrantSettings], game: GameSettings) -> Iterator[str]:
    if game.mixed and len(set(game.sides)) == game.seats:
        yield "has no partners to mix; remove 'partners'"
    needed = game.table_size
    entrants = [entrant for entrant in entrants if not entrant.withdrawn]
    if len(entrants) < needed:
        yield f"takes {needed} entrants a table, and there are {len(entrants)}; add an [[entrant]]"
    elif event.format == "gauntlet":
        field = sum(not entrant.newcomer for entrant in entrants)
        if field < needed - 1:
            yield (
                f"takes {needed - 1} of the field at the table of a newcomer, and there are {field}; add an "
                "[[entrant]] that is not a newcomer"
            )


def _process_problems(
    event: EventSettings, games: Sequence[GameSettings], entrants: Sequence[EntrantSettings]
) -> Iterator[str]:
    """Yield a sentence for each entrant with fewer processes than seats at a table: no process may see two hands."""
    team, game = max((game.team_size, game.name) for game in games)
    ways_out = f'write processes = {team}, or partners = "mixed"'
    if event.processes is not None and event.processes < team:
        yield f"[event]: an entrant has {team} seats at a table of {game}, a process for each; {ways_out}"
    for number, entrant in enumerate(entrants, start=1):
        if entrant.processes is not None and entrant.processes < team:
            yield f"[[entrant]] {number}: it has {team} seats at a table of {game}, a process for each; {ways_out}"


def _time_problems(event: EventSettings, entrants: Sequence[EntrantSettings]) -> Iterator[str]:
    """Yield a sentence for each time of an entrant that its odds make longer than a match allows."""
    for number, entrant in enumerate(entrants, start=1):
        for term in SCALED_BY_ODDS:
            milliseconds, most = getattr(event, term) * entrant.time_odds, TERM_BOUNDS[term].most
            if milliseconds > most:
                yield (
                    f"[[entrant]] {number}: 'time_odds' makes its {term} {milliseconds:.0f}, and {most} is the most; "
                    "write a smaller one"
                )


def _account_problems(entrants: Sequence[EntrantSettings]) -> Iterator[str]:
    """Yield a sentence for each account that two entrants share: a connecting bot could belong to either."""
    taken: dict[str, str] = {}
    for entrant in filter(lambda entrant: entrant.remote, entrants):
        account = entrant.account or entrant.name
        first = taken.setdefault(account, entrant.name)
        if first != entrant.name:
            yield f"the account {account!r} is that of {first!r}; {entrant.name!r} needs one of its own"


class Settings(Section):
    """The complete settings of an event."""

    event: EventSettings
    """The section ``[event]``."""
    limits: LimitSettings = LimitSettings()
    """The resource limits of each process slot of a bot."""
    games: Annotated[tuple[GameSettings, ...], BeforeValidator(listed), Field(alias="game", min_length=1)]
    """The games, in the order of the file."""
    entrants: Annotated[tuple[EntrantSettings, ...], BeforeValidator(listed), Field(alias="entrant", min_length=1)]
    """The entrants, in the order of the file."""
    anchors: Annotated[tuple[tuple[str, float], ...], PlainValidator(anchors_of)] = ()
    """The entrants with known ratings, each with its rating in Elo: the section ``[anchors]``."""
    announce: Annotated[tuple[AnnounceSettings, ...], BeforeValidator(listed)] = ()
    """The URLs that are told what happens in the event."""

    def has_duplicates(self, game: GameSettings) -> bool:
        """Return True if all seatings of a table get the same deals in a game, given enough processes."""
        said = (game.duplicates, self.event.duplicates, game.duplicates_tell_more)
        return next(each for each in said if each is not None)

    def asks_for_duplicates(self, game: GameSettings) -> bool:
        """Return True if the file itself asks for duplicates in a game, so that remote bots may see a deal again."""
        return bool(self.event.duplicates if game.duplicates is None else game.duplicates)

    @property
    def duplicate_games(self) -> tuple[GameSettings, ...]:
        """The games that have duplicates, in the order of the file."""
        return tuple(filter(self.has_duplicates, self.games))

    def game_named(self, name: str) -> GameSettings:
        """Return the settings of one of the event's games."""
        return next(game for game in self.games if game.name == name)

    @property
    def withdrawn(self) -> frozenset[str]:
        """The names of the entrants that withdrew."""
        return frozenset(entrant.name for entrant in self.entrants if entrant.withdrawn)

    @property
    def present(self) -> "Settings":
        """The event without the entrants that withdrew."""
        entrants = tuple(entrant for entrant in self.entrants if not entrant.withdrawn)
        return self if len(entrants) == len(self.entrants) else self.model_copy(update={"entrants": entrants})

    @property
    def remote_entrants(self) -> tuple[EntrantSettings, ...]:
        """The entrants whose bots are started elsewhere, in the order of the file."""
        return tuple(entrant for entrant in self.entrants if entrant.remote)

    @model_validator(mode="after")
    def _check_names(self) -> "Settings":
        _check_different("[[game]]", [game.name for game in self.games])
        _check_different("[[entrant]]", names := [entrant.name for entrant in self.entrants])
        check_anchors(self.anchors, names)
        return self

    @model_validator(mode="after")
    def _check_format(self) -> "Settings":
        if len(self.announce) > _MOST_ANNOUNCE:
            raise UnfitValueError(f"[[announce]] may be there {_MOST_ANNOUNCE} times at most; remove others")
        for problem in problems_of(self.event, self.games, self.entrants):
            raise UnfitValueError(problem)
        return self


def _check_different(section: str, names: list[str]) -> None:
    taken: dict[str, int] = {}
    for number, name in enumerate(names, start=1):
        first = taken.setdefault(name_key(name), number)
        if first < number:
            same = "is taken by" if names[first - 1] == name else f"cannot be told from {names[first - 1]!r}, that of"
            raise UnfitValueError(f"{section} {number}: the name {name!r} {same} {section} {first}; choose another")
