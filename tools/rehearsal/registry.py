"""A local registry: what was built here, and from the public registries everything else.

It is a folder, served over HTTP, with a folder for each kind of registry. Ours are never looked for elsewhere, so that
nothing of the same name in a public registry takes their place.
"""

import os
import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

_PUBLIC: Final = {
    "pypi": os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/"),
    "npm": os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/"),
}
"""The public registries by the folder that takes their place."""


class _Handler(SimpleHTTPRequestHandler):
    """Serves the folder, and redirects requests for packages of others."""

    def do_GET(self) -> None:
        """Answer one request."""
        kind, _, rest = self.path.lstrip("/").partition("/")
        is_ours = rest.partition("/")[0].startswith("ordago")
        if kind in _PUBLIC and not is_ours and not Path(self.translate_path(self.path)).is_file():
            self.send_response(302)
            self.send_header("Location", f"{_PUBLIC[kind]}/{rest}")
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_words: object) -> None:
        """Log nothing: the programs that ask say what they miss."""


def publish(packages: Iterable[Path], index: Path) -> None:
    """Move distributions of Python into the folders of an index."""
    for path in packages:
        folder = index / path.name.split("-")[0].replace("_", "-")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.move(path, folder)
        print(f"{(folder / path.name).stat().st_size / 1e6:8.1f} MB {path.name}")  # noqa: T201 - a command


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine, and give its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
