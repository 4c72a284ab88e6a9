"""What the tests of referees elsewhere share."""

from collections.abc import Iterator

import pytest
from support.far_referees import FarReferees, referees_far_away


@pytest.fixture
def far() -> Iterator[FarReferees]:
    with referees_far_away() as far:
        yield far
