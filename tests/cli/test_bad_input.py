"""What a user gets who makes a mistake: one sentence, the right exit code, no traceback."""

import errno
import os
import re
import shutil
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from support.commands import EVENT, assert_told, event_file, ordago

from ordago.record import read_record, to_file_bytes
from ordago_cli.errors import EXIT_SERVER
from ordago_cli.event import running
from ordago_ladder.publication import files
from ordago_ladder.run.attempts import VoidMatchError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


BOTS = ("--bot", "house:random", "--bot", "house:random", "--bot", "house:random")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("games", "mitlere"), ("no game 'mitlere'", "'mittlere'")),
        (("play", "mitlere", *BOTS), ("no game 'mitlere'", "'mittlere'")),
        (("play", "mittlere", *BOTS[:4]), ("played by 3, not by 2", "--bot")),
        (("play", "mittlere", *BOTS[:4], "--bot", "house:rnd"), ("no house bot 'rnd'",)),
        (("play", "mittlere", *BOTS[:4], "--bot", "house:solid:wolds=2"), ("no setting 'wolds'", "'worlds'")),
        (("play", "mittlere", *BOTS[:4], "--bot", "house:solid:worlds=0"), ("'worlds'", "1 to 256")),
        (("play", "mittlere", *BOTS[:4], "--bot", "random"), ("house:NAME or cmd:COMMAND", "'random'")),
        (("play", "mittlere", *BOTS[:4], "--bot", "cmd:no-such-program"), ("no program 'no-such-program'",)),
        (("play", "mittlere", *BOTS[:4], "--bot", "cmd:'"), ("open quote",)),
        (("play", "mittlere", *BOTS[:4], "--bot", "cmd:"), ("needs a command after it",)),
        (("play", "mittlere", *BOTS, "--option", "deals"), ("KEY=VALUE", "'deals'")),
        (("play", "mittlere", *BOTS, "--option", "deal=3"), ("no option 'deal'", "deals")),
        (("play", "mittlere", *BOTS, "--option", "deals=4"), ("'deals'", "multiple of 3")),
        (("play", "mittlere", *BOTS, "--seed", "xyz"), ("hexadecimal", "'xyz'")),
        (("serve", "--tables", "poker"), ("no game 'poker'",)),
        (("serve",), ("--tables",)),
        (("run",), ("EVENT.toml",)),
        (("plan", "event.toml", "--rate", "0"), ("--rate", "x>0")),
        (("plan", "event.toml", "--rate", "1", "--measure"), ("cannot be combined",)),
        (("no-such-command",), ("no-such-command",)),
    ],
)
def test_a_wrong_command_line_is_told_with_exit_code_2(arguments: Sequence[str], words: Sequence[str]):
    assert_told(ordago(*arguments), 2, *words)


@pytest.mark.parametrize("command", ["check", "plan", "run", "status", "report"])
@pytest.mark.usefixtures("folder")
def test_a_missing_event_file_is_told(command: str):
    assert_told(ordago(command, "none.toml"), 3, "none.toml", "No such file")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[event]", "[event", ("line 2", "invalid TOML")),
        ('house = "default"', 'hose = "default"', ("[[entrant]] 2", "unknown key 'hose'", "'house'")),
        ('name = "mittlere"', 'name = "mitlere"', ("[[game]] 1", "no game 'mitlere'", "'mittlere'")),
        ('house = "default"', 'house = "defalt"', ("no house bot 'defalt'", "'default'")),
        ("deals = 3", "deals = 4", ("'deals'", "multiple of 3")),
        ('name = "beta"', 'name = "alpha"', ("'alpha' is taken",)),
        ('name = "beta"', 'name = "Alpha"', ("'Alpha' cannot be told from 'alpha'", "choose another")),
        ('name = "beta"', 'name = "<b>"', ("[[entrant]] 2", "'name' takes letters", "'<b>'")),
        ("[event]", 'title = "x"\n[event]', ("'title' is before the first section", "[event]")),
        ("[event]", "sets = 3\n[event]", ("'sets' is before the first section", "[[game]]")),
        ("[event]", 'nmae = "x"\n[event]', ("'nmae' is before the first section", "[event] for instance")),
        ("[[game]]", f"repetitions = 1{'0' * 24}\n[[game]]", ("far too many matches", "make it smaller")),
        ("[[game]]", f"repetitions = 1{'0' * 5000}\n[[game]]", ("a number that is far too long",)),
        ('house = "default"', 'house = "default"\nenv = { KEY = "a\\u0000b" }', ("[[entrant]] 2", "NUL", "'KEY'")),
        ('house = "default"', 'house = "default"\nenv = { "A=B" = "x" }', ("[[entrant]] 2", "without '='", "'A=B'")),
        ('house = "default"', 'command = ["python3", "a\\u0000"]', ("[[entrant]] 2", "'command'", "NUL")),
        ('house = "default"', 'command = "no-such-program x"', ("no program 'no-such-program'", "'beta'")),
    ],
)
def test_a_wrong_event_file_is_told_by_place(folder: Path, old: str, new: str, words: Sequence[str]):
    path = event_file(folder, EVENT.replace(old, new))
    assert_told(ordago("run", path), 2, *words)
    assert not (folder / "out").exists()


