"""Changes of the file of an event that has begun: which are allowed, and what the event was before each.

A change asks for more matches, or lets entrants join or withdraw. The ledger says what changed, so that the settings of
each stage follow from the latest event file, and their digests prove them.
"""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from typing import Final, TypeAlias

from ordago.record.ledgers.event import ChangedKey, ChangeEntry, Ledger
from ordago_ladder.schedule.stages import Stage
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import DRAWN

MOST_CHANGES: Final = 20
"""The most changes of an event: a verification plans the event once for each."""
_EVENT: Final = "event"
_Value: TypeAlias = int | float | str | None


def _is_more(was: _Value, now: _Value) -> bool:
    return was is not None and (now is None or now > was)  # type: ignore[operator]  # both are of the key's type


def _is_more_of_a_count(was: _Value, now: _Value) -> bool:
    return now is not None and _is_more(was, now)


def _is_finer(was: _Value, now: _Value) -> bool:
    return was is not None and (now is None or now < was)  # type: ignore[operator]  # as above


GROWING: Final[dict[str, Callable[[_Value, _Value], bool]]] = {
    "repetitions": _is_more_of_a_count,
    "rounds": _is_more_of_a_count,
    "sets_wanted": _is_more,
    "half_width": _is_finer,
    "until": _is_more,
}
"""The keys of ``[event]`` that may ask for more matches. The end of an open event may also be taken away."""


_FIXED_END: Final = (
    "the end of the event was fixed before play by until_decided, so no entrants can join and no matches be added; "
    "undo the change"
)


class ChangeError(Exception):
    """A change of an event file that comes too late, or that takes something away: a mistake of the organiser."""


def stages_of(settings: Settings, ledger: Ledger) -> list[Stage]:
    """Return the stages of an event, from its settings now and its ledger."""
    stages = list[Stage]()
    for change in reversed(ledger.changes):
        stages.append(Stage(settings, change))
        settings = settings_before(settings, change)
    return [Stage(settings, None), *reversed(stages)]


def settings_before(settings: Settings, change: ChangeEntry) -> Settings:
    """Return an event as it was before a change."""
    was = {(one.section, one.key): one.was for one in change.keys}
    of_event = {key: _as_setting(key, value) for (section, key), value in was.items() if section == _EVENT}
    return settings.model_copy(
        update={
            "event": settings.event.model_copy(update=of_event),
            "games": tuple(
                game.model_copy(update={"sets": was[game.name, "sets"]}) if (game.name, "sets") in was else game
                for game in settings.games
            ),
            "entrants": tuple(
                entrant.model_copy(update={"withdrawn": False}) if entrant.name in change.withdrawn else entrant
                for entrant in settings.entrants
                if entrant.name not in change.joined
            ),
        }
    )


def change_between(before: Settings, after: Settings, *, issued: int, time: datetime) -> ChangeEntry:
    """Return the change that leads from one event file to another, as far as it may be one."""
    known = {entrant.name: entrant for entrant in before.entrants}
    return ChangeEntry(
        time=time.strftime("%Y-%m-%dT%H:%M:%SZ"),
        settings_digest=settings_digest(after).hex(),
        issued=issued,
        joined=tuple(entrant.name for entrant in after.entrants if entrant.name not in known),
        withdrawn=tuple(
            entrant.name for entrant in after.entrants if entrant.withdrawn and _takes_part(known.get(entrant.name))
        ),
        keys=tuple(_changed_keys(before, after)),
    )


def _takes_part(entrant: EntrantSettings | None) -> bool:
    return entrant is not None and not entrant.withdrawn


def _changed_keys(before: Settings, after: Settings) -> Iterator[ChangedKey]:
    for key in GROWING:
        was, now = _as_written(getattr(before.event, key)), _as_written(getattr(after.event, key))
        if was != now:
            yield ChangedKey(section=_EVENT, key=key, was=was, now=now)
    sets = {game.name: game.sets for game in before.games}
    for game in after.games:
        if game.name in sets and sets[game.name] != game.sets:
            yield ChangedKey(section=game.name, key="sets", was=sets[game.name], now=game.sets)


