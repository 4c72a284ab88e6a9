"""The languages of bot projects, and the files of a new project.

The SDK of a language is a folder with a ``template`` and a ``project.toml``, which lists the files for a project. A
further template, ``template-NAME``, has the files that differ. In a checkout these are the folders in ``clients``. The
build of the package collects the same files with this module, so it imports the standard library only.
"""

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_PACKAGE: Final = Path(__file__).parents[1]
_INSTALLED: Final = _PACKAGE / "sdk"
_CHECKOUT: Final = _PACKAGE.parents[1]
_PROTO: Final = "proto/ordago/v1"
_DECISIONS: Final = Path("decisions.jsonl")
"""The file of decisions that the tests of a project go through: in a checkout one of the test vectors."""
_FURTHER: Final = "template-"
"""The prefix of the folders of further templates."""
_SDK: Final = Path("ordago-sdk")
"""The folder of the SDK in a project."""


class Language(NamedTuple):
    """A language, and the commands for a project in it, which run in the folder of the project."""

    key: str
    """The name on the command line, for instance ``go``."""
    name: str
    """The name for people, for instance ``Go``."""
    folder: Path
    """The folder of its SDK."""
    proto: Path
    """The folder of the protocol files."""
    decisions: Path
    """The file with a decision of each game."""
    needs: tuple[str, ...]
    """The programs that it needs."""
    sdk: tuple[str, ...]
    """Patterns for the files of the SDK in its folder. Empty: the SDK is installed by other means."""
    takes_proto: bool
    """True if the SDK is built from the protocol files, which are then copied into it."""
    build: tuple[str, ...]
    """The command that builds the bot. Empty: no build is needed."""
    run: tuple[str, ...]
    """The command that starts it."""
    test: tuple[str, ...]
    """The command that runs its tests."""
    changes: tuple[tuple[str, str, str], ...] = ()
    """Texts of the template that are replaced: the path in the project, the text and its replacement."""

    @property
    def missing(self) -> list[str]:
        """The programs that it needs and this machine lacks."""
        return [program for program in self.needs if shutil.which(program) is None]

    @property
    def templates(self) -> list[str]:
        """The names of the further templates."""
        return sorted(path.name.removeprefix(_FURTHER) for path in self.folder.glob(f"{_FURTHER}*"))

    def template_files(self, further: str | None = None) -> Iterator[tuple[Path, Path]]:
        """Yield the author's own files of a project, of a further template if one is named.

        Each is the path in the project, and the source.
        """
        files = {_DECISIONS: self.decisions}
        for template in (self.folder / "template", *([self.folder / f"{_FURTHER}{further}"] if further else [])):
            files |= {path.relative_to(template): path for path in _files(template, ("**/*",))}
        yield from files.items()

    def sdk_files(self) -> Iterator[tuple[Path, Path]]:
        """Yield the files of the SDK in a project: the path in the project, and the source."""
        for path in _files(self.folder, self.sdk):
            yield _SDK / path.relative_to(self.folder), path
        if self.takes_proto:
            for path in _files(self.proto, ("*.proto",)):
                yield _SDK / _PROTO / path.name, path


def from_registry(language: Language) -> Language | None:
    """Return a language whose projects take the SDK from a registry; ``None`` if no registry has it."""
    settings = tomllib.loads((language.folder / "project.toml").read_text(encoding="utf-8"))
    if "registry" not in settings:
        return None if language.sdk else language
    changes = tuple((file, text, by) for file, text, by in settings["registry"]["changes"])
    build = tuple(settings["registry"].get("build", language.build))
    return language._replace(sdk=(), takes_proto=False, build=build, changes=changes)


def languages() -> dict[str, Language]:
    """Return the languages by key, from the installed package or from its checkout."""
    if _INSTALLED.is_dir():
        return _languages_in(_INSTALLED, proto=_INSTALLED / _PROTO, decisions=_INSTALLED / _DECISIONS)
    return languages_of_checkout(_CHECKOUT)


def languages_of_checkout(root: Path) -> dict[str, Language]:
    """Return the languages of a checkout by key."""
    return _languages_in(root / "clients", proto=root / _PROTO, decisions=_vector(root))


def packaged_files(root: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the files for a package built from a checkout: the source, and the path in ``ordago``."""
    for language in languages_of_checkout(root).values():
        for path in _files(language.folder, ("project.toml", "template/**/*", f"{_FURTHER}*/**/*", *language.sdk)):
            yield path, Path("sdk") / language.key / path.relative_to(language.folder)
    for path in _files(root / _PROTO, ("*.proto",)):
        yield path, Path("sdk") / _PROTO / path.name
    yield _vector(root), Path("sdk") / _DECISIONS


def _vector(root: Path) -> Path:
    return root / "clients/vectors" / _DECISIONS


def _languages_in(folder: Path, *, proto: Path, decisions: Path) -> dict[str, Language]:
    files = sorted(folder.glob("*/project.toml"))
    return {file.parent.name: _read(file, proto=proto, decisions=decisions) for file in files}


def _read(file: Path, *, proto: Path, decisions: Path) -> Language:
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    return Language(
        key=file.parent.name,
        name=content["language"],
        folder=file.parent,
        proto=proto,
        decisions=decisions,
        needs=tuple(content["needs"]),
        sdk=tuple(content["sdk"]),
        takes_proto=content["proto"],
        build=tuple(content["build"]),
        run=tuple(content["run"]),
        test=tuple(content["test"]),
    )


def _files(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