def test_a_byte_order_mark_before_an_event_file_is_passed_over(folder: Path):
    path = folder / "event.toml"
    path.write_bytes(EVENT.encode("utf-8-sig"))
    assert_told(ordago("check", path), 0, "is valid")
    path.write_bytes(EVENT.encode("utf-16"))
    assert_told(ordago("check", path), 2, "not UTF-8 text", "save it as UTF-8")


@pytest.mark.slow
def test_a_bot_that_exits_at_once_is_told_with_its_last_words(folder: Path):
    bot = 'command = ["python3", "-c", "raise SystemExit(\'no licence\')"]'
    path = event_file(folder, EVENT.replace('house = "default"', bot))
    result = ordago("run", path, "--out", "out")
    assert_told(result, 4, "'beta' exited at once with code 1", "no licence", "beta.0.log", "run again")


def test_metrics_of_an_event_that_cannot_be_served_are_told(folder: Path):
    result = ordago("run", event_file(folder), "--metrics", "nowhere")
    assert_told(result, 2, "--metrics", "HOST:PORT")
    assert not (folder / "out").exists()


@pytest.mark.slow
def test_a_plan_measures_only_where_it_is_asked_to(folder: Path):
    """And keeps nothing of what is played for it."""
    event = event_file(folder)
    assert_told(ordago("plan", event), 0, "matches                  6", "unknown; --measure")
    assert_told(ordago("plan", event, "--measure"), 0, "mittlere                 6 matches at", "as 6 went")
    assert [path.name for path in folder.iterdir()] == ["event.toml"]


def test_a_plan_does_not_wait_for_bots_that_are_elsewhere(folder: Path):
    event = event_file(folder, EVENT.replace('house = "default"', "remote = true"))
    assert_told(ordago("plan", event, "--measure"), 2, "remote entrants are not: beta", "--rate")


def test_a_folder_that_is_a_file_is_told(folder: Path):
    (folder / "taken").write_text("")
    result = ordago("run", event_file(folder), "--out", "taken")
    assert_told(result, 3, "cannot use taken", "Not a directory", "--out")


def test_an_event_without_a_run_has_no_status(folder: Path):
    assert_told(ordago("status", event_file(folder)), 3, "holds no event", "--out")


@pytest.mark.slow
def test_a_store_that_cannot_be_opened_is_no_missing_event(finished: Path, tmp_path: Path):
    (tmp_path / "private" / "event.db").mkdir(parents=True)
    told = ordago("status", finished / "event.toml", "--out", tmp_path)
    assert_told(told, 3, f"the event in {tmp_path} cannot be read", "nothing is lost")


def test_a_busy_port_is_told():
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        address = f"127.0.0.1:{busy.getsockname()[1]}"
        assert_told(ordago("serve", "--tables", "mittlere", "--address", address), 3, address, "another")


def test_records_that_are_none_are_told(folder: Path):
    assert_told(ordago("record", "none.record"), 3, "none.record")
    assert_told(ordago("verify", "none.record"), 3, "none.record")
    (folder / "some.record").write_bytes(b"not a record")
    assert_told(ordago("verify", "some.record"), 1, "some.record")
    assert_told(ordago("verify", folder), 1, "some.record", "not clean: 1 finding in 0 records")
    (folder / "some.record").unlink()
    assert_told(ordago("verify", folder), 3, "no published event")


