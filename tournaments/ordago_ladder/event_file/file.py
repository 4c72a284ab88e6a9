"""Reading the file that describes an event, and saying clearly what is wrong with it."""

from pathlib import Path
from typing import Final

import tomlkit

from ordago_ladder.event_file.written_file import Form, WrittenFileError
from ordago_ladder.schedule.counts import size_problem
from ordago_ladder.settings.sections import EntrantSettings, EventSettings, GameSettings, LimitSettings
from ordago_ladder.settings.settings import Settings


class EventFileError(WrittenFileError):
    """An event file that describes no event. The organiser erred."""


_FORM: Final = Form(
    Settings,
    {
        "event": ("[event]", EventSettings),
        "limits": ("[limits]", LimitSettings),
        "game": ("[[game]]", GameSettings),
        "entrant": ("[[entrant]]", EntrantSettings),
    },
    "[event], [limits], [anchors], [[game]] and [[entrant]]",
    EventFileError,
)


def read_event(path: Path) -> Settings:
    """Read an event file.

    Raises:
        EventFileError: it cannot be read, or it describes no event.
    """
    return _within_size(_FORM.read(path), source=path.name)


def parse_event(text: str, *, source: str = "event file") -> Settings:
    """Return the event that the text of an event file describes.

    Raises:
        EventFileError: it describes none. The message has a line for each thing that is wrong, and begins with the
            source.
    """
    return _within_size(_FORM.parse(text, source=source), source=source)


def _within_size(settings: Settings, *, source: str) -> Settings:
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
