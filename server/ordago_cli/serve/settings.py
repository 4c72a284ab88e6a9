"""The settings of ``ordago serve``, as given on the command line."""

from dataclasses import dataclass
from pathlib import Path

from ordago.arena.tables.tables import TableTerms
from ordago.match import FaultTerms, TimeTerms
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.arguments import check_options, known_game, option_pairs
from ordago_cli.serve.entrance import EntranceSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """The settings of ``ordago serve``, as given on the command line."""

    tables: str | None
    """The games of casual tables, separated by commas; ``None`` for a ladder."""
    ladder: str | None
    """The ladder file, or the name of a ladder that comes with Ordago; ``None`` for casual tables."""
    place: str | None
    """The URL of the ladder's database; ``None`` for a file in the data folder."""
    lane: str
    """The name of this server among those of the ladder; empty for its only server."""
    next_epoch: bool
    """Begin the next epoch of the ladder at once."""
    options: tuple[str, ...]
    """Options of the only game, each ``KEY=VALUE``."""
    address: str
    """The address to listen on, ``HOST:PORT``."""
    entrance: EntranceSettings
    """The access settings."""
    time: TimeTerms
    faults: FaultTerms
    matches: int
    """The limit of concurrent matches of each bot."""
    pause_seconds: float
    """The pause in seconds after a bot's first forfeit, in which it is not seated."""
    processes: int
    """The number of referee processes, besides the one that bots connect to; 0 to play in that one."""
    records: Path | None
    """The folder for the records of casual tables; ``None`` to store none."""
    grace_seconds: float
    """The seconds that running matches have after the first signal."""
    journaled: bool
    """Resume matches after a restart, with a journal in the data folder."""
    metrics: str | None
    """The address of metrics and health, ``HOST:PORT``; ``None`` for none."""
    web: str | None
    """The address of the site, ``HOST:PORT``; ``None`` for none."""
    web_origin: str
    """The public address of the site behind a proxy; empty for the listening address."""
    web_contact: str
    """The e-mail address or page for reports of visitors; empty for none."""
    web_forwarded: bool
    """Trust the ``X-Forwarded-For`` of a proxy in front of the site."""
    web_no_play: bool
    """Let nobody play at the site."""
    announce_to: tuple[str, ...]
    """The hosts that the events of accounts may be announced to."""
    log_format: str
    """The format of the log, for the process of the site too: one of ``LOG_FORMATS``."""

    @property
    def uses_data(self) -> bool:
        """True if matches are stored in the data folder."""
        return self.journaled or self.ladder is not None

    @property
    def games(self) -> list[str]:
        """The names of the games of casual tables."""
        return (self.tables or "").split(",")

    def kinds(self) -> list[TableTerms]:
        """Return the kinds of casual tables.

        Raises:
            CommandError: a game or one of its options is unknown.
        """
        values = option_pairs(self.options)
        names = self.games
        if values and len(names) > 1:
            raise CommandError("--option needs a single game in --tables", exit_code=EXIT_USAGE)
        return [self._kind(name, values) for name in names]

    def _kind(self, name: str, values: dict[str, str]) -> TableTerms:
        game = known_game(name)
        check_options(game, values)
        return TableTerms(game, game.rules.seat_counts[0], values, self.time, self.faults)

    def make_folder(self) -> None:
        """Create the folder for the records, if one is given.

        Raises:
            CommandError: it cannot be created.
        """
        if self.records is None:
            return
        try:
            self.records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            sentence = f"cannot create the folder {self.records}: {error.strerror}; name another one with --records"
            raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
