"""The server of matches, as a site asks it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.client import AccountClient, Client, LadderClient, MatchClient
from ordago_web.settings import ServerPlace

AnswerT = TypeVar("AnswerT", bound=Message)
_OF_MATCHES = v1.GetMatchRequest.DESCRIPTOR.file.name


class LadderServer:
    """Asks both services that tell of a ladder. Its method may be called in any thread."""

    def __init__(self, ladder: Client, matches: Client) -> None:
        """Use ``opened``."""
        self._ladder = ladder
        self._matches = matches

    @classmethod
    @contextmanager
    def opened(cls, place: ServerPlace) -> Iterator[Self]:
        """Ask a server."""
        with (
            LadderClient.opened(place.address, token=place.token, tls=place.tls) as ladder,
            MatchClient.opened(place.address, token=place.token, tls=place.tls) as matches,
        ):
            yield cls(ladder, matches)

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return an answer.

        Raises:
            CallError: there is none.
        """
        asked = self._matches if request.DESCRIPTOR.file.name == _OF_MATCHES else self._ladder
        return asked.ask(request, answer)


class AccountServer:
    """Asks about accounts, each time by the token of whoever wants to know."""

    def __init__(self, place: ServerPlace) -> None:
        """Ask a server."""
        self._place = place

    def ask(self, token: str, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return an answer. It blocks.

        Raises:
            CallError: there is none.
        """
        with AccountClient.opened(self._place.address, token=token, tls=self._place.tls) as client:
            return client.ask(request, answer)
