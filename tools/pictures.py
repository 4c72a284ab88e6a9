"""Draw the pictures that other programs want as PNG, from the logo: the icons, and the preview of links.

Few programs show SVG for these. Chromium draws them, which the tests need anyway. Its versions differ in some bytes, so
the files are kept and not compared. After a change to ``faces/signs.py`` run ``PYTHONPATH=tools python -m pictures``.
"""

import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from faces import ASSETS
from faces.colours import GREEN

_CLEAR: Final = "transparent"


class Picture(NamedTuple):
    """A picture: a drawing in the middle of a ground."""

    file: str
    drawing: str
    drawn_pixels: int
    width: int
    height: int
    ground: str


PICTURES: Final = (
    Picture("favicon.ico", "favicon.svg", 32, 32, 32, _CLEAR),
    # iOS rounds the corners itself, and fills what is clear with black.
    Picture("apple-touch-icon.png", "mark.svg", 180, 180, 180, GREEN),
    # The size that Open Graph's readers expect of a large preview.
    Picture("preview.png", "mark.svg", 480, 1200, 630, GREEN),
)


def drawn(picture: Picture, chromium: str) -> bytes:
    """Return a picture as PNG."""
    left, top = (picture.width - picture.drawn_pixels) // 2, (picture.height - picture.drawn_pixels) // 2
    style = f"position:absolute;left:{left}px;top:{top}px;width:{picture.drawn_pixels}px"
    drawing = (ASSETS / picture.drawing).as_uri()
    with tempfile.TemporaryDirectory() as folder:
        page, file = Path(folder, "page.html"), Path(folder, "out.png")
        page.write_text(f'<body style="margin:0;background:{picture.ground}"><img src="{drawing}" style="{style}">')
        command = [chromium, "--no-sandbox", "--hide-scrollbars", "--default-background-color=00000000"]
        command += [f"--screenshot={file}", f"--window-size={picture.width},{picture.height}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own drawing
        return file.read_bytes()


def icon(png: bytes, pixels: int) -> bytes:
    """Return a PNG as a file of icons, which has it whole after a directory of one entry."""
    head = struct.pack("<HHH", 0, 1, 1)
    return head + struct.pack("<BBBBHHII", pixels, pixels, 0, 0, 1, 32, len(png), len(head) + 16) + png


def main() -> None:
    """Draw all of them."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        sys.exit("pictures are drawn by chromium: apt-get install chromium-headless-shell")
    for picture in PICTURES:
        png = drawn(picture, chromium)
        (ASSETS / picture.file).write_bytes(icon(png, picture.width) if picture.file.endswith(".ico") else png)


if __name__ == "__main__":
    main()
