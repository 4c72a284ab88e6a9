"""The phases of a league, each as an event on its own: a round robin for each group, and the final."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ordago_ladder.schedule.tables import seeds_of
from ordago_ladder.settings.leagues import group_names
from ordago_ladder.settings.settings import Settings


class Group(NamedTuple):
    """A group of a league."""

    name: str
    settings: Settings
    """Its round robin, with the entrants of the group, best seed first."""


def groups_of(settings: Settings) -> tuple[Group, ...]:
    """Return the groups of a league, ascending by name."""
    entrants = {entrant.name: entrant for entrant in settings.entrants}
    seeds = seeds_of(settings)
    members: dict[str, list[str]] = {}
    for name, group in zip(seeds, group_names(settings.event, [entrants[name] for name in seeds]), strict=True):
        members.setdefault(group, []).append(name)
    return tuple(Group(name, _phase(settings, members[name], {"format": "round-robin"})) for name in sorted(members))


def final_of(settings: Settings, finalists: Iterable[str]) -> Settings:
    """Return the final of a league as an event of its entrants, best seed first."""
    event = settings.event
    terms = {"format": event.final_format, "repetitions": event.final_repetitions or event.repetitions}
    return _phase(settings, finalists, terms)


def phases_of(settings: Settings) -> tuple[Settings, ...]:
    """Return the groups of a league and its final, in which as many entrants play as will, whoever they are."""
    groups = groups_of(settings)
    finalists = seeds_of(settings)[: len(groups) * (settings.event.advance or 0)]
    return (*(group.settings for group in groups), final_of(settings, finalists))


def _phase(settings: Settings, names: Iterable[str], terms: Mapping[str, object]) -> Settings:
    """Return an event of some entrants of a league, seeded in their order."""
    entrants = {entrant.name: entrant for entrant in settings.entrants}
    event = settings.event.model_copy(update={"advance": None, **terms})
    return settings.model_copy(
        update={"event": event, "entrants": tuple(entrants[name] for name in names), "anchors": ()}
    )
