"""What ``ordago account`` makes of a server that is not what it seems: nothing of it gives orders to a terminal."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from support.commands import assert_told, ordago

from ordago import v1

CLEARS = "\x1b[2J"
WRITTEN = "\\x1b[2J"


@contextmanager
def answering(call: str, answer: bytes | str) -> Iterator[str]:
    """Serve one call by some bytes, or by an error of some words, and give the address."""

    def reply(_request: bytes, context: Any) -> bytes:
        if isinstance(answer, str):
            context.abort(grpc.StatusCode.PERMISSION_DENIED, answer)
        return bytes(answer)

    server = grpc.server(ThreadPoolExecutor(1))
    handlers = {call: grpc.unary_unary_rpc_method_handler(reply)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("ordago.v1.AccountService", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / "ana.token"
    path.write_text("ordago_0\n")
    return path


def test_what_is_no_answer_is_told(token: Path) -> None:
    with answering("WhoAmI", b"\xff" * 50) as address:
        assert_told(
            ordago("account", "show", "--server", address, "--token-file", token), 3, "is not from an Ordago server"
        )


def test_a_server_without_accounts_is_told(token: Path) -> None:
    with answering("WhoAmI", b"") as address:
        told = ordago("account", "tokens", "--server", address, "--token-file", token)
        assert_told(told, 3, "has no accounts: start it with --tokens")


def test_no_sentence_controls_the_terminal(token: Path) -> None:
    with answering("WhoAmI", f"come {CLEARS} closer") as address:
        told = ordago("account", "show", "--server", address, "--token-file", token)
    assert_told(told, 3, f"come {WRITTEN} closer")
    assert CLEARS not in told.output


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_no_name_controls_the_terminal(token: Path, as_json: list[str]) -> None:
    info = v1.AccountToken(id=CLEARS, bot=CLEARS, scopes=[77])  # type: ignore[list-item]  # of a newer server
    who = v1.WhoAmIResponse(account=v1.Account(name=CLEARS, ban_reason=CLEARS), token_info=info)
    with answering("WhoAmI", who.SerializeToString()) as address:
        told = ordago("account", "show", "--server", address, "--token-file", token, *as_json)
    assert told.exit_code == 0
    assert CLEARS not in told.output
    assert "[2J" in told.output


@pytest.mark.parametrize("given", ["", "to\nken", "to\x1bken", "tökén"])
def test_what_is_no_token_is_not_kept(tmp_path: Path, given: str) -> None:
    path = tmp_path / "new.token"
    with answering("Register", v1.RegisterResponse(token=given).SerializeToString()) as address:
        told = ordago("account", "join", "code", "--name", "ana", "--server", address, "--token-file", path)
    assert_told(told, 3, "the server did not return a token")
    assert not path.exists()
