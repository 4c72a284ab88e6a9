"""Account pages: an author signs in with a token and manages its bots and tokens."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from math import ceil
from typing import Final, NamedTuple

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.arena.allowance import Allowances
from ordago.edge.services.client import CallError
from ordago.names import visible
from ordago.scene import english, sentence
from ordago_bot.asked import asked_in
from ordago_web.access.visitors import Account
from ordago_web.account_calls import AccountCalls
from ordago_web.answers import http_status
from ordago_web.challenges import ChallengePages, challenge_table
from ordago_web.clients import AccountServer
from ordago_web.context import AppContext
from ordago_web.faults import FaultTable, fault_table
from ordago_web.forms import EXPIRED, form_of
from ordago_web.ladder.asking import Asking
from ordago_web.ladder.bots import Figure, author_rows
from ordago_web.ladder.places import Link, bot_link
from ordago_web.own_data import OwnDataPages


class TokenRow(NamedTuple):
    """A token as its page lists it, without its secret."""

    id: str
    scopes: str
    """The roles that it allows, separated by commas."""
    bot: str
    """The only bot that may use it; empty for any bot."""
    created: str
    expires: str
    last_used: str
    revoked: str
    """The time of revocation. All times are UTC; an empty one means never."""
    own: bool
    """True for the token that the author is signed in with."""


class BotRow(NamedTuple):
    """A bot and its latest version."""

    bot: Link
    version: str
    builds: int
    """The number of its builds that have played."""
    rating: Figure | None
    """Its rating in all games; ``None`` if it has none."""
    name: str
    """Its name as the server has it, for forms."""
    takes_challenges: bool


def token_row(token: v1.AccountToken, *, own: bool) -> TokenRow:
    """Convert a token to a row of the page."""
    return TokenRow(
        id=visible(token.id),
        scopes=", ".join(sorted(v1.Role.Name(role).removeprefix("ROLE_").lower() for role in token.scopes)),
        bot=visible(token.bot),
        created=_time(token.created_at),
        expires=_time(token.expires_at if token.HasField("expires_at") else None),
        last_used=_time(token.last_used_at if token.HasField("last_used_at") else None),
        revoked=_time(token.revoked_at if token.HasField("revoked_at") else None),
        own=own,
    )


def bot_rows(bots: Iterable[v1.AccountBot], rated: Mapping[Link, Figure]) -> Sequence[BotRow]:
    """Convert bots to rows of the page. Builds are sorted, the newest first."""
    return [
        BotRow(
            link := bot_link(bot.name),
            visible(bot.builds[0].version) if bot.builds else "",
            len(bot.builds),
            rated.get(link),
            bot.name,
            bot.takes_challenges,
        )
        for bot in bots
    ]


def connecting(context: AppContext, request: Request) -> str:
    """Return the arguments with which a bot connects to the server of a site."""
    host = request.url.hostname or "HOST"
    return context.connecting.replace("{host}", f"[{host}]" if ":" in host else host) or "--address HOST:PORT"


def _time(seconds: int | None) -> str:
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


ORGANISING: Final = frozenset({v1.ROLE_ORGANISE, v1.ROLE_ADMIN})
"""The roles of which one is needed to hold events."""

_PLACE: Final = "/account"
_LONGEST_TOKEN: Final = 200
"""Longer than any token: its prefix and 32 bytes in Base64 have 50 characters. The server never sees longer texts."""
_MOST_ROWS: Final = 500
"""As many as the server gives: its own limit is lower, and above the tokens and names that an account usually has."""
_FAULTS_SHOWN: Final = 20
_LAST_NUMBER: Final = 2**32 - 1
"""The greatest number that a decision can have in the contract."""
_JSON_LINES: Final = "application/jsonl"
_SECONDS_A_DAY: Final = 86_400
_MOST_DAYS: Final = 3660
"""Ten years."""
_DIGITS: Final = 9
"""Longer numbers are not parsed: four digits are enough."""
_NOT_GOOD: Final = sentence("This token is not valid here: check that it was copied in full and not revoked.").words
_LONGEST_CODE: Final = 100
"""Twice the length of an invitation code, which has 50 characters."""
_BAD_CODE: Final = sentence(
    "This invitation is not valid: it was used before, has expired, or was not copied in full."
).words
_SIGN_UPS_AT_ONCE: Final = 5
"""The server counts the site as one address, so a visitor that tries invitations must not use up the quota of all."""
_SIGN_UPS_PER_SECOND: Final = 1 / 30


def may_be_token(text: str) -> bool:
    """Return True if a text may be a token, so that the server is asked about it."""
    return 0 < len(text) <= _LONGEST_TOKEN and text.isascii() and text.isprintable()


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of the account pages; a site of folders alone has none."""
    if context.accounts is not None:
        return _AccountPages(context, context.accounts).routes()

    async def explain(request: Request) -> Response:
        return _without_accounts(context, request)

    return [Route(_PLACE, explain, methods=["GET"])] if context.connecting else ()


