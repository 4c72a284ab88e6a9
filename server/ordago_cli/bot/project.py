"""Writing a new project: all of it, or nothing."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

from ordago_cli.bot.languages import Language

_NAME: Final = b"@NAME@"
"""What stands in a template for the name of the bot."""


class ProjectExistsError(Exception):
    """There is something already where the project should be."""


def write_project(language: Language, folder: Path, *, name: str) -> None:
    """Write a project that builds, plays and can be tested.

    Args:
        language: what it is written in.
        folder: where it should be; it must not be there yet, or be empty.
        name: the name of the bot.

    Raises:
        ProjectExistsError: there is something in its place.
        OSError: it could not be written; nothing of it is left.
    """
    if folder.is_symlink() or (folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))):
        raise ProjectExistsError
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as part:
        _write(language, Path(part), name=name)
        for path in Path(part).iterdir():
            path.rename(folder / path.name)


def _write(language: Language, project: Path, *, name: str) -> None:
    for place, source in language.sdk_files():
        _copy(source, project / place)
    for place, source in language.template_files():
        _copy(source, project / place)
        content = source.read_bytes()
        if _NAME in content:
            (project / place).write_bytes(content.replace(_NAME, name.encode()))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)
