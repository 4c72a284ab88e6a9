"""Tokens on the command line: made once, shown once, listed without what would let anybody in."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.stores import until_the_end

from ordago.fingerprint import fingerprint
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago_cli.options.store import default_data_folder
from ordago_cli.program import program


class Ordago:
    """``ordago token`` with the accounts in a folder."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"

    def token(self, *arguments: str) -> Result:
        return CliRunner().invoke(program, ["token", *arguments, "--data", str(self.data)])

    def created(self, *arguments: str) -> dict[str, object]:
        """Make a token and return what is told of it."""
        result = self.token("create", "--account", "ana", "--scope", "play", "--json", *arguments)
        assert result.exit_code == 0, result.output
        told: dict[str, object] = json.loads(result.stdout)
        return told

    def listed(self) -> list[dict[str, object]]:
        rows: list[dict[str, object]] = json.loads(self.token("list", "--json").stdout)
        return rows

    def accounts(self) -> Accounts:
        return until_the_end(Accounts.open(self.data / "accounts.sqlite"))


@pytest.fixture
def ordago(tmp_path: Path) -> Ordago:
    return Ordago(tmp_path)


def test_a_new_token_stands_alone_in_the_output(ordago: Ordago) -> None:
    """So that a shell can take it up: TOKEN=$(ordago token create …)."""
    result = ordago.token("create", "--account", "ana", "--scope", "play")
    assert result.exit_code == 0
    [secret] = result.stdout.splitlines()
    with ordago.accounts() as accounts:
        found = accounts.holder(fingerprint(secret))
    assert found is not None
    token = found.token
    assert (token.account, found.scopes, token.bot, token.expires_at) == ("ana", {Scope.PLAY}, "", None)
    assert "shown only once" in result.stderr
    assert secret not in result.stderr


def test_the_folder_is_for_the_user_of_the_server_alone(ordago: Ordago) -> None:
    ordago.created()
    assert ordago.data.stat().st_mode & 0o077 == 0


def test_a_token_has_what_it_was_given(ordago: Ordago) -> None:
    told = ordago.created("--scope", "observe", "--bot", "deep", "--expires", "30")
    assert told["scopes"] == ["observe", "play"]
    assert (told["account"], told["bot"], told["state"], told["last_used"]) == ("ana", "deep", "active", None)
    with ordago.accounts() as accounts:
        [token] = accounts.tokens()
    assert token.expires_at is not None
    assert token.expires_at - token.created_at == 30 * 24 * 60 * 60


def test_tokens_are_listed_without_what_lets_anybody_in(ordago: Ordago) -> None:
    told = [ordago.created(), ordago.created("--bot", "deep")]
    [first, second] = sorted(ordago.listed(), key=lambda row: str(row["bot"]))
    assert list(first) == ["id", "account", "scopes", "bot", "created", "expires", "last_used", "state"]
    assert {first["id"], second["id"]} == {one["id"] for one in told}
    for shown in (ordago.token("list").output, json.dumps(ordago.listed()), ordago.token("bots").output):
        for one in told:
            secret = str(one["token"])
            assert secret not in shown
            assert fingerprint(secret).hex() not in shown
    assert str(first["id"]) in ordago.token("list").output
    assert "deep" in ordago.token("bots").output


def test_a_token_is_revoked_by_its_id(ordago: Ordago) -> None:
    told, kept = ordago.created(), ordago.created()
    result = ordago.token("revoke", str(told["id"]))
    assert (result.exit_code, result.output) == (0, f"token {told['id']} of account ana is revoked\n")
    assert {row["id"]: row["state"] for row in ordago.listed()} == {told["id"]: "revoked", kept["id"]: "active"}


def test_the_tokens_of_a_banned_account_are_listed_as_such(ordago: Ordago) -> None:
    ordago.created()
    CliRunner().invoke(program, ["account", "ban", "ana", "--reason", "spam", "--data", str(ordago.data)])
    assert [row["state"] for row in ordago.listed()] == ["banned"]


