"""What tests of the pages of a ladder share: a ladder, and a site that shows it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.lively_ladder import NOW, lively_ladder
from support.served_site import ServedSite


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    """A site over a ladder with names of all kinds."""
    folder: Path = tmp_path_factory.mktemp("lively")
    with lively_ladder(folder) as reader, ServedSite(reader, now=lambda: NOW) as served:
        yield served
