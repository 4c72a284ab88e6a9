"""The bots in other languages come in over TLS and with a token, and say so where they cannot."""

import itertools
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
import trio
import trustme
from foreign_clients import CLIENTS, ROOT, Client, is_built
from support.accounts import TokenLobby
from support.certificates import Files
from support.processes import PATIENCE_SECONDS, until

from ordago.edge import Edge
from ordago.record import read_record
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope

ORDAGO = (sys.executable, "-m", "ordago")
HOUSE_BOT = (sys.executable, "-m", "ordago_bot", "random")


class Process:
    """A process, and what it has said so far."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self._log = log
        clean = {name: value for name, value in os.environ.items() if not name.startswith("ORDAGO_")}
        with log.open("wb") as output:
            self._process = subprocess.Popen(  # noqa: S603 - ours
                command, stdout=output, stderr=output, cwd=ROOT, env={**clean, **environment}
            )

    @property
    def said(self) -> str:
        return self._log.read_text()

    async def says(self, words: str) -> str:
        """Wait until it has said something, and return all that it said until then."""
        await until(lambda: words in self.said or self._process.poll() is not None)
        assert words in self.said
        return self.said

    async def exit_code(self) -> int:
        await until(lambda: self._process.poll() is not None)
        return self._process.wait()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


Start: TypeAlias = Callable[..., Process]


@contextmanager
def starting(folder: Path) -> Iterator[Start]:
    """Start processes that end with the block; each writes what it says to a file in the folder."""
    numbers = itertools.count()
    with ExitStack() as stack:

        def start(*command: str, environment: Mapping[str, str] | None = None) -> Process:
            process = Process(command, folder / f"{next(numbers)}.log", environment or {})
            stack.callback(process.kill)
            return process

        yield start


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start processes that end with the test."""
    with starting(tmp_path) as start:
        yield start


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def arguments(options: Mapping[str, str]) -> list[str]:
    return [word for pair in options.items() for word in pair]


