"""The display settings of a visitor: theme, size of cards, colours of suits."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from starlette.requests import Request

from ordago.scene import Sentence, sentence

DISPLAY: Final[Mapping[str, Mapping[str, Sentence]]] = MappingProxyType(
    {
        "theme": {"system": sentence("As the system"), "light": sentence("Light"), "dark": sentence("Dark")},
        "cards": {"usual": sentence("Usual size"), "large": sentence("Large")},
        "suits": {"usual": sentence("Usual colours"), "four": sentence("Four clear colours")},
    }
)
"""The values of each display setting, which is also the name of its cookie. The first is the default."""


def display_of(request: Request) -> Mapping[str, str]:
    """Return the display settings of a visitor. A cookie with any other value stands for the default."""
    given = request.cookies
    return {name: given[name] if given.get(name) in values else next(iter(values)) for name, values in DISPLAY.items()}
