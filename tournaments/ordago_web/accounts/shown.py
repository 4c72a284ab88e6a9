"""What an author is shown of his tokens and bots."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from ordago import v1
from ordago.names import visible


class TokenRow(NamedTuple):
    """A token, without what would let anybody in."""

    id: str
    scopes: str
    """What it is good for."""
    bot: str
    """The bot that it is for; empty for any."""
    created: str
    expires: str
    last_used: str
    revoked: str
    """When it was revoked; times are those of UTC, and empty for never."""
    own: bool
    """Whether it is what its author has signed in with."""


class BotRow(NamedTuple):
    """A bot with the last of its versions."""

    name: str
    version: str
    builds: int
    """How many builds of it have played."""


def token_row(token: v1.AccountToken, *, own: bool) -> TokenRow:
    """Return what is shown of a token."""
    return TokenRow(
        id=visible(token.id),
        scopes=", ".join(sorted(v1.Role.Name(role).removeprefix("ROLE_").lower() for role in token.scopes)),
        bot=visible(token.bot),
        created=_time(token.created_at),
        expires=_time(token.expires_at if token.HasField("expires_at") else None),
        last_used=_time(token.last_used_at if token.HasField("last_used_at") else None),
        revoked=_time(token.revoked_at if token.HasField("revoked_at") else None),
        own=own,
    )


def bot_rows(bots: Iterable[v1.AccountBot]) -> Sequence[BotRow]:
    """Return what is shown of bots."""
    return [
        BotRow(visible(bot.name), visible(bot.builds[-1].version) if bot.builds else "", len(bot.builds))
        for bot in bots
    ]


def _time(seconds: int | None) -> str:
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
