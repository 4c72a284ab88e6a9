"""Whose browser it is: a cookie with a random id, what proves that a form came from a page of ours, and who signed in.

Who has not signed in costs no memory: what signs his forms follows from his id and a key of this process. Who has is
kept in memory alone, for a time and within bounds, so that a restart signs everybody out. What one account signs in is
counted against it alone: nobody can sign out others.
"""

import hmac
import itertools
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import trio
from starlette.requests import Request

_ID_BYTES: Final = 24
_ID_LENGTH: Final = 32
_COOKIE: Final = "ordago"
_SECURE_COOKIE: Final = "__Host-ordago"
"""A browser takes a cookie of such a name only over TLS, and only for this host."""
_SIGNED_IN_SECONDS: Final = 8 * 3600.0
_MOST_SIGNED_IN: Final = 4096
_MOST_OF_ONE: Final = 32
"""How many browsers one account may have signed in; whoever signs in by one more is signed out in the oldest."""
SLOT: Final = "ordago.visitor"
"""Where the scope of a request has its visitor, once somebody asked for it."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who has signed in."""

    name: str
    """The name of the account."""
    token: str
    """The token that he signed in with. It never leaves this process but to the server of the matches."""

    def __repr__(self) -> str:
        """Return what may stand in a log."""
        return f"Account({self.name!r})"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser."""

    id: str
    """Its id: whoever knows it is taken for this browser."""
    csrf: str
    """What signs its forms."""
    origin: str
    """The address, or the network, that it comes from."""
    account: Account | None = None
    """Who has signed in with it; ``None`` for nobody."""

    def has_signed(self, given: str) -> bool:
        """Say whether what came with a form is what signs those of this browser."""
        return hmac.compare_digest(given.encode(), self.csrf.encode())


class Visitors:
    """Tells browsers apart. It belongs to trio's thread."""

    def __init__(self, *, secure: bool = False, clock: Callable[[], float] = trio.current_time) -> None:
        """Begin with nobody signed in.

        Args:
            secure: whether browsers come over TLS, and send the cookie over nothing else.
            clock: the time in seconds.
        """
        self._key = secrets.token_bytes(32)
        self._secure = secure
        self._clock = clock
        self._signed_in: dict[str, tuple[float, Account]] = {}
        """When each session ends, and whose it is, the oldest first."""
        self._of_each = Counter[str]()
        """How many of them each account has."""
        self._cookie = _SECURE_COOKIE if secure else _COOKIE

    def of(self, request: Request) -> Visitor:
        """Return the visitor whose request it is; one that is new is known by a cookie from then on."""
        known = request.scope.get(SLOT)
        if known is None:
            given = request.cookies.get(self._cookie, "")
            known = self._visitor(given if _is_id(given) else secrets.token_urlsafe(_ID_BYTES), request)
            request.scope[SLOT] = known
        assert isinstance(known, Visitor)
        return known

    def _visitor(self, visitor_id: str, request: Request) -> Visitor:
        signed = hmac.digest(self._key, visitor_id.encode(), "sha256").hex()
        return Visitor(visitor_id, signed, request.state.origin, self._account(visitor_id))

    def _account(self, visitor_id: str) -> Account | None:
        until, account = self._signed_in.get(visitor_id, (0.0, None))
        if account is not None and until <= self._clock():
            self._forget(visitor_id)
            return None
        return account

    def sign_in(self, request: Request, account: Account) -> None:
        """Note who a visitor is, under a new id: whoever knew the old one knows nothing by it."""
        self.sign_out(request)
        now = self._clock()
        self._make_room(account.name)
        visitor_id = secrets.token_urlsafe(_ID_BYTES)
        self._signed_in[visitor_id] = (now + _SIGNED_IN_SECONDS, account)
        self._of_each[account.name] += 1
        request.scope[SLOT] = self._visitor(visitor_id, request)

    def _make_room(self, name: str) -> None:
        """Sign out the oldest of an account that has as many as it may; where there are too many, of the largest."""
        for visitor_id in [*itertools.takewhile(self._is_over, self._signed_in)]:
            self._forget(visitor_id)
        if self._of_each[name] < _MOST_OF_ONE:
            if len(self._signed_in) < _MOST_SIGNED_IN:
                return
            ((name, _),) = self._of_each.most_common(1)
        self._forget(next(kept for kept, (_, account) in self._signed_in.items() if account.name == name))

    def _is_over(self, visitor_id: str) -> bool:
        return self._signed_in[visitor_id][0] <= self._clock()

    def _forget(self, visitor_id: str) -> None:
        """Forget who has signed in with a browser, if anybody has."""
        if visitor_id in self._signed_in:
            _, account = self._signed_in.pop(visitor_id)
            self._of_each[account.name] -= 1
            if not self._of_each[account.name]:
                del self._of_each[account.name]

    def sign_out(self, request: Request) -> None:
        """Forget who a visitor is, and give him a new id."""
        self._forget(self.of(request).id)
        request.scope[SLOT] = self._visitor(secrets.token_urlsafe(_ID_BYTES), request)

    def cookie(self, request: Request) -> str | None:
        """Return the cookie that a response has to set: none where the browser has it, or nobody asked who it is."""
        known = request.scope.get(SLOT)
        if known is None or request.cookies.get(self._cookie) == known.id:
            return None
        secure = "; Secure" if self._secure else ""
        return f"{self._cookie}={known.id}; Path=/; HttpOnly; SameSite=Strict{secure}"


def _is_id(text: str) -> bool:
    return len(text) == _ID_LENGTH and text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()
