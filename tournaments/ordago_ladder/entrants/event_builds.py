"""Who builds in a run of an event, and whose bot stays what it was when he checked in."""

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


class EventBuilds:
    """The builds of an event.

    Each run builds anew who has not checked in, late entrants among them. Who has checked in plays to the end of the
    event what he checked in with: it is not built again, and the digest of its folder is noted and held against what
    lies there. Where bots are not isolated, each could write to each folder, and nothing is held against anything.
    """

    def __init__(self, settings: Settings, place: BuildPlace, folder: EventFolder) -> None:
        """Take up what was noted in the folder of the event."""
        self._settings = settings
        self._place = place
        self._notes = folder.build_notes

    async def before_start(self, checked_in: Collection[str]) -> Mapping[str, str]:
        """Let those build who have not checked in; return why it failed, by entrant.

        Raises:
            BuildError: a build failed in an event that does not go on without its entrant, or the folder of one who has
                checked in is not as it was.
        """
        await trio.to_thread.run_sync(self._check, checked_in)
        failed = await build_all(self._settings, self._place, without=checked_in)
        if failed and not self._settings.event.absentees_forfeit:
            raise BuildError("; ".join(failed.values()))
        return failed

    async def note(self, checked_in: Collection[str]) -> None:
        """Note what they have built who have checked in."""
        await trio.to_thread.run_sync(self._note, checked_in)

    def _check(self, checked_in: Collection[str]) -> None:
        notes, found = noted_builds(self._notes), self._digests(checked_in)
        changed = [name for name, digest in found.items() if notes.get(name, digest) != digest]
        if changed:
            raise BuildError(
                f"the folder of {', '.join(map(repr, changed))} is not as it was at check-in, and who has checked in "
                "plays the same bot to the end: put back what was there"
            )

    def _note(self, checked_in: Collection[str]) -> None:
        notes = noted_builds(self._notes)
        new = self._digests(set(checked_in) - notes.keys())
        if new:
            private_file(self._notes)
            self._notes.write_text(json.dumps(notes | new), encoding="utf-8")

    def _digests(self, among: Collection[str]) -> dict[str, str]:
        """Return the digests of what some entrants have built."""
        digests: dict[str, str] = {}
        for folder, group in builders(self._settings).items():
            names = [entrant.name for entrant in group if entrant.name in among]
            if names:
                digest = folder_digest(folder) if self._place.isolation is not None else ""
                digests |= dict.fromkeys(names, digest)
        return digests


def noted_builds(path: Path) -> dict[str, str]:
    """Return the digests of what those have built who have checked in, by entrant; nothing where none is noted."""
    try:
        written = json.loads(read_file(path, most=_MOST_BYTES))
    except (UnreadableError, ValueError):
        return {}
    return {str(name): str(digest) for name, digest in written.items()} if isinstance(written, dict) else {}
