"""The state that the pages of a site share."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ordago_web.access.bounds import Limits
from ordago_web.access.turns import Turns
from ordago_web.access.visitors import Visitors
from ordago_web.analysis.analyst import Analyst
from ordago_web.clients import AccountServer
from ordago_web.event_folders import EventFolders
from ordago_web.ladder_source import CALLS_AT_ONCE, LadderSource
from ordago_web.live.small_tables import SmallTables
from ordago_web.live.tables import LiveTables
from ordago_web.pages import Pages
from ordago_web.play.sessions import PlaySessions


@dataclass(frozen=True, slots=True, kw_only=True)
class AppContext:
    """The state that the pages of a site share. ``None`` for the parts that this site lacks."""

    pages: Pages
    """Renders pages."""
    now: Callable[[], float] = time.time
    """Returns the time, in seconds since 1970."""
    sessions: Visitors = field(default_factory=Visitors)
    """Identifies browsers and the authors who are signed in."""
    limits: Limits = field(default_factory=Limits)
    """The request limits of each address."""
    turns: Turns = field(default_factory=lambda: Turns(at_once=CALLS_AT_ONCE))
    """The queue of calls to the server of matches."""
    ladder: LadderSource | None = None
    """The cached answers of the ladder."""
    events: EventFolders | None = None
    """The published folders that are shown."""
    documentation: Path | None = None
    """The folder of the built documentation."""
    live: LiveTables | None = None
    """The running matches that visitors watch."""
    small_tables: SmallTables | None = None
    """Some of them, for pages that show several; made from ``ladder`` and ``live`` if they are there."""
    accounts: AccountServer | None = None
    """The client for accounts."""
    connecting: str = ""
    """The arguments with which a bot connects, as ``ServerPlace`` has them."""
    play_sessions: PlaySessions | None = None
    """The matches of people against bots."""
    analyst: Analyst | None = None
    """Computes the costs of the choices of a match."""

    def __post_init__(self) -> None:
        """Show live tables small, too."""
        if self.ladder is not None and self.live is not None and self.small_tables is None:
            object.__setattr__(self, "small_tables", SmallTables(self.ladder, self.live))
