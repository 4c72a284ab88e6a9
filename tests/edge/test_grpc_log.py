"""What grpc logs: connections that break take a line each, everything else stays as it is."""

import logging

import pytest
from grpc._cython import cygrpc

from ordago.edge.server import tell_of_broken_connections

GRPC = logging.getLogger(cygrpc.__name__)


@pytest.fixture(autouse=True)
def _told(caplog: pytest.LogCaptureFixture) -> None:
    tell_of_broken_connections()
    caplog.set_level(logging.INFO)


def failed(error: Exception) -> None:
    try:
        raise error
    except type(error):
        GRPC.exception("%s raised in core by servicer method [%s]", type(error).__name__, "Play")


def test_a_connection_that_breaks_while_its_end_is_told_takes_a_line(caplog: pytest.LogCaptureFixture) -> None:
    failed(cygrpc.ExecuteBatchError("Failed: SendStatusFromServerOperation"))
    [record] = caplog.records
    assert (record.levelname, record.getMessage()) == ("INFO", "connection broke while it was closed")
    assert record.exc_info is None


def test_it_is_left_out_where_information_is(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    failed(cygrpc.ExecuteBatchError("Failed: SendStatusFromServerOperation"))
    assert not caplog.records


def test_everything_else_is_told_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    failed(cygrpc.InternalError("something else"))
    failed(ZeroDivisionError())
    assert [(record.levelname, bool(record.exc_info)) for record in caplog.records] == [("ERROR", True)] * 2
