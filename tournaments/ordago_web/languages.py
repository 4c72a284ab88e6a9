"""The languages of the site: the catalogue of each, and which one a visitor wants."""

from collections.abc import Iterator, Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from operator import itemgetter
from pathlib import Path
from typing import Final

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup
from starlette.requests import Request

import ordago_ladder
from ordago_ladder.pages.rendering import ENGLISH
from ordago_ladder.showing.match_page import script_words

LANGUAGES: Final[Mapping[str, str]] = {
    "en": "English",
    "es": "Español",
    "de": "Deutsch",
    "it": "Italiano",
    "fr": "Français",
    "zh": "中文",
}
"""The own name of each language, by its code (ISO 639-1)."""
COOKIE: Final = "language"
"""The cookie with the language that a visitor chose. It holds nothing else."""
_LOCALES: Final = Path(ordago_ladder.__file__).parent / "locale"
_LONGEST_HEADER: Final = 512
"""The part of ``Accept-Language`` that is read: browsers send some 50 characters."""


@cache
def translations(language: str) -> NullTranslations:
    """Return the catalogue of one of ``LANGUAGES``. It is compiled once, in some 20 ms."""
    if language == "en":
        return ENGLISH
    with (_LOCALES / language / "LC_MESSAGES" / "ordago.po").open("rb") as file:
        catalogue = read_po(file)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def script_catalogue(language: str) -> Markup:
    """Return the texts of scripts in a language as JSON, by their English texts; empty for English."""
    words = script_words(translations(language).gettext)
    return htmlsafe_json_dumps(words) if words else Markup()


def language_of(request: Request) -> str:
    """Return the language of a visitor: the one chosen, else the one that its browser asks for, else English."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    asked = request.headers.get("accept-language", "")[:_LONGEST_HEADER]
    return negotiate_locale(list(_by_preference(asked)), list(LANGUAGES), sep="-") or "en"


def _by_preference(asked: str) -> Iterator[str]:
    """Yield the languages of ``Accept-Language``, the most wanted first, each without its region behind it."""
    parts = [one.partition(";") for one in asked.split(",")]
    weighted = [(_weight(parameters), tag.strip()) for tag, _, parameters in parts]
    for weight, tag in sorted(weighted, key=itemgetter(0), reverse=True):
        if weight > 0:
            yield tag.partition("-")[0].lower()


def _weight(parameters: str) -> float:
    name, _, value = parameters.replace(" ", "").partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
