"""How pages are made of templates: nothing inline, nothing loaded from elsewhere, readable on a phone and on paper.

Texts go through gettext, with English as the key. What is published of an event is English.
"""

from functools import cache
from gettext import NullTranslations
from typing import Final
from unicodedata import category

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template

from ordago.scene import Sentence
from ordago_ladder.pages import figures

ENGLISH: Final = NullTranslations()
"""No translation: every text is its own key."""
_FIGURES: Final = (
    *(figures.duration, figures.likelihood, figures.percent, figures.points, figures.seconds),
    *(figures.signed, figures.whole),
)
_SHARED: Final = "ordago_ladder"


def template(name: str, translations: NullTranslations = ENGLISH) -> Template:
    """Return the template of a kind of page of what is published, in a language."""
    return environment(translations=translations).get_template(f"{name}.html.jinja")


def visible(value: object) -> object:
    """Return what is put into a page, with whatever cannot be seen as an escape: no name reverses the line it is in."""
    # Most of what cannot be printed ends a line, and is looked for at once in long texts.
    if type(value) is not str or value.replace("\n", "").isprintable():
        return value
    return "".join(sign if _is_seen(sign) else ascii(sign)[1:-1] for sign in value)


def _is_seen(sign: str) -> bool:
    return sign.isprintable() or sign in "\n\t" or category(sign) == "Zs"


@cache
def environment(*packages: str, translations: NullTranslations = ENGLISH) -> Environment:
    """Return what renders the templates of some packages, and those that all pages share, in a language.

    Args:
        packages: the packages whose folders ``templates`` are looked into before the shared one.
        translations: the catalogue of the language.
    """
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, _SHARED)]),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        finalize=visible,
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]  # of the extension
    made.globals["language"] = translations.info().get("language", "en")
    made.filters.update({write.__name__: write for write in _FIGURES})

    def told(sentence: Sentence) -> str:
        return sentence.written(translations.gettext)

    made.filters["told"] = told
    made.filters["ordinal"] = lambda number: told(figures.ordinal(number))
    return made