def test_the_name_of_a_bot_is_bound_to_one_account(ordago: Ordago) -> None:
    ordago.created("--bot", "deep")
    result = ordago.token("create", "--account", "ben", "--scope", "play", "--bot", "Deep")
    assert result.exit_code == 3
    assert "'Deep' belongs to another account" in result.stderr
    assert not result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("create", "--scope", "play"), "--account"),
        (("create", "--account", "ana"), "--scope"),
        (("create", "--account", "ana", "--scope", "win"), "'play'"),
        (("create", "--account", "", "--scope", "play"), "1 to 64 printable characters"),
        (("create", "--account", "a\nb", "--scope", "play"), "1 to 64 printable characters"),
        (("create", "--account", "a" * 65, "--scope", "play"), "1 to 64 printable characters"),
        (("create", "--account", "ana", "--scope", "play", "--bot", "  "), "1 to 64 printable characters"),
        (("create", "--account", "ana", "--scope", "play", "--expires", "0"), "--expires"),
        (("revoke",), "ID"),
    ],
)
def test_a_wrong_command_line_is_told(ordago: Ordago, arguments: tuple[str, ...], words: str) -> None:
    result = ordago.token(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert not ordago.data.exists(), "nothing was made"


@pytest.mark.parametrize("arguments", [("list",), ("bots",), ("revoke", "abc")])
def test_where_there_are_no_accounts_nothing_is_made(ordago: Ordago, arguments: tuple[str, ...]) -> None:
    result = ordago.token(*arguments)
    assert result.exit_code == 3
    assert "there are no accounts in" in result.stderr
    assert "ordago token create" in result.stderr
    assert not ordago.data.exists()


def test_a_token_that_is_not_there_is_told(ordago: Ordago) -> None:
    ordago.created()
    result = ordago.token("revoke", "abc")
    assert result.exit_code == 3
    assert "There is no token 'abc'" in result.stderr


def test_a_database_of_something_else_is_told(ordago: Ordago) -> None:
    ordago.data.mkdir()
    (ordago.data / "accounts.sqlite").write_text("a letter to the editor " * 100)
    result = ordago.token("list")
    assert result.exit_code == 3
    assert "file is not a database" in result.stderr


def test_where_a_server_keeps_its_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert default_data_folder() == tmp_path / "xdg" / "ordago"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_data_folder() == tmp_path / ".local" / "share" / "ordago"
    monkeypatch.setenv("ORDAGO_DATA", str(tmp_path / "told"))
    CliRunner().invoke(program, ["token", "create", "--account", "ana", "--scope", "play"])
    assert (tmp_path / "told" / "accounts.sqlite").exists()


def test_each_remote_entrant_has_a_token_in_a_file_of_its_own(ordago: Ordago, tmp_path: Path) -> None:
    event, out = tmp_path / "friday.toml", tmp_path / "tokens"
    text = '[event]\nname = "friday"\n[[game]]\nname = "mittlere"\n[[entrant]]\nname = "solid"\nhouse = "solid"\n'
    text += '[[entrant]]\nname = "ana"\nremote = true\n[[entrant]]\nname = "bo"\nremote = true\naccount = "bob"\n'
    event.write_text(text, encoding="utf-8")
    result = ordago.token("remote", str(event), "--out", str(out))
    assert (result.exit_code, result.output) == (0, f"2 tokens are in {out}\n")
    assert {path.name: path.stat().st_mode & 0o777 for path in out.iterdir()} == {
        "ana.token": 0o600,
        "bob.token": 0o600,
    }
    with ordago.accounts() as accounts:
        for account in ("ana", "bob"):
            found = accounts.holder(fingerprint((out / f"{account}.token").read_text(encoding="utf-8").strip()))
            assert found is not None
            assert (found.token.account, found.scopes) == (account, {Scope.PLAY})
    event.write_text(f'{text}[[entrant]]\nname = "cy"\nremote = true\n', encoding="utf-8")
    result = ordago.token("remote", str(event), "--out", str(out))
    assert result.output == f"1 tokens are in {out}; 2 were there already\n"
    assert {row["account"] for row in ordago.listed()} == {"ana", "bob", "cy"}
