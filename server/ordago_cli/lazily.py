"""A group of commands each of which is imported when it is used, so that the others cost nothing."""

import gc
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import click

from ordago_cli.errors import stopped


class Place(NamedTuple):
    """Where a command is, and what is said of it without looking there."""

    module: str
    name: str
    """Of the command in the module."""
    told: str
    """The first sentence of its help."""


def _imported(module: str) -> ModuleType:
    """Import a module, and leave what came with it to the collector of cycles no more.

    It lives as long as the process, and is so much that the collector looks at all of it more than once meanwhile: a
    sixth of the time that the larger commands take to begin.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.freeze()
        if collects:
            gc.enable()


class _Imported(MutableMapping[str, click.Command]):
    """Commands by their names, each imported with the first look at it."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self.places = dict(places)
        self._found: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._found:
            place = self.places[name]
            self._found[name] = getattr(_imported(place.module), place.name)
        return self._found[name]

    def __setitem__(self, name: str, command: click.Command) -> None:
        self.places[name] = Place("", "", command.help or "")
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self.places[name]
        self._found.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


class LazyGroup(click.Group):
    """A group that imports nothing to list its commands."""

    def __init__(self, *, places: Mapping[str, Place], **attributes: object) -> None:
        """Offer the commands of some places, by their names."""
        self.places = places
        super().__init__(commands=_Imported(places), **attributes)  # type: ignore[arg-type]  # what click knows

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - what the command returns
        """Import the command and run it. Of the user who stops either it is told as everywhere, and not by click."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise stopped() from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what is said of each command, as click does where it has the command."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        told = {name: click.Command(name, help=self.places[name].told) for name in names}
        with formatter.section("Commands"):
            formatter.write_dl([(name, told[name].get_short_help_str(room)) for name in names])
