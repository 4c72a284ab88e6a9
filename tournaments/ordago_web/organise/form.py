"""A form that helps to write an event file: it shows the keys of a text, and writes those that changed into it.

The fields are made from the classes that read the file. The text is the whole truth: comments, layout and all that the
form does not know stay as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from itertools import count
from types import NoneType
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin

import tomlkit
from pydantic import BaseModel
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from ordago.games import find_game, game_names
from ordago_ladder.settings.common import MatchTermSettings
from ordago_ladder.settings.sections import EventSettings, GameSettings

_MODELS: Final[Mapping[str, type[BaseModel]]] = {"event": EventSettings, "game": GameSettings}
_KINDS: Final = (bool, int, float, str, datetime)
"""The types of values that a field takes. Other values are written by hand."""
_FIRST: Final = ("name", "title", "format", "repetitions", "begins", "open_entry", "entrants_at_most")
"""The keys of ``[event]`` that are always in sight, with those that the file has."""
_ADDED: Final = {
    "game": ("game", "name"),
    "house": ("entrant", "house"),
    "remote": ("entrant", "account"),
    "announce": ("announce", "url"),
}
"""The fields that add a section, and the key there that takes their value."""
_SPLIT: Final = "; the event file: "
_PROBLEM: Final = re.compile(r"(?:\[+(?P<section>\w+)\]+(?: (?P<number>\d+))?: )?[^']*(?:'(?P<key>\w+)')?")
_LINE: Final = re.compile(r"line (\d+)\b")


class Field(NamedTuple):
    """A key of a section as a field."""

    place: str
    """The name of the field: section, number from 1, and key."""
    name: str
    """The key."""
    is_text: bool
    """True for a text, False for a value in TOML."""
    choices: Sequence[str]
    """The values to choose from; empty for any."""
    default: str
    """The value of a file without the key; empty for none."""
    help: str
    value: str = ""
    """The value in the file; empty if it lacks the key."""


class Problem(NamedTuple):
    """A complaint about an event file."""

    text: str
    line: int
    """The line that it concerns, from 1; 0 for none."""
    place: str
    """The name of the field that it concerns."""


def groups_of(text: str) -> dict[str, list[Field]]:
    """Return the fields of a text, by heading.

    Raises:
        TOMLKitError: the text is no TOML.
    """
    groups: dict[str, list[Field]] = {"[event]": []}
    for field, table in _fields(tomlkit.parse(text)):
        section, number, *path = field.place.split(".")
        heading = f"[[game]] {number}: {table.get('name', '')}"
        if section == "event":
            times = "time, faults" if path[0] in MatchTermSettings.model_fields else "…"
            heading = "[event]" if field.value or path[0] in _FIRST else f"[event] {times}"
        groups.setdefault(heading, []).append(field)
    return groups


def with_fields(text: str, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return a text with the fields that changed since the form was made, and the sections to add.

    Raises:
        TOMLKitError: the text is no TOML, or has a section that the form cannot change.
    """
    document, changed = tomlkit.parse(f"{text.rstrip()}\n\n"), False
    for field, table in [*_fields(document)]:
        value = now.get(field.place, "").strip()
        if field.place in now and value not in (before.get(field.place, ""), field.value):
            holder = table.setdefault("options", tomlkit.inline_table()) if ".options." in field.place else table
            holder.pop(field.name, None) if not value else holder.update({field.name: _value(field, value)})
            changed = True
    for what in _ADDED:
        if value := now.get(f"add.{what}", "").strip():
            _add(document, what, value)
            changed = True
    return tomlkit.dumps(document).strip() + "\n" if changed else text


def problems_of(text: str, sentence: str) -> list[Problem]:
    """Return the complaints in a sentence of the server, each with the line and the field that it concerns."""
    return [_problem(text.splitlines(), part) for part in sentence.removeprefix(_SPLIT[2:]).split(_SPLIT)]


def _problem(lines: Sequence[str], part: str) -> Problem:
    found = _PROBLEM.match(part)
    assert found is not None, "all of it is optional"
    section, number, key = found["section"] or "", int(found["number"] or 1), found["key"] or ""
    if at := _LINE.search(part):
        return Problem(part, int(at[1]), "text")
    return Problem(part, _line_of(lines, section, number, key), f"{section}.{number}.{key}")


