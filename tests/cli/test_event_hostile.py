"""What ``ordago event download`` makes of a server that would write elsewhere, or fill the disk: nothing is left."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from support.commands import assert_told, ordago

from ordago import v1
from ordago_cli.event import downloading

Response = v1.DownloadEventResponse


@contextmanager
def giving(responses: Sequence[Response]) -> Iterator[str]:
    """Serve these responses to whoever downloads, and give the address."""

    def reply(_request: bytes, _context: Any) -> Iterator[bytes]:
        yield from (response.SerializeToString() for response in responses)

    server = grpc.server(ThreadPoolExecutor(1))
    handlers = {"DownloadEvent": grpc.unary_stream_rpc_method_handler(reply)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("ordago.v1.EventService", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


def fetched(place: Path, *responses: Response) -> Any:
    """Return what is said when these responses come, of which nothing may be left."""
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    with giving(responses) as address:
        told = ordago("event", "download", "friday", "--server", address, "--out", place / "in" / "friday")
    left = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert left == before
    assert not (place / "in" / "friday").exists()
    return told


def file(path: str, data: bytes = b"", *, size: int | None = None) -> Response:
    return Response(parts=[v1.PublishedPart(path=path, size=len(data) if size is None else size, data=data)])


@pytest.mark.parametrize(
    "path",
    [
        *("../evil", "..", ".", "/etc/evil", "records/../../evil", "records//x", "a/b/c", ".bashrc", "records/.x"),
        *("C:\\evil", "..\\evil", "a\0b", "a\nb", "\x1b[2J", "private/event.db", "x" * 300, "rec ords/x", "ﬁle", "~"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    told = fetched(tmp_path, Response(files=2), file("ladder.json", b"{}"), file(path, b"evil"))
    assert_told(told, 3, "the server did not send a valid event, and nothing was saved: it names a file ")
    assert "\x1b" not in told.output


@pytest.mark.parametrize(
    ("responses", "words"),
    [
        ((), "it would give 0 files"),
        ((Response(files=2**32 - 1),), "it would give 4,294,967,295 files"),
        ((Response(files=1), file("a", b"1"), file("b", b"1")), "or more files than it said"),
        ((Response(files=2), file("a", b"1")), "it gave 1 files of 2"),
        ((Response(files=2), file("a", b"1"), file("a", b"2")), "it sent 'a' twice"),
        ((Response(files=1), file("a", b"123", size=2)), "'a' does not have the announced size"),
        (
            (Response(files=1), file("a", b"1", size=3), file("", b"23456", size=0)),
            "'a' does not have the announced size",
        ),
        ((Response(files=1), file("a", b"1", size=3)), "'a' does not have the announced size"),
        ((Response(files=2), file("a", b"1", size=3), file("b", b"23")), "'a' ends too early"),
        ((Response(files=1), file("a", b"1", size=3), Response()), "it repeatedly sent no data"),
        ((Response(files=1), file("a", b"1", size=3), file("")), "'a' does not have the announced size"),
        ((Response(files=2), file("a"), file("a/b")), "cannot write"),
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path: Path, responses: Sequence[Response], words: str) -> None:
    assert_told(fetched(tmp_path, *responses), 3, words)


def test_no_more_is_written_than_an_event_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloading, "MOST_BYTES", 100)
    told = fetched(tmp_path, Response(files=3), file("a", b"1" * 60), file("b", b"1" * 60))
    assert_told(told, 3, "it gives more than 100 bytes")


@pytest.mark.parametrize("kind", ["a file", "a link", "a folder with something in it"])
def test_nothing_that_is_there_is_touched(tmp_path: Path, kind: str) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    if kind == "a file":
        out.write_text("mine")
    elif kind == "a link":
        out.symlink_to(elsewhere)
    else:
        out.mkdir()
        (out / "mine").touch()
    with giving([Response(files=1), file("a", b"1")]) as address:
        told = ordago("event", "download", "friday", "--server", address, "--out", out)
    assert_told(told, 3, "exists and is not empty: choose another folder")
    assert not list(elsewhere.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "out"]