def _without_accounts(context: AppContext, request: Request) -> Response:
    """Say that bots connect without tokens, and how."""
    return context.pages.render(request, "no_accounts.html.jinja", connecting=connecting(context, request))


class _AccountPages:
    """Handlers of the account pages."""

    def __init__(self, context: AppContext, server: AccountServer) -> None:
        self._context = context
        self._calls = AccountCalls(context, server)
        self._sign_ups = Allowances(per_second=_SIGN_UPS_PER_SECOND, at_once=_SIGN_UPS_AT_ONCE)

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of the handlers."""
        return [
            *ChallengePages(self._calls, self._shown).routes(),
            *OwnDataPages(self._context, self._calls, self._shown).routes(),
            Route(_PLACE, self.show, methods=["GET"]),
            Route(f"{_PLACE}/sign-in", self.sign_in, methods=["POST"]),
            Route(f"{_PLACE}/join", self.join, methods=["POST"]),
            Route(f"{_PLACE}/sign-out", self.sign_out, methods=["POST"]),
            Route(f"{_PLACE}/faults/{{match_id}}/{{decision:int}}.jsonl", self.decision, methods=["GET"]),
            Route(f"{_PLACE}/tokens", self.make, methods=["POST"]),
            Route(f"{_PLACE}/tokens/revoke", self.revoke, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show the account of an author, or the form to sign in."""
        visitor = self._context.sessions.of(request)
        if visitor.account is None:
            return self._asking(request)
        return await self._shown(request, visitor.account)

    def _asking(self, request: Request, problem: str = "") -> Response:
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK
        csrf = self._context.sessions.of(request).csrf
        return self._context.pages.render(request, "sign_in.html.jinja", status=status, csrf=csrf, problem=problem)

    async def _shown(self, request: Request, account: Account, *, made: str = "", problem: str = "") -> Response:
        try:
            who = await self._calls.ask(account.token, v1.WhoAmIRequest(), v1.WhoAmIResponse)
            tokens = await self._calls.ask(
                account.token, v1.ListTokensRequest(page_size=_MOST_ROWS), v1.ListTokensResponse
            )
            bots = await self._calls.ask(account.token, v1.ListBotsRequest(page_size=_MOST_ROWS), v1.ListBotsResponse)
        except CallError as error:
            if error.status != "UNAUTHENTICATED":
                raise HTTPException(http_status(error.status), str(error)) from None
            self._context.sessions.sign_out(request)
            return self._asking(request, _NOT_GOOD)
        return self._context.pages.render(
            request,
            "account.html.jinja",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
            name=visible(who.account.name),
            tokens=[token_row(token, own=token.id == who.token_info.id) for token in tokens.tokens],
            bots=bot_rows(bots.bots, await self._rated(account.name)),
            has_ladder=self._context.ladder is not None,
            organises=not ORGANISING.isdisjoint(who.roles),
            faults=await self._faults(account, request.query_params.get("faults", "")),
            challenges=await challenge_table(
                self._context, self._calls, account, chosen=request.query_params.get("challenge", "")
            ),
            connecting=connecting(self._context, request),
            made=made,
            problem=problem,
            csrf=self._context.sessions.of(request).csrf,
        )

    async def _rated(self, account: str) -> Mapping[Link, Figure]:
        """Return the ratings of an author's bots; empty without a ladder, and while it does not answer."""
        asked = v1.ListStandingsRequest(account=account, current_only=True, page_size=_MOST_ROWS)
        try:
            standings = await Asking(self._context).ask(asked, v1.ListStandingsResponse)
        except CallError:
            return {}
        return {row.bot: row.rating for row in author_rows(standings.standings)}

    async def _faults(self, account: Account, page_token: str) -> FaultTable | None:
        """Return what went wrong with an author's bots; ``None`` without a ladder, and while it does not tell."""
        if self._context.ladder is None:
            return None
        asked = v1.ListFaultsRequest(page_size=_FAULTS_SHOWN, page_token=page_token)
        try:
            answer = await self._calls.ask(account.token, asked, v1.ListFaultsResponse)
        except CallError:
            return None
        return fault_table(answer)

    async def decision(self, request: Request) -> Response:
        """Send a decision that went wrong as a file of decisions, to replay it in a test."""
        account = self._context.sessions.of(request).account
        if account is None:
            raise HTTPException(HTTPStatus.UNAUTHORIZED, "You are signed out: sign in again.")
        match_id, decision = request.path_params["match_id"], min(request.path_params["decision"], _LAST_NUMBER)
        try:
            bot = request.query_params.get("bot", "")
            asked = v1.GetFaultRequest(match_id=match_id, decision=decision, bot=bot)
            answer = await self._calls.ask(account.token, asked, v1.GetFaultResponse)
        except CallError as error:
            raise HTTPException(http_status(error.status), str(error)) from None
        name = f"{answer.fault.match_id}-{decision}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "private, no-store"}
        return Response("".join(line.json_line() for line in asked_in(answer)), 200, headers, _JSON_LINES)

    async def join(self, request: Request) -> Response:
        """Open an account with an invitation, sign its author in, and show the first token once."""
        form, visitor = await form_of(request), self._context.sessions.of(request)
        code, name = form.get("invitation", "").strip(), form.get("name", "").strip()
        if not visitor.has_signed(form.get("csrf", "")):
            return await self._refused(request, EXPIRED)
        if not (code and len(code) <= _LONGEST_CODE and code.isascii() and code.isprintable()):
            return await self._refused(request, _BAD_CODE)
        if wait := self._sign_ups.take(visitor.origin, at=trio.current_time()):
            return await self._refused(
                request, english("Too many attempts from your address: try again in {seconds} s.", seconds=ceil(wait))
            )
        try:
            asked = v1.RegisterRequest(invitation=code, account=name)
            made = await self._calls.ask("", asked, v1.RegisterResponse)
        except CallError as error:
            # One answer for every kind of bad invitation, so that nobody learns anything by trying some.
            return await self._refused(request, _BAD_CODE if error.status == "PERMISSION_DENIED" else str(error))
        account = Account(made.account.name, made.token)
        self._sign_in(request, account)
        return await self._shown(request, account, made=made.token)

    async def _refused(self, request: Request, problem: str) -> Response:
        """Show the page of the visitor again, with the reason why an invitation opened no account."""
        account = self._context.sessions.of(request).account
        return (
            self._asking(request, problem) if account is None else await self._shown(request, account, problem=problem)
        )

    def _sign_in(self, request: Request, account: Account) -> None:
        before = self._context.sessions.of(request).id
        self._context.sessions.sign_in(request, account)
        if self._context.play_sessions is not None:
            # The browser gets a new id; its running matches have to follow.
            self._context.play_sessions.hand_over(before, self._context.sessions.of(request).id)

    async def sign_in(self, request: Request) -> Response:
        """Check a token and sign its author in."""
        form = await form_of(request)
        token = form.get("token", "").strip()
        if not self._context.sessions.of(request).has_signed(form.get("csrf", "")):
            return self._asking(request, EXPIRED)
        if not may_be_token(token):
            return self._asking(request, _NOT_GOOD)
        try:
            who = await self._calls.ask(token, v1.WhoAmIRequest(), v1.WhoAmIResponse)
        except CallError as error:
            # One answer for every kind of bad token, so that nobody learns anything by trying some.
            if error.status == "UNIMPLEMENTED":
                return _without_accounts(self._context, request)
            return self._asking(request, _NOT_GOOD if error.status == "UNAUTHENTICATED" else str(error))
        self._sign_in(request, Account(who.account.name, token))
        return RedirectResponse(_PLACE, HTTPStatus.SEE_OTHER)

    async def sign_out(self, request: Request) -> Response:
        """Sign the author out."""
        await self._calls.signed(request)
        self._context.sessions.sign_out(request)
        return RedirectResponse(_PLACE, HTTPStatus.SEE_OTHER)

    async def make(self, request: Request) -> Response:
        """Create a token for playing, and show it once."""
        account, form = await self._calls.signed(request)
        asked = v1.CreateTokenRequest(scopes=[v1.ROLE_PLAY], bot=form.get("bot", "").strip())
        days = form.get("days", "").strip()
        if days:
            if not (days.isascii() and days.isdecimal() and len(days) < _DIGITS and 0 < int(days) <= _MOST_DAYS):
                return await self._shown(
                    request, account, problem=english("Days must be a number from 1 to {most}.", most=_MOST_DAYS)
                )
            asked.expires_at = int(time.time()) + int(days) * _SECONDS_A_DAY
        try:
            made = await self._calls.ask(account.token, asked, v1.CreateTokenResponse)
        except CallError as error:
            return await self._shown(request, account, problem=str(error))
        return await self._shown(request, account, made=made.token)

    async def revoke(self, request: Request) -> Response:
        """Revoke a token."""
        account, form = await self._calls.signed(request)
        try:
            await self._calls.ask(account.token, v1.RevokeTokenRequest(id=form.get("id", "")), v1.RevokeTokenResponse)
        except CallError as error:
            return await self._shown(request, account, problem=str(error))
        return RedirectResponse(_PLACE, HTTPStatus.SEE_OTHER)
