"""The page of a lesson: the same for all visitors, without a session."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ordago.games import find_game
from ordago_ladder.showing.scene_json import Json
from ordago_web.context import AppContext
from ordago_web.languages import language_of, translations
from ordago_web.play.lessons import mitaines, mitigati, mittlere, mus, taihe
from ordago_web.play.lessons.lesson import Lesson
from ordago_web.play.lessons.played import played

LESSONS: Final[Mapping[str, Lesson]] = {
    "mitaines": mitaines.LESSON,
    "mitigati": mitigati.LESSON,
    "mittlere": mittlere.LESSON,
    "mus": mus.LESSON,
    "taihe": taihe.LESSON,
}
"""The lessons by game."""


def lesson_address(game: str) -> str:
    """Return the address of the lesson of a game; empty if there is none."""
    return f"/play/{game}/tutorial" if game in LESSONS else ""


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the route of the lessons."""
    return [Route("/play/{game}/tutorial", partial(_lesson, context), methods=["GET"])]


async def _lesson(context: AppContext, request: Request) -> Response:
    name, language = request.path_params["game"], language_of(request)
    if name not in LESSONS:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    shown, data = _shown(name, language)
    return context.pages.render(
        request,
        "lesson.html.jinja",
        title=find_game(name).rules.title,
        told=[page["words"] for page in shown["pages"]],
        lesson=data,
        rules=f"/docs/rules/{name}/",
        table=_table_like(name),
    )


@cache
def _shown(name: str, language: str) -> tuple[dict[str, Json], Markup]:
    """Return a lesson in a language, as JSON too. It is played once, in some 20 ms, and cached."""
    shown = played(find_game(name), LESSONS[name], translations(language).gettext)
    return shown, htmlsafe_json_dumps(shown, separators=(",", ":"))


def _table_like(name: str) -> str:
    """Return the address of the form for a match with the options of a lesson, against beginners."""
    lesson = LESSONS[name]
    options = {f"option-{option}": value for option, value in lesson.options.items()}
    others = {f"opponent-{number}": "beginner" for number in range(1, lesson.seats)}
    return f"/play?{urlencode({'game': name, 'players': lesson.seats, 'length': 'set', **options, **others})}"