@pytest.mark.slow
def test_a_folder_of_records_verifies_as_a_whole(folder: Path):
    """Whatever the names of the files, and with secrets that are revealed in each of them."""
    records = folder / "records"
    records.mkdir()
    for seed in ("2a", "2b"):
        record = records / f"{seed}.record"
        assert_told(ordago("play", "mittlere", *BOTS, "--option", "deals=3", "--seed", seed, "--record", record), 0)
    assert_told(ordago("verify", records), 0, "clean: 2 records replayed; proved: deals, games and results")
    wrong = read_record(record.read_bytes())
    wrong.entries[0].shuffle.cards.reverse()
    record.write_bytes(to_file_bytes(wrong))
    assert_told(ordago("verify", records), 1, "2b.record: entry 0: The secret and the seed", "in 2 records")
    wrong.ClearField("secret")
    record.write_bytes(to_file_bytes(wrong))
    assert_told(ordago("verify", records, "--secret", "2x"), 2, "hexadecimal")
    assert '"secret_revealed": false' in ordago("verify", records, "--json").output


@pytest.mark.slow
def test_a_published_event_without_its_ledger_is_no_folder_of_records(finished: Path, tmp_path: Path):
    out = tmp_path / "out"
    shutil.copytree(finished / "out", out)
    (out / "ledger.jsonl").unlink()
    shutil.copy(min((out / "records").iterdir()), out)
    assert_told(ordago("verify", out), 3, "no published event", "ledger.jsonl")


