"""What somebody might put into a folder to trouble whoever verifies it, and the words of the sentence that is told."""

import json
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from support.organiser import EVENT
from verification.changed_folders import Change, in_record, records

from ordago import v1


class Hostile(NamedTuple):
    """A hostile folder."""

    change: Change
    words: str
    exit_code: int = 1


_GIGABYTES: Final = 5 << 30
_MANY: Final = 1_000_000


def _write(name: str, content: str | bytes) -> Change:
    def change(folder: Path) -> None:
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)

    return change


def _event(old: str, new: str) -> Change:
    assert old in EVENT
    return _write("event.toml", EVENT.replace(old, new, 1))


def _in_place_of_record(put: Callable[[Path], object]) -> Change:
    """Return a change that puts something where the first record is."""

    def change(folder: Path) -> None:
        path = records(folder)[0]
        path.unlink()
        put(path)

    return change


def _socket(path: Path) -> None:
    # The address of a socket is short, and a temporary folder is deep.
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(_GIGABYTES)


def _cyclic(folder: Path) -> None:
    for path in records(folder):
        path.unlink()
    (folder / "records").rmdir()
    (folder / "records").symlink_to(folder)


def _cyclic_record(path: Path) -> None:
    path.symlink_to(path.name)


def _many_seats(record: v1.MatchRecord) -> None:
    record.MergeFromString(v1.MatchRecord(seats=[v1.RecordSeat()]).SerializeToString() * (_MANY // 5))


def _many_entries(record: v1.MatchRecord) -> None:
    record.MergeFromString(v1.MatchRecord(entries=[v1.RecordEntry()]).SerializeToString() * (_MANY // 5))


def _many_forfeits(record: v1.MatchRecord) -> None:
    forfeit = v1.RecordEntry(forfeit=v1.Forfeit(seat=2**32 - 1, fault=v1.FAULT_CRASHED))
    record.MergeFromString(v1.MatchRecord(entries=[forfeit]).SerializeToString() * (_MANY // 10))


def _large_numbers(record: v1.MatchRecord) -> None:
    for entry in record.entries:
        if entry.HasField("choice"):
            entry.choice.charged_ms = entry.choice.lag_ms = entry.choice.away_ms = 2**32 - 1


def _many_strikes(record: v1.MatchRecord) -> None:
    for entry in record.entries:
        if entry.HasField("choice"):
            entry.choice.strikes = 2**32 - 1


def _odd_names(folder: Path) -> None:
    for name in (b"\x1b[2J\nclean: 3 records", b"\xff\xfe", b"a" * 255, b"-rf", b".record"):
        (folder / "records" / os.fsdecode(name)).write_bytes(b"")


def _without_end(folder: Path) -> None:
    """Let the event go on, so that its results are read from the ladder."""
    ledger = folder / "ledger.jsonl"
    ledger.write_text("".join(ledger.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")


def _ladder(content: str) -> Change:
    def change(folder: Path) -> None:
        _without_end(folder)
        (folder / "ladder.json").write_text(content, encoding="utf-8")

    return change


def _large_scores(folder: Path) -> None:
    _without_end(folder)
    ladder = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))
    ladder["matches"][0]["scores"] = [10**400, -(10**400)]
    (folder / "ladder.json").write_text(json.dumps(ladder), encoding="utf-8")


def _thousands(what: str, number: int) -> str:
    return EVENT + "".join(f'[[{what}]]\nname = "e{at}"\ncommand = "x"\n' for at in range(number))


HOSTILE: Mapping[str, Hostile] = {
    "deep JSON in the ledger": Hostile(_write("ledger.jsonl", "[" * _MANY + "\n"), "is not JSON"),
    "deep JSON in the ladder": Hostile(_ladder('{"matches":' + "[" * _MANY), "has no valid results"),
    "deep JSON in a record": Hostile(
        _in_place_of_record(lambda path: path.write_text('{"record":' * 100_000)), "not a record in JSON"
    ),
    "deep TOML": Hostile(_write("event.toml", "a = " + "[" * 100_000), "nested too deeply"),
    "large TOML": Hostile(_write("event.toml", EVENT + "#" * _MANY), "more than 262,144 characters"),
    "a folder for a record": Hostile(_in_place_of_record(Path.mkdir), "it is a folder"),
    "a link for a record": Hostile(_in_place_of_record(lambda path: path.symlink_to("/etc/passwd")), "it is a link"),
    "zeros by a link": Hostile(_in_place_of_record(lambda path: path.symlink_to("/dev/zero")), "it is a link"),
    "a link to itself": Hostile(_in_place_of_record(_cyclic_record), "it is a link"),
    "records that are the folder": Hostile(_cyclic, "it is a link"),
    "a pipe for a record": Hostile(_in_place_of_record(os.mkfifo), "it is a pipe"),
    "a socket for a record": Hostile(_in_place_of_record(_socket), "it is a socket"),
    "gigabytes for a record": Hostile(_in_place_of_record(_sparse), "more than 2,097,152 bytes"),
    "gigabytes for a ledger": Hostile(lambda folder: _sparse(folder / "ledger.jsonl"), "more than 33,554,432 bytes"),
    "gigabytes for an event": Hostile(lambda folder: _sparse(folder / "event.toml"), "more than 1,048,576 bytes"),
    "a ledger of millions of lines": Hostile(_write("ledger.jsonl", "\n" * (4 * _MANY)), "more than 1,048 lines"),
    "10^9 repetitions": Hostile(
        _event("[[game]]", "repetitions = 1_000_000_000\n[[game]]"), "at most 100,000 are allowed"
    ),
    "10^4000 repetitions": Hostile(_event("[[game]]", f"repetitions = 1{'0' * 4000}\n[[game]]"), "far too many"),
    "10^9 sets": Hostile(_event("seats = 2", "seats = 2\nsets = 1_000_000_000"), "at most 100,000 are allowed"),
    "thousands of entrants": Hostile(_write("event.toml", _thousands("entrant", 5_000)), "at most 100,000 are allowed"),
    "thousands of games": Hostile(_write("event.toml", _thousands("game", 5_000)), "[[game]] 2"),
    "control characters in a name": Hostile(_event('"ana"', '"\\u001b[2Jana"'), "'name' takes letters"),
    "control characters in a title": Hostile(
        _event('title = "A small', 'title = "\\u001b[2J\\u0000'), "index.html: From line"
    ),
    "a name that is none": Hostile(_event('"ana"', '"' + "a" * 100_000 + '"'), "64 at most"),
    "a record of many seats": Hostile(in_record(_many_seats), "not by 200002"),
    "a record of many entries": Hostile(in_record(_many_entries), "left over: 200000"),
    "a record of many forfeits": Hostile(in_record(_many_forfeits), "A forfeit has to name a seat"),
    "a record of large numbers": Hostile(in_record(_large_numbers), "4294967295 ms are charged"),
    "a record of many strikes": Hostile(in_record(_many_strikes), "4294967295 strikes names 0 broken rules"),
    "odd names": Hostile(_odd_names, "not a published file"),
    "large scores": Hostile(_large_scores, "has no valid results"),
    "no UTF-8 in the ledger": Hostile(_write("ledger.jsonl", b"\xff\xfe\n"), "not UTF-8"),
    "no UTF-8 in the event": Hostile(_write("event.toml", b"\xff\xfe\n"), "not UTF-8"),
    "zeros in the ledger": Hostile(_write("ledger.jsonl", b"\0" * _MANY), "it has no line end"),
}
