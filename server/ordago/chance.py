"""Shuffles, derived from a secret and an address by a documented algorithm.

The seed text names the algorithm, ``ordago-shuffle-1``. The bytes that drive a shuffle are HMAC-SHA256(secret, text)
for text = ``SEED|DEAL|SHUFFLE|BLOCK`` in UTF-8, with BLOCK = 0, 1, 2, …, joined. They are read as big-endian 32-bit
numbers. The cards begin in ascending order. For each position i from the last down to 1 the next number r is taken,
skipping any r >= 2**32 - 2**32 % (i + 1), and positions i and r % (i + 1) are swapped (Fisher and Yates). The result is
the order in which the cards are dealt.
"""

import hashlib
import hmac
import struct
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, cast, final

from ordago import IS_COMPILED
from ordago.cache import Cache
from ordago.game import Shuffle

if TYPE_CHECKING:
    # A number of 64 bits in compiled code; only the compiler has this type.
    from mypy_extensions import i64

ALGORITHM: Final = "ordago-shuffle-1"
SECRET_BYTES: Final = 32
"""256 bits: too many to guess, and as many as a digest of SHA-256 has."""
MIN_NONCE_BYTES: Final = 16
"""128 bits, as many as a beacon's value: nobody can try all of them in order to choose the deals."""
MAX_NONCE_BYTES: Final = 64
"""A block of SHA-256: more would add nothing to the deals."""