def variables(options: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that stand in for options."""
    return {"ORDAGO_" + name.strip("-").replace("-", "_").upper(): value for name, value in options.items()}


# A whole match at a server of its own


def new_tokens(data: Path, names: Iterable[str]) -> dict[str, str]:
    """Return a token for each name, made out to an account of that name."""
    data.mkdir()
    with Accounts.open(data / "accounts.sqlite", create=True) as accounts:
        return {name: accounts.create_token(account=name, scopes=[Scope.PLAY], now=time.time())[0] for name in names}


async def serve(start: Start, folder: Path, *entrance: str) -> str:
    """Serve Mittlere on any port to whoever has a token; return the address."""
    keeping = ("--tokens", "--data", str(folder / "data"), "--records", str(folder / "records"))
    where = ("--address", "127.0.0.1:0")
    server = start(*ORDAGO, "serve", "--tables", "mittlere", "--option", "deals=3", *where, *keeping, *entrance)
    listening = await server.says("Ctrl-C")
    return listening.partition("listening on ")[2].partition(";")[0]


class Casual(NamedTuple):
    """What is left when bots in all languages have played at the same server, each with a token."""

    tables: list[set[str]]
    """Who sat at each match that came to its end."""
    tokens: dict[str, str]
    exit_codes: dict[str, int]
    said: dict[str, str]


@pytest.fixture(scope="module", params=[False, True], ids=["tls", "mutual-tls"])
def casual(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Casual:
    request.getfixturevalue("built")
    folder = tmp_path_factory.mktemp("casual")
    commands = {client.name: client.command for client in CLIENTS if is_built(client)}
    # So many of the house that every seat of the tables, which have three, is taken.
    house = {f"house-{number}": HOUSE_BOT for number in range(3 - len(commands) % 3)}
    commands |= {name: (*command, "--name", name) for name, command in house.items()}
    with starting(folder) as start:
        return trio.run(partial(play_casually, commands, folder, start, mutual=request.param))


async def play_casually(commands: Mapping[str, Sequence[str]], folder: Path, start: Start, *, mutual: bool) -> Casual:
    files, tokens = Files(folder), new_tokens(folder / "data", commands)
    entrance = ["--tls-cert", str(files.certificate), "--tls-key", str(files.key)]
    entrance += ["--tls-client-ca", str(files.clients)] if mutual else []
    address = await serve(start, folder, *entrance)
    tls = files.client_options(of=files.client_authority if mutual else None)
    bots = {
        name: start(
            *command, "-v", "--matches-in-all", "1", *arguments({"--address": address, "--token": tokens[name], **tls})
        )
        for name, command in commands.items()
    }
    exit_codes = {name: await bot.exit_code() for name, bot in bots.items()}
    return Casual(tables(folder), tokens, exit_codes, {name: bot.said for name, bot in bots.items()})


def tables(folder: Path) -> list[set[str]]:
    """Return who sat at each match of which there is a record."""
    records = (read_record(path.read_bytes()) for path in (folder / "records").glob("*.record"))
    return [{seat.name for seat in record.seats} for record in records]


def test_they_play_a_casual_match_over_tls_with_tokens(client: Client, casual: Casual) -> None:
    assert any(client.name in seated for seated in casual.tables)
    assert set(casual.exit_codes.values()) == {0}, casual.said
    assert not [name for name, token in casual.tokens.items() if token in casual.said[client.name]]


def test_those_of_the_house_say_no_token_either(casual: Casual) -> None:
    assert not [name for name, said in casual.said.items() for token in casual.tokens.values() if token in said]


# One bot at an authenticator that asks for a token


@asynccontextmanager
async def authenticator(files: Files, folder: Path, *, mutual: bool = True) -> AsyncIterator[tuple[TokenLobby, str]]:
    """Let in over TLS whoever has a token; yield who came in, and the address."""
    lobby = TokenLobby(folder)
    with trio.fail_after(PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", lobby.server, tls=files.tls(mutual=mutual)) as edge:
            yield lobby, f"127.0.0.1:{edge.port}"
    lobby.accounts.close()


async def test_the_environment_stands_in_for_arguments(
    client: Client, files: Files, tmp_path: Path, start: Start
) -> None:
    async with authenticator(files, tmp_path) as (lobby, address):
        options = {"--address": address, "--token": lobby.token(), **files.client_options(of=files.client_authority)}
        bot = start(*client.command, "-v", environment=variables(options))
        await bot.says("connected")
        assert [bot.identity.name for bot in lobby.bots] == [client.name]
        bot.kill()
    assert options["--token"] not in bot.said
    assert "-----BEGIN" not in bot.said


@pytest.mark.parametrize(("token", "sentence"), [("guessed", "not known here"), ("", "asks for a token")])
async def test_a_token_that_is_not_good_ends_the_bot(
    client: Client, files: Files, tmp_path: Path, start: Start, token: str, sentence: str
) -> None:
    async with authenticator(files, tmp_path) as (lobby, address):
        options = {"--address": address, "--token": token, **files.client_options(of=files.client_authority)}
        bot = start(*client.command, *arguments(options))
        assert await bot.exit_code() == 3
        assert not lobby.bots
    assert f"the server at {address} ended the session" in bot.said
    assert sentence in bot.said
    assert "guessed" not in bot.said


@pytest.mark.parametrize("told", ["--tls", "ORDAGO_TLS", "--tls-ca"])
async def test_a_server_that_is_not_believed_gets_no_token(
    client: Client, files: Files, tmp_path: Path, start: Start, told: str
) -> None:
    """It is not tried again either: trying does not mend a certificate."""
    other = arguments(files.client_options(believes=trustme.CA()))
    words = {"--tls": ["--tls"], "--tls-ca": other}.get(told, [])
    async with authenticator(files, tmp_path, mutual=False) as (lobby, address):
        options = {"--address": address, "--token": lobby.token()}
        environment = {"ORDAGO_TLS": "1"} if told == "ORDAGO_TLS" else {}
        bot = start(*client.command, *arguments(options), *words, environment=environment)
        assert await bot.exit_code() == 3
        assert not lobby.bots
    assert f"the server at {address} has a certificate of an authority that is not trusted here" in bot.said
    assert "trying again" not in bot.said


# What a bot is told that cannot be


@pytest.fixture
def pems(files: Files, tmp_path: Path) -> dict[str, str]:
    """Files that a bot could be given, by what they are."""
    der, text = tmp_path / "server.der", tmp_path / "text"
    der.write_bytes(b"0\x82\x01\x0a")
    text.write_text("no certificate")
    paths = {"certificate": files.certificate, "key": files.key, "der": der, "text": text, "folder": tmp_path}
    return {name: str(path) for name, path in paths.items()} | {"missing": str(tmp_path / "none.pem")}


UNUSABLE = [
    ({"--tls-cert": "certificate"}, "--tls-cert and --tls-key belong together"),
    ({"--tls-key": "key"}, "--tls-cert and --tls-key belong together"),
    ({"--tls-ca": "certificate", "--tls-key": "key"}, "--tls-cert and --tls-key belong together"),
    ({"--tls-ca": "missing"}, "cannot read {missing}: no such file"),
    ({"--tls-ca": "folder"}, "cannot read {folder}: "),
    ({"--tls-cert": "missing", "--tls-key": "key"}, "cannot read {missing}: no such file"),
    ({"--tls-cert": "certificate", "--tls-key": "missing"}, "cannot read {missing}: no such file"),
    ({"--tls-ca": "key"}, "{key} holds no certificates, as PEM"),
    ({"--tls-ca": "text"}, "{text} holds no certificates, as PEM"),
    ({"--tls-ca": "der"}, "{der} holds no certificates, as PEM"),
    ({"--tls-cert": "text", "--tls-key": "key"}, "{text} and {key} are no certificate and its key"),
    ({"--tls-cert": "certificate", "--tls-key": "der"}, "{certificate} and {der} are no certificate and its key"),
]
"""What a bot is given, by the names of the fixture, and what it says of it."""


async def test_files_that_cannot_be_used_are_told_in_a_sentence(
    client: Client, pems: dict[str, str], start: Start
) -> None:
    """All at once: a bot takes its time to begin, and none to find out. A line with the usage may stand before it."""
    given = [arguments({option: pems[name] for option, name in options.items()}) for options, _ in UNUSABLE]
    bots = [start(*client.command, *words) for words in given]
    told = [(await bot.exit_code(), bot.said) for bot in bots]
    sentences = [sentence.format(**pems) for _, sentence in UNUSABLE]
    assert [
        (words, sentence, code, said)
        for words, sentence, (code, said) in zip(given, sentences, told, strict=True)
        if code != 2 or sentence not in said.splitlines()[-1] or len(said.splitlines()) > 2
    ] == []


async def test_a_file_that_the_environment_names_is_told_too(client: Client, start: Start) -> None:
    bot = start(*client.command, environment=variables({"--tls-ca": "none.pem"}))
    assert await bot.exit_code() == 2
    assert "ORDAGO_TLS_CA: cannot read none.pem: no such file" in bot.said


async def test_an_argument_without_a_file_is_no_connection_in_the_open(client: Client, start: Start) -> None:
    """A shell makes it of ``--tls-ca "$CA"`` where there is no such variable."""
    bot = start(*client.command, "--tls-ca", "")
    assert await bot.exit_code() == 2
    assert "--tls-ca: cannot read" in bot.said


@pytest.mark.parametrize("token", ["secret\n", "secrèt"])
async def test_a_token_that_cannot_be_sent_is_told_but_not_shown(client: Client, start: Start, token: str) -> None:
    bot = start(*client.command, environment={"ORDAGO_TOKEN": token})
    assert await bot.exit_code() == 2
    assert "the token holds a character that no token has" in bot.said
    assert "secr" not in bot.said


@pytest.mark.parametrize("asked", ["--token-file", "ORDAGO_TOKEN_FILE"])
async def test_a_token_comes_from_a_file(client: Client, tmp_path: Path, start: Start, asked: str) -> None:
    lobby = TokenLobby(tmp_path)
    (tmp_path / "token").write_text(f"{lobby.token()}\n")
    named = {asked: str(tmp_path / "token")}
    given, environment = ((), named) if asked.isupper() else (arguments(named), {})
    async with Edge.open("127.0.0.1:0", lobby.server) as edge:
        address = ("--address", f"127.0.0.1:{edge.port}")
        bot = start(*client.command, *address, *given, environment={"ORDAGO_TOKEN": "of-others", **environment})
        await bot.says("connected")
        bot.kill()
    lobby.accounts.close()


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (None, "none cannot be used: no such file"),
        ("\n", "token cannot be used: it has no token"),
        ("s\necret", "token cannot be used: it has more than one line"),
    ],
)
async def test_a_file_without_a_token_is_told(
    client: Client, tmp_path: Path, start: Start, contents: str | None, sentence: str
) -> None:
    (tmp_path / "token").write_text(contents or "")
    path = "none" if contents is None else str(tmp_path / "token")
    bot = start(*client.command, "--token-file", path)
    assert await bot.exit_code() == 2
    assert sentence in bot.said
    assert "ecret" not in bot.said


async def test_an_empty_environment_says_nothing(client: Client, tmp_path: Path, start: Start) -> None:
    lobby = TokenLobby(tmp_path)
    names = ("TOKEN", "TOKEN_FILE", "TLS", "TLS_CA", "TLS_CERT", "TLS_KEY")
    empty = {f"ORDAGO_{name}": "" for name in names}
    async with Edge.open("127.0.0.1:0", lobby.server) as edge:
        options = {"--address": f"127.0.0.1:{edge.port}", "--token": lobby.token()}
        bot = start(*client.command, *arguments(options), environment=empty)
        await bot.says("connected")
        bot.kill()
    lobby.accounts.close()


async def test_help_names_the_options_and_their_variables(client: Client, start: Start) -> None:
    bot = start(*client.command, "--help", environment={"ORDAGO_TOKEN": "secret"})
    await bot.exit_code()
    names = ("TOKEN", "TOKEN_FILE", "TLS", "TLS_CA", "TLS_CERT", "TLS_KEY")
    assert not [name for name in names if f"$ORDAGO_{name}" not in bot.said]
    assert not [name for name in names if f"-{name.lower().replace('_', '-')}" not in bot.said]
    assert "secret" not in bot.said
