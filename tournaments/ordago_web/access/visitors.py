"""Sessions of browsers: a cookie with a random id, a CSRF token for forms, and the account that is signed in.

A visitor who is not signed in takes no memory: its CSRF token is an HMAC of its id with a key of this process. Sign-ins
are held in memory alone, for eight hours and within limits, so that a restart signs everybody out. Each account has a
limit of its own, so that nobody can push others out.
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
"""192 bits: too many to guess."""
_ID_LENGTH: Final = 32
"""The length of an id, in URL-safe Base64."""
_COOKIE: Final = "ordago"
_SECURE_COOKIE: Final = "__Host-ordago"
"""With this prefix, browsers accept the cookie only over TLS and only for this host."""
_SIGNED_IN_SECONDS: Final = 8 * 3600.0
_MOST_SIGNED_IN: Final = 4096
"""The limit of signed-in browsers of all accounts together."""
_MOST_OF_ONE: Final = 32
"""The limit of signed-in browsers of one account. One more signs out the oldest."""
SLOT: Final = "ordago.visitor"
"""The key of the visitor in the scope of a request, set when a page first asks for it."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account that is signed in."""

    name: str
    """The name of the account."""
    token: str
    """The token of the sign-in. This process sends it to the server of matches only."""

    def __repr__(self) -> str:
        """Leave out the token, so that it stays out of logs."""
        return f"Account({self.name!r})"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser."""

    id: str
    """Its id, which is secret: it authenticates the browser."""
    csrf: str
    """The CSRF token of its forms."""
    origin: str
    """Its address, or the network of an IPv6 address."""
    account: Account | None = None
    """The account that is signed in; ``None`` for nobody."""

    def has_signed(self, given: str) -> bool:
        """Return True if a form carries the CSRF token of this browser. The comparison takes constant time."""
        return hmac.compare_digest(given.encode(), self.csrf.encode())


class Visitors:
    """Identifies browsers. For use in trio's thread only."""

    def __init__(self, *, secure: bool = False, clock: Callable[[], float] = trio.current_time) -> None:
        """Begin with nobody signed in.

        Args:
            secure: restrict the cookie to TLS.
            clock: the time in seconds.
        """
        self._key = secrets.token_bytes(32)
        self._secure = secure
        self._clock = clock
        self._signed_in: dict[str, tuple[float, Account]] = {}
        """The end of each session and its account, the oldest session first."""
        self._of_each = Counter[str]()
        """The number of sessions of each account."""
        self._cookie = _SECURE_COOKIE if secure else _COOKIE

    def of(self, request: Request) -> Visitor:
        """Return the visitor of a request. A new one gets a cookie with the response."""
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
        """Sign a visitor in under a new id, so that an id known before is worth nothing (session fixation)."""
        self.sign_out(request)
        now = self._clock()
        self._make_room(account.name)
        visitor_id = secrets.token_urlsafe(_ID_BYTES)
        self._signed_in[visitor_id] = (now + _SIGNED_IN_SECONDS, account)
        self._of_each[account.name] += 1
        request.scope[SLOT] = self._visitor(visitor_id, request)

    def _make_room(self, name: str) -> None:
        """Sign out the oldest session of an account at its limit, or of the largest account if all are too many."""
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
        """Delete the session of a browser, if it has one."""
        if visitor_id in self._signed_in:
            _, account = self._signed_in.pop(visitor_id)
            self._of_each[account.name] -= 1
            if not self._of_each[account.name]:
                del self._of_each[account.name]

    def sign_out(self, request: Request) -> None:
        """Sign a visitor out, and give it a new id."""
        self._forget(self.of(request).id)
        request.scope[SLOT] = self._visitor(secrets.token_urlsafe(_ID_BYTES), request)

    def cookie(self, request: Request) -> str | None:
        """Return the cookie to set, or ``None`` if the browser has it or no page asked for the visitor."""
        known = request.scope.get(SLOT)
        if known is None or request.cookies.get(self._cookie) == known.id:
            return None
        secure = "; Secure" if self._secure else ""
        return f"{self._cookie}={known.id}; Path=/; HttpOnly; SameSite=Strict{secure}"


def _is_id(text: str) -> bool:
    return len(text) == _ID_LENGTH and text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()
