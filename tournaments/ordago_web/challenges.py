"""The challenges of an author, as its account page lists and makes them."""

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.names import visible
from ordago.scene import Sentence, english, sentence
from ordago_web.access.visitors import Account
from ordago_web.account_calls import AccountCalls
from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking
from ordago_web.ladder.places import Link, Time, bot_link, game_link, match_place, time_of

_PLACE: Final = "/account/challenges"
_STAGES: Final = {
    v1.CHALLENGE_STAGE_WAITING: sentence("waiting"),
    v1.CHALLENGE_STAGE_PLAYING: sentence("running"),
    v1.CHALLENGE_STAGE_OVER: sentence("over"),
}
_MATCHES: Final = {str(number): number for number in range(1, 11)}
"""The numbers of matches that the contract allows, by their texts."""


class ChallengeRow(NamedTuple):
    """A challenge."""

    bot: Link
    chosen: Link
    game: Link
    matches: Sequence[str]
    """The addresses of the matches that have begun."""
    wanted: int
    made: Time | None
    stage: Sentence
    is_open: bool
    reason: str
    """The reason why not all matches were played; empty if they were, or may be."""


class ChallengeTable(NamedTuple):
    """The last challenges of an author, and the values of the form for another one."""

    rows: Sequence[ChallengeRow]
    games: Sequence[tuple[str, str]]
    """The short name of each game, and its title."""
    chosen: str
    """The name of the bot to challenge; empty if the author has chosen none yet."""
    a_day: int
    """The most matches that an account may begin in 24 hours."""

    @property
    def is_open(self) -> bool:
        """True if one of them is open, so that there can be no other."""
        return any(row.is_open for row in self.rows)


async def challenge_table(
    context: AppContext, calls: AccountCalls, account: Account, *, chosen: str
) -> ChallengeTable | None:
    """Return the challenges of an author; ``None`` if the ladder takes none, or while it does not answer."""
    try:
        ladder = await Asking(context).ladder()
        if not ladder.challenge_matches:
            return None
        answer = await calls.ask(account.token, v1.ListChallengesRequest(), v1.ListChallengesResponse)
    except CallError:
        return None
    games = [(game.game, game_link(game.game).text) for game in ladder.games]
    return ChallengeTable([_row(one) for one in answer.challenges], games, visible(chosen), ladder.challenge_matches)


def _row(challenge: v1.Challenge) -> ChallengeRow:
    return ChallengeRow(
        bot=bot_link(challenge.bot),
        chosen=bot_link(challenge.chosen),
        game=game_link(challenge.game),
        matches=[match_place(match_id) for match_id in challenge.match_ids],
        wanted=challenge.matches,
        made=time_of(challenge.made),
        stage=_STAGES.get(challenge.stage, sentence("unknown")),
        is_open=challenge.stage != v1.CHALLENGE_STAGE_OVER,
        reason=visible(challenge.reason),
    )


class ChallengePages:
    """Handlers of the forms about challenges on the account page."""

    def __init__(self, calls: AccountCalls, shown: Callable[..., Awaitable[Response]]) -> None:
        """Ask the server by ``calls``; ``shown`` shows the page with a problem."""
        self._calls = calls
        self._shown = shown

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of the handlers."""
        return [
            Route(_PLACE, self.challenge, methods=["POST"]),
            Route(f"{_PLACE}/withdraw", self.withdraw, methods=["POST"]),
            Route("/account/bots/challenges", self.consent, methods=["POST"]),
        ]

    async def challenge(self, request: Request) -> Response:
        """Challenge a bot."""
        account, form = await self._calls.signed(request)
        matches = _MATCHES.get(form.get("matches", "").strip())
        if matches is None:
            problem = english("A challenge takes 1 to {most} matches.", most=len(_MATCHES))
            return await self._shown(request, account, problem=problem)
        names = {field: form.get(field, "").strip() for field in ("bot", "chosen", "game")}
        asked = v1.ChallengeBotRequest(**names, matches=matches)
        return await self._changed(request, account, asked, v1.ChallengeBotResponse, "#challenges")

    async def withdraw(self, request: Request) -> Response:
        """Withdraw the open challenge."""
        account, _ = await self._calls.signed(request)
        asked = v1.WithdrawChallengeRequest()
        return await self._changed(request, account, asked, v1.WithdrawChallengeResponse, "#challenges")

    async def consent(self, request: Request) -> Response:
        """Let other authors challenge a bot, or no longer."""
        account, form = await self._calls.signed(request)
        asked = v1.SetBotChallengesRequest(bot=form.get("bot", ""), takes_challenges=form.get("takes") == "yes")
        return await self._changed(request, account, asked, v1.SetBotChallengesResponse, "#bots")

    async def _changed(
        self, request: Request, account: Account, asked: Message, answer: type[Any], anchor: str
    ) -> Response:
        try:
            await self._calls.ask(account.token, asked, answer)
        except CallError as error:
            return await self._shown(request, account, problem=str(error))
        return RedirectResponse(f"/account{anchor}", HTTPStatus.SEE_OTHER)
