"""The edge is tried both ways: grpc in a thread of its own, and in the thread of trio."""

import inspect

import pytest

from ordago.one_thread import run_in_one_thread

# `make quick` tries the one that `ordago serve` takes unless it has referees in processes.
THREADS = (
    pytest.param("two threads", marks=pytest.mark.slow),
    pytest.param("one thread", marks=pytest.mark.trio(run=run_in_one_thread)),
)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "two_threads: makes no sense where grpc shares the thread of trio")
    config.addinivalue_line("markers", "one_thread: makes no sense where it has one of its own")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    of_two = metafunc.definition.get_closest_marker("two_threads") is not None
    if inspect.iscoroutinefunction(metafunc.function) and not of_two:
        metafunc.fixturenames.append("threads")
        of_one = metafunc.definition.get_closest_marker("one_thread") is not None
        metafunc.parametrize("threads", THREADS[1:] if of_one else THREADS, indirect=True)


@pytest.fixture
def threads(request: pytest.FixtureRequest) -> str:
    """How many threads the server of a test has, as the name of the test tells."""
    return str(request.param)
