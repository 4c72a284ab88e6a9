"""Reader of hand-written TOML files into settings, with clear errors."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ordago.names import nearest

MOST_CHARACTERS: Final = 1 << 18
"""The longest file, in characters: the event file of a thousand entrants is shorter."""
_MOST_PROBLEMS: Final = 100
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


class WrittenFileError(ValueError):
    """An invalid file: a mistake of its author."""

    def __init__(self, problems: Sequence[str], *, source: str) -> None:
        """Take a sentence for each mistake, and the name of the file."""
        super().__init__("\n".join(f"{source}: {problem}" for problem in problems))
        self.problems = tuple(problems)


SettingsT = TypeVar("SettingsT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Form(Generic[SettingsT]):
    """The layout of a kind of file."""

    whole: type[SettingsT]
    """The model of the whole file."""
    sections: Mapping[str, tuple[str, type[BaseModel]]]
    """The heading and the model of each section, by its key."""
    headings: str
    """The headings of all sections, as listed in an error."""
    error: type[WrittenFileError]
    """The type of the errors."""

    def read(self, path: Path) -> SettingsT:
        """Read a file into settings.

        Raises:
            WrittenFileError: it cannot be read, or is invalid; of the type ``error``.
        """
        try:
            text = decoded(path.read_bytes())
        except OSError as error:
            raise self.error([f"cannot be read: {error.strerror}; check the path"], source=str(path)) from error
        except UnicodeDecodeError as error:
            raise self.error(["is not a UTF-8 text; save it as UTF-8"], source=str(path)) from error
        return self.parse(text, source=path.name)

    def parse(self, text: str, *, source: str) -> SettingsT:
        """Parse the text of a file into settings.

        Raises:
            WrittenFileError: it is invalid; of the type ``error``. The message has a line for each mistake, and each
            begins with the source.
        """
        if len(text) > MOST_CHARACTERS:
            raise self.error([f"has more than {MOST_CHARACTERS:,} characters; make it smaller"], source=source)
        try:
            return self.whole.model_validate(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise self.error([_toml_problem(str(error), text)], source=source) from error
        except ValidationError as error:
            problems = [self._problem(details) for details in error.errors()[:_MOST_PROBLEMS]]
            raise self.error(problems, source=source) from error
        except ValueError as error:
            # Python refuses to parse numbers with thousands of digits.
            sentence = "invalid TOML: it has a number that is far too long"
            raise self.error([sentence], source=source) from error
        except RecursionError:
            raise self.error(["invalid TOML: it is nested too deeply"], source=source) from None

    def _problem(self, details: ErrorDetails) -> str:
        place, key = self._place(details["loc"])
        kind = details["type"]
        if kind == "extra_forbidden" and len(details["loc"]) == 1:
            if not isinstance(details["input"], dict | list):
                return self._before_sections(key)
            return f"unknown section [{key}]; the sections are {self.headings}"
        if kind == "extra_forbidden":
            return f"{place}unknown key {key!r}; {nearest(key, self._keys(details['loc'][0]))}"
        if kind == "missing" or (kind == "too_short" and key in self.sections):
            return f"{place}{self._missing(key)}"
        if kind == "value_error":
            return f"{place}{details['ctx']['error']}"
        if key in self.sections or kind == "model_type":
            return f"{place}{self._misplaced(details['loc'])}"
        wanted = _WANTED[kind].format(**details.get("ctx", {}))
        return f"{place}{key!r} takes {wanted}, not {_shown(details['input'])}"

    def _keys(self, section: int | str) -> Collection[str]:
        return self.sections[str(section)][1].model_fields

    def _before_sections(self, key: str) -> str:
        belongs = [heading for heading, model in self.sections.values() if key in model.model_fields]
        first = next(heading for heading, _ in self.sections.values())
        where = (
            f"below the line {' or '.join(belongs)}"
            if belongs
            else f"below the line of its section, {first} for instance"
        )
        return f"{key!r} is before the first section; put it {where}"

    def _place(self, location: tuple[int | str, ...]) -> tuple[str, str]:
        """Return the heading of the section with an error, and the key in it; empty where there is none."""
        section = str(location[0]) if location else ""
        if section not in self.sections or len(location) == 1:
            return "", section
        if not isinstance(location[1], int):
            return f"{self.sections[section][0]}: ", str(location[1])
        return f"{self.sections[section][0]} {location[1] + 1}: ", str(location[2]) if len(location) > 2 else ""

    def _missing(self, key: str) -> str:
        if key in self.sections:
            return f"there is no {self.sections[key][0]}; add one"
        return f"the key {key!r} is missing; add it"

    def _misplaced(self, location: tuple[int | str, ...]) -> str:
        section = str(location[0])
        return f"{section!r} is a section of its own; begin it with the line {self.sections[section][0]}"


def first_problem(error: ValidationError) -> str:
    """Return the location of the first invalid value, with the reason."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return ": ".join(filter(None, [".".join(map(str, first["loc"])), first["msg"]]))


def decoded(content: bytes) -> str:
    """Decode a file, without the byte order mark that some editors put before it.

    Raises:
        UnicodeDecodeError: it is not UTF-8 text.
    """
    return content.decode("utf-8-sig")


def _toml_problem(message: str, text: str) -> str:
    found = _PLACE_IN_TOML.fullmatch(message)
    if found is None:
        return f"invalid TOML: {message}"
    lines = text.split("\n")
    line, column = found["line"] or len(lines), found["column"] or len(lines[-1]) + 1
    return f"line {line}, column {column}: invalid TOML: {found['what']}"


def _shown(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
