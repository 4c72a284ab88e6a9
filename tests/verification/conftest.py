"""One honest event, played once."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.organiser import Organiser


@pytest.fixture(scope="session")
def honest() -> Organiser:
    """The organiser of the honest event. Copy him before he changes anything."""
    return Organiser().play()


@pytest.fixture(scope="session")
def published(honest: Organiser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What he published. Copy it before it is changed."""
    return honest.publish(tmp_path_factory.mktemp("honest") / "event")


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
