"""The styles, scripts and pictures of all pages: for a year under the address that names their content."""

import hashlib
import os
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

import ordago_ladder

ASSETS: Final = Path(ordago_ladder.__file__).parent / "assets"
"""The folder of the styles, scripts and pictures of all pages."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"
"""A year, the most that caches honour. Another content has another address."""
_FOR_NOW: Final = "public, max-age=3600"
"""For card faces, whose addresses scripts build: an hour, after which the tag is compared."""
_AT_ROOT: Final = ("robots.txt", "favicon.ico", "apple-touch-icon.png")
"""The files that programs look for at the root of a site, whatever its pages say."""


@cache
def asset_root() -> str:
    """Return the address of the assets, which names their content: pages never meet styles of another version."""
    digest = hashlib.sha256()
    for file in sorted(path for path in ASSETS.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(ASSETS)} {file.stat().st_size} ".encode() + file.read_bytes())
    return f"/assets/{digest.hexdigest()[:16]}/"


def routes() -> Sequence[BaseRoute]:
    """Return the routes of the assets."""
    return [
        Mount(asset_root().rstrip("/"), CachedFiles(_FOR_EVER, directory=ASSETS)),
        Mount("/assets", CachedFiles(_FOR_NOW, directory=ASSETS)),
        *(Route(f"/{name}", partial(_at_root, ASSETS / name)) for name in _AT_ROOT),
    ]


async def _at_root(path: Path, _request: Request) -> Response:
    return FileResponse(path, headers={"cache-control": _FOR_NOW})


class CachedFiles(StaticFiles):
    """Files of a folder that browsers keep for a time."""

    def __init__(self, kept: str, **options: Any) -> None:  # noqa: ANN401 - those of ``StaticFiles``
        """Serve a folder, with this ``Cache-Control``."""
        super().__init__(**options)
        self._kept = kept

    def file_response(self, full_path: str | os.PathLike[str], *arguments: Any, **options: Any) -> Response:  # noqa: ANN401
        """Return a file, or status 304 if the browser has it."""
        response = super().file_response(full_path, *arguments, **options)
        response.headers["cache-control"] = self._kept
        return response
