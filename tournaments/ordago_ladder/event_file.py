"""Reading the file that describes an event, and saying clearly what is wrong with it."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import tomlkit
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ordago.nearest import nearest
from ordago_ladder.estimate import size_problem
from ordago_ladder.settings import EntrantSettings, EventSettings, GameSettings, LimitSettings, Settings

MOST_CHARACTERS: Final = 1 << 18
"""How long an event file may be: that of a thousand entrants is shorter."""
_MOST_PROBLEMS: Final = 100
_SECTIONS: Final[Mapping[str, type[BaseModel]]] = {
    "event": EventSettings,
    "limits": LimitSettings,
    "game": GameSettings,
    "entrant": EntrantSettings,
}
_HEADINGS: Final = {"event": "[event]", "limits": "[limits]", "game": "[[game]]", "entrant": "[[entrant]]"}
_WANTED: Final = {
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "tuple_type": "a text or a list of texts",
    "greater_than_equal": "a number of at least {ge}",
    "greater_than": "a number above {gt}",
    "less_than_equal": "a number of at most {le}",
    "too_short": "at least one word",
}
_PLACE_IN_TOML: Final = re.compile(
    r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)"
)


class EventFileError(ValueError):
    """An event file that describes no event. The organiser erred."""

    def __init__(self, problems: Sequence[str], *, source: str) -> None:
        """Remember what is wrong, in one sentence each, and in which file."""
        super().__init__("\n".join(f"{source}: {problem}" for problem in problems))
        self.problems = tuple(problems)


def read_event(path: Path) -> Settings:
    """Read an event file.

    Raises:
        EventFileError: it cannot be read, or it describes no event.
    """
    try:
        text = decoded(path.read_bytes())
    except OSError as error:
        raise EventFileError([f"cannot be read: {error.strerror}; check the path"], source=str(path)) from error
    except UnicodeDecodeError as error:
        raise EventFileError(["is not a UTF-8 text; save it as UTF-8"], source=str(path)) from error
    return parse_event(text, source=path.name)


def decoded(content: bytes) -> str:
    """Return the text of an event file, without the mark that some editors put before it.

    Raises:
        UnicodeDecodeError: it is no UTF-8 text.
    """
    return content.decode("utf-8-sig")


def parse_event(text: str, *, source: str = "event file") -> Settings:
    """Return the event that the text of an event file describes.

    Raises:
        EventFileError: it describes none. The message has a line for each thing that is wrong, and begins with the
            source.
    """
    if len(text) > MOST_CHARACTERS:
        raise EventFileError([f"has more than {MOST_CHARACTERS:,} characters; make it smaller"], source=source)
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EventFileError([_toml_problem(str(error), text)], source=source) from error
    except ValueError as error:
        # Python does not read numbers of thousands of digits.
        raise EventFileError(["this is no valid TOML: it has a number that is far too long"], source=source) from error
    except RecursionError:
        raise EventFileError(["this is no valid TOML: it is nested too deeply"], source=source) from None
    try:
        settings = Settings.model_validate(written)
    except ValidationError as error:
        problems = [_problem(details) for details in error.errors()[:_MOST_PROBLEMS]]
        raise EventFileError(problems, source=source) from error
    problem = size_problem(settings)
    if problem is not None:
        raise EventFileError([problem], source=source)
    return settings


def without_environment(text: str) -> str:
    """Return the text of an event file as it may be published: without the values of environment variables.

    They may be secret. Everything else stays as it is, comments and layout too.
    """
    document = tomlkit.parse(text)
    for entrant in document.get("entrant", ()):
        for name in entrant.get("env", ()):
            entrant["env"][name] = ""
    return tomlkit.dumps(document)


def _toml_problem(message: str, text: str) -> str:
    found = _PLACE_IN_TOML.fullmatch(message)
    if found is None:
        return f"this is no valid TOML: {message}"
    lines = text.split("\n")
    line, column = found["line"] or len(lines), found["column"] or len(lines[-1]) + 1
    return f"line {line}, column {column}: this is no valid TOML: {found['what']}"


def _problem(details: ErrorDetails) -> str:
    place, key = _place(details["loc"])
    kind = details["type"]
    if kind == "extra_forbidden" and len(details["loc"]) == 1:
        if not isinstance(details["input"], dict | list):
            return _before_sections(key)
        return f"unknown section [{key}]; the sections are [event], [limits], [anchors], [[game]] and [[entrant]]"
    if kind == "extra_forbidden":
        return f"{place}unknown key {key!r}; {nearest(key, _SECTIONS[str(details['loc'][0])].model_fields)}"
    if kind == "missing" or (kind == "too_short" and key in _HEADINGS):
        return f"{place}{_missing(key)}"
    if kind == "value_error":
        return f"{place}{details['ctx']['error']}"
    if key in _HEADINGS or kind == "model_type":
        return f"{place}{_misplaced(details['loc'])}"
    wanted = _WANTED[kind].format(**details.get("ctx", {}))
    return f"{place}{key!r} takes {wanted}, not {_shown(details['input'])}"


def _before_sections(key: str) -> str:
    belongs = [_HEADINGS[section] for section, model in _SECTIONS.items() if key in model.model_fields]
    where = (
        f"below the line {' or '.join(belongs)}" if belongs else "below the line of its section, [event] for instance"
    )
    return f"{key!r} stands before the first section; put it {where}"


def _place(location: tuple[int | str, ...]) -> tuple[str, str]:
    """Return the place of an error as a heading, and the key in this place."""
    section = str(location[0]) if location else ""
    if section not in _HEADINGS or len(location) == 1:
        return "", section
    if not isinstance(location[1], int):
        return f"{_HEADINGS[section]}: ", str(location[1])
    return f"{_HEADINGS[section]} {location[1] + 1}: ", str(location[2]) if len(location) > 2 else ""


def _missing(key: str) -> str:
    if key in _HEADINGS:
        return f"there is no {_HEADINGS[key]}; add one"
    return f"the key {key!r} is missing; add it"


def _misplaced(location: tuple[int | str, ...]) -> str:
    section = str(location[0])
    return f"{section!r} is a section of its own; begin it with the line {_HEADINGS[section]}"


def _shown(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
