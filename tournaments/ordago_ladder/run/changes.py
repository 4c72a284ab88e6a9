"""The changes in the file of an event that has begun, key by key."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from pydantic import BaseModel

from ordago.record.ledgers.event import ChangeEntry, Ledger
from ordago.store import EventState, StoreError
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.matches.stages import GROWING, ChangeError, change_between, change_problems, settings_before
from ordago_ladder.settings.identity import IRRELEVANT_TO_MATCHES, identity_of
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import DRAWN

_OF_ENTRANTS_AT_ANY_TIME: Final = frozenset({"author", "language"})
_SECRET: Final = frozenset({"secret", "env"})
"""The keys whose values are never shown."""
_MOST_LISTED: Final = 5
"""The most changes in an error message; the rest is counted."""
_MOST_CHARACTERS: Final = 60
"""Longer values are cut off in messages."""


class ChangedEventError(StoreError):
    """The event file was changed after the event began, too late for such a change: a mistake of the organiser."""

    def __init__(self, changes: str) -> None:
        """Describe the changes."""
        super().__init__(f"{changes}. Undo that, or run it as another event, in another folder. {_AT_ANY_TIME}")
        self.changes = changes
        """The changes, as the beginning of a sentence."""


def is_same_event(settings: Settings, state: EventState) -> bool:
    """Return True if an event file describes an event that has begun."""
    return state.event.identity == identity_of(settings)


def change_of(settings: Settings, state: EventState, ledger: Ledger, *, time: datetime) -> ChangeEntry | None:
    """Return the change of an event file since the last run; ``None`` if it is the same event.

    Raises:
        ChangedEventError: keys have changed that may not.
        ChangeError: the change comes too late, or takes something away.
    """
    if is_same_event(settings, state):
        return None
    try:
        before = parse_event(state.event.settings)
    except EventFileError:
        before = settings
    change = change_between(before, settings, issued=len(state.matches), time=time)
    if identity_of(settings_before(settings, change)) != state.event.identity:
        check_same_event(settings_before(settings, change), state)
    for problem in change_problems(settings, change, ledger):
        raise ChangeError(problem)
    return change


def check_same_event(settings: Settings, state: EventState) -> None:
    """Check that an event file describes the event that has begun.

    Raises:
        ChangedEventError: it does not.
    """
    if is_same_event(settings, state):
        return
    begun = state.event
    if begun.name != settings.event.name:
        raise ChangedEventError(f"The folder contains another event, {begun.name!r} and not {settings.event.name!r}")
    changes = _changes_since(begun.settings, settings)
    more = f"; and {len(changes) - _MOST_LISTED} more" if len(changes) > _MOST_LISTED else ""
    listed = "; ".join(changes[:_MOST_LISTED])
    raise ChangedEventError(f"The file of the event {begun.name!r} has changed since it began: {listed}{more}")


def _changes_since(text: str, settings: Settings) -> Sequence[str]:
    try:
        changes = list(changes_between(parse_event(text), settings))
    except EventFileError:
        changes = []
    return changes or ["it was begun by another version of Ordago, which reads the same file differently"]


def changes_between(before: Settings, after: Settings) -> Iterator[str]:
    """Yield a phrase for each changed key that influences matches. Secret values are not shown."""
    yield from _changed_keys("[event]", before.event, after.event, without=IRRELEVANT_TO_MATCHES - {"secret"})
    yield from _changed_keys("[limits]", before.limits, after.limits)
    if before.anchors != after.anchors and after.event.format in DRAWN:
        known = f"were {_shown(before.anchors)} and are {_shown(after.anchors)}"
        yield f"[anchors], which seed a {after.event.format}, {known}"
    was, now = ([entrant.name for entrant in settings.entrants] for settings in (before, after))
    if after.event.format in DRAWN and was != now and set(was) == set(now):
        yield f"the [[entrant]] sections, whose order seeds a {after.event.format}, have another order"
    yield from _changed_sections("[[game]]", _by_name(before.games), _by_name(after.games), _changed_game)
    yield from _changed_sections("[[entrant]]", _by_name(before.entrants), _by_name(after.entrants), _changed_entrant)


def _changed_sections(
    heading: str,
    before: Mapping[str, BaseModel],
    after: Mapping[str, BaseModel],
    changed: Callable[[str, BaseModel, BaseModel], Iterator[str]],
) -> Iterator[str]:
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"{heading} {name!r} is missing"
        elif name not in before:
            yield f"{heading} {name!r} is new"
    for name in before:
        if name in after:
            yield from changed(f"{heading} {name!r}", before[name], after[name])


def _changed_game(heading: str, before: BaseModel, after: BaseModel) -> Iterator[str]:
    yield from _changed_keys(heading, before, after)


def _changed_entrant(heading: str, before: BaseModel, after: BaseModel) -> Iterator[str]:
    yield from _changed_keys(heading, before, after, without=_OF_ENTRANTS_AT_ANY_TIME)
    assert isinstance(before, EntrantSettings)
    assert isinstance(after, EntrantSettings)
    old, new = dict(before.env), dict(after.env)
    for variable in sorted(old.keys() | new.keys()):
        if old.get(variable) != new.get(variable):
            yield f"{heading}: {variable!r} of 'env' has another value (it is not shown)"


def _changed_keys(
    heading: str, before: BaseModel, after: BaseModel, *, without: frozenset[str] = frozenset()
) -> Iterator[str]:
    for key in type(before).model_fields:
        old, new = getattr(before, key), getattr(after, key)
        if old == new or key in without or key == "env":
            continue
        if key in _SECRET:
            yield f"{heading} {key!r} has another value (it is not shown)"
        else:
            yield f"{heading} {key!r} was {_shown(old)} and is {_shown(new)}"


def _by_name(sections: Sequence[BaseModel]) -> Mapping[str, BaseModel]:
    return {section.name: section for section in sections}  # type: ignore[attr-defined]  # games and entrants have one


def _shown(value: object) -> str:
    """Return a value much as the event file has it, cut off if it is long."""
    if value is None or value == () or value == "":
        return "not given"
    if isinstance(value, bool):
        return str(value).lower()
    written = ", ".join(map(_shown, value)) if isinstance(value, tuple) else _plain(value)
    return written if len(written) <= _MOST_CHARACTERS else f"{written[:_MOST_CHARACTERS]}…"


def _plain(value: object) -> str:
    return repr(value) if isinstance(value, str | int | float) else str(value)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


_AT_ANY_TIME: Final = (
    "You can always change: [[entrant]] sections of newcomers, and withdrawn = true in one that leaves; for more "
    f"matches {_list(GROWING)}, and 'sets' of a [[game]]; [anchors], if they seed no bracket; of an [[entrant]] "
    f"{_list(sorted(_OF_ENTRANTS_AT_ANY_TIME))}; of [event] {_list(sorted(IRRELEVANT_TO_MATCHES - {'secret'}))}."
)
