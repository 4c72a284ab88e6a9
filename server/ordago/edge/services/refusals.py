"""Refusals of calls: statuses, rate limits, tokens and scopes."""

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
    Why.NOT_PERMITTED: grpc.StatusCode.PERMISSION_DENIED,
    Why.LIMIT: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Why.STATE: grpc.StatusCode.FAILED_PRECONDITION,
}
"""The gRPC status for each reason of the store."""
_NO_TOKEN: Final = "this call requires a token: 'authorization: Bearer TOKEN' in the metadata"  # noqa: S105 - a sentence
_NOT_GOOD: Final = "the token is unknown, revoked or expired; ask for a new one"


class RefusedError(Exception):
    """A call that is refused."""

    def __init__(self, status: grpc.StatusCode, sentence: str, *, retry_after_ms: int = 0) -> None:
        """Set the status, the reason, and the milliseconds to wait before the next attempt (0: not sent)."""
        super().__init__(sentence)
        self.status = status
        self.metadata = ((RETRY_AFTER, str(retry_after_ms)),) if retry_after_ms else ()


def check_pace(allowances: Allowances, who: str, *, at: float) -> None:
    """Take one call from the allowance of an address or account at a time, in seconds.

    Raises:
        RefusedError: the allowance is used up.
    """
    wait_ms = math.ceil(allowances.take(who, at=at) * 1000)
    if wait_ms:
        sentence = f"too many calls of this kind; come back in {wait_ms} ms"
        raise RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence, retry_after_ms=wait_ms)


def needed_token(context: Context) -> str:
    """Return the bearer token of a call.

    Raises:
        RefusedError: the call has no token.
    """
    token = token_of(context)
    if not token:
        raise RefusedError(grpc.StatusCode.UNAUTHENTICATED, _NO_TOKEN)
    return token


def good_holder(accounts: Accounts, token: str, *, now: float) -> Holder:
    """Return the holder of a token that is valid at ``now``, in seconds since 1970, UTC. Reads the database.

    Raises:
        RefusedError: the token is not valid, or its account is banned.
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
    """Check that a token has at least one of some scopes.

    Raises:
        RefusedError: the token has none of them.
    """
    if not holder.scopes.intersection(enough):
        named = " or ".join(repr(scope.value) for scope in enough)
        sentence = f"the token is valid, but not for this: it lacks the scope {named}, or its account the role"
        raise RefusedError(grpc.StatusCode.PERMISSION_DENIED, sentence)
