"""What stands in an event file, as it is kept. What cannot stand there raises ``UnfitValueError``.

Names stand in seed texts, set keys, PGN tags, tables, the names of log files, pages and terminals: they are plain.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

from pydantic import ValidationInfo

from ordago.chance import SECRET_BYTES
from ordago.names import PLAIN_NAME, composed, is_plain_name, mixed_alphabets
from ordago.record.ledgers.event import BeaconRound
from ordago.shell_words import NoCommandError, check_program, command_words

_MOST_SHOWN: Final = 128


class UnfitValueError(ValueError):
    """A value in an event file that cannot stand there. The organiser erred."""


def entrant_name(text: str) -> str:
    """Return the name of an entrant as it is known from here on: composed, as Unicode says (NFC).

    Raises:
        UnfitValueError: it cannot be a name.
    """
    name = composed(text)
    if not is_plain_name(name):
        raise UnfitValueError(f"'name' takes {PLAIN_NAME}, beginning with a letter or a digit, not {_quoted(text)}")
    mixed = " and ".join(mixed_alphabets(name))
    if mixed:
        raise UnfitValueError(f"'name' mixes {mixed} letters, which look alike; take those of one: {_quoted(text)}")
    return name


def name_key(name: str) -> str:
    """Return what two names have in common that a reader could take for each other: case and forms of letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def shown_text(text: str, info: ValidationInfo) -> str:
    """Return a text that is only shown.

    Raises:
        UnfitValueError: it is too long, or could do more on a page, a terminal or in a table than stand there.
    """
    if len(text) > _MOST_SHOWN or not text.isprintable():
        raise UnfitValueError(
            f"{info.field_name!r} takes {_MOST_SHOWN} characters at most, all visible, not {_quoted(text)}"
        )
    return text


def _quoted(text: str) -> str:
    return ascii(text) if not text.isprintable() else repr(text)


Isolation: TypeAlias = Literal["full", "none"]
"""Whether bots are shut in."""
Value: TypeAlias = int | str | bool
"""What an option of a game or a setting of a house bot can be."""

_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_BEACON_SOURCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ./:_+-]{0,127}")


def is_slug(name: str) -> bool:
    """Say whether something is a short name: small letters, digits and hyphens, 64 at most."""
    return _SLUG.fullmatch(name) is not None


def slug_of(name: str, key: str = "name") -> str:
    """Return a short name, if it is one that a key can have."""
    if not is_slug(name):
        raise UnfitValueError(f"{key!r} takes small letters, digits and hyphens, 64 at most, not {name!r}")
    return name


def secret_of(written: object) -> bytes:
    """Return a secret."""
    try:
        secret = bytes.fromhex(written) if isinstance(written, str) else b""
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise UnfitValueError(f"'secret' takes {SECRET_BYTES} bytes as {2 * SECRET_BYTES} hexadecimal digits in quotes")
    return secret


def beacon_of(written: object) -> BeaconRound:
    """Return a round of a beacon."""
    match written:
        case {"source": str(source), "round": int(number), **rest} if not rest:
            if _BEACON_SOURCE.fullmatch(source) and not isinstance(number, bool) and 0 <= number < 1 << 32:
                return BeaconRound(source=source, round=number)
    raise UnfitValueError("'beacon' takes a source and a round: beacon = { source = \"drand quicknet\", round = 1 }")


def _table(written: object, key: str) -> list[tuple[str, object]]:
    if not isinstance(written, dict):
        raise UnfitValueError(f"{key!r} takes a table, for instance {key} = {{ name = value }}, not {written!r}")
    return sorted(written.items())


def environment_of(written: object) -> tuple[tuple[str, str], ...]:
    """Return environment variables, ascending by name."""
    pairs = []
    for name, value in _table(written, "env"):
        if not isinstance(value, str):
            raise UnfitValueError(f"'env' takes texts in quotes; write {name} = \"{value}\"")
        if not name or "=" in name or "\0" in name + value:
            raise UnfitValueError(f"'env' takes names without '=' and texts without NUL characters; mend {name!r}")
        pairs.append((name, value))
    return tuple(pairs)


