"""The pages on which people play, and the calls of their scripts."""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import cache, partial
from http import HTTPStatus
from typing import Final, NamedTuple

import trio
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ordago import v1
from ordago.games.definition import AnyGame
from ordago.names import visible
from ordago.record import to_file_bytes
from ordago.scene import Sentence, sentence
from ordago_ladder.showing.match_page import replay_values
from ordago_ladder.showing.rule_page import rule_page
from ordago_ladder.showing.scene_json import Translate
from ordago_web.access.bounds import TooManyError
from ordago_web.access.turns import Turns
from ordago_web.answers import TitledError
from ordago_web.context import AppContext
from ordago_web.forms import EXPIRED, form_of, read_body
from ordago_web.languages import language_of, translations
from ordago_web.pages import ROOT
from ordago_web.play.answers import MOST_ANSWER_BYTES, MalformedAnswerError, read_answer
from ordago_web.play.friend_pages import FriendPages
from ordago_web.play.hints import NoHintError
from ordago_web.play.human_match import ClosedDecisionError, HumanMatch, Listener, Person
from ordago_web.play.lessons.pages import lesson_address
from ordago_web.play.markdown import rendered
from ordago_web.play.opponents import DEFAULT_STRENGTH, STRENGTHS
from ordago_web.play.sessions import FullError, PlaySessions
from ordago_web.play.thinking import ThinkingFailedError
from ordago_web.play.waiting_table import Guest
from ordago_web.play.wishes import DEFAULT_LENGTH, FRIEND, Wish, WishError, lengths_of, played_games, read_wish

_BEAT_SECONDS: Final = 15.0
"""The silence after which a beat is sent, so that neither a proxy nor the page takes the connection for dead."""
_FANS: Final[Mapping[str, Sequence[int]]] = {
    "french": (27, 42, 43),
    "jass": (1, 42, 53),
    "spanish": (79, 98, 107),
    "tarot": (57, 77, 78),
}
"""Cards that picture a game, by its faces."""
_PARTNERS: Final = (sentence("Opponent after you"), sentence("Your partner"), sentence("Opponent before you"))
_CLOSED: Final = sentence("This decision was already made, perhaps in another window.").words
_NO_RECORD: Final = sentence("There is no record yet: it is written when the match ends.").words
_NO_HINT: Final = sentence("The house has no hint here.").words
_MOST_DIGITS: Final = 10
"""Longer numbers are not parsed: a match has at most 20,000 choices, so its messages have fewer digits."""
_NOT_KEPT: Final = {"cache-control": "no-store"}
_GONE: Final = sentence(
    "There is no such match here: it ended long ago, or belongs to another browser. Start a new one."
).words
_NOT_YOURS: Final = sentence("Not a match of yours")
"""The same for a match of another browser and for none, so that nobody learns which ids exist."""
_RUNNING: Final = sentence("You have a running match: go on playing, or start another one.").words