def _line_of(lines: Sequence[str], section: str, number: int, key: str) -> int:
    """Return the line of a key, or that of its section without it; 0 without either."""
    begun, at, here = 0, 0, ""
    for place, line in enumerate(lines, start=1):
        if heading := re.match(r"\s*\[+\s*([\w-]+)", line):
            here = heading[1]
            begun += here == section
            at = place if here == section and begun == number else at
        elif key and here == section and begun == number and re.match(rf"\s*{key}\s*=", line):
            return place
    return at


def _fields(document: Any) -> Iterator[tuple[Field, Any]]:  # noqa: ANN401 - tomlkit's types are those of dictionaries
    """Yield the fields of a document with their values, each with the table of its section."""
    for section, model in _MODELS.items():
        found = document.get(section)
        tables = found if isinstance(found, list) else [found]
        for number, table in enumerate((each for each in tables if isinstance(each, dict)), start=1):
            options = table.get("options", {})
            known = _options(str(table.get("name"))) if section == "game" and isinstance(options, dict) else ()
            for field in (*_keys(model), *known):
                value = (options if "." in field.place else table).get(field.name)
                yield field._replace(place=f"{section}.{number}.{field.place}", value=_shown(value)), table


@cache
def _keys(model: type[BaseModel]) -> Sequence[Field]:
    """Return the keys of a section, without those whose values are written by hand."""
    found = []
    for name, key in model.model_fields.items():
        kind = _plain(key.annotation)
        choices = get_args(kind) if get_origin(kind) is Literal else ("true", "false") if kind is bool else ()
        if choices or kind in _KINDS:
            text = (key.description or "").replace("``", "").replace("None:", "Empty:")
            default = "" if key.is_required() else _shown(key.default)
            found.append(Field(name, name, kind not in _KINDS or kind is str, choices, default, text))
    return tuple(found)


@cache
def _options(game: str) -> Sequence[Field]:
    """Return the options of a game as fields; none for an unknown one."""
    specs = find_game(game).rules.option_specs if game in game_names() else ()
    return tuple(
        Field(
            f"options.{spec.name}",
            spec.name,
            isinstance(spec.default, str),
            ("true", "false") if isinstance(spec.default, bool) else tuple(map(str, spec.choices)),
            _shown(spec.default),
            spec.sentence,
        )
        for spec in specs
    )


def _plain(annotation: Any) -> Any:  # noqa: ANN401 - an annotation may be anything
    """Return the type of an annotation without its metadata, and without ``None``."""
    if get_origin(annotation) is Literal or not get_args(annotation) or get_origin(annotation) is tuple:
        return annotation
    return _plain(next(each for each in get_args(annotation) if each is not NoneType))


def _shown(value: Any) -> str:  # noqa: ANN401
    """Return a value as a field shows it: a text as it is, any other in TOML."""
    return "" if value is None else str(value) if isinstance(value, str) else tomlkit.item(value).as_string()


def _value(field: Field, text: str) -> object:
    """Return the value of a field; what is no value in TOML stays a text, so that the server says what it takes."""
    if not field.is_text:
        with suppress(TOMLKitError, ValueError):
            return tomlkit.value(text)
    return text


def _add(document: Any, what: str, value: str) -> None:  # noqa: ANN401
    """Add a section; entrants get a name that is free."""
    section, key = _ADDED[what]
    values: dict[str, object] = {key: value}
    sections = document.setdefault(section, tomlkit.aot())
    if not isinstance(sections, AoT):
        raise TOMLKitError(f"the form adds to [[{section}]] alone: write your {section} so, or add it by hand")
    if section == "entrant":
        taken = {table.get("name") for table in sections}
        names = (f"{value}-{number}" if number > 1 else value for number in count(1))
        values = {"name": next(name for name in names if name not in taken), **values}
        values |= {"remote": True} if what == "remote" else {}
    made = tomlkit.table()
    made.update(values)
    made.add(tomlkit.nl())
    sections.append(made)
