"""What stands in an event file, as it is kept. What cannot stand there raises ``UnfitValueError``."""

import re
from typing import Final, Literal, TypeAlias, get_args

from pydantic import (
    ValidationInfo,
)

from ordago.chance import SECRET_BYTES
from ordago.record.ledgers.event import BeaconRound
from ordago.shell_words import NoCommandError, check_program, command_words
from ordago_ladder.settings.names import UnfitValueError

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


def isolation_written(written: object) -> object:
    """Return how bots are isolated, if it is one of the ways."""
    if written not in get_args(Isolation):
        raise UnfitValueError(f'\'isolation\' takes "full" or "none", not {written!r}')
    return written


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