@pytest.mark.slow
def test_a_played_match_verifies_until_a_byte_is_changed(folder: Path):
    record = folder / "match.record"
    assert_told(
        ordago("play", "mittlere", *BOTS, "--option", "deals=3", "--seed", "2a", "--record", record), 0, "match.record"
    )
    assert_told(ordago("verify", record), 0, "clean: 1 record")
    content = bytearray(record.read_bytes())
    content[len(content) // 2] ^= 1
    record.write_bytes(content)
    assert_told(ordago("verify", record), 1, "match.record")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event that was run to its end: its folder is ``out`` beside its file."""
    folder = tmp_path_factory.mktemp("event")
    result = ordago("run", event_file(folder), "--out", folder / "out")
    assert_told(result, 0, "alpha", "beta", "gamma", "index.html")
    return folder


@pytest.mark.slow
def test_a_finished_event_is_clean_until_any_choice_is_changed(finished: Path, tmp_path: Path):
    out = tmp_path / "out"
    shutil.copytree(finished / "out", out)
    assert_told(ordago("verify", out), 0, "clean: 6 records")
    record = sorted((out / "records").iterdir())[3]
    written = ordago("record", record, "--json").output
    card = re.search(r'"action": \{\s*"mittlere": \{\s*"card": "(\w+)"', written)
    assert card is not None
    other = "CARD_SIX_OF_CLUBS" if card[1] != "CARD_SIX_OF_CLUBS" else "CARD_SIX_OF_HEARTS"
    changed = written[: card.start(1)] + other + written[card.end(1) :]
    record.write_text(changed, encoding="utf-8")
    assert_told(ordago("verify", out), 1, record.name, "not clean")


@pytest.mark.slow
def test_a_record_that_leads_nowhere_is_found(finished: Path, tmp_path: Path):
    out = tmp_path / "out"
    shutil.copytree(finished / "out", out)
    path = min((out / "records").iterdir())
    record = read_record(path.read_bytes())
    record.ClearField("outcome")
    path.write_bytes(to_file_bytes(record))
    assert_told(ordago("verify", out), 1, path.name, "ended differently", "not clean: 1 finding in")


def test_no_terminal_obeys_what_stands_in_a_record(finished: Path, tmp_path: Path):
    out = tmp_path / "out"
    shutil.copytree(finished / "out", out)
    path = min((out / "records").iterdir())
    record = read_record(path.read_bytes())
    record.seats[0].name = "\x1b[2J\nclean: 3 records replayed"
    path.write_bytes(to_file_bytes(record))
    told = ordago("verify", out)
    assert_told(told, 1, path.name, "not clean: ")
    assert "\x1b" not in told.output
    assert not [line for line in told.output.splitlines() if line.startswith("clean")]


@pytest.mark.slow
def test_an_event_in_which_somebody_has_nothing_to_play_is_clean(folder: Path):
    lone = EVENT.replace("[[entrant]]", '[[entrant]]\nname = "lone"\nhouse = "random"\n[[entrant]]', 1)
    event = event_file(folder, lone.replace("[[game]]", "[[game]]\nsets = 1"))
    assert_told(ordago("run", event, "--out", folder / "out"), 0, "lone")
    assert_told(ordago("verify", folder / "out"), 0, "clean: 6 records")


@pytest.mark.slow
def test_a_second_run_shows_the_ladder_and_plays_nothing(finished: Path):
    result = ordago("run", finished / "event.toml", "--out", finished / "out")
    assert_told(result, 0, "alpha", "index.html")
    assert "matches played" not in result.output


@pytest.mark.parametrize("command", ["run", "status", "report"])
@pytest.mark.parametrize("change", [("deals = 3", "deals = 6"), ("gamma", "delta"), ("alpha", "Alpha")])
def test_the_folder_of_another_event_is_refused(finished: Path, command: str, change: tuple[str, str]):
    other = event_file(finished, EVENT.replace(*change), name="other.toml")
    published = (finished / "out" / "ladder.json").read_bytes()
    assert_told(ordago(command, other, "--out", finished / "out"), 3, "another event", "folder")
    assert (finished / "out" / "ladder.json").read_bytes() == published


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "report"])
def test_what_is_shown_of_an_event_may_be_changed_later(finished: Path, tmp_path: Path, command: str):
    out = tmp_path / "out"
    shutil.copytree(finished / "out", out)
    text = EVENT.replace("[[game]]", 'title = "Another title"\n[[game]]', 1)
    assert_told(ordago(command, event_file(tmp_path, text), "--out", out), 0, "index.html")
    assert "Another title" in (out / "index.html").read_text(encoding="utf-8")
    assert_told(ordago("verify", out), 0, "clean: 6 records")


@pytest.mark.slow
def test_parquet_is_written_elsewhere(finished: Path, tmp_path: Path):
    event, out = finished / "event.toml", finished / "out"
    assert_told(ordago("report", event, "--out", out, "--parquet", out / "tables"), 2, "lies in", "name another")
    assert_told(ordago("run", event, "--out", out, "--parquet", out / "tables"), 2, "lies in", "name another")
    (tmp_path / "taken").write_text("")
    assert_told(ordago("report", event, "--out", out, "--parquet", tmp_path / "taken" / "x"), 3, "cannot publish")
    assert_told(ordago("report", event, "--out", out, "--parquet", tmp_path / "tables"), 0)
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == ["ladder.parquet", "results.parquet"]
    assert_told(ordago("verify", out), 0)


@pytest.mark.slow
def test_status_and_report_say_how_far_it_is(finished: Path):
    assert_told(ordago("status", finished / "event.toml", "--out", finished / "out"), 0, "6 of 6 matches")
    assert_told(ordago("report", finished / "event.toml", "--out", finished / "out"), 0, "index.html")


def test_status_takes_the_folder_of_an_event_as_well(finished: Path, tmp_path: Path):
    assert_told(ordago("status", finished / "out"), 0, "6 of 6 matches")
    assert_told(ordago("status", tmp_path), 3, str(tmp_path / "event.toml"), "No such file")


@pytest.mark.slow
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES], ids=errno.errorcode.get)
def test_a_folder_that_cannot_be_published_into_is_told(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    """And as soon as it can be, all is there again."""
    out = tmp_path / "out"
    shutil.copytree(finished / "out", out)
    (out / "ladder.csv").unlink()

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(files, "write_whole", fail)
        result = ordago("report", finished / "event.toml", "--out", out)
    assert_told(result, 3, f"cannot publish into {out}", os.strerror(number), "report again")
    assert_told(ordago("report", finished / "event.toml", "--out", out), 0)
    assert_told(ordago("verify", out), 0)


def test_a_match_that_is_void_again_and_again_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is to blame, which has an exit code of its own."""

    async def fails(*_: object, **__: object) -> None:
        await trio.lowlevel.checkpoint()
        raise VoidMatchError("the server failed 4 times in match 1")

    monkeypatch.setattr(running, "run_event", fails)
    assert_told(ordago("run", event_file(folder)), EXIT_SERVER, "failed 4 times in match 1; nothing is lost: fix it")