def _as_written(value: object) -> _Value:
    if isinstance(value, datetime):
        return value.isoformat()
    assert value is None or isinstance(value, int | float)
    return value


def _as_setting(key: str, value: _Value) -> object:
    return datetime.fromisoformat(value) if key == "until" and isinstance(value, str) else value


def change_problems(settings: Settings, change: ChangeEntry, ledger: Ledger) -> Iterator[str]:
    """Yield a sentence for each reason against a change.

    Args:
        settings: the event with the change.
        change: the change.
        ledger: the ledger before it.
    """
    if len(ledger.changes) >= MOST_CHANGES:
        yield f"the file has changed {MOST_CHANGES} times since the event began, the maximum; undo the change"
    if ledger.end is not None:
        yield from _late_problems(settings, change)
    yield from _fixed_problems(settings, change)
    for name in change.joined:
        if any(entrant.name == name and entrant.withdrawn for entrant in settings.entrants):
            yield f"{name!r} is new and has withdrawn = true; remove one of the two"
    for one in change.keys:
        if not GROWING.get(one.key, _is_more_of_a_count)(one.was, one.now):
            heading = "[event]" if one.section == _EVENT else f"[[game]] {one.section!r}"
            was, now = ("not given" if value is None else value for value in (one.was, one.now))
            yield (
                f"{heading} {one.key!r} was {was} and is {now}: it may only ask for more matches; set it back, or "
                "beyond what it was"
            )


def _late_problems(settings: Settings, change: ChangeEntry) -> Iterator[str]:
    """Yield a sentence for each reason against a change of an event that is over."""
    if settings.event.beacon is not None:
        yield "the event is over, and the value of its beacon is known; run a new event in another folder"
    if not _asks_for_more(change):
        yield "the event is over, and goes on only with more matches or a new entrant; undo the change"


def _fixed_problems(settings: Settings, change: ChangeEntry) -> Iterator[str]:
    """Yield a sentence for each key by which an event was fixed before play."""
    if change.joined and settings.event.beacon is not None:
        yield (
            f"{_quoted(change.joined)} cannot join any more: the event has a beacon, and its value may be known before "
            "the nonces of late entrants; remove the section"
        )
    if settings.event.format in DRAWN and _asks_for_more(change):
        yield (
            f"the entrants of a {settings.event.format} are drawn, so nobody can join and no key can change any more; "
            "undo all changes but withdrawals"
        )
    if settings.event.until_decided is not None and _asks_for_more(change):
        yield _FIXED_END


def ledger_problems(settings: Settings, ledger: Ledger) -> Iterator[str]:
    """Yield a sentence for each difference between the changes of a ledger and those of an event file."""
    if sorted(ledger.entrants) != sorted(entrant.name for entrant in settings.entrants):
        yield "The entrants are not those of the event file."
        return
    if len(ledger.changes) > MOST_CHANGES:
        yield f"The event file changed {len(ledger.changes)} times, and it may {MOST_CHANGES} times."
        return
    known = set(ledger.begin.entrants) if ledger.begin is not None else set[str]()
    for before, stage in zip(stages := stages_of(settings, ledger), stages[1:], strict=False):
        assert stage.change is not None
        yield from _entry_problems(before.settings, stage.settings, stage.change, known)
        known.update(stage.change.joined)


def _entry_problems(before: Settings, after: Settings, change: ChangeEntry, known: Collection[str]) -> Iterator[str]:
    if change.settings_digest != settings_digest(after).hex():
        yield f"The event file was another after the change at {change.time}."
    if sorted(entrant.name for entrant in before.entrants) != sorted(known):
        yield f"Before the change at {change.time} there were other entrants."
    if any(not GROWING.get(one.key, _is_more_of_a_count)(one.was, one.now) for one in change.keys):
        yield f"The change at {change.time} asks for fewer matches than before."
    if after.event.until_decided is not None and _asks_for_more(change):
        yield f"The change at {change.time} came to an event with until_decided: {_FIXED_END}."


def _asks_for_more(change: ChangeEntry) -> bool:
    return bool(change.joined or change.keys)


def _quoted(names: Collection[str]) -> str:
    return ", ".join(map(repr, names))
