"""What tests of matches share."""

from collections.abc import Iterator

import pytest
from support.far_referees import referees_far_away


@pytest.fixture(params=["here", "far away"])
def referees_anywhere(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run a test twice: with the referees of its matches here, and behind a wire."""
    if request.param == "here":
        yield
        return
    with referees_far_away():
        yield
