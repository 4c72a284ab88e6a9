"""The settings of an event: its terms, its games and its entrants.

They are the event file once it was read; ``common`` has what other files say, too.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from ordago_ladder.settings.anchors import anchors_of, check_anchors
from ordago_ladder.settings.common import Section
from ordago_ladder.settings.consistency import problems_of
from ordago_ladder.settings.names import UnfitValueError, name_key
from ordago_ladder.settings.sections import EntrantSettings, EventSettings, GameSettings, LimitSettings
from ordago_ladder.settings.written_values import listed


class Settings(Section):
    """An event, complete."""

    event: EventSettings
    """The terms."""
    limits: LimitSettings = LimitSettings()
    """What each process life of a bot may use."""
    games: Annotated[tuple[GameSettings, ...], BeforeValidator(listed), Field(alias="game", min_length=1)]
    """The games, in the order of the file."""
    entrants: Annotated[tuple[EntrantSettings, ...], BeforeValidator(listed), Field(alias="entrant", min_length=1)]
    """The entrants, in the order of the file."""
    anchors: Annotated[tuple[tuple[str, float], ...], PlainValidator(anchors_of)] = ()
    """The entrants whose ratings are known, with these: the section ``[anchors]``."""

    def has_duplicates(self, game: GameSettings) -> bool:
        """Say whether all seatings of a table get the same deals in a game, where everybody has processes enough."""
        said = (game.duplicates, self.event.duplicates, game.duplicates_tell_more)
        return next(each for each in said if each is not None)

    @property
    def duplicate_games(self) -> tuple[GameSettings, ...]:
        """The games that have duplicates, in the order of the file."""
        return tuple(filter(self.has_duplicates, self.games))

    def game_named(self, name: str) -> GameSettings:
        """Return what the event says of one of its games."""
        return next(game for game in self.games if game.name == name)

    def of_first(self, count: int) -> "Settings":
        """Return the event as it was when only so many entrants, the first of the file, took part."""
        return self.model_copy(update={"entrants": self.entrants[:count]})

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
