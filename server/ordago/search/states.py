"""States as bytes that a client keeps and hands back, and that only this service can read.

Python's pickle writes a state in 10 µs. To read foreign bytes with it would run foreign code, so a code of
authentication (HMAC-SHA256 with a secret of this service) goes first, and is checked before anything is read.
"""

import hmac
import pickle
from typing import Final

from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.search.playouts import AnyState
from ordago.search.requests import RequestError, Why

KEY_BYTES: Final = 32
_CODE_BYTES: Final = 16
"""Half of a digest: as hard to guess as a key of 128 bits."""


class SealedStates:
    """Writes and reads states under one secret."""

    def __init__(self, key: bytes) -> None:
        """Use a secret of ``KEY_BYTES`` that no client knows."""
        self._key = key

    def sealed(self, game: AnyGame, state: AnyState) -> bytes:
        """Return a state as bytes."""
        content = pickle.dumps((game.name, state), pickle.HIGHEST_PROTOCOL)
        return self._code(content) + content

    def opened(self, sealed: bytes, *, name: str) -> tuple[AnyGame, AnyState]:
        """Return a state and its game.

        Args:
            sealed: the bytes, from anybody.
            name: the field of the request in which they stand, for the error.

        Raises:
            RequestError: they were not made under this secret, or were changed.
        """
        code, content = sealed[:_CODE_BYTES], sealed[_CODE_BYTES:]
        if not hmac.compare_digest(code, self._code(content)):
            sentence = f"{name} is no state of this service: it was changed, or made before the service was restarted"
            raise RequestError(Why.FOREIGN_STATE, sentence)
        game, state = pickle.loads(content)  # noqa: S301 - we wrote it, as the code shows
        return find_game(game), state

    def _code(self, content: bytes) -> bytes:
        return hmac.digest(self._key, content, "sha256")[:_CODE_BYTES]
