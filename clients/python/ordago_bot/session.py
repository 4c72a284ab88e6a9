"""A session at a server as a function call, for programs that do more than play."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from ordago.token_file import is_token
from ordago_bot.asked import DecisionLog
from ordago_bot.bot import BotFactory
from ordago_bot.player import Player
from ordago_bot.summary import Summary
from ordago_bot.tls import Tls
from ordago_bot.transport import NO_EVENT, NO_TOKEN, Stop, is_event, play


class Outcome(NamedTuple):
    """The end of a session, and what came of it."""

    goodbye: str | None
    """The reason of the server's goodbye; ``None`` if the bot left before."""
    summary: Summary
    """The results and faults of all matches."""


def play_at(
    address: str,
    bot: BotFactory,
    *,
    token: str = "",
    event: str = "",
    tls: Tls | None = None,
    name: str = "",
    version: str = "",
    games: Sequence[str] = (),
    max_matches: int = 0,
    max_open_decisions: int = 0,
    matches_in_all: int = 0,
    on_error: Literal["stop", "default"] = "stop",
    log_decisions: str | Path | None = None,
    stop: Stop | None = None,
) -> Outcome:
    """Play at a server until it says goodbye, and return the outcome.

    It reads neither command line nor environment, handles no signals, and logs to the logger ``ordago_bot`` alone. It
    blocks: call it in a thread to do something else meanwhile.

    Args:
        address: the address of the server, ``HOST:PORT``, ``[IPv6]:PORT`` or ``unix:PATH``.
        bot: the bot class.
        token: the bearer token of the bot; empty to send none.
        event: the name of the event to join; empty for the server's ladder, or its only event.
        tls: certificates for TLS; ``None`` for an unencrypted connection.
        name: the name of the bot; that of the class if empty.
        version: the version of the bot.
        games: the games that it plays; empty for all that the server offers.
        max_matches: the most matches at once; 0 for the server's limit.
        max_open_decisions: the most decisions at once; 0 for the server's limit.
        matches_in_all: the number of matches after which it ends; 0 for never.
        on_error: ``stop`` to raise what the bot raises, ``default`` to take the default answer and go on.
        log_decisions: a file to append what the bot was asked and answered; ``None`` for none.
        stop: orders to end, set by another thread.

    Raises:
        AddressError: the address is malformed.
        ValueError: the token or the name of the event cannot be one.
        SessionEndedError: the server refused or ended the session for good, or cannot be reached.
        OSError: the file of decisions cannot be written to.
    """
    _check(token, event)
    log = None if log_decisions is None else DecisionLog(log_decisions)
    player = Player(
        bot,
        name=name or getattr(bot, "__name__", "bot"),
        version=version,
        games=games,
        max_matches=max_matches,
        max_open_decisions=max_open_decisions,
        matches_in_all=matches_in_all,
        stops_on_error=on_error == "stop",
        on_asked=None if log is None else log.write,
    )
    try:
        goodbye = play(player, address=address, token=token, event=event, tls=tls, stop=stop)
    finally:
        if log is not None:
            log.close()
    return Outcome(goodbye, player.summary())


def _check(token: str, event: str) -> None:
    # gRPC would refuse to send them, and the bot would try to connect again and again.
    if not is_token(token):
        raise ValueError(NO_TOKEN)
    if not is_event(event):
        raise ValueError(f"{event!r} is {NO_EVENT}")