class _Pages:
    """The handlers of the pages."""

    def __init__(self, context: AppContext, play_sessions: PlaySessions) -> None:
        self._context = context
        self._play_sessions = play_sessions
        self._replays = Turns(at_once=1)
        """The queue of replays, so that a long match delays no other page."""

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of the handlers."""
        one = "/play/{match_id}"
        return (
            Route("/play", self.choose, methods=["GET"]),
            Route("/play", self.begin, methods=["POST"]),
            Route(one, self.table, methods=["GET"]),
            Route(f"{one}/events", self.events, methods=["GET"]),
            Route(f"{one}/answers", self.answer, methods=["POST"]),
            Route(f"{one}/hints/{{number:int}}", self.hint, methods=["POST"]),
            Route(f"{one}/leave", self.leave, methods=["POST"]),
            Route(f"{one}/record", self.record, methods=["GET"]),
            Route(f"{one}/replay", self.replay, methods=["GET"]),
        )

    async def choose(self, request: Request) -> Response:
        """Show the games and the form for a match."""
        return self._choosing(request, dict(request.query_params))

    def _choosing(self, request: Request, asked: Mapping[str, str], problem: str = "") -> Response:
        games, visitor = played_games(), self._context.sessions.of(request)
        game = _game_of(asked, games)
        return self._context.pages.render(
            request,
            "play.html.jinja",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
            problem=problem,
            running=self._play_sessions.of_owner(visitor.id),
            games=games,
            game=game,
            fans={each.name: _FANS[each.staging.faces] for each in games},
            lengths=lengths_of(game),
            strengths=STRENGTHS,
            friend=FRIEND,
            default_length=DEFAULT_LENGTH,
            default_strength=DEFAULT_STRENGTH,
            default_players=_default_players(game),
            most=game.rules.seat_counts[-1],
            roles=_roles(game),
            asked={name: visible(value) for name, value in asked.items()},
            rules=_rule_page(game, language_of(request)),
            csrf=visitor.csrf,
        )

    async def begin(self, request: Request) -> Response:
        """Begin a match, or another one like a match that was played; with friends, open a table."""
        form = await form_of(request)
        visitor = self._context.sessions.of(request)
        if not visitor.has_signed(form.get("csrf", "")):
            return self._choosing(request, form, EXPIRED)
        running = self._play_sessions.of_owner(visitor.id)
        if "running" in form and running and form["running"] != running[-1].terms.match_id:
            # The form does not show the match: it was sent twice, or the browser's way back led to it.
            return self._choosing(request, form, _RUNNING)
        host = Guest(Person(visitor.id, visitor.origin), translations(language_of(request)).gettext)
        try:
            place = self._begun_again(form, visitor.id) or self._opened(self._wish(form, host), host)
        except (WishError, FullError) as error:
            return self._choosing(request, form, f"{error}")
        return RedirectResponse(place, HTTPStatus.SEE_OTHER)

    def _opened(self, wish: Wish, host: Guest) -> str:
        """Begin a match, or open a table that waits for friends; return its address."""
        if wish.free:
            return f"/play/tables/{self._play_sessions.wait_for_friends(wish, host).token}"
        return f"/play/{self._play_sessions.open(wish, host).terms.match_id}"

    def _wish(self, form: Mapping[str, str], host: Guest) -> Wish:
        if "again" not in form:
            return read_wish({**form, "name": host.named(form)})
        before = self._play_sessions.find(form["again"], owner=host.person.owner)
        if before is None:
            raise WishError(_GONE)
        return before.wish.again

    def _begun_again(self, form: Mapping[str, str], owner: str) -> str | None:
        """Return the address of the match that "Play again" began before, at a page to which the way back led."""
        before = self._play_sessions.find(form.get("again", ""), owner=owner)
        later = [each for each in self._play_sessions.of_owner(owner) if before and each.wish == before.wish.again]
        return f"/play/{later[-1].terms.match_id}" if later else None

    def _human_match(self, request: Request) -> HumanMatch:
        """Return the match in the path if it belongs to this visitor, or raise status 404."""
        human_match = self._play_sessions.find(
            request.path_params["match_id"], owner=self._context.sessions.of(request).id
        )
        if human_match is None:
            raise TitledError(HTTPStatus.NOT_FOUND, _GONE, title=_NOT_YOURS)
        return human_match

    def _signed_match(self, request: Request) -> HumanMatch:
        """Return the match in the path if the request has the CSRF token of its player, or raise status 403."""
        human_match = self._human_match(request)
        if not self._context.sessions.of(request).has_signed(request.headers.get("x-csrf-token", "")):
            raise HTTPException(HTTPStatus.FORBIDDEN, EXPIRED)
        return human_match

    async def table(self, request: Request) -> Response:
        """Show a match."""
        human_match = self._human_match(request)
        terms, csrf = human_match.terms, self._context.sessions.of(request).csrf
        rules, wish = terms.game.rules, human_match.wish
        translate = translations(language_of(request)).gettext
        page = {
            "place": f"/play/{terms.match_id}",
            "csrf": csrf,
            "faces": terms.game.staging.faces,
            "seat": wish.seat,
            "seats": [
                {"name": name, "version": _strength(strength, translate), "side": side}
                for name, strength, side in zip(wish.names, wish.strengths, rules.sides(len(wish.names)), strict=True)
            ],
        }
        return self._context.pages.render(
            request,
            "human_match.html.jinja",
            title=rules.title,
            game=rules.name,
            match_id=terms.match_id,
            commitment=terms.deals.commitment.hex(),
            page=page,
            rules=_rule_page(terms.game, language_of(request)),
            csrf=csrf,
        )

    async def events(self, request: Request) -> Response:
        """Stream the messages of a match."""
        last = request.headers.get("last-event-id", "")
        human_match = self._human_match(request)
        listener = human_match.listen(
            int(last) if last.isascii() and last.isdigit() and len(last) < _MOST_DIGITS else None,
            beat_seconds=_BEAT_SECONDS,
        )
        return _EventStream(
            listener, self._context.limits.stream(self._context.sessions.of(request).origin), human_match.shown()
        )

    async def answer(self, request: Request) -> Response:
        """Accept an answer, or return the reason to refuse it."""
        human_match = self._signed_match(request)
        try:
            violation = human_match.answer(read_answer(await read_body(request, MOST_ANSWER_BYTES)))
        except MalformedAnswerError as error:
            raise HTTPException(HTTPStatus.BAD_REQUEST, f"{error}") from None
        except ClosedDecisionError:
            raise HTTPException(HTTPStatus.CONFLICT, _CLOSED) from None
        if violation is not None:
            return JSONResponse(violation._asdict(), HTTPStatus.UNPROCESSABLE_ENTITY, headers=_NOT_KEPT)
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def hint(self, request: Request) -> Response:
        """Return a hint at the open decision."""
        try:
            lines = await self._play_sessions.hint(self._signed_match(request), request.path_params["number"])
        except ClosedDecisionError:
            raise HTTPException(HTTPStatus.CONFLICT, _CLOSED) from None
        except NoHintError:
            raise HTTPException(HTTPStatus.FORBIDDEN, _NO_HINT) from None
        except FullError as error:
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, f"{error}") from None
        except ThinkingFailedError:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, _NO_HINT) from None
        return JSONResponse({"lines": lines}, headers=_NOT_KEPT)

    async def leave(self, request: Request) -> Response:
        """End a running match."""
        human_match = self._human_match(request)
        if self._context.sessions.of(request).has_signed((await form_of(request)).get("csrf", "")):
            human_match.give_up()
        return RedirectResponse(f"/play?game={human_match.terms.game.name}", HTTPStatus.SEE_OTHER)

    async def record(self, request: Request) -> Response:
        """Return the record of a finished match."""
        human_match = self._human_match(request)
        if human_match.record is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, _NO_RECORD)
        name = f'attachment; filename="{human_match.terms.match_id}.ordago"'
        return Response(
            to_file_bytes(human_match.record),
            media_type="application/octet-stream",
            headers={"content-disposition": name, **_NOT_KEPT},
        )

    async def replay(self, request: Request) -> Response:
        """Show the replay of a finished match, with all hands open."""
        human_match = self._human_match(request)
        if human_match.record is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, _NO_RECORD)
        place = f"/play/{human_match.terms.match_id}"
        analysis = f"{place}/analysis" if self._context.analyst is not None else ""
        shown = v1.MatchRecord()
        shown.CopyFrom(human_match.record)
        translate = translations(language_of(request)).gettext
        for seat, strength in zip(shown.seats, human_match.wish.strengths, strict=True):
            seat.version = _strength(strength, translate)
        made = partial(
            replay_values,
            shown,
            root=ROOT,
            record_link=f"{place}/record",
            back=place,
            analysis=analysis,
            translations=translations(language_of(request)),
        )
        async with self._replays.turn():
            values = await trio.to_thread.run_sync(made)
        return self._context.pages.render(request, "told.html.jinja", **values)


class _EventStream(StreamingResponse):
    """The event stream of a match, counted among the streams of its address while it is open."""

    def __init__(self, listener: Listener, *counted: AbstractContextManager[None]) -> None:
        super().__init__(_Streamed(listener), media_type="text/event-stream", headers=_NOT_KEPT)
        self._counted = counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with ExitStack() as open_now:
                for counted in self._counted:
                    open_now.enter_context(counted)
                await super().__call__(scope, receive, send)
        except TooManyError as error:
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, f"{error}") from None


class _Streamed:
    """Messages as lines of an event stream."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def __aiter__(self) -> "_Streamed":
        return self

    async def __anext__(self) -> str:
        message = await anext(self._listener)
        if message is None:
            # An event, not a comment: scripts do not see comments, and would not notice that none comes any more.
            return "event: beat\ndata: {}\n\n"
        return f"id: {message.number}\nevent: {message.event}\ndata: {message.data}\n\n"


