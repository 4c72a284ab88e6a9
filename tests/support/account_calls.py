"""A server with ``AccountService`` over real gRPC, and calls of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message
from support.accounts import TokenLobby
from support.processes import PATIENCE_SECONDS

from ordago import v1
from ordago.edge import Edge
from ordago.edge.services.account_handlers import AccountHandlers
from ordago.edge.services.accounts import AccountService
from ordago.edge.services.client import AccountClient, CallError
from ordago.store.accounts.rows import Scope

AnswerT = TypeVar("AnswerT", bound=Message)


class AccountServer:
    """A server whose bots need tokens, and which answers calls about accounts."""

    def __init__(self, lobby: TokenLobby, port: int) -> None:
        self.lobby = lobby
        self.port = port
        self.admin = lobby.token("root", scope=Scope.ADMIN)

    async def ask(self, request: Message, answer: type[AnswerT], *, token: str = "") -> AnswerT:
        """Make a call by a token, on a connection of its own."""
        return await trio.to_thread.run_sync(partial(self._ask, request, answer, token))

    def _ask(self, request: Message, answer: type[AnswerT], token: str) -> AnswerT:
        with AccountClient.opened(f"127.0.0.1:{self.port}", token=token) as client:
            return client.ask(request, answer)

    async def refused(self, request: Message, *, token: str = "") -> tuple[str, str]:
        """Make a call that is not answered, and return its status and its sentence."""
        try:
            answered = await self.ask(request, Empty, token=token)
        except CallError as error:
            return error.status, str(error)
        raise AssertionError(f"it was answered: {answered}")

    async def invited(self, *roles: v1.Role, account: str = "") -> str:
        """Let the admin make an invitation, and return its code."""
        request = v1.InviteRequest(roles=roles, account=account)
        return (await self.ask(request, v1.InviteResponse, token=self.admin)).invitation

    async def joined(self, account: str, *roles: v1.Role) -> str:
        """Open an account by an invitation, and return its first token."""
        request = v1.RegisterRequest(invitation=await self.invited(*roles), account=account)
        return (await self.ask(request, v1.RegisterResponse)).token


@asynccontextmanager
async def open_account_server(folder: Path) -> AsyncIterator[AccountServer]:
    lobby = TokenLobby(folder)
    service = AccountService(AccountHandlers(lobby.accounts, now=lobby.calendar))
    with trio.fail_after(PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", lobby.server, services=[service]) as edge:
            yield AccountServer(lobby, edge.port)
    lobby.accounts.close()