_NUMBERS: Final = 1 << 32
_NUMBER_BYTES: Final = 4
_IN_A_BLOCK: Final = 8
"""The numbers in a block."""
_HIGHEST: Final = b"\xff" * 3
"""The first bytes of any number that would favour some of a few cards: it is one of the 256 highest."""
_FEW: Final = 256
"""With more cards than this, lower numbers could favour some as well."""
_KEY_BYTES: Final = 64
"""A block of SHA-256, which the key of HMAC fills."""
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""The XOR of each byte with the two pads of HMAC, for its inner and its outer hash."""
_IN_DIGITS: Final[Cache[int, bytes]] = Cache(lambda number: b"%d" % number)
"""The number of a block as it stands in the text that is hashed."""
_STRUCTS: Final[Cache[int, struct.Struct]] = Cache(lambda numbers: struct.Struct(f">{numbers}I"))
"""The struct that reads so many numbers from bytes, or writes them."""


class Deals(Protocol):
    """The source of the shuffles of a match."""

    def shuffled(self, due: Shuffle) -> tuple[int, ...]:
        """Return the cards of a shuffle in dealing order."""


@final
class SecretDeals:
    """Shuffles derived from a secret and a seed text."""

    __slots__ = ("_around", "_begun", "_secret", "_seed")

    def __init__(self, secret: bytes, seed: str) -> None:
        """Derive shuffles from a secret and a seed text."""
        self._secret: Final = secret
        self._seed: Final = seed
        # HMAC by its definition, two hashes begun once: a third quicker than ``hmac.new`` with a copy for each block.
        # ``hmac.digest`` would let other threads run at each call, and wait for them: dear where many are played.
        key = (secret if len(secret) <= _KEY_BYTES else hashlib.sha256(secret).digest()).ljust(_KEY_BYTES, b"\0")
        self._begun: Final = hashlib.sha256(key.translate(_INNER_PAD) + f"{seed}|".encode())
        self._around: Final = hashlib.sha256(key.translate(_OUTER_PAD))

    @property
    def secret(self) -> bytes:
        """The secret, 32 bytes."""
        return self._secret

    @property
    def seed(self) -> str:
        """The seed text, from ``seed_text``."""
        return self._seed

    def __eq__(self, other: object) -> bool:
        """Return True if other shuffles have the same secret and seed text."""
        return isinstance(other, SecretDeals) and (self._secret, self._seed) == (other._secret, other._seed)

    def __hash__(self) -> int:
        """Return the hash of the secret and the seed text."""
        return hash((self._secret, self._seed))

    def __reduce__(self) -> tuple[type["SecretDeals"], tuple[bytes, str]]:
        """Return the arguments that make a copy: hashes cannot be pickled."""
        return SecretDeals, (self._secret, self._seed)

    def shuffled(self, due: Shuffle) -> tuple[int, ...]:
        """Return the cards of a shuffle in dealing order."""
        # Objects rather than integers, so that the compiled code need not unbox cards that only change places.
        cards: list[object] = list(due.cards)
        begun = self._begun.copy()
        begun.update(b"%d|%d|" % (due.deal, due.shuffle))
        hashed = _Hashed(begun, self._around)
        drawn = hashed.drawn(len(cards) - 1)
        if _HIGHEST in drawn or len(cards) > _FEW:
            drawn = _taken(hashed, drawn, most=len(cards))
        if IS_COMPILED:
            change_places_by_bytes(cards, drawn)
        else:
            change_places_by_numbers(cards, drawn)
        return cast("tuple[int, ...]", tuple(cards))


class _Hashed:
    """The hash of a secret and a text, to which the numbers of blocks are appended."""

    def __init__(self, begun: "hashlib._Hash", around: "hashlib._Hash") -> None:
        self._begun = begun
        self._around = around
        self._blocks = 0

    def drawn(self, least: int) -> bytes:
        """Return the bytes of the next blocks, enough for at least so many numbers."""
        first = self._blocks
        self._blocks += -(-least // _IN_A_BLOCK)
        blocks = []
        for number in range(first, self._blocks):
            inner, outer = self._begun.copy(), self._around.copy()
            inner.update(_IN_DIGITS[number])
            outer.update(inner.digest())
            blocks.append(outer.digest())
        return b"".join(blocks)


def change_places_by_numbers(cards: list[object], drawn: bytes) -> None:
    """Swap cards by the numbers drawn, from the last position down.

    Args:
        cards: all cards. They end up in dealing order.
        drawn: a number for each position but the first; further ones are ignored.
    """
    position = len(cards)
    for number in _numbers_in(drawn)[: position - 1]:
        other = number % position
        position -= 1
        cards[position], cards[other] = cards[other], cards[position]


def change_places_by_bytes(cards: list[object], drawn: bytes) -> None:
    """Swap cards without Python integers: three times as fast when compiled, three times as slow when interpreted."""
    place: i64 = 0
    position: i64
    for position in range(len(cards) - 1, 0, -1):
        number: i64 = drawn[place]
        number = number << 8 | drawn[place + 1]
        number = number << 8 | drawn[place + 2]
        number = number << 8 | drawn[place + 3]
        place += _NUMBER_BYTES
        other = number % (position + 1)
        card = cards[position]
        cards[position] = cards[other]
        cards[other] = card


def _numbers_in(drawn: bytes) -> tuple[int, ...]:
    return _STRUCTS[len(drawn) // _NUMBER_BYTES].unpack(drawn)


def _taken(hashed: _Hashed, drawn: bytes, *, most: int) -> bytes:
    """Return the numbers that positions are taken from, as bytes, without the rare ones that would bias the shuffle.

    Args:
        hashed: the source of further numbers.
        drawn: the first numbers, as bytes.
        most: the number of cards: the first number is for as many positions, the next for one fewer.
    """
    taken: list[int] = []
    left = deque(_numbers_in(drawn))
    while most > 1:
        if not left:
            left += _numbers_in(hashed.drawn(1))
        number = left.popleft()
        if number < _NUMBERS - _NUMBERS % most:
            taken.append(number)
            most -= 1
    return _STRUCTS[len(taken)].pack(*taken)


def seed_text(*, game: str, event: str, nonces: Mapping[str, bytes], repetition: int, attempt: int) -> str:
    """Return the seed text of a duplicate set.

    Args:
        game: the short name of the game.
        event: the name of the event.
        nonces: the nonce of each entrant at the table, by name. Their order does not matter: all
            seatings of a set have the same text, and entrants who are not at the table do not change it.
        repetition: the number of earlier sets of the same entrants.
        attempt: the number of earlier attempts at the set.
    """
    table = ",".join(f"{name}:{nonces[name].hex()}" for name in sorted(nonces))
    return f"{ALGORITHM}|{game}|{event}|{table}|{repetition}|{attempt}"


def commitment(secret: bytes) -> bytes:
    """Return the commitment to a secret that is published before anybody plays: its SHA-256."""
    return hashlib.sha256(secret).digest()


def event_commitment(secret_digest: bytes, settings_digest: bytes) -> bytes:
    """Return the commitment published before anybody checks in to an event, to its secret and settings at once.

    It is the SHA-256 of ``ordago-commitment-1|SECRET_DIGEST|SETTINGS_DIGEST``, both digests in hexadecimal.
    """
    text = f"ordago-commitment-1|{secret_digest.hex()}|{settings_digest.hex()}"
    return hashlib.sha256(text.encode()).digest()


def keyed_name(secret: bytes, *parts: object, size: int = 16) -> bytes:
    """Return a name of constant size that reveals nothing of its parts without the secret."""
    text = "|".join(str(part) for part in ("ordago-name-1", *parts))
    return hmac.digest(secret, text.encode(), "sha256")[:size]


@dataclass(frozen=True, slots=True)
class ScriptedDeals:
    """Shuffles given beforehand by deal and number, for tests and for positions made by hand."""

    shuffles: Mapping[tuple[int, int], Sequence[int]]

    def shuffled(self, due: Shuffle) -> tuple[int, ...]:
        """Return the cards that were given for this shuffle.

        Raises:
            KeyError: none were given.
        """
        return tuple(self.shuffles[due.deal, due.shuffle])
