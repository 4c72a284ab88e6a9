"""``ordago account`` as it is typed: by the organiser at his folder, by an admin and by authors at a running server."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.certificates import Files
from support.commands import assert_told, ordago

from ordago.store.accounts.log import user_of_folder
from ordago_cli.program import program

SECONDS = 30
SLEEPER = """
import time
import ordago_bot

class Sleeper(ordago_bot.Bot):
    def choose(self, decision):
        time.sleep(3)
        return decision.default_answer

ordago_bot.run(Sleeper)
"""


class Server:
    """``ordago serve`` over TLS with accounts in a folder, and an admin's token in a file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        files = Files(folder)
        self.tls = ["--tls-ca", files.client_options()["--tls-ca"]]
        command = [sys.executable, "-m", "ordago", "serve", "--tables", "mittlere", "--address", "127.0.0.1:0"]
        options = ["--tls-cert", str(files.certificate), "--tls-key", str(files.key)]
        self.process = subprocess.Popen(  # noqa: S603 - our own
            [*command, *options, "--tokens", "--data", str(self.data), "--log-format", "json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[2].rstrip(";")
        made = ordago("token", "create", "--data", self.data, "--account", "root", "--scope", "admin")
        self.admin = folder / "root.token"
        self.admin.write_text(made.stdout)

    def by(self, token_file: Path) -> list[object]:
        """Return the options that ask the server by a token."""
        return ["--server", self.address, *self.tls, "--token-file", token_file]

    def join(self, name: str, *options: object) -> Path:
        """Let somebody join, and return the file with his token."""
        code = ordago("account", "invite", "--data", self.data, *options).stdout.strip()
        path = self.folder / f"{name}.token"
        joined = ordago("account", "join", code, "--name", name, *self.by(path))
        assert joined.exit_code == 0, joined.output
        return path

    def logged(self, event: str, **what: object) -> dict[str, Any]:
        """Read the log until something happened."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            told: dict[str, Any] = json.loads(line)
            if told["event"] == event and what.items() <= told.items():
                return told
        raise AssertionError(f"the log ended without {event!r}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("accounts"))
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


def told(*arguments: object) -> Any:
    """Return what a command tells a program."""
    result = ordago("account", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_an_author_joins_and_looks_after_his_own(server: Server) -> None:
    code = ordago("account", "invite", "--data", server.data, "--role", "play", "--role", "observe").stdout.strip()
    path = server.folder / "ana.token"
    joined = told("join", code, "--name", "ana", *server.by(path))
    assert (joined["account"]["name"], joined["account"]["roles"]) == ("ana", ["observe", "play"])
    assert path.stat().st_mode & 0o777 == 0o600
    own = server.by(path)
    assert told("show", *own) == {
        "account": joined["account"], "token": joined["token"], "good_for": ["observe", "play"],
    }  # fmt: skip
    made = told("create-token", "--bot", "deep", "--expires", "3", *own)
    assert (made["scopes"], made["bot"]) == (["play"], "deep")
    assert {one["id"] for one in told("tokens", *own)} == {joined["token"]["id"], made["id"]}
    assert told("revoke", made["id"], *own)["revoked"] is not None
    assert told("name", "shallow", *own) == {"bot": "shallow", "yours": True}
    names = [{"name": name, "version": "", "build": "", "first_seen": None} for name in ("deep", "shallow")]
    assert told("bots", *own) == names
    assert told("release", "shallow", *own) == {"bot": "shallow", "yours": False}
    assert told("bots", *own) == names[:1]
    shown = [ordago("account", *words, *own).output for words in (["tokens"], ["bots"], ["show"])]
    assert not any(path.read_text().strip() in one or made["token"] in one for one in shown)


def test_whoever_looks_after_the_server_does_it_here_or_there(server: Server) -> None:
    """By the folder and by the contract the same is told."""
    server.join("ben")
    ways: list[list[object]] = [["--data", server.data], server.by(server.admin)]
    for here in ways:
        changed = told("roles", "ben", "play", "organise", *here)
        assert changed["roles"] == ["organise", "play"]
        assert told("limits", "ben", "--bots", "4", *here)["limits"]["bots"] == 4
        banned = told("ban", "ben", "--reason", "two bots at one table", *here)
        assert (banned["reason"], banned["banned"] is None) == ("two bots at one table", False)
        assert told("list", *ways[0]) == told("list", *ways[1])
        assert banned in told("list", *here)
        assert told("unban", "ben", *here)["banned"] is None
        assert told("roles", "ben", "--none", *here)["roles"] == []
        assert told("invite", "--account", f"guest {len(here)}", *here)["account"] == f"guest {len(here)}"
    assert "ben" in ordago("account", "list", *ways[1]).output


def test_the_log_says_who_did_what_and_why_here_and_there(server: Server) -> None:
    server.join("lou")
    here: list[list[object]] = [["--data", server.data], server.by(server.admin)]
    for number, way in enumerate(here):
        told("roles", "lou", "play", "--why", f"way {number}", *way)
        told("ban", "lou", "--why", "asleep", *way)
        told("unban", "lou", *way)
    assert told("log", "--account", "lou", *here[0]) == told("log", "--account", "lou", *here[1])
    entries = told("log", "--account", "lou", *here[0])["entries"]
    user = user_of_folder().name
    assert [(one["by"], one["at_folder"], one["act"], one["why"]) for one in entries] == [
        ("root", False, "unban", None),
        ("root", False, "ban", "asleep"),
        ("root", False, "set roles", "way 1"),
        (user, True, "unban", None),
        (user, True, "ban", "asleep"),
        (user, True, "set roles", "way 0"),
        ("lou", False, "register", None),
    ]
    first = told("log", "--rows", "2", *here[1])
    after = told("log", "--rows", "1", "--page", first["next_page_token"], *here[0])
    assert after["entries"][0]["number"] == first["entries"][1]["number"] - 1
    shown = ordago("account", "log", "--account", "lou", "--rows", "4", *here[0])
    assert_told(shown, 0, f"{user} (at the folder)", "asleep", "more: --page ")
    token = ordago("token", "create", "--data", server.data, "--account", "lou", "--scope", "play", "--json")
    revoked = json.loads(token.stdout)["id"]
    assert ordago("token", "revoke", revoked, "--data", server.data, "--why", "lost").exit_code == 0
    newest = told("log", "--rows", "1", *here[0])["entries"][0]
    assert (newest["act"], newest["subject"], newest["why"]) == ("revoke token", revoked, "lost")
    mine = [*here[1][:-1], server.folder / "lou.token"]
    assert_told(ordago("account", "log", *mine), 3, "it lacks the scope 'admin'")


def test_an_author_takes_its_data_and_leaves(server: Server) -> None:
    own = server.by(server.join("gil"))
    kept = json.loads(ordago("account", "export", *own).stdout)
    assert (kept["account"]["name"], kept["faults"], len(kept["tokens"])) == ("gil", [], 1)
    at_folder = json.loads(ordago("account", "export", "--account", "gil", "--data", server.data).stdout)
    assert at_folder["account"] == kept["account"]
    assert "faults" not in at_folder
    assert_told(ordago("account", "export", "--data", server.data), 2, "name the account with --account")
    assert_told(ordago("account", "delete", "gil", "--confirm", "jil", *own), 2, "the two names differ")
    words = ["account", "delete", "gil", *map(str, own)]
    refused = CliRunner().invoke(program, words, input="gill\n")
    assert_told(refused, 2, "nothing was deleted")
    done = CliRunner().invoke(program, words, input="gil\n")
    assert (done.exit_code, "account gil is deleted; where its name stood is now (deleted" in done.stdout) == (0, True)
    assert ordago("account", "show", *own).exit_code == 3


def test_whoever_looks_after_the_server_deletes_with_a_reason(server: Server) -> None:
    server.join("hal")
    here = ["--data", server.data]
    assert_told(ordago("account", "delete", "hal", "--confirm", "hal", *here), 2, "needs a reason")
    told("delete", "hal", "--confirm", "hal", "--why", "asked by letter", *here)
    newest = told("log", "--rows", "1", *here)["entries"][0]
    assert (newest["act"], newest["why"], newest["account"].startswith("(deleted")) == (
        "delete", "asked by letter", True,
    )  # fmt: skip
    assert_told(ordago("account", "ban", "hal", "--reason", "r", *here), 3, "There is no account 'hal'.")


def test_a_code_can_be_read_where_no_neighbour_sees_it(server: Server) -> None:
    code = ordago("account", "invite", "--data", server.data).stdout
    words = ["account", "join", "-", "--name", "eve", *server.by(server.folder / "eve.token")]
    joined = CliRunner().invoke(program, list(map(str, words)), input=code)
    assert (joined.exit_code, joined.stderr) == (0, "")
    assert "account eve is open" in joined.stdout


@pytest.mark.slow
def test_a_ban_ends_a_bot_that_plays_and_forfeits_its_match(server: Server) -> None:
    tokens = {name: server.join(name) for name in ("idle", "one", "two")}
    played = {name: ["-c", SLEEPER] if name == "idle" else ["-m", "ordago_bot", "random"] for name in tokens}
    bots = {
        name: subprocess.Popen(  # noqa: S603 - our own
            [sys.executable, *command, *map(str, ("--address", server.address, *server.tls)),
             "--token-file", str(tokens[name]), "--name", f"bot of {name}", "--matches", "1"],
            stderr=subprocess.PIPE, text=True,
        )
        for name, command in played.items()
    }  # fmt: skip
    try:
        server.logged("match begun")
        told("ban", "idle", "--reason", "asleep", *server.by(server.admin))
        changed = server.logged("accounts changed", call="Ban")
        assert (changed["account"], changed["by"]) == ("idle", "root")
        assert server.logged("seat forfeited")["bot"] == "bot of idle"
        _, err = bots["idle"].communicate(timeout=SECONDS)
        assert "PERMISSION_DENIED" in err
        assert "the account is banned: asleep" in err
        assert bots["idle"].returncode == 3
        assert bots["one"].poll() is None
    finally:
        for bot in bots.values():
            bot.kill()
            bot.communicate()


@pytest.mark.slow
def test_a_mistake_is_told_in_one_sentence(server: Server, tmp_path: Path) -> None:
    ana, gone = server.join("carl"), tmp_path / "no.token"
    here, author = ["--data", server.data], server.by(ana)
    code = ordago("account", "invite", *here).stdout.strip()
    no_accounts = ["--data", tmp_path / "nowhere"]
    for words, exit_code, sentence in (
        (["ban", "nobody", "--reason", "r", *here], 3, "There is no account 'nobody'."),
        (["ban", "nobody", "--reason", "r", *server.by(server.admin)], 3, "There is no account 'nobody'."),
        (["ban", "carl", "--reason", "a\nb", *here], 2, "1 to 200 printable characters"),
        (["ban", "carl", "--reason", "r", *author], 3, "it lacks the scope 'admin'"),
        (["list", *no_accounts], 3, "there are no accounts in"),
        (["list", *here, *server.by(server.admin)], 2, "--server, or --data"),
        (["list", "--server", server.address], 2, "--token-file FILE"),
        (["list", "--token-file", ana], 2, "add --server HOST:PORT"),
        (["list", *server.by(gone)], 3, f"cannot read {gone}"),
        (["invite", "--account", "a/b", *here], 2, "The name of an account takes letters"),
        (["invite", "--account", "Carl", *here], 3, "is taken, or looks like"),
        (["roles", "carl", *here], 2, "--none"),
        (["limits", "carl", *here], 2, "give a limit"),
        (["join", code, "--name", "carla", *author], 3, "already exists"),
        (["join", code, "--name", "carla", *server.by(tmp_path / "no" / "a")], 3, "cannot write"),
        (["join", "guessed", "--name", "carla", *server.by(gone)], 3, "begins with ordago_invitation_"),
        (["join", "gu\udcffed", "--name", "carla", *server.by(gone)], 2, "not an invitation code"),
        (["join", code, "--name", "ca\nrla", *server.by(gone)], 2, "The name of an account takes letters"),
        (["tokens", "--server", "127.0.0.1:1", "--token-file", ana], 3, "no answer from 127.0.0.1:1"),
        (["tokens", "--server", server.address, "--token-file", ana], 3, f"{server.address} speaks TLS"),
        (["tokens", *author, "--tls-cert", server.tls[1]], 2, "--tls-cert and --tls-key belong together"),
        (["tokens", *author, "--tls-ca", ana], 2, "is no PEM file"),
        (["revoke", "nothing", *author], 3, "There is no token 'nothing'."),
        (["create-token", "--scope", "admin", *author], 3, "this one lacks: admin"),
    ):
        assert_told(ordago("account", *words), exit_code, sentence)
    assert not gone.exists(), "nothing is left of a token that was not made"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.slow
def test_a_token_file_that_holds_none_is_told(server: Server, tmp_path: Path) -> None:
    for contents in (b"", b"\n", b"\xff\xfe", b"two\nlines"):
        path = tmp_path / "a.token"
        path.write_bytes(contents)
        result: Result = ordago("account", "tokens", *server.by(path))
        assert_told(result, 2, "cannot be used: it ")
