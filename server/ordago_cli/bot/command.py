"""The commands of ``ordago bot``."""

import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from ordago.names import nearest
from ordago.version import __version__
from ordago_cli.bot.languages import Language, from_registry, languages
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.options.outputs import json_option
from ordago_cli.terminal.tables import print_table

_PROJECT_NAME: Final = b"@NAME@"
"""The placeholder for the name of the bot in templates."""
_VERSION: Final = "@VERSION@"
"""The placeholder for the version of the SDK in changes of templates. All SDKs have the version of Ordago."""


class ProjectExistsError(Exception):
    """The folder of the project exists and is not empty."""


def write_project(language: Language, folder: Path, *, name: str, template: str | None = None) -> None:
    """Write a project that builds, plays and has tests.

    Args:
        language: the language of the project.
        folder: the folder of the project, which must be new or empty.
        name: the name of the bot.
        template: the name of a further template; ``None`` for the plain one.

    Raises:
        ProjectExistsError: the folder is neither new nor empty.
        OSError: it could not be written; nothing of it is left.
    """
    if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
        raise ProjectExistsError
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as part:
        _write(language, Path(part), name=name, template=template)
        for path in Path(part).iterdir():
            path.rename(folder / path.name)


def _write(language: Language, project: Path, *, name: str, template: str | None) -> None:
    for place, source in language.sdk_files():
        _copy(source, project / place)
    for place, source in language.template_files(template):
        _copy(source, project / place)
        content = source.read_bytes().replace(_PROJECT_NAME, name.encode())
        for file, text, by in language.changes:
            if file == str(place):
                content = content.replace(text.encode(), by.replace(_VERSION, __version__).encode())
        if content != source.read_bytes():
            (project / place).write_bytes(content)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


_NAME: Final = re.compile("[a-z][a-z0-9-]{0,31}")
"""Names that every language accepts, in one form or another, as the name of a package."""


@click.group(epilog="Example: ordago bot new rust my-bot")
def bot() -> None:
    """Start a bot in one of the languages that have an SDK."""


@bot.command("languages", epilog="Example: ordago bot languages")
@json_option
def languages_command(*, as_json: bool) -> None:
    """List the languages, and the programs that this machine lacks for them."""
    known = languages().values()
    if as_json:
        click.echo(json.dumps([{"language": one.key, "name": one.name, "missing": one.missing} for one in known]))
        return
    rows = [(one.key, one.name, f"needs {', '.join(one.missing)}" if one.missing else "ready") for one in known]
    print_table(("language", "", "on this machine"), rows)


@bot.command(epilog="Example: ordago bot new rust my-bot")
@click.argument("language")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--name", help="Name of the bot; default: the name of the folder.")
@click.option("--template", help="A further template of the language, for instance policy for a model in Python.")
@click.option(
    "--sdk",
    type=click.Choice(["copy", "registry"]),
    default="copy",
    show_default=True,
    help="Copy the SDK into the project, or require this version of it from the registry of the language.",
)
def new(language: str, folder: Path, name: str | None, template: str | None, sdk: str) -> None:
    """Write a project in LANGUAGE into FOLDER, which builds, plays and passes the doctor as it is."""
    chosen = _language(language) if sdk == "copy" else _from_registry(_language(language))
    _check_template(chosen, template)
    name = _name(name or folder.absolute().name)
    try:
        write_project(chosen, folder, name=name, template=template)
    except ProjectExistsError:
        raise CommandError(
            f"{folder} already exists; choose a new or an empty folder", exit_code=EXIT_OUTSIDE
        ) from None
    except OSError as error:
        raise CommandError(f"cannot write to {folder}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
    click.echo(_next_steps(chosen, folder, name=name))


def _language(key: str) -> Language:
    known = languages()
    if key not in known:
        sentence = f"there is no SDK for {key!r}; {nearest(key, list(known))}"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return known[key]


def _from_registry(language: Language) -> Language:
    chosen = from_registry(language)
    if chosen is None:
        sentence = f"no registry has the SDK for {language.name}; leave out --sdk registry, and the project has a copy"
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return chosen


def _check_template(language: Language, template: str | None) -> None:
    if template is not None and template not in language.templates:
        sentence = f"there is no template {template!r} for {language.name}; {nearest(template, language.templates)}"
        raise CommandError(sentence, exit_code=EXIT_USAGE)


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        sentence = (
            f"{name!r} cannot name a package in every language; --name takes up to 32 small letters, digits and "
            "hyphens, a letter first"
        )
        raise CommandError(sentence, exit_code=EXIT_USAGE)
    return name


def _next_steps(language: Language, folder: Path, *, name: str) -> str:
    run = shlex.join(language.run)
    steps = [
        f"cd {shlex.quote(str(folder))}",
        *([_typed(language.build)] if language.build else []),
        shlex.join(language.test),
        f"ordago doctor -- {run}",
        f"ordago play mittlere --bot {shlex.quote(f'cmd:{run}')} --bot house:random --bot house:random",
    ]
    missing = ", ".join(language.missing)
    warning = [f"Missing on this machine: {missing}.", ""] if missing else []
    lines = [f"{name}, a bot in {language.name}, is in {folder}. Next:", "", *(f"    {step}" for step in steps)]
    return "\n".join([*warning, *lines])


def _typed(command: Sequence[str]) -> str:
    """Return a command as it is typed into a shell, which needs no other shell for it."""
    match command:
        case ("sh", "-c", line):
            return line
    return shlex.join(command)
