"""Scenes as JSON, and the changes from one scene to the next as merge patches (RFC 7396)."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count, repeat
from typing import Any

from ordago.scene import Figure, Group, Scene, SeatScene

Translate = Callable[[str], str]
Json = Any
"""Any JSON value."""


def scene_json(scene: Scene, translate: Translate = str) -> dict[str, Json]:
    """Return a scene as JSON, in the shape of ``SceneWriter.written``."""
    return SceneWriter(translate).written(scene)


class SceneWriter:
    """A writer of the scenes of a match, one after the other.

    Most of a table stays the same from one scene to the next. Unchanged parts are returned as the same objects, which
    makes ``patch`` fast: do not modify them.
    """

    def __init__(self, translate: Translate = str) -> None:
        """Write texts through a function that translates them from English."""
        self._translate = translate
        self._before = Scene(())
        self._last: dict[str, Json] = {"seats": {}, "table": {}, "figures": []}
        self._parts: dict[Group | Figure, dict[str, Json]] = {}

    def written(self, scene: Scene) -> dict[str, Json]:
        """Return a scene. Seats and groups have their numbers as keys, so that patches can name them.

        The shape, where keys of a group or figure are left out if they are empty or false::

            {"seats": {"0": {"hand": GROUP, "front": GROUP, "piles": {"0": GROUP}, "said": "…", "roles": ["…"],
                             "figures": [FIGURE]}},
             "table": {"0": GROUP}, "figures": [FIGURE]}

            GROUP: {"cards": [36, 0], "title": "…", "seenBy": 1, "marked": [36], "stack": true}
            FIGURE: {"title": "…", "value": "…", "stressed": true, "kind": "stones"}
        """
        before, last = self._before, self._last
        self._before, self._last = (
            scene,
            {
                "seats": self._seats(scene.seats),
                "table": last["table"] if scene.table == before.table else self._groups(scene.table),
                "figures": last["figures"] if scene.figures == before.figures else self._figures(scene.figures),
            },
        )
        return self._last

    def _seats(self, seats: Sequence[SeatScene]) -> dict[str, Json]:
        last = self._last["seats"]
        return {
            place: last[place] if shown == was else self._seat(shown)
            for place, shown, was in zip(map(str, count()), seats, self._before.seats or repeat(None), strict=False)
        }

    def _groups(self, groups: Sequence[Group]) -> dict[str, Json]:
        return {place: self._part(group) for place, group in zip(map(str, count()), groups, strict=False)}

    def _figures(self, figures: Sequence[Figure]) -> list[Json]:
        return [self._part(figure) for figure in figures]

    def _part(self, part: Group | Figure) -> dict[str, Json]:
        written = self._parts.get(part)
        if written is None:
            anew = self._group(part) if isinstance(part, Group) else self._figure(part)
            written = self._parts[part] = anew
        return written

    def _seat(self, seat: SeatScene) -> dict[str, Json]:
        return {
            "hand": self._part(seat.hand),
            "front": self._part(seat.front),
            "piles": self._groups(seat.piles),
            "said": seat.said.written(self._translate) if seat.said else "",
            "roles": [role.written(self._translate) for role in seat.roles],
            "figures": self._figures(seat.figures),
        }

    def _group(self, group: Group) -> dict[str, Json]:
        found: dict[str, Json] = {"cards": list(group.cards)}
        if group.title is not None:
            found["title"] = group.title.written(self._translate)
        if group.seen_by is not None:
            found["seenBy"] = group.seen_by
        if group.marked:
            found["marked"] = list(group.marked)
        if not group.spread:
            found["stack"] = True
        return found

    def _figure(self, figure: Figure) -> dict[str, Json]:
        found: dict[str, Json] = {
            "title": figure.title.written(self._translate),
            "value": figure.value.written(self._translate),
        }
        if figure.stressed:
            found["stressed"] = True
        if figure.kind != "text":
            found["kind"] = figure.kind.value
        return found


def patch(old: Mapping[str, Json], new: Mapping[str, Json]) -> dict[str, Json]:
    """Return the merge patch from the old object to the new one; neither may contain ``null``."""
    changed: dict[str, Json] = {} if old.keys() <= new.keys() else {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        # Unchanged parts are mostly the same object, so nothing below them has to be compared.
        if value is before:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            if below := patch(before, value):
                changed[name] = below
        elif value != before:
            changed[name] = value
    return changed


def patched(old: Json, change: Mapping[str, Json]) -> dict[str, Json]:
    """Return an object with a merge patch applied. The old one stays as it is."""
    kept = dict(old) if isinstance(old, dict) else {}
    for name, value in change.items():
        kept[name] = patched(kept.get(name), value) if isinstance(value, dict) else value
    return {name: value for name, value in kept.items() if value is not None}
