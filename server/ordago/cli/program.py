"""The commands of ``ordago``, joined."""

from typing import Final

import click

from ordago import IS_COMPILED
from ordago.cli.account.command import account
from ordago.cli.analyse import analyse
from ordago.cli.backup import backup, restore
from ordago.cli.bench import bench
from ordago.cli.bot.command import bot
from ordago.cli.doctor import doctor
from ordago.cli.event.command import event
from ordago.cli.events import check, plan, report, status
from ordago.cli.games import games
from ordago.cli.ladder import ladder
from ordago.cli.match import match
from ordago.cli.matches import matches
from ordago.cli.play import play
from ordago.cli.prune import prune
from ordago.cli.records import record, verify
from ordago.cli.running import run_command, trial_command
from ordago.cli.serve.command import serve
from ordago.cli.token import token
from ordago.cli.watch import watch
from ordago.cli.web import web
from ordago.version import __version__

_EPILOG = """\b
Exit codes: 0 all is well; 1 what was checked is not as it should be; 2 the command line or
the event file is wrong; 3 something outside failed (a missing file, a busy port, a folder
of another event); 4 a bot could not be started; 5 the server itself failed;
6 an event is to go on; 130 stopped by the user.
Example: ordago run tournaments/events/demo.toml"""

_BUILD: Final = "compiled" if IS_COMPILED else "not compiled"


@click.group(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ordago", message=f"%(prog)s, version %(version)s, {_BUILD}")
def program() -> None:
    """Ordago: matches, tournaments and ladders for bots that play card games with hidden information."""


_EVENTS = (check, plan, trial_command, run_command, status, report)

_LADDER = (ladder, matches, watch, web)
_UPKEEP = (prune, backup, restore)

_BOTS = (bot, doctor)
_PLAY = (play, match, record, analyse, verify)

for command in (games, serve, account, token, event, *_BOTS, *_PLAY, *_EVENTS, *_LADDER, *_UPKEEP, bench):
    program.add_command(command)
