"""The settings of ``ordago serve``, as they stand on the command line."""

from dataclasses import dataclass
from pathlib import Path

from ordago.arena.tables.tables import TableTerms
from ordago.match import FaultTerms, TimeTerms
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.arguments import check_options, known_game, option_pairs
from ordago_cli.serve.entrance import EntranceSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """What ``ordago serve`` is told, as it stands on the command line."""

    tables: str | None
    """The games of casual tables, with commas between them; ``None`` where a ladder is served."""
    ladder: str | None
    """The ladder file, or the name of one that comes with Ordago; ``None`` where casual tables are."""
    place: str | None
    """The URL of the database of the ladder; ``None`` for a file in the data folder."""
    next_epoch: bool
    """Whether the next epoch of the ladder begins at once."""
    options: tuple[str, ...]
    """Options of the one game, each ``KEY=VALUE``."""
    address: str
    """Where to listen, ``HOST:PORT``."""
    entrance: EntranceSettings
    """Who may come in, and how."""
    time: TimeTerms
    faults: FaultTerms
    matches: int
    """How many matches each bot plays at once, at most."""
    pause_seconds: float
    """For how long whoever forfeits a match first is not seated again."""
    processes: int
    """How many processes play the matches, beside the one that bots connect to; 0: that one plays them."""
    records: Path | None
    """The folder for the records, if they are kept."""
    grace_seconds: float
    """How long running matches may go on after the first signal."""
    journaled: bool
    """Whether matches go on after a restart, by a journal in the data folder."""
    metrics: str | None
    """Where to serve metrics and health, ``HOST:PORT``; ``None`` for nowhere."""
    web: str | None
    """Where the site is, ``HOST:PORT``; ``None`` for nowhere."""
    web_origin: str
    """What people call the site by, behind a proxy; empty: as it listens."""
    web_forwarded: bool
    """Whether a proxy stands before the site, whose word for who asks is believed."""
    web_no_play: bool
    """Whether the site has no seat for people."""

    @property
    def uses_data(self) -> bool:
        """Whether matches are kept in the data folder."""
        return self.journaled or self.ladder is not None

    @property
    def games(self) -> list[str]:
        """The names of the games of casual tables."""
        return (self.tables or "").split(",")

    def kinds(self) -> list[TableTerms]:
        """Return the kinds of tables.

        Raises:
            CommandError: a game is not known, or its options are not.
        """
        values = option_pairs(self.options)
        names = self.games
        if values and len(names) > 1:
            raise CommandError("options belong to one game; serve one game to give any", exit_code=EXIT_USAGE)
        return [self._kind(name, values) for name in names]

    def _kind(self, name: str, values: dict[str, str]) -> TableTerms:
        game = known_game(name)
        check_options(game, values)
        return TableTerms(game, game.rules.seat_counts[0], values, self.time, self.faults)

    def make_folder(self) -> None:
        """Make the folder for the records, if there is to be one.

        Raises:
            CommandError: it cannot be made.
        """
        if self.records is None:
            return
        try:
            self.records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            sentence = f"cannot make the folder {self.records}: {error.strerror}; name another one with --records"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
