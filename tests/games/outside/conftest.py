from collections.abc import Iterator
from pathlib import Path

import pytest
from support.packages import installed, project


@pytest.fixture(scope="module")
def highcard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """High Card beside Ordago, as if pip had installed it; the folder that it lies in."""
    folder = project(tmp_path_factory.mktemp("outside") / "highcard")
    with installed(folder):
        yield folder
