"""The languages that a bot can be begun in, and the files that a new project has.

The SDK of a language lies in a folder with a ``project.toml``, which says what of it goes into a project, and with a
``template``. In a checkout that is ``clients``. Whatever builds the package takes the same files along by this module,
so it knows nothing but Python's own library.
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
_SDK: Final = Path("ordago-sdk")
"""Where the SDK lies in a project."""


class Language(NamedTuple):
    """A language, and how a project in it is handled. Commands are run in the folder of the project."""

    key: str
    """How it is named on a command line, for instance ``go``."""
    name: str
    """What it is called, for instance ``Go``."""
    folder: Path
    """Where its SDK lies."""
    proto: Path
    """Where the contract lies."""
    needs: tuple[str, ...]
    """The programs that have to be on the machine."""
    sdk: tuple[str, ...]
    """What of its folder belongs to the SDK, as patterns. Empty: the SDK is installed otherwise."""
    takes_proto: bool
    """Whether the SDK is built from the contract, which then lies within it."""
    build: tuple[str, ...]
    """The command that builds the bot. Empty: nothing has to be built."""
    run: tuple[str, ...]
    """The command that starts it."""
    test: tuple[str, ...]
    """The command that runs its tests."""

    @property
    def missing(self) -> list[str]:
        """The programs that it needs and that are not on the machine."""
        return [program for program in self.needs if shutil.which(program) is None]

    def template_files(self) -> Iterator[tuple[Path, Path]]:
        """Yield the files of a project that are its author's own: where each belongs, and where it lies now."""
        template = self.folder / "template"
        for path in _files(template, ("**/*",)):
            yield path.relative_to(template), path

    def sdk_files(self) -> Iterator[tuple[Path, Path]]:
        """Yield the files of a project that are the SDK: where each belongs, and where it lies now."""
        for path in _files(self.folder, self.sdk):
            yield _SDK / path.relative_to(self.folder), path
        if self.takes_proto:
            for path in _files(self.proto, ("*.proto",)):
                yield _SDK / _PROTO / path.name, path


def languages() -> dict[str, Language]:
    """Return the languages by their keys: those of the installed package, or of the checkout that it lies in."""
    if _INSTALLED.is_dir():
        return _languages_in(_INSTALLED, proto=_INSTALLED / _PROTO)
    return languages_of_checkout(_CHECKOUT)


def languages_of_checkout(root: Path) -> dict[str, Language]:
    """Return the languages of a checkout by their keys."""
    return _languages_in(root / "clients", proto=root / _PROTO)


def packaged_files(root: Path) -> Iterator[tuple[Path, Path]]:
    """Yield what a package made of a checkout takes along: where it lies there, and where it belongs in ``ordago``."""
    for language in languages_of_checkout(root).values():
        for path in _files(language.folder, ("project.toml", "template/**/*", *language.sdk)):
            yield path, Path("sdk") / language.key / path.relative_to(language.folder)
    for path in _files(root / _PROTO, ("*.proto",)):
        yield path, Path("sdk") / _PROTO / path.name


def _languages_in(folder: Path, *, proto: Path) -> dict[str, Language]:
    return {path.parent.name: _read(path, proto=proto) for path in sorted(folder.glob("*/project.toml"))}


def _read(file: Path, *, proto: Path) -> Language:
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    return Language(
        key=file.parent.name,
        name=told["language"],
        folder=file.parent,
        proto=proto,
        needs=tuple(told["needs"]),
        sdk=tuple(told["sdk"]),
        takes_proto=told["proto"],
        build=tuple(told["build"]),
        run=tuple(told["run"]),
        test=tuple(told["test"]),
    )


def _files(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
