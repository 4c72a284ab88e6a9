"""A server's end that keeps to the tables of the contract at each seat too, against which bots are tested."""

import copy
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from support.frames import body_of

from ordago.protocol import (
    BotConnection,
    LocalProtocolError,
    Received,
    RemoteProtocolError,
    SeatState,
    ServerBody,
    ServerConnection,
)


class ModelServer(ServerConnection):
    """Refuses to send whatever a bot would refuse to take, were nothing ever on the way between them.

    The arena's server does not look it up, since its seats know by themselves what is due.
    """

    def __init__(self) -> None:
        super().__init__()
        self._bot = BotConnection()
        """The bot as it would be by what this end has sent and received."""

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        # A compiled end copies only what it knows of itself.
        twin = type(self)()
        twin._state, twin.left_out, twin.is_tacit = self._state, self.left_out, self.is_tacit
        twin._bot = copy.deepcopy(self._bot, memo)
        return twin

    def seat_state(self, handle: int) -> SeatState:
        """Where this end sees a seat."""
        return self._bot.seat_state(handle)

    def receive(self, frame: bytes) -> Sequence[Received]:
        """Return the messages of a frame, and enter them."""
        messages = super().receive(frame)
        for message in messages:
            # Where a Goodbye has crossed with another one the model is at its end already.
            with suppress(LocalProtocolError):
                self._bot.send(body_of(message))
        return messages

    def send(self, body: ServerBody) -> bytes:
        """Return the frame of a message.

        Raises:
            LocalProtocolError: the message is not due now.
        """
        before = self._state
        frame = super().send(body)
        try:
            self._bot.receive(frame)
        except RemoteProtocolError as error:
            self._state = before
            raise LocalProtocolError(str(error)) from None
        return frame
