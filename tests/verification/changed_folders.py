"""Ways to change what was published, without making the rest anew: what is found, and where."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ordago import v1
from ordago.record import read_record, to_file_bytes, to_json

Change = Callable[[Path], object]


class Forgery(NamedTuple):
    """A change of a folder, and what has to be found."""

    change: Change
    file: str
    """The file that is to be named; a record by its number among the records, and ``told`` for any page of a match."""
    words: str


def _replace(name: str, old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


def _delete(name: str) -> Change:
    return lambda folder: (folder / name).unlink()


def records(folder: Path) -> list[Path]:
    """Return the records of a folder, in the order of their names."""
    return sorted((folder / "records").iterdir())


def told(folder: Path) -> list[Path]:
    """Return the pages of a folder on which matches are told, in the order of their names."""
    return sorted((folder / "told").iterdir())


def in_record(edit: Callable[[v1.MatchRecord], object]) -> Change:
    """Return a change of the first record, whose digest is made anew."""

    def change(folder: Path) -> None:
        path = records(folder)[0]
        record = read_record(path.read_bytes())
        edit(record)
        path.write_bytes(to_file_bytes(record))

    return change


def _in_ladder(edit: Callable[[Any], object]) -> Change:
    def change(folder: Path) -> None:
        path = folder / "ladder.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        edit(content)
        text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")

    return change


def _exchange(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    changed = text.replace("ana", "?").replace("ben", "ana").replace("?", "ben")
    assert changed != text
    path.write_text(changed, encoding="utf-8")


def _exchange_on(name: str) -> Change:
    return lambda folder: _exchange(folder / name)


def _exchange_in_tale(folder: Path) -> None:
    _exchange(next(path for path in told(folder) if b"ana" in path.read_bytes()))


def _second_tale(folder: Path) -> None:
    shutil.copy(told(folder)[0], folder / "told" / f"{'0' * 32}.html")


def _copy(name: str, other: str) -> Change:
    return lambda folder: shutil.copy(folder / name, folder / other)


def _mkdir(name: str) -> Change:
    return lambda folder: (folder / name).mkdir()


def _invent_ratings(ladder: Any) -> None:
    ladder["secret"] = None
    for line in ladder["overall"]["ladder"]:
        line["elo"] = (line["elo"] or 1500) + (100 if line["entrant"] == "dan" else -100)


def _second_record(folder: Path) -> None:
    (folder / "records" / f"{'0' * 32}.record").write_bytes(records(folder)[0].read_bytes())


def _other_records_name(folder: Path) -> None:
    first, second, *_ = records(folder)
    second.write_bytes(first.read_bytes())


def _as_json(folder: Path) -> None:
    path = records(folder)[0]
    path.write_text(to_json(read_record(path.read_bytes())), encoding="utf-8")


def _link_page(folder: Path) -> None:
    (folder / "index.html").rename(folder.parent / "index.html")
    (folder / "index.html").symlink_to(folder.parent / "index.html")


def _replace_in_replay(folder: Path) -> None:
    page = told(folder)[0]
    text = page.read_text(encoding="utf-8")
    begin, end = text.index('id="match">'), text.rindex("</script>")
    page.write_text(text[:begin] + text[begin:end].replace("deals.", "cheats.") + text[end:], encoding="utf-8")


def _link_folder(name: str) -> Change:
    def change(folder: Path) -> None:
        (folder / name).rename(folder.parent / "elsewhere")
        (folder / name).symlink_to(folder.parent / "elsewhere")

    return change


def _without_choices(record: v1.MatchRecord) -> None:
    del record.entries[5:]


def _shuffle_otherwise(record: v1.MatchRecord) -> None:
    cards = record.entries[0].shuffle.cards
    cards[0], cards[1] = cards[1], cards[0]


def _append(name: str, data: bytes) -> Change:
    def change(folder: Path) -> None:
        with (folder / name).open("ab") as file:
            file.write(data)

    return change


def _fifo(folder: Path) -> None:
    (folder / "ladder.pgn").unlink()
    os.mkfifo(folder / "ladder.pgn")


_NOT_GIVEN = "From line "

CHANGED: Mapping[str, Forgery] = {
    "two entrants exchanged on the page": Forgery(_exchange_on("index.html"), "index.html", _NOT_GIVEN),
    "a byte more on the page": Forgery(_append("index.html", b"\n"), "index.html", _NOT_GIVEN),
    "the page deleted": Forgery(_delete("index.html"), "index.html", "cannot be read: No such file"),
    "the page a link": Forgery(_link_page, "index.html", "it is a link"),
    "two entrants exchanged where it stands who is better": Forgery(
        _exchange_on("likelihoods.html"), "likelihoods.html", _NOT_GIVEN
    ),
    "two entrants exchanged where it stands who met": Forgery(
        _exchange_on("meetings.html"), "meetings.html", _NOT_GIVEN
    ),
    "two entrants exchanged where it stands how it came about": Forgery(
        _exchange_on("course.html"), "course.html", _NOT_GIVEN
    ),
    "no page of how it came about": Forgery(_delete("course.html"), "course.html", "cannot be read"),
    "two entrants exchanged on a page of matches": Forgery(
        _exchange_on("matches/1.html"), "matches/1.html", _NOT_GIVEN
    ),
    "a page of matches deleted": Forgery(_delete("matches/1.html"), "matches/1.html", "cannot be read"),
    "a page of matches too many": Forgery(
        _copy("matches/1.html", "matches/2.html"), "matches/2.html", "not a published file"
    ),
    "pages of games for a single one": Forgery(_mkdir("games"), "games", "not a published file"),
    "matches elsewhere": Forgery(_link_folder("matches"), "matches/", "it is a link"),
    "another tale of a match": Forgery(_exchange_in_tale, "told", _NOT_GIVEN),
    "a tale deleted": Forgery(lambda folder: told(folder)[0].unlink(), "told", "cannot be read"),
    "a tale of no match": Forgery(_second_tale, f"told/{'0' * 32}.html", "not a published file"),
    "tales elsewhere": Forgery(_link_folder("told"), "told/", "it is a link"),
    "another script": Forgery(_append("assets/replay.js", b"alert(1)"), "assets/replay.js", _NOT_GIVEN),
    "a script of somebody": Forgery(
        _copy("assets/replay.js", "assets/evil.js"), "assets/evil.js", "not a published file"
    ),
    "other cards in a replay": Forgery(_replace_in_replay, "told", _NOT_GIVEN),
    "the face of another card": Forgery(
        _copy("faces-french/38.svg", "faces-french/35.svg"), "faces-french/35.svg", _NOT_GIVEN
    ),
    "faces elsewhere": Forgery(_link_folder("faces-french"), "faces-french/", "it is a link"),
    "another CSV": Forgery(_replace("ladder.csv", "overall,1,", "overall,4,"), "ladder.csv", _NOT_GIVEN),
    "the CSV deleted": Forgery(_delete("ladder.csv"), "ladder.csv", "cannot be read"),
    "other pairings": Forgery(_replace("ladder.pgn", 'Result "1-0"', 'Result "0-1"'), "ladder.pgn", _NOT_GIVEN),
    "pairings that are a pipe": Forgery(_fifo, "ladder.pgn", "it is a pipe"),
    "no secret, and invented ratings": Forgery(_in_ladder(_invent_ratings), "ladder.json", _NOT_GIVEN),
    "JSON laid out otherwise": Forgery(
        lambda folder: (folder / "ladder.json").write_text(
            json.dumps(json.loads((folder / "ladder.json").read_text(encoding="utf-8")), sort_keys=True)
        ),
        "ladder.json",
        _NOT_GIVEN,
    ),
    "another title": Forgery(_replace("event.toml", "A small event", "A large event"), "index.html", _NOT_GIVEN),
    "another weighting": Forgery(
        _replace("event.toml", "suspend_after = 6", 'suspend_after = 6\noverall = "games"'), "ladder.json", _NOT_GIVEN
    ),
    "another environment": Forgery(_replace("event.toml", 'KEY = ""', 'KEY = "x"'), "event.toml", _NOT_GIVEN),
    "another command": Forgery(_replace("event.toml", "./cleo", "./better"), "ledger.jsonl", "to another event file"),
    "other terms": Forgery(
        _replace("event.toml", "forfeit_after = 3", "forfeit_after = 9"), "ledger.jsonl", "to another event file"
    ),
    "more repetitions": Forgery(
        _replace("event.toml", "[[game]]", "repetitions = 2\n[[game]]"), "ledger.jsonl", "to another event file"
    ),
    "another name": Forgery(_replace("event.toml", 'name = "small"', 'name = "big"'), "ledger.jsonl", "of the event"),
    "an entrant renamed": Forgery(
        _replace("event.toml", 'name = "ana"', 'name = "anna"'), "ledger.jsonl", "The entrants are not"
    ),
    "a record deleted": Forgery(lambda folder: records(folder)[0].unlink(), "0", "No such file"),
    "a record too many": Forgery(_second_record, f"records/{'0' * 32}.record", "not a published file"),
    "a record of another match": Forgery(_other_records_name, "1", "is of another match"),
    "a record in JSON": Forgery(_as_json, "0", "byte for byte"),
    "a byte more in a record": Forgery(
        lambda folder: _append(f"records/{records(folder)[0].name}", b"\x78\x01")(folder), "0", "something was added"
    ),
    "a record cut off": Forgery(
        lambda folder: records(folder)[0].write_bytes(records(folder)[0].read_bytes()[:-9]), "0", "not a record"
    ),
    "a record that ends too soon": Forgery(in_record(_without_choices), "0", "end before the match"),
    "another shuffle": Forgery(in_record(_shuffle_otherwise), "0", "another shuffle"),
    "a record that knows the secret": Forgery(
        in_record(lambda record: setattr(record, "secret", bytes(range(32)))), "0", "contains the secret"
    ),
    "other build": Forgery(in_record(lambda record: setattr(record.seats[0], "build", "b")), "0", "checked in with"),
    "a note beside": Forgery(lambda folder: (folder / "README").write_text("!"), "README", "not a published file"),
    "a folder beside": Forgery(lambda folder: (folder / "more").mkdir(), "more", "not a published file"),
    "records elsewhere": Forgery(_link_folder("records"), "records/", "it is a link"),
}

Lines = Callable[[list[str]], list[str]]


def _in_ledger(edit: Lines) -> Change:
    def change(folder: Path) -> None:
        path = folder / "ledger.jsonl"
        path.write_text("".join(edit(path.read_text(encoding="utf-8").splitlines(keepends=True))), encoding="utf-8")

    return change


BROKEN_CHAINS: Mapping[str, Change] = {
    "a line dropped": _in_ledger(lambda lines: lines[:4] + lines[5:]),
    "a line doubled": _in_ledger(lambda lines: lines[:5] + lines[4:]),
    "two lines exchanged": _in_ledger(lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]]),
    "the first line dropped": _in_ledger(lambda lines: lines[1:]),
    "no lines": _in_ledger(lambda lines: lines[:0]),
    "an empty line": _in_ledger(lambda lines: [*lines, "\n"]),
    "no line end": _in_ledger(lambda lines: [*lines[:-1], lines[-1].rstrip("\n")]),
    "spaces": _in_ledger(lambda lines: [lines[0].replace(",", ", "), *lines[1:]]),
    "another nonce": _in_ledger(lambda lines: [lines[0], lines[1].replace("616e61", "616e62"), *lines[2:]]),
    "an attempt forgotten": _in_ledger(lambda lines: [line for line in lines if '"void"' not in line]),
    "another reason": _in_ledger(lambda lines: [line.replace("the server failed", "the weather") for line in lines]),
    "no JSON": _in_ledger(lambda lines: [*lines, "}{\n"]),
}
"""What cannot be read as a ledger any more."""
