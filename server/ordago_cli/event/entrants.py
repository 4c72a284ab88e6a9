"""The command ``ordago entrants``: sections ``[[entrant]]`` from a spreadsheet or a folder of bots."""

import csv
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import click
import tomlkit
from pydantic import BeforeValidator, Field

from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.event_file.written_file import Form, decoded
from ordago_ladder.publication.files import UnreadableError, read_file, write_published
from ordago_ladder.settings.common import Section
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.written_values import listed

_NUMBERS: Final = {"processes": int, "time_odds": float}
_FLAGS: Final = ("remote", "newcomer", "withdrawn")
_FLAG_VALUES: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_COLUMNS: Final = tuple(key for key in EntrantSettings.model_fields if key not in ("settings", "env", "readable"))
"""The keys that a column may have; those left out hold tables and lists."""
_PROGRAMS: Final = {"bot": "./bot", "bot.py": "python bot.py"}
"""The programs looked for in a bot's folder, each with its command."""


class _Entrants(Section):
    entrants: Annotated[tuple[EntrantSettings, ...], BeforeValidator(listed), Field(alias="entrant")]


_FORM: Final = Form(_Entrants, {"entrant": ("[[entrant]]", EntrantSettings)}, "[[entrant]]", EventFileError)


class _Row(NamedTuple):
    """An entrant, as it is written in the source."""

    place: str
    """The place in the source, for errors."""
    values: Mapping[str, object]

    @property
    def text(self) -> str:
        lines = (f"{key} = {tomlkit.item(value).as_string()}\n" for key, value in self.values.items())
        return "".join(["\n[[entrant]]\n", *lines])


@click.command(epilog="Example: ordago entrants bots.csv --into friday.toml")
@click.argument("source", metavar="BOTS", type=click.Path(path_type=Path))
@click.option("--into", metavar="EVENT.toml", type=click.Path(path_type=Path), help="Add them to this event file.")
@json_option
def entrants(source: Path, into: Path | None, *, as_json: bool) -> None:
    """Write a section [[entrant]] for each line of a CSV file, or each bot in a folder.

    The columns of BOTS are keys of an [[entrant]]: name, command, house, remote, author and so on. In a folder of bots
    each has a folder of its own with a program 'bot' or 'bot.py'. Entrants that the event file has already are left
    out, so the command can be repeated when more have come.
    """
    rows = list(_rows(source))
    _check(rows)
    text = _text_of(into) if into is not None else ""
    known = _names_in(text)
    new = [row for row in rows if row.values["name"] not in known]
    added = "".join(row.text for row in new)
    if into is not None and new:
        _write(into, f"{text.rstrip()}\n{added}")
    if as_json:
        click.echo(json.dumps([row.values for row in new]))
    elif into is None:
        click.echo(added.lstrip(), nl=False)
    else:
        there = len(rows) - len(new)
        click.echo(f"{len(new)} entrants added to {into}{f'; {there} were there already' if there else ''}")


def _rows(source: Path) -> Iterator[_Row]:
    """Yield the entrants of a source.

    Raises:
        CommandError: it cannot be read, or holds no entrant.
    """
    try:
        rows = list(_bots_in(source) if source.is_dir() else _lines_of(source))
    except (OSError, UnreadableError) as error:
        raise CommandError(f"cannot read {source}: {error}", exit_code=EXIT_OUTSIDE) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise CommandError(f"{source} is no CSV in UTF-8: {error}", exit_code=EXIT_USAGE) from error
    if not rows:
        raise CommandError(f"{source} holds no entrants; add one", exit_code=EXIT_USAGE)
    yield from rows


def _bots_in(folder: Path) -> Iterator[_Row]:
    for path in sorted(one for one in folder.iterdir() if one.is_dir() and not one.name.startswith(".")):
        command = next((command for file, command in _PROGRAMS.items() if (path / file).is_file()), None)
        if command is None:
            sentence = f"{path} has no program {' or '.join(map(repr, _PROGRAMS))}; add one, or move the folder away"
            raise CommandError(sentence, exit_code=EXIT_USAGE)
        yield _Row(str(path), {"name": path.name, "command": command, "folder": os.fspath(path)})


def _lines_of(file: Path) -> Iterator[_Row]:
    lines = decoded(read_file(file, follow=True)).splitlines()
    first = lines[0] if lines else ""
    reader = csv.reader(lines, delimiter=";" if ";" in first and "," not in first else ",", strict=True)
    header = [column.strip() for column in next(reader, [])]
    unknown = [column for column in header if column not in _COLUMNS]
    if unknown or "name" not in header:
        what = f"unknown column {unknown[0]!r}" if unknown else "there is no column 'name'"
        sentence = f"{file}, line 1: {what}; the first line names the columns, of these: {', '.join(_COLUMNS)}"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    for cells in reader:
        values = {key: _value(key, cell.strip()) for key, cell in zip(header, cells, strict=False) if cell.strip()}
        if values:
            yield _Row(f"{file}, line {reader.line_num}", values)


def _value(key: str, cell: str) -> object:
    """Return a cell as the event file has it. One that does not fit stays a text, and is refused as that."""
    if key in _FLAGS:
        return _FLAG_VALUES.get(cell.lower(), cell)
    with suppress(ValueError):
        return _NUMBERS[key](cell) if key in _NUMBERS else cell
    return cell


def _check(rows: Sequence[_Row]) -> None:
    """Check each entrant by itself, and that no two have one name.

    Raises:
        CommandError: some are invalid; the message has a line for each mistake.
    """
    problems, first = list[str](), dict[object, str]()
    for row in rows:
        try:
            _FORM.parse(row.text, source=row.place)
        except EventFileError as error:
            problems += (f"{row.place}: {problem.removeprefix('[[entrant]] 1: ')}" for problem in error.problems)
        name = row.values.get("name")
        if first.setdefault(name, row.place) != row.place and name is not None:
            problems.append(f"{row.place}: {name!r} is the name in {first[name]}, too; choose another")
    if problems:
        raise CommandError("\n".join(problems), exit_code=EXIT_USAGE)


def _text_of(event: Path) -> str:
    try:
        return decoded(read_file(event, follow=True))
    except UnreadableError as error:
        raise CommandError(f"cannot read {event}: {error}", exit_code=EXIT_OUTSIDE) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{event} is not UTF-8 text; save it as UTF-8", exit_code=EXIT_USAGE) from error


def _names_in(text: str) -> set[object]:
    """Return the names of the entrants of an event file, which may have none yet."""
    try:
        written = tomlkit.parse(text).unwrap().get("entrant", ())
    except tomlkit.exceptions.ParseError as error:
        raise CommandError(f"the event file is invalid TOML: {error}; fix it first", exit_code=EXIT_USAGE) from error
    return {one.get("name") for one in written if isinstance(one, dict)} if isinstance(written, list) else set()


def _write(event: Path, text: str) -> None:
    """Replace an event file by a valid one.

    Raises:
        CommandError: it would be invalid, or cannot be written.
    """
    try:
        parse_event(text, source=str(event))
        write_published(event.resolve(), text.encode())
    except EventFileError as error:
        raise CommandError(f"{error}\nNothing was written.", exit_code=EXIT_USAGE) from error
    except OSError as error:
        raise CommandError(f"cannot write {event}: {error.strerror}", exit_code=EXIT_OUTSIDE) from error
