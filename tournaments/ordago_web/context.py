"""What the pages of a site share."""

from dataclasses import dataclass, field
from pathlib import Path

from ordago_web.access.bounds import Limits
from ordago_web.access.turns import Turns
from ordago_web.access.visitors import Visitors
from ordago_web.analysis.analyst import Analyst
from ordago_web.clients import AccountServer
from ordago_web.event_folders import EventFolders
from ordago_web.ladder_source import CALLS_AT_ONCE, LadderSource
from ordago_web.live.tables import LiveTables
from ordago_web.pages import Pages
from ordago_web.play.sessions import PlaySessions


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """What the pages of a site share; ``None`` for what this site does not have."""

    pages: Pages
    """Renders pages."""
    sessions: Visitors = field(default_factory=Visitors)
    """Tells browsers apart, and who has signed in."""
    limits: Limits = field(default_factory=Limits)
    """How much each address may ask for."""
    turns: Turns = field(default_factory=lambda: Turns(at_once=CALLS_AT_ONCE))
    """Whose turn it is to ask the server of matches."""
    ladder: LadderSource | None = None
    """Answers what is asked about a ladder."""
    events: EventFolders | None = None
    """The published folders that are shown."""
    documentation: Path | None = None
    """The folder of the built documentation."""
    live: LiveTables | None = None
    """The matches that are watched while they are played."""
    accounts: AccountServer | None = None
    """Answers what authors ask about their accounts."""
    play_sessions: PlaySessions | None = None
    """Where people play."""
    analyst: Analyst | None = None
    """Works out what the choices of a match cost."""
