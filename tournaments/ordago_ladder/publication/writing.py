"""Writing what is published: only what is not there as it should be."""

from pathlib import Path

from ordago.files import write_whole
from ordago_ladder.publication.reading import UnreadableError, read_file


def write_published(path: Path, content: bytes) -> None:
    """Write a file, unless it holds this and nothing else already. Its folder is made where it is missing.

    Raises:
        OSError: it could not be written.
    """
    try:
        if read_file(path, most=len(content)) == content:
            return
    except UnreadableError:
        pass  # It is missing, or something else stands in its place, and is replaced.
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
