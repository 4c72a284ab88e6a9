"""One honest event, played once."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.organiser import Organiser


@pytest.fixture(scope="session")
def honest() -> Organiser:
    """The organiser of the honest event. Copy it before it changes anything."""
    return Organiser().play()


@pytest.fixture(scope="session")
def published(honest: Organiser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What he published. Copy it before it is changed."""
    return honest.publish(tmp_path_factory.mktemp("honest") / "event")


@pytest.fixture(scope="session")
def receipts(honest: Organiser, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The receipts of each entrant of the honest event."""
    files = tmp_path_factory.mktemp("receipts")
    for name in honest.entrants:
        (files / name).write_text(honest.receipts_of(name), encoding="utf-8")
    return {name: files / name for name in honest.entrants}


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """A copy of what he published."""
    shutil.copytree(published, tmp_path / "event")
    return tmp_path / "event"


Publish = Callable[[Organiser], Path]


@pytest.fixture
def publish(tmp_path: Path) -> Publish:
    """Publishes what an organiser has, into a new folder."""
    return lambda organiser: organiser.publish(tmp_path / "forged")
