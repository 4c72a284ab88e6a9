"""The settings of an epoch: the terms of all of its matches, as a file that is published with it."""

import hashlib
from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, Field, ValidationError

from ordago.game import OptionError, option_values
from ordago.games import UnknownGameError, find_game
from ordago.record.ledgers.chain import Part, written
from ordago_ladder.event_file.written_file import first_problem
from ordago_ladder.rating.points import deals_of
from ordago_ladder.settings.common import within_bounds
from ordago_ladder.settings.written_values import MOST_ELO, Value, slug_of

MOST_SETTINGS_BYTES: Final = 100_000
"""The longest settings that are read, in bytes."""


_Elo: TypeAlias = Annotated[float, Field(ge=-MOST_ELO, le=MOST_ELO, allow_inf_nan=False)]


class EpochSettingsError(ValueError):
    """Invalid settings of an epoch. The message is one sentence."""


class GameOfEpoch(Part):
    """A game that is played in an epoch."""

    name: str
    """Its short name."""
    rules_version: Annotated[int, Field(ge=1)]
    """The version of its rules."""
    seats: Annotated[int, Field(ge=1)]
    """The number of seats at a table."""
    options: dict[str, Value]
    """Values of its options, by name; the others have their defaults."""

    @property
    def deals(self) -> int | None:
        """The number of deals of a match; ``None`` where it is not fixed, or where this version lacks the game."""
        try:
            specs = find_game(self.name).rules.option_specs
            return deals_of(option_values(specs, self.options))
        except (UnknownGameError, OptionError):
            return None


class EpochSettings(Part):
    """The terms of all matches of an epoch."""

    ladder: Annotated[str, AfterValidator(slug_of)]
    """The short name of the ladder."""
    games: tuple[GameOfEpoch, ...]
    """The games, each once."""
    # ``TimeTerms`` and ``FaultTerms`` document these.
    decision_ms: Annotated[int, within_bounds("decision_ms")]
    bank_ms: Annotated[int, within_bounds("bank_ms")]
    increment_ms: Annotated[int, within_bounds("increment_ms")]
    lag_credit_ms: Annotated[int, within_bounds("lag_credit_ms")]
    lag_bank_ms: Annotated[int, within_bounds("lag_bank_ms")]
    disconnect_bank_ms: Annotated[int, within_bounds("disconnect_bank_ms")]
    strikes: Annotated[int, within_bounds("strikes")]
    forfeit_after: Annotated[int, within_bounds("forfeit_after")]
    anchors: dict[str, _Elo]
    """The ratings of anchors (house bots) in Elo, by name. They stay the same for a season."""

    @property
    def text(self) -> str:
        """The settings as the text of a file: equal settings give equal bytes."""
        return f"{written(self.model_dump())}\n"

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the text, 32 bytes: the ``settings_digest`` of a ledger."""
        return hashlib.sha256(self.text.encode()).digest()

    def game_named(self, name: str) -> GameOfEpoch:
        """Return the game of this short name.

        Raises:
            EpochSettingsError: the game is not played in this epoch.
        """
        for game in self.games:
            if game.name == name:
                return game
        raise EpochSettingsError(f"The game {name!r} is not played in this epoch.")


def parse_epoch_settings(text: str) -> EpochSettings:
    """Parse the text of settings.

    Raises:
        EpochSettingsError: the text is malformed, is not exactly as it is published, or names a game or options that
            this version does not know.
    """
    try:
        settings = EpochSettings.model_validate_json(text)
    except ValidationError as error:
        raise EpochSettingsError(f"The settings are invalid: {first_problem(error)}.") from None
    if settings.text != text:
        raise EpochSettingsError("The settings are not in published form: keys ascending, no spaces.")
    if len({game.name for game in settings.games}) < len(settings.games):
        raise EpochSettingsError("A game is listed twice.")
    _check_games(settings)
    return settings


def _check_games(settings: EpochSettings) -> None:
    for game in settings.games:
        try:
            find_game(game.name).rules.options(dict(game.options))
        except (UnknownGameError, OptionError) as error:
            raise EpochSettingsError(f"The game {game.name!r} cannot be played: {error}.") from None
