"""What ``ordago serve`` asks for before it listens to other machines, and who lets bots in."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ordago.arena.admission.account_tokens import AccountTokens
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.edge import Tls
from ordago_cli.errors import CommandError
from ordago_cli.program import program
from ordago_cli.serve.entrance import EntranceSettings, is_loopback

CERTIFICATE, KEY, CLIENTS = Path("server.pem"), Path("server.key"), Path("clients.pem")


def settings(**changes: object) -> EntranceSettings:
    plain = {
        "asks_for_tokens": False,
        "data": Path("nowhere"),
        "tls_cert": None,
        "tls_key": None,
        "tls_client_ca": None,
        "insecure": False,
        "reflection": False,
        "sessions_per_second": 10.0,
        "bots": 2048,
    }
    return EntranceSettings(**{**plain, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ["127.0.0.1:7447", "127.9.9.9:1", "localhost:0", "[::1]:7447"])
def test_on_the_same_machine_no_tls_is_needed(address: str) -> None:
    assert is_loopback(address)
    assert settings().tls(address) is None


@pytest.mark.parametrize("address", ["0.0.0.0:7447", "[::]:7447", "192.0.2.1:0", "example.org:7447", ":7447", "7447"])
def test_to_other_machines_the_server_listens_with_tls_or_when_told_so(address: str) -> None:
    with pytest.raises(CommandError, match=r"--tls-cert and --tls-key.*--insecure"):
        settings().tls(address)
    assert settings(insecure=True).tls(address) is None
    assert settings(tls_cert=CERTIFICATE, tls_key=KEY).tls(address) == Tls(CERTIFICATE, KEY)


def test_bots_can_be_asked_for_a_certificate() -> None:
    given = settings(tls_cert=CERTIFICATE, tls_key=KEY, tls_client_ca=CLIENTS)
    assert given.tls("127.0.0.1:0") == Tls(CERTIFICATE, KEY, CLIENTS)


@pytest.mark.parametrize(
    "given",
    [
        {"tls_cert": CERTIFICATE},
        {"tls_key": KEY},
        {"tls_client_ca": CLIENTS},
        {"tls_cert": CERTIFICATE, "tls_client_ca": CLIENTS},
    ],
)
def test_half_a_certificate_is_told(given: dict[str, Path]) -> None:
    with pytest.raises(CommandError, match="needs both --tls-cert and --tls-key"):
        settings(**given, insecure=True).tls("127.0.0.1:0")


def test_the_door_is_open_unless_tokens_are_asked_for(tmp_path: Path) -> None:
    with settings(data=tmp_path / "data").authenticator(lambda _bot: None) as authenticator:
        assert isinstance(authenticator, AllowEverybody)
    assert not (tmp_path / "data").exists()
    with settings(data=tmp_path / "data", asks_for_tokens=True).authenticator(lambda _bot: None) as authenticator:
        assert isinstance(authenticator, AccountTokens)
    assert (tmp_path / "data" / "accounts.sqlite").exists(), "the first token can be made while the server runs"


@pytest.mark.parametrize(
    ("arguments", "exit_code", "words"),
    [
        (("--address", "0.0.0.0:0"), 2, "--insecure"),
        (("--tls-cert", "server.pem"), 2, "needs both"),
        (("--tls-cert", "no.pem", "--tls-key", "no.key"), 3, "cannot read no.pem: No such file"),
        (("--tokens", "--data", "file/below"), 3, "cannot use the folder"),
        (("--address", "localhost"), 2, "HOST:PORT"),
        (("--address", "127.0.0.1:99999"), 2, "HOST:PORT"),
        (("--address", "unix:/tmp/ordago"), 2, "HOST:PORT"),
    ],
)
def test_what_cannot_be_served_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], exit_code: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("no folder")
    result = CliRunner().invoke(program, ["serve", "--tables", "mittlere", "--address", "127.0.0.1:0", *arguments])
    assert result.exit_code == exit_code, result.output
    assert words in result.output
    assert "Traceback" not in result.output
