"""Validators that turn the values of an event file into those of its settings, or raise ``UnfitValueError``.

Names appear in seed texts, set keys, PGN tags, tables, log file names, pages and terminals, so only plain ones pass.
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
    """An invalid value in an event file: a mistake of the organiser."""


def entrant_name(text: str) -> str:
    """Return the name of an entrant in Unicode's composed form (NFC).

    Raises:
        UnfitValueError: it is not a valid name.
    """
    name = composed(text)
    if not is_plain_name(name):
        raise UnfitValueError(f"'name' takes {PLAIN_NAME}, beginning with a letter or a digit, not {_quoted(text)}")
    mixed = " and ".join(mixed_alphabets(name))
    if mixed:
        raise UnfitValueError(f"'name' mixes {mixed} letters, which look alike; use a single alphabet: {_quoted(text)}")
    return name


def name_key(name: str) -> str:
    """Return a key that is equal for names that differ only in case or compatible forms of letters (NFKC)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def shown_text(text: str, info: ValidationInfo) -> str:
    """Return a text that is for display only.

    Raises:
        UnfitValueError: it is too long, or has characters that could disturb a page, a terminal or a table.
    """
    if len(text) > _MOST_SHOWN or not text.isprintable():
        raise UnfitValueError(
            f"{info.field_name!r} takes at most {_MOST_SHOWN} characters, all visible, not {_quoted(text)}"
        )
    return text


def _quoted(text: str) -> str:
    return ascii(text) if not text.isprintable() else repr(text)


Isolation: TypeAlias = Literal["full", "none"]
"""The isolation of bots that are started here."""
Value: TypeAlias = int | str | bool
"""A value of a game's option or of a house bot's setting."""

_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_BEACON_SOURCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ./:_+-]{0,127}")


def is_slug(name: str) -> bool:
    """Return True for a short name: lower-case letters, digits and hyphens, at most 64."""
    return _SLUG.fullmatch(name) is not None


def slug_of(name: str, key: str = "name") -> str:
    """Return a text that is a valid short name; otherwise the error names ``key``."""
    if not is_slug(name):
        raise UnfitValueError(f"{key!r} takes small letters, digits and hyphens, 64 at most, not {name!r}")
    return name


def secret_of(written: object) -> bytes:
    """Return a secret from its hexadecimal digits."""
    try:
        secret = bytes.fromhex(written) if isinstance(written, str) else b""
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise UnfitValueError(f"'secret' takes {SECRET_BYTES} bytes as {2 * SECRET_BYTES} hexadecimal digits in quotes")
    return secret


def beacon_of(written: object) -> BeaconRound:
    """Return a round of a beacon from a table with ``source`` and ``round``."""
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
            raise UnfitValueError(f"'env' takes names without '=' and texts without NUL characters; fix {name!r}")
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
    """Return a list as a tuple, and any other value unchanged."""
    return tuple(written) if isinstance(written, list) else written


def words_of(written: object, info: ValidationInfo) -> object:
    """Return the words of a command, from one text or from a list of them."""
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


Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "open", "knockout", "double-elimination", "league"]
"""The format of an event."""
FinalFormat: TypeAlias = Literal["knockout", "double-elimination", "round-robin"]
"""The format of the final of a league."""
Partners: TypeAlias = Literal["one", "mixed"]
"""Partners in a side: one entrant, or different ones."""

ELIMINATION: Final = ("knockout", "double-elimination")
"""The formats in which entrants go out."""
DRAWN: Final = (*ELIMINATION, "league")
"""The formats in which seeds decide who meets: nobody can join them, and nothing but withdrawals can change them."""
BY_ROUNDS: Final = ("swiss", "open", *DRAWN)
"""The formats in which results decide who plays next."""
DECISION_KEYS: Final = ("until_decided", "at_most")
"""The keys of ``[event]`` of a round robin that goes on until its first places are decided."""


Overall: TypeAlias = Literal["pairings", "games"]
"""The unit of equal weight in the overall ladder: every pairing, or every game with all its pairings together."""

MOST_ELO: Final = 10_000


def one_of(names: Sequence[str]) -> Callable[[object, ValidationInfo], object]:
    """Return a validator that accepts only these names. Its error lists them, two in quotes."""
    choices = ", ".join(names) if len(names) > 2 else " or ".join(f'"{name}"' for name in names)

    def checked(written: object, info: ValidationInfo) -> object:
        if written not in names:
            raise UnfitValueError(f"{info.field_name!r} takes {choices}, not {written!r}")
        return written

    return checked


def until_of(written: object) -> datetime:
    """Return the time ``until``, in UTC; it has to be written with its zone."""
    if not isinstance(written, datetime) or written.tzinfo is None:
        shown = written.isoformat() if isinstance(written, datetime) else repr(written)
        raise UnfitValueError(
            f"'until' takes a time with its zone, for instance until = 2027-01-31T18:00:00Z, not {shown}"
        )
    return _in_utc(written, "until")


def begins_of(written: object) -> datetime:
    """Return the time ``begins``, in UTC; it has to be written with its offset."""
    if not isinstance(written, datetime) or written.utcoffset() is None:
        raise UnfitValueError("'begins' takes a time with its zone, without quotes: 2026-11-22T18:00:00Z")
    return _in_utc(written, "begins")


def _in_utc(time: datetime, key: str) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise UnfitValueError(f"{key!r} takes a time of the years 1 to 9999, not {time.isoformat()}") from None


def anchors_of(written: object) -> tuple[tuple[str, float], ...]:
    """Return the entrants with known ratings, ascending, each with its rating in Elo."""
    if not isinstance(written, dict):
        raise UnfitValueError(f"'anchors' takes a table: [anchors] and below it NAME = RATING, not {written!r}")
    for name, elo in written.items():
        if isinstance(elo, bool) or not isinstance(elo, int | float) or not abs(elo) <= MOST_ELO:
            raise UnfitValueError(f"an anchor takes its rating, {-MOST_ELO:,} to {MOST_ELO:,}, not {name} = {elo!r}")
    return tuple(sorted((name, float(elo)) for name, elo in written.items()))


def check_anchors(anchors: Iterable[tuple[str, float]], entrants: Collection[str]) -> None:
    """Check that all anchors are entrants."""
    for name, _ in anchors:
        if name not in entrants:
            raise UnfitValueError(f"[anchors]: there is no entrant {name!r}; there are: {', '.join(entrants)}")
