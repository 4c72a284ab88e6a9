"""``ordago serve`` as a process: what ends it and how, and what it checks before a start."""

import signal
import socket
from pathlib import Path

import pytest
import trustme
from click.testing import CliRunner, Result
from support.ports import free_port
from support.serving import SECONDS, bots, serving

from ordago_cli.program import program


@pytest.mark.slow
def test_at_the_first_signal_running_matches_are_played_to_their_end(tmp_path: Path) -> None:
    with serving("--option", "deals=30", "--records", str(tmp_path)) as server, bots(server, "random") as players:
        server.log_until("match begun")
        server.process.send_signal(signal.SIGTERM)
        assert server.log_until("draining")["closing_in_ms"] == 60_000
        code, out = server.end()
        assert [player.wait(SECONDS) for player in players] == [0, 0, 0]
    assert code == 0
    assert "shutting down" in out
    assert "stopped after" in out
    assert server.events.count("match begun") == server.events.count("match ended")
    assert len(list(tmp_path.glob("*.record"))) == server.events.count("match ended")


@pytest.mark.slow
def test_when_the_grace_is_over_what_still_runs_is_void() -> None:
    with serving("--grace", "0.5") as server, bots(server, "sleeper"):
        server.log_until("match begun")
        server.process.send_signal(signal.SIGINT)
        assert server.log_until("draining")["closing_in_ms"] == 500
        code, out = server.end()
    assert code == 0
    assert server.events[-4:] == ["match void: it was stopped", *["session ended"] * 3]
    assert "stopped after 0 matches" in out


@pytest.mark.slow
def test_a_second_signal_stops_at_once() -> None:
    with serving("--grace", "600") as server, bots(server, "sleeper"):
        server.log_until("match begun")
        server.process.send_signal(signal.SIGTERM)
        server.log_until("draining")
        server.process.send_signal(signal.SIGTERM)
        assert server.end()[0] == 0
    assert "match void: it was stopped" in server.events


@pytest.mark.slow
def test_the_end_of_its_terminal_drains_a_server_however_often_it_is_told() -> None:
    with serving("--grace", "600") as server, bots(server, "random") as players:
        server.log_until("match begun")
        for _ in range(3):
            server.process.send_signal(signal.SIGHUP)
        server.log_until("draining")
        server.process.send_signal(signal.SIGHUP)
        assert server.end()[0] == 0
        assert [player.wait(SECONDS) for player in players] == [0, 0, 0]
    assert server.events.count("match begun") == server.events.count("match ended")


@pytest.mark.slow
def test_a_server_whom_nobody_plays_at_ends_at_the_first_signal() -> None:
    with serving() as server:
        server.process.send_signal(signal.SIGINT)
        assert server.end()[0] == 0
    assert server.events == ["server started", "draining"]