def values_of(written: object, info: ValidationInfo) -> tuple[tuple[str, Value], ...]:
    """Return options or settings, ascending by name."""
    pairs = []
    for name, value in _table(written, str(info.field_name)):
        if not isinstance(value, int | str):
            raise UnfitValueError(f"{name!r} takes a whole number, a text in quotes, true or false, not {value!r}")
        pairs.append((name, value))
    return tuple(pairs)


def listed(written: object) -> object:
    """Return a list as it is kept."""
    return tuple(written) if isinstance(written, list) else written


def words_of(written: object, info: ValidationInfo) -> object:
    """Return the words of a command."""
    texts = written if isinstance(written, list) else [written]
    if any(isinstance(text, str) and "\0" in text for text in texts):
        raise UnfitValueError(f"{info.field_name!r} takes texts without NUL characters")
    try:
        if isinstance(written, str):
            return command_words(written)
        check_program([text for text in texts[:1] if isinstance(text, str)])
    except NoCommandError as error:
        raise UnfitValueError(f"{info.field_name!r} {error}") from None
    return listed(written)


Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "open"]
"""Which tables of an event play."""
Partners: TypeAlias = Literal["one", "mixed"]
"""Whether partners are one entrant, or different ones."""

BY_ROUNDS: Final = ("swiss", "open")
"""The formats in which results decide who plays next."""


Overall: TypeAlias = Literal["pairings", "games"]
"""What counts the same in the ladder of all games: every pairing, or every game with all its pairings together."""

MOST_ELO: Final = 10_000


def one_of(names: Sequence[str]) -> Callable[[object, ValidationInfo], object]:
    """Return a check that one of some names is written; where there are two, an error tells them in quotes."""
    told = ", ".join(names) if len(names) > 2 else " or ".join(f'"{name}"' for name in names)

    def checked(written: object, info: ValidationInfo) -> object:
        if written not in names:
            raise UnfitValueError(f"{info.field_name!r} takes {told}, not {written!r}")
        return written

    return checked


def until_of(written: object) -> datetime:
    """Return a time with its zone."""
    if not isinstance(written, datetime) or written.tzinfo is None:
        shown = written.isoformat() if isinstance(written, datetime) else repr(written)
        raise UnfitValueError(
            f"'until' takes a time with its zone, for instance until = 2027-01-31T18:00:00Z, not {shown}"
        )
    return _in_utc(written, "until")


def begins_of(written: object) -> datetime:
    """Return when an event begins: a time that everybody understands alike."""
    if not isinstance(written, datetime) or written.utcoffset() is None:
        raise UnfitValueError("'begins' takes a time with its distance from UTC, without quotes: 2026-11-22T18:00:00Z")
    return _in_utc(written, "begins")


def _in_utc(time: datetime, key: str) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise UnfitValueError(f"{key!r} takes a time of the years 1 to 9999, not {time.isoformat()}") from None


def anchors_of(written: object) -> tuple[tuple[str, float], ...]:
    """Return the entrants whose ratings are known, ascending, with these."""
    if not isinstance(written, dict):
        raise UnfitValueError(f"'anchors' takes a table: [anchors] and below it NAME = RATING, not {written!r}")
    for name, elo in written.items():
        if isinstance(elo, bool) or not isinstance(elo, int | float) or not abs(elo) <= MOST_ELO:
            raise UnfitValueError(f"an anchor takes its rating, {-MOST_ELO:,} to {MOST_ELO:,}, not {name} = {elo!r}")
    return tuple(sorted((name, float(elo)) for name, elo in written.items()))


def check_anchors(anchors: Iterable[tuple[str, float]], entrants: Collection[str]) -> None:
    """Check that all anchors take part."""
    for name, _ in anchors:
        if name not in entrants:
            raise UnfitValueError(f"[anchors]: there is no entrant {name!r}; there are: {', '.join(entrants)}")
