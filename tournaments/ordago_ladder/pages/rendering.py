"""Rendering of pages from templates: no inline scripts or styles, and no requests to other hosts.

Texts go through gettext, with English as the key. The published pages of an event are in English.
"""

from collections.abc import Callable
from functools import cache, partial
from gettext import NullTranslations
from typing import Final
from unicodedata import category

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template

from ordago.scene import English, Sentence
from ordago_ladder.pages import figures

ENGLISH: Final = NullTranslations()
"""No translation: every text is its own key."""
_FIGURES: Final = (
    *(figures.duration, figures.likelihood, figures.percent, figures.points, figures.score),
    *(figures.seconds, figures.signed, figures.trimmed, figures.whole),
)
_SHARED: Final = "ordago_ladder"


def template(name: str, translations: NullTranslations = ENGLISH) -> Template:
    """Return the template for a kind of published page, in a language."""
    return environment(translations=translations).get_template(f"{name}.html.jinja")


def translated(text: Sentence | str, translate: Callable[[str], str]) -> str:
    """Return a text in the language that a function translates English texts to."""
    if isinstance(text, English):
        text = text.sentence
    # The empty text is the key of the head of a catalogue.
    return text.written(translate) if isinstance(text, Sentence) else text and translate(text)


def visible(value: object) -> object:
    """Return a value for a page with invisible characters escaped, so that no name can reverse the text around it."""
    # A fast path: in long texts, line ends are usually the only characters that are not printable.
    if type(value) is not str or value.replace("\n", "").isprintable():
        return value
    return "".join(sign if _is_seen(sign) else ascii(sign)[1:-1] for sign in value)


def _is_seen(sign: str) -> bool:
    return sign.isprintable() or sign in "\n\t" or category(sign) == "Zs"


@cache
def environment(*packages: str, translations: NullTranslations = ENGLISH) -> Environment:
    """Return the environment for the templates of some packages and the shared ones, in a language.

    Args:
        packages: the packages whose ``templates`` folders are searched before the shared one.
        translations: the message catalogue.
    """

    def written(value: object) -> object:
        return translated(value, translations.gettext) if isinstance(value, Sentence | English) else value

    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, _SHARED)]),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        finalize=lambda value: visible(written(value)),
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]  # by i18n
    made.globals["language"] = translations.info().get("language", "en")
    made.filters.update({write.__name__: write for write in _FIGURES})
    made.filters["written"] = written
    made.filters["translated"] = partial(translated, translate=translations.gettext)
    made.filters["rating"] = lambda known: written(figures.rating(known))
    made.filters["ordinal"] = lambda number: written(figures.ordinal(number))
    return made
