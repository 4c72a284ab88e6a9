"""Why a call is not answered, and who may make which."""

import math
from collections.abc import Mapping
from typing import Final

import grpc

from ordago.arena.allowance import Allowances
from ordago.edge.stream import RETRY_AFTER, Context, token_of
from ordago.fingerprint import fingerprint
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Holder, Scope, TokenState
from ordago.store.errors import Why

STATUSES: Final[Mapping[Why, grpc.StatusCode]] = {
    Why.UNFIT: grpc.StatusCode.INVALID_ARGUMENT,
    Why.UNKNOWN: grpc.StatusCode.NOT_FOUND,
    Why.TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    Why.NO_LEAVE: grpc.StatusCode.PERMISSION_DENIED,
    Why.LIMIT: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Why.STATE: grpc.StatusCode.FAILED_PRECONDITION,
}
"""With which status what stands against a call is told."""
_NO_TOKEN: Final = "this call asks for a token: 'authorization: Bearer TOKEN' in the metadata"  # noqa: S105 - a sentence
_NOT_GOOD: Final = "the token is not known here, was revoked or has expired; ask for a new one"


class RefusedError(Exception):
    """A call is not answered."""

    def __init__(self, status: grpc.StatusCode, sentence: str, *, retry_after_ms: int = 0) -> None:
        """Say how it ends, why, and after how many milliseconds to come again, if that is of use."""
        super().__init__(sentence)
        self.status = status
        self.metadata = ((RETRY_AFTER, str(retry_after_ms)),) if retry_after_ms else ()


def check_pace(allowances: Allowances, who: str, *, at: float) -> None:
    """Take from the allowance of somebody.

    Raises:
        RefusedError: it is used up.
    """
    wait_ms = math.ceil(allowances.take(who, at=at) * 1000)
    if wait_ms:
        sentence = f"too many calls of this kind; come back in {wait_ms} ms"
        raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence, retry_after_ms=wait_ms)


def needed_token(context: Context) -> str:
    """Return the token that came with a call.

    Raises:
        RefusedError: there is none.
    """
    token = token_of(context)
    if not token:
        raise RefusedError(grpc.StatusCode.UNAUTHENTICATED, _NO_TOKEN)
    return token


def good_holder(accounts: Accounts, token: str, *, now: float) -> Holder:
    """Return what is known of a token that is good at a time, in seconds since 1970, UTC. It asks the database.

    Raises:
        RefusedError: it is not good, or its account is banned.
    """
    holder = accounts.holder(fingerprint(token))
    state = None if holder is None else holder.state(now)
    if holder is None or state in (TokenState.REVOKED, TokenState.EXPIRED):
        raise RefusedError(grpc.StatusCode.UNAUTHENTICATED, _NOT_GOOD)
    if state is TokenState.BANNED:
        sentence = f"the account is banned: {holder.account.ban_reason}"
        raise RefusedError(grpc.StatusCode.PERMISSION_DENIED, sentence)
    return holder


def check_scope(holder: Holder, *enough: Scope) -> None:
    """Check that a token is good for one of some scopes.

    Raises:
        RefusedError: it is not.
    """
    if not holder.scopes.intersection(enough):
        named = " or ".join(repr(scope.value) for scope in enough)
        sentence = f"the token is good, but not for this: it lacks the scope {named}, or its account the role"
        raise RefusedError(grpc.StatusCode.PERMISSION_DENIED, sentence)
