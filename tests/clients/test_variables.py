"""Arguments of a bot and the variables that stand in for them: an error names which of the two is wrong."""

from pathlib import Path
from typing import Any

import pytest

from ordago_bot.main import argument_parser, parse


@pytest.fixture
def complaint(capsys: pytest.CaptureFixture[str]) -> Any:
    def read(*arguments: str) -> str:
        with pytest.raises(SystemExit, match="2"):
            parse(argument_parser("bot"), arguments)
        usage, error = capsys.readouterr().err.splitlines()
        assert usage == "usage: bot [options]"
        return str(error)

    return read


@pytest.mark.parametrize("nonce", ["xyz", "ab" * 15, "ab" * 65, "ab " * 16, "a" * 33])
def test_a_nonce_that_cannot_be_is_told(complaint: Any, monkeypatch: pytest.MonkeyPatch, nonce: str) -> None:
    sentence = f"'{nonce}' is not 16 to 64 bytes in hexadecimal"
    assert complaint("--nonce", nonce) == f"bot: error: argument --nonce: {sentence}"
    monkeypatch.setenv("ORDAGO_NONCE", nonce)
    assert complaint() == f"bot: error: ORDAGO_NONCE: {sentence}"


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("ADDRESS", "a:1"), ("EVENT", "cup"), ("LOG_DECISIONS", "decisions"), ("NONCE", "ab" * 16),
        ("RECEIPTS", "receipts"), ("TLS_CA", "ca"), ("TOKEN", "t"), ("TOKEN_FILE", "token"),
    ],
)  # fmt: skip
def test_a_variable_that_is_wrong_is_named_unless_an_argument_stands_there(
    complaint: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, right: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ca").write_text("-----BEGIN ")
    Path("token").write_text("t")
    wrong, option = "no such place/a b", f"--{name.lower().replace('_', '-')}"
    monkeypatch.setenv(f"ORDAGO_{name}", wrong)
    assert complaint().startswith(f"bot: error: ORDAGO_{name}: ")
    assert complaint(f"{option}={wrong}").startswith(f"bot: error: argument {option}: ")
    parse(argument_parser("bot"), [option, right])
