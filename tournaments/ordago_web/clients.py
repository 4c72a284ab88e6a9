"""Clients with which the site asks the server of matches."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.client import AccountClient, CallError, Client, EventClient, LadderClient, MatchClient
from ordago_web.settings import ServerPlace

AnswerT = TypeVar("AnswerT", bound=Message)
_REPLAY_SECONDS = 10.0
"""The longest time for all of a match that is over, as for any answer of the server."""
_DOWNLOAD_SECONDS = 3600.0
"""The time after which a server ends a download."""
_CLIENTS = {
    v1.GetEventRequest.DESCRIPTOR.file.name: EventClient,
    v1.GetLadderRequest.DESCRIPTOR.file.name: LadderClient,
}
_OF_MATCHES = v1.GetMatchRequest.DESCRIPTOR.file.name


class LadderServer:
    """A client of the ladder and match services. Its method is safe to call in any thread."""

    def __init__(self, ladder: Client, matches: Client) -> None:
        """Use ``opened``."""
        self._ladder = ladder
        self._matches = matches

    @classmethod
    @contextmanager
    def opened(cls, place: ServerPlace) -> Iterator[Self]:
        """Connect to a server."""
        with (
            LadderClient.opened(place.address, token=place.token, tls=place.tls) as ladder,
            MatchClient.opened(place.address, token=place.token, tls=place.tls) as matches,
        ):
            yield cls(ladder, matches)

    def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request; of a match to watch, which has to be over, all responses merged.

        Raises:
            CallError: the server refused it or could not be reached.
        """
        if isinstance(request, v1.WatchMatchRequest):
            return self._watched(request, answer)
        asked = self._matches if request.DESCRIPTOR.file.name == _OF_MATCHES else self._ladder
        return asked.ask(request, answer)

    def _watched(self, request: v1.WatchMatchRequest, answer: type[AnswerT]) -> AnswerT:
        merged = answer()
        try:
            for response in self._matches.listen(request, answer, patience_seconds=_REPLAY_SECONDS):
                merged.MergeFrom(response)
        except CallError as error:
            # Many spectators, or a match that is still shown late, do not mean that the server is away.
            status = "ABORTED" if error.status in ("RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED") else error.status
            raise CallError(status, str(error)) from None
        return merged


class AccountServer:
    """A client of the account, event and ladder services, for calls with the token of their author."""

    def __init__(self, place: ServerPlace) -> None:
        """Ask the server at this address."""
        self._place = place

    def ask(self, token: str, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request, without a token if that is empty. It blocks.

        Raises:
            CallError: the server refused it or could not be reached.
        """
        asked = _CLIENTS.get(request.DESCRIPTOR.file.name, AccountClient)
        with asked.opened(self._place.address, token=token, tls=self._place.tls) as client:
            return client.ask(request, answer)

    def download(self, token: str, request: v1.DownloadEventRequest) -> Iterator[v1.DownloadEventResponse]:
        """Yield the published files of an event as they come. It blocks.

        Raises:
            CallError: the server refused it, could not be reached, or broke off.
        """
        with EventClient.opened(self._place.address, token=token, tls=self._place.tls) as client:
            yield from client.listen(request, v1.DownloadEventResponse, patience_seconds=_DOWNLOAD_SECONDS)
