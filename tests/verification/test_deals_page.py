"""What the page about deals shows is what the engine does, and what its commands print."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from ordago.record.epochs import LENGTH, LinkChain
from ordago.record.ledgers.chain import chained, head_after
from ordago.record.ledgers.ladder import LadderEntry, ladder_deal_seed, ladder_match_id, read_epoch
from ordago.record.ledgers.ladder_order import epoch_problems

PAGE = (Path(__file__).parents[2] / "docs/standing-ladder/deals.md").read_text(encoding="utf-8")
CHAIN = LinkChain(bytes(range(32)), length=3)
LEDGER = read_epoch(re.findall(r"^\{.*\}$", PAGE, re.MULTILINE))


def test_the_chain_on_the_page_is_computed() -> None:
    rows = [re.findall(r"`([0-9a-f]{64})`", line) for line in re.findall(r"^\| (?:anchor|\d) .*$", PAGE, re.MULTILINE)]
    links = [[CHAIN.link(epoch), CHAIN.secret(epoch), CHAIN.secret_digest(epoch)] for epoch in (1, 2, 3)]
    assert rows == [[CHAIN.anchor.hex()], *([value.hex() for value in row] for row in links)]
    assert f"A chain of {LENGTH:,} links" in PAGE


def test_the_ledger_on_the_page_is_one() -> None:
    assert list(epoch_problems(LEDGER)) == []
    assert list(LEDGER.lines) == chained(LEDGER.entries)
    assert LEDGER.secret == CHAIN.secret(1)
    [seating] = LEDGER.seatings.values()
    assert seating.match_id == ladder_match_id(0, secret=CHAIN.secret(1))
    names = [LEDGER.players[seat.player].name for seat in seating.seats]
    assert LEDGER.begin is not None
    assert f"`{ladder_deal_seed(LEDGER.begin, seating, names)}`" in PAGE


def test_every_kind_of_entry_is_told_of() -> None:
    table = PAGE[PAGE.index("## The ledger of an epoch") : PAGE.index("## Matches and their deals")]
    kinds = {kind for entry in get_args(LadderEntry) for kind in get_args(entry.model_fields["kind"].annotation)}
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) - {"kind"} == kinds


def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    """Those of chain and ledger, and that for the name of a match."""
    missing = [name for name in ("bash", "xxd", "sha256sum", "openssl") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"there is no {missing[0]}")
    (tmp_path / "ledger.jsonl").write_text("".join(f"{line}\n" for line in LEDGER.lines), encoding="utf-8")
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
    elsewhere = ("ordago ", "node ")
    commands = [line for line in blocks.splitlines() if "epochs/" not in line and not line.startswith(elsewhere)]
    script = "\n".join(commands)
    told = subprocess.run(["bash", "-eu", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603, S607 - our own page
    wanted = re.findall(r"# ([0-9a-f]{8,32})…", script)
    assert len(wanted) == 6
    assert len(told.stdout.splitlines()) == 6
    for line, digest in zip(told.stdout.splitlines(), wanted, strict=True):
        assert digest in line


def test_heads_on_the_page_are_those_of_its_ledger() -> None:
    for number in (1, 6):
        digest = head_after(LEDGER.lines[number - 1], length=number).digest.hex()
        assert f"# {digest[:8]}…" in PAGE
