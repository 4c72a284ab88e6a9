"""The commands of ``ordago``. Each is imported on use, so that the list of all of them appears at once."""

import gc
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple

import click

from ordago import IS_COMPILED
from ordago.version import __version__
from ordago_cli.errors import stopped


class Place(NamedTuple):
    """The place of a command, and its help without importing it."""

    module: str
    name: str
    """The name of the command in its module."""
    help: str
    """The first sentence of its help."""


def _imported(module: str) -> ModuleType:
    """Import a module, and exclude its objects from garbage collection.

    They live as long as the process. During an import the collector would traverse all of them more than once, which
    takes a sixth of the start time of the larger commands.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.freeze()
        if collects:
            gc.enable()


class _Imported(MutableMapping[str, click.Command]):
    """Commands by name, each imported on first access."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self.places = dict(places)
        self._found: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._found:
            place = self.places[name]
            self._found[name] = getattr(_imported(place.module), place.name)
        return self._found[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self.places[name] = Place("", "", command.help or "")
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self.places[name]
        self._found.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


class LazyGroup(click.Group):
    """A group that lists its commands without importing them."""

    def __init__(self, *, places: Mapping[str, Place], **attributes: object) -> None:
        """Offer the commands at these places, by name."""
        self.places = places
        super().__init__(commands=_Imported(places), **attributes)  # type: ignore[arg-type]  # what click knows

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - what the command returns
        """Import and run the command. An interrupt ends with our own error in place of click's."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise stopped() from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, formatted as click does it."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        commands = {name: click.Command(name, help=self.places[name].help) for name in names}
        with formatter.section("Commands"):
            formatter.write_dl([(name, commands[name].get_short_help_str(room)) for name in names])


_EPILOG = """\b
Exit codes: 0 all is well; 1 a check found something wrong; 2 the command line or the event file
is wrong; 3 something outside failed (a missing file, a busy port, a folder of another event, a
full disk); 4 a bot could not be started; 5 the server itself failed; 6 the work is unfinished;
130 stopped by the user. If nobody reads the standard output any more, a command ends in silence
with its usual exit code.
Example: ordago run tournaments/events/demo.toml"""

_BUILD: Final = "compiled" if IS_COMPILED else "pure Python"

_PLACES: Final = {
    "games": Place("ordago_cli.games", "games", "List the games, or print the rules of one."),
    "serve": Place(
        "ordago_cli.serve.command",
        "serve",
        "Run a server for bots that connect: at casual tables, or on a ladder where each match counts.",
    ),
    "account": Place(
        "ordago_cli.account.command",
        "account",
        "Invite authors, and manage accounts: your own, or all of a server.",
    ),
    "token": Place("ordago_cli.account.token", "token", "Create, list and revoke the tokens that bots connect with."),
    "announce": Place(
        "ordago_cli.operation.announcements",
        "announce",
        "Announce TEXT to all bots and visitors of a server, withdraw an announcement, or list those that stand.",
    ),
    "seating": Place(
        "ordago_cli.operation.announcements",
        "seating",
        "Pause and resume the seating of bots at the tables of a server.",
    ),
    "session": Place("ordago_cli.operation.sessions", "session", "List the sessions of bots at a server, and end one."),
    "event": Place(
        "ordago_cli.event.command",
        "event",
        "Open events on a running server, follow them, and download what they publish.",
    ),
    "bot": Place("ordago_cli.bot.command", "bot", "Start a bot in one of the languages that have an SDK."),
    "rules": Place("ordago_cli.rules", "rules", "Serve the rules of all games to bots on this machine that search."),
    "game": Place(
        "ordago_cli.game.command",
        "game",
        "Start a new game, or write files against which a port of a game's rules can be checked.",
    ),
    "doctor": Place(
        "ordago_cli.doctor",
        "doctor",
        "Examine the bot that COMMAND starts: what is wrong with it, why it matters and how to fix it.",
    ),
    "play": Place(
        "ordago_cli.match.play", "play", "Start bots, and play matches of GAME between them, one after the other."
    ),
    "rerun": Place(
        "ordago_cli.match.rerun",
        "rerun",
        "Play the match of a record FILE once more, with the same deals, seats and clocks and the bots that you name.",
    ),
    "match": Place(
        "ordago_cli.match.command",
        "match",
        "Test if the first BOT is stronger than the others, with duplicate sets until the answer is clear.",
    ),
    "record": Place("ordago_cli.match.records", "record", "Show the record of a match."),
    "decisions": Place(
        "ordago_cli.match.decisions",
        "decisions",
        "Write the decisions of published matches as Parquet, with observations and masks, to learn from.",
    ),
    "analyse": Place(
        "ordago_cli.match.analyse",
        "analyse",
        "Show the costliest choices of a match, and what the house would have played instead.",
    ),
    "verify": Place(
        "ordago_cli.match.records",
        "verify",
        "Verify a record, a folder of records, or all that an event or a standing ladder published, by replaying it.",
    ),
    "entrants": Place(
        "ordago_cli.event.entrants",
        "entrants",
        "Write a section [[entrant]] for each line of a CSV file, or each bot in a folder.",
    ),
    "check": Place("ordago_cli.event.files", "check", "Check an event file, and show what it describes."),
    "plan": Place(
        "ordago_cli.event.files",
        "plan",
        "Show how many matches an event takes, how long they last, and how exact its ladder will be.",
    ),
    "trial": Place(
        "ordago_cli.event.running",
        "trial_command",
        "Try the entrants: each plays a short match of each game against house bots, and nothing counts.",
    ),
    "run": Place("ordago_cli.event.running", "run_command", "Run an event to its end, and verify it."),
    "status": Place(
        "ordago_cli.event.files",
        "status",
        "Show how far an event has come, how fast it goes, what went wrong, and its ladder so far.",
    ),
    "explain": Place(
        "ordago_cli.event.explaining",
        "explain",
        "Show who met whom in a Swiss event, a knockout or a league, and why.",
    ),
    "report": Place(
        "ordago_cli.event.files",
        "report",
        "Publish the results of an event so far into its folder, and show its ladder.",
    ),
    "ladder": Place(
        "ordago_cli.ladder.command",
        "ladder",
        "Show the standings on the ladder of a server, in a GAME or in all together.",
    ),
    "faults": Place(
        "ordago_cli.ladder.faults",
        "faults",
        "List what went wrong with your bots on a server's ladder, or print a DECISION of a MATCH to replay it.",
    ),
    "matches": Place("ordago_cli.ladder.matches", "matches", "List the matches of a server's ladder, newest first."),
    "watch": Place(
        "ordago_cli.ladder.watch",
        "watch",
        "Follow a MATCH of a server's ladder in words, from its beginning, as spectators see it.",
    ),
    "web": Place(
        "ordago_cli.serve.web", "web", "Show published folders of events, and the ladder of a --server, in a browser."
    ),
    "suspicious": Place(
        "ordago_cli.ladder.suspicious",
        "suspicious",
        "List pairs of accounts on LADDER whose results with each other chance does not explain.",
    ),
    "prune": Place(
        "ordago_cli.ladder.prune", "prune", "Delete old records of LADDER from its store, while its server runs."
    ),
    "backup": Place(
        "ordago_cli.backup", "backup", "Write the accounts, ladders and events of a server into FILE, while it runs."
    ),
    "migrate": Place(
        "ordago_cli.migrate",
        "migrate",
        "Migrate the tables of an older Ordago to this version: a server's accounts and ladders, or an event.",
    ),
    "restore": Place(
        "ordago_cli.backup",
        "restore",
        "Restore a backup FILE into the folder of a server that has none of its contents.",
    ),
    "restore-test": Place(
        "ordago_cli.restore_test",
        "restore_test",
        "Restore a backup PATH, or the newest in a folder, for a test only, and verify all of it by replaying.",
    ),
    "bench": Place("ordago_cli.bench.command", "bench", "Measure Ordago and its peers on this machine."),
}


@click.group(
    cls=LazyGroup,
    places=_PLACES,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="ordago", message=f"%(prog)s, version %(version)s, {_BUILD}")
def program() -> None:
    """Ordago: matches, tournaments and ladders for bots that play card games with hidden information."""
