"""The assets of pages: styles and scripts in ``assets/``, and card faces in a folder per pack.

A published folder has no folders within folders, so that the faces of a pack are in ``faces-PACK`` there.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from ordago.games import find_game

FOLDER: Final = "assets"
_PACKS: Final = ("french", "jass", "spanish", "tarot")
SERVED_FACE_FOLDERS: Final = {pack: f"{FOLDER}/faces/{pack}" for pack in _PACKS}
"""The folder of the card faces of each pack on a server, the same as in this package."""
FACE_FOLDERS: Final = {pack: f"faces-{pack}" for pack in _PACKS}
"""The folder of the card faces of each pack in a published folder."""
_OF_ALL_PAGES: Final = ("favicon.svg", "mark.svg", "site.css", "sort.js", "progress.js")
_OF_REPLAYS: Final = (
    *("table.css", "replay.css"),
    *("cards.js", "scene.js", "table.js", "course.js", "replay.js", "sound.js", "costs.js", "analysis.js", "copy.js"),
)


def asset_names(games: Iterable[str]) -> list[str]:
    """Return the paths of the assets of a published folder.

    Args:
        games: the short names of the games of its matches.
    """
    return [*asset_files(games)]


def asset_files(games: Iterable[str]) -> Mapping[str, bytes]:
    """Return the assets of a published folder, by path.

    Args:
        games: the short names of the games of its matches.
    """
    return _asset_files(tuple(sorted({pack for pack in map(pack_of, games) if pack is not None})))


def pack_of(game: str) -> str | None:
    """Return the pack of card faces that a game uses; ``None`` if there are no faces for it."""
    faces = find_game(game).staging.faces
    return faces if faces in _PACKS else None


@cache
def _asset_files(packs: tuple[str, ...]) -> Mapping[str, bytes]:
    folder = files("ordago_ladder") / FOLDER
    names = (*_OF_ALL_PAGES, *_OF_REPLAYS) if packs else _OF_ALL_PAGES
    found = {f"{FOLDER}/{name}": (folder / name).read_bytes() for name in names}
    for pack in packs:
        found |= {f"{FACE_FOLDERS[pack]}/{face.name}": face.read_bytes() for face in _faces(folder / "faces" / pack)}
    return found


def _faces(folder: Traversable) -> list[Traversable]:
    return sorted((face for face in folder.iterdir() if face.name.endswith(".svg")), key=lambda face: face.name)