@pytest.mark.slow
def test_records_that_cannot_be_kept_are_told_and_the_server_serves_on(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    with serving("--records", str(folder), "--option", "deals=3", "--grace", "1") as server:
        folder.rmdir()
        with bots(server, "random"):
            lost = server.log_until("records cannot be saved")["match"]
            server.log_until("match begun")
            server.process.send_signal(signal.SIGTERM)
            code, _ = server.end()
    assert code == 3
    assert lost in [line["match"] for line in server.log if line["event"] == "record lost"]


@pytest.mark.slow
def test_records_that_a_journal_has_are_kept_at_the_next_start(tmp_path: Path) -> None:
    folder, data = tmp_path / "records", tmp_path / "data"
    options = ("--records", str(folder), "--data", str(data), "--option", "deals=3")
    with serving(*options, "--grace", "1") as server:
        folder.rmdir()
        with bots(server, "random"):
            unkept = server.log_until("records cannot be saved")["match"]
            server.process.send_signal(signal.SIGTERM)
            code, _ = server.end()
    assert code == 0
    assert unkept in [line["match"] for line in server.log if line["event"] == "record saved at the next start"]
    with serving(*options, "--grace", "1") as server:
        server.log_until("match ended")
        server.process.send_signal(signal.SIGTERM)
        assert server.end()[0] == 0
    assert (folder / f"{unkept}.record").exists()


# --check


def check(*arguments: object) -> Result:
    return CliRunner().invoke(program, ["serve", "--check", *map(str, arguments)])


@pytest.fixture
def free() -> str:
    """An address that can be listened on."""
    return f"127.0.0.1:{free_port()}"


def test_a_start_that_would_go_well_is_said_to(free: str, tmp_path: Path) -> None:
    told = check("--tables", "mittlere,mus", "--address", free, "--records", tmp_path / "a" / "b")
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    assert all(line.startswith("ok ") for line in lines)
    assert "mittlere for 3, mus for 4" in lines[0]
    assert any("will be created" in line for line in lines)
    assert list(tmp_path.iterdir()) == [], "a check changes nothing"


@pytest.mark.parametrize(
    ("arguments", "exit_code", "subject", "words"),
    [
        (("--tables", "mitlere"), 2, "tables", "no game 'mitlere'"),
        (("--tables", "mittlere", "--option", "deals=4"), 2, "tables", "multiple of 3"),
        (("--tables", "mittlere,mus", "--option", "deals=3"), 2, "tables", "a single game"),
        (("--tables", "mittlere", "--address", "nowhere"), 2, "address", "HOST:PORT"),
        (("--tables", "mittlere", "--address", "unix:/tmp/ordago"), 2, "address", "HOST:PORT"),
        (("--tables", "mittlere", "--address", "unix:/tmp/ordago:1"), 2, "address", "HOST:PORT"),
        (("--tables", "mittlere", "--address", "::1:7447"), 2, "address", "[IPv6]:PORT"),
        (("--tables", "mittlere", "--address", "192.0.2.1:7447"), 3, "address", "cannot listen on"),
        (("--tables", "mittlere", "--address", "0.0.0.0:0"), 2, "entrance", "--insecure"),
        (("--tables", "mittlere", "--tls-cert", "no.pem"), 2, "entrance", "needs both"),
        (("--tables", "mittlere", "--tls-cert", "no.pem", "--tls-key", "no.key"), 3, "entrance", "cannot read no.pem"),
        (("--tables", "mittlere", "--metrics", "127.0.0.1:99999"), 2, "metrics", "HOST:PORT"),
        (("--tables", "mittlere", "--metrics", "127.0.0.1:7447"), 2, "metrics", "another port"),
        (("--tables", "mittlere", "--web", "nowhere"), 2, "site", "HOST:PORT"),
        (("--tables", "mittlere", "--web", "192.0.2.1:80", "--insecure"), 3, "site", "cannot listen on 192.0.2.1:80"),
        (("--tables", "mittlere", "--web", "0.0.0.0:0"), 2, "site", "--insecure"),
        (("--tables", "mittlere", "--web", "127.0.0.1:7447"), 2, "site", "is where bots connect to"),
        (("--tables", "mittlere", "--web", "localhost:7447"), 2, "site", "is where bots connect to"),
        (("--tables", "mittlere", "--web", "127.0.0.1:0", "--web-origin", "cards.example"), 2, "site", "https://HOST"),
        (("--tables", "mittlere", "--web-forwarded"), 2, "site", "are for a site: --web HOST:PORT"),
        (("--tables", "mittlere", "--records", "/dev/null"), 3, "records", "is not a folder"),
        (("--tables", "mittlere", "--records", "/proc/no/such"), 3, "records", "cannot write into /proc"),
        (("--tables", "mittlere", "--data", "/proc/no/such"), 3, "data", "cannot write into /proc"),
    ],
)
def test_what_would_go_wrong_is_said_in_a_line(
    arguments: tuple[str, ...], exit_code: int, subject: str, words: str
) -> None:
    told = check(*arguments)
    assert told.exit_code == exit_code, told.output
    wrong = [line for line in told.output.splitlines() if line.startswith("wrong")]
    assert any(line.startswith(f"wrong  {subject}: ") and words in line for line in wrong), told.output


def test_all_checks_are_made_and_the_first_that_fails_gives_the_exit_code(free: str) -> None:
    told = check("--tables", "mitlere", "--address", "nowhere", "--metrics", free)
    assert told.exit_code == 2
    assert [line.split()[0] for line in told.output.splitlines()] == [
        "wrong", "ok", "ok", "ok", "wrong", "wrong", "ok", "ok", "ok",
    ]  # fmt: skip


def test_a_journal_that_is_damaged_is_found_and_left_alone(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.write_text("what nobody wrote who knows what a journal is")
    told = check("--tables", "mittlere", "--data", tmp_path)
    assert told.exit_code == 3
    assert f"wrong  data: cannot read the journal {journal}" in told.output
    journal.unlink()
    assert "ok     data: " in check("--tables", "mittlere", "--data", tmp_path).output
    assert list(tmp_path.iterdir()) == [], "a check changes nothing"


@pytest.mark.slow
def test_a_folder_that_another_server_uses_is_found(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)):
        told = check("--tables", "mittlere", "--data", tmp_path)
        assert f"wrong  data: another server uses the folder {tmp_path}" in told.output
    assert "ok     data: " in check("--tables", "mittlere", "--data", tmp_path).output


def test_accounts_that_cannot_be_used_are_found(tmp_path: Path) -> None:
    accounts = tmp_path / "accounts.sqlite"
    accounts.write_text("what nobody wrote who knows what a database is " * 100)
    told = check("--tables", "mittlere", "--data", tmp_path, "--tokens")
    assert told.exit_code == 3
    assert f"wrong  data: {accounts}: " in told.output
    assert "ok     data: " in check("--tables", "mittlere", "--data", tmp_path).output, "nobody asks for a token"


def test_who_may_come_in_is_said_in_full(tmp_path: Path) -> None:
    authority, chain, key = trustme.CA(), tmp_path / "server.pem", tmp_path / "server.key"
    own = authority.issue_cert("localhost")
    own.private_key_pem.write_to_path(key)
    own.cert_chain_pems[0].write_to_path(chain)
    tls = ("--tables", "mittlere", "--tls-cert", chain, "--tls-key", key)
    assert "ok     entrance: anybody on this machine, over TLS\n" in check(*tls).output
    mutual = f"over TLS, with a certificate from {chain}\n"
    assert mutual in check(*tls, "--tls-client-ca", chain).output


def test_a_port_that_is_taken_is_found() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        told = check("--tables", "mittlere", "--address", f"127.0.0.1:{busy.getsockname()[1]}")
    assert told.exit_code == 3
    assert "Address already in use" in told.output


def test_a_port_that_is_taken_by_another_program_or_by_the_metrics_is_none_for_the_site(free: str) -> None:
    site = ("--tables", "mittlere", "--address", "127.0.0.1:0", "--web", free)
    assert f"ok     site: {free} is free, for http\n" in check(*site).output
    told = check(*site, "--metrics", free)
    assert told.exit_code == 2
    assert f"wrong  site: {free} is where metrics are; choose another port for the site" in told.output
    host, _, port = free.rpartition(":")
    with socket.socket() as busy:
        busy.bind((host, int(port)))
        busy.listen()
        told = check(*site)
    assert told.exit_code == 3
    assert f"wrong  site: cannot listen on {free}: Address already in use" in told.output


def test_a_site_for_which_not_all_is_installed_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    told = check("--tables", "mittlere", "--web", "127.0.0.1:0")
    assert told.exit_code == 2
    assert "wrong  site: --web needs hypercorn, which is not installed: pip install 'ordago[web]'" in told.output


def test_metrics_that_cannot_be_served_are_told() -> None:
    told = CliRunner().invoke(program, ["serve", "--tables", "mittlere", "--metrics", "nowhere"])
    assert told.exit_code == 2
    assert "--metrics" in told.output
    assert "HOST:PORT" in told.output
