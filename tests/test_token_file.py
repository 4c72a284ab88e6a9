"""Token files are read as the vectors that all SDKs share say."""

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ordago.token_file import TokenFileError, parse_token, read_token

VECTORS = json.loads((Path(__file__).parents[1] / "clients/vectors/token-files.json").read_text(encoding="utf-8"))


def read(contents: bytes) -> dict[str, Any]:
    try:
        return {"token": parse_token(contents)}
    except TokenFileError as error:
        return {"because": str(error)}


def test_every_vector_is_read_as_it_says() -> None:
    assert len(VECTORS) > 30
    wrong = [
        (case, found)
        for case in VECTORS
        if {**(found := read(base64.b64decode(case["bytes"]))), "bytes": case["bytes"]} != case
    ]
    assert not wrong


def test_a_pipe_is_read_too() -> None:
    outlet, inlet = os.pipe()
    os.write(inlet, b"secret\n")
    os.close(inlet)
    assert read_token(Path(f"/dev/fd/{outlet}")) == "secret"
    os.close(outlet)


def test_a_refusal_never_quotes_the_token() -> None:
    with pytest.raises(TokenFileError) as refused:
        parse_token(b"sec ret")
    assert "ret" not in str(refused.value)
