"""What a bot is told about TLS, on its command line or by its environment."""

import argparse
import json
from pathlib import Path

import pytest

from ordago_bot.main import argument_parser
from ordago_bot.tls import Tls, tls_of

VECTORS = Path(__file__).parents[2] / "clients/vectors"
NAMES = ("ORDAGO_TLS", "ORDAGO_TLS_CA", "ORDAGO_TLS_CERT", "ORDAGO_TLS_KEY")


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def pem(name: str) -> bytes:
    """Return what could stand in a file of this name."""
    return f"-----BEGIN {name}-----".encode()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    paths = {name: tmp_path / f"{name}.pem" for name in ("ca", "cert", "key")}
    for name, path in paths.items():
        path.write_bytes(pem(name))
    return paths


def parsed(*arguments: object) -> argparse.Namespace:
    return argument_parser().parse_args([str(argument) for argument in arguments])


def test_without_a_word_the_connection_is_in_the_open() -> None:
    assert tls_of(parsed()) is None


def test_tls_alone_believes_whom_everybody_believes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tls_of(parsed("--tls")) == Tls()
    monkeypatch.setenv("ORDAGO_TLS", "1")
    assert tls_of(parsed()) == Tls()


def test_the_files_are_read(files: dict[str, Path]) -> None:
    assert tls_of(parsed("--tls-ca", files["ca"])) == Tls(pem("ca"))
    arguments = ("--tls-ca", files["ca"], "--tls-cert", files["cert"], "--tls-key", files["key"])
    assert tls_of(parsed(*arguments)) == Tls(pem("ca"), pem("cert"), pem("key"))


def test_the_environment_stands_in_for_arguments(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, path in files.items():
        monkeypatch.setenv(f"ORDAGO_TLS_{name.upper()}", str(path))
    assert tls_of(parsed()) == Tls(pem("ca"), pem("cert"), pem("key"))
    assert tls_of(parsed("--tls-ca", files["key"])) == Tls(pem("key"), pem("cert"), pem("key"))


def test_the_variable_is_read_as_all_sdks_read_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for case in json.loads((VECTORS / "switches.json").read_text(encoding="utf-8")):
        monkeypatch.setenv("ORDAGO_TLS", case["text"])
        if "on" in case:
            assert (tls_of(parsed()) is not None) is case["on"], case
            continue
        with pytest.raises(SystemExit, match="2"):
            parsed()
        assert f"ORDAGO_TLS: {case['text']!r} is neither 1 nor 0" in capsys.readouterr().err


def test_an_empty_environment_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, "")
    assert tls_of(parsed()) is None


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parsed("--tls-ca", tmp_path / "none.pem")
    assert ended.value.code == 2
    assert "none.pem: No such file" in capsys.readouterr().err


def test_a_file_of_another_kind_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "server.der"
    path.write_bytes(b"0\x82")
    with pytest.raises(SystemExit) as ended:
        parsed("--tls-ca", path)
    assert ended.value.code == 2
    assert "server.der is no PEM file" in capsys.readouterr().err


def test_half_a_certificate_is_told(files: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        tls_of(parsed("--tls-cert", files["cert"]))
    assert ended.value.code == 2
    assert "--tls-key" in capsys.readouterr().err


def test_help_names_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("--help")
    printed = capsys.readouterr().out
    assert all(name in printed for name in NAMES)
