"""What holds for all tests that measure."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("torture")