def _game_of(asked: Mapping[str, str], games: Sequence[AnyGame]) -> AnyGame:
    return next((game for game in games if game.name == asked.get("game")), games[0])


class _RulePage(NamedTuple):
    """The rule page of a game."""

    html: Markup
    address: str
    """Its page in the documentation; empty for a game of another package, which has none there."""
    lesson: str
    """The address of the lesson of the game; empty if there is none."""


def _rule_page(game: AnyGame, language: str) -> _RulePage:
    """Return the rule page of a game in a language. It is rendered once, in some 50 ms, and cached."""
    return _RulePage(
        _rendered(rule_page(game, language=language)),
        "" if game.rule_page else f"/docs/rules/{game.name}/",
        lesson_address(game.name),
    )


@cache
def _rendered(text: str) -> Markup:
    return rendered(text, address_on_rule_page).html


def address_on_rule_page(link: str) -> str | None:
    """Return the address of a link on a rule page: a place of the web, a picture, or the documentation for bots.

    ``None`` for any other link, which leads nowhere here.
    """
    if picture := re.fullmatch(r"(?:\.\./)+tournaments/ordago_ladder(/assets/rules/[a-z]+-[a-z]+\.svg)", link):
        return picture[1]
    if for_bots := re.fullmatch(r"(?:\.\./)?(\w+-for-bots)\.md", link):
        return f"/docs/rules/{for_bots[1]}/"
    return link if link.startswith("https://") else None


def _default_players(game: AnyGame) -> int:
    return game.rules.seat_counts[len(game.rules.seat_counts) // 2]


def _strength(name: str, translate: Translate) -> str:
    """Return the strength of a player for display; empty for the person."""
    return STRENGTHS[name].title.written(translate) if name else ""


def _roles(game: AnyGame) -> Mapping[int, Sequence[Sentence]]:
    """Return the labels of the other players in the form, in the order of play, by the number of players."""
    alone = [sentence("Opponent {number}", number=number) for number in range(1, game.rules.seat_counts[-1])]
    paired = [*_PARTNERS, *alone[len(_PARTNERS) :]]
    return {count: paired if len(set(game.rules.sides(count))) < count else alone for count in game.rules.seat_counts}


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of play; none if the site does not offer it."""
    if context.play_sessions is None:
        return ()
    return (*FriendPages(context, context.play_sessions).routes(), *_Pages(context, context.play_sessions).routes())
