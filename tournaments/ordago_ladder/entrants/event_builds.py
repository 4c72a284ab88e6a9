"""Builds in a run of an event, and the check that built folders stay as they were at check-in."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import trio

from ordago.files import private_file
from ordago_ladder.entrants.build import BuildError, BuildPlace, build_all, builders, folder_digest
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.settings.settings import Settings

_MOST_BYTES: Final = 1 << 24
"""Far more than a digest for each of the entrants that fit into an event file."""


class EventBuilds:
    """The builds of an event.

    Each run builds the entrants that have not checked in, late ones included. An entrant that has checked in plays the
    same bot to the end of the event: it is not built again, and later runs compare the digest of its folder with the
    one noted at check-in. Without isolation any bot could write to any folder, so nothing is compared.
    """

    def __init__(self, settings: Settings, place: BuildPlace, folder: EventFolder) -> None:
        """Prepare builds with the notes in the folder of the event."""
        self._settings = settings
        self._place = place
        self._notes = folder.build_notes

    async def before_start(self, checked_in: Collection[str]) -> Mapping[str, str]:
        """Build the entrants that have not checked in; return the reasons of failed builds, by entrant.

        Raises:
            BuildError: a build failed in an event that does not go on without its entrant, or the folder of an entrant
                that has checked in has changed.
        """
        await trio.to_thread.run_sync(self._check, checked_in)
        failed = await build_all(self._settings, self._place, without=checked_in)
        if failed and not self._settings.event.absentees_forfeit:
            raise BuildError("; ".join(failed.values()))
        return failed

    async def note(self, checked_in: Collection[str]) -> None:
        """Note the digests of the folders of entrants that have checked in."""
        await trio.to_thread.run_sync(self._note, checked_in)

    def _check(self, checked_in: Collection[str]) -> None:
        notes, found = noted_builds(self._notes), self._digests(checked_in)
        changed = [name for name, digest in found.items() if notes.get(name, digest) != digest]
        if changed:
            raise BuildError(
                f"the folder of {', '.join(map(repr, changed))} has changed since check-in, and an entrant has to play "
                "the same bot to the end: restore its contents"
            )

    def _note(self, checked_in: Collection[str]) -> None:
        notes = noted_builds(self._notes)
        new = self._digests(set(checked_in) - notes.keys())
        if new:
            private_file(self._notes)
            self._notes.write_text(json.dumps(notes | new), encoding="utf-8")

    def _digests(self, among: Collection[str]) -> dict[str, str]:
        """Return the digests of the built folders of some entrants, by entrant; empty texts without isolation."""
        digests: dict[str, str] = {}
        for folder, group in builders(self._settings).items():
            names = [entrant.name for entrant in group if entrant.name in among]
            if names:
                digest = folder_digest(folder) if self._place.isolation is not None else ""
                digests |= dict.fromkeys(names, digest)
        return digests


def noted_builds(path: Path) -> dict[str, str]:
    """Return the noted digests of built folders, by entrant; empty if there are no readable notes."""
    try:
        written = json.loads(read_file(path, most=_MOST_BYTES))
    except (UnreadableError, ValueError):
        return {}
    return {str(name): str(digest) for name, digest in written.items()} if isinstance(written, dict) else {}
