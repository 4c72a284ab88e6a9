"""What holds for all tests."""

import pytest
from hypothesis import settings

# The same examples on every machine and in every run, and no failure because a machine is busy.
settings.register_profile("ordago", derandomize=True, deadline=None, database=None)
settings.load_profile("ordago")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", default="3", help="how often the event of test_kill.py is killed")
