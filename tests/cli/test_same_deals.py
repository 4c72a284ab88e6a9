"""Two events with the secret, names and nonces of the page about duplicates have the same deals."""

import re
from pathlib import Path

import pytest
from support.commands import ordago

from ordago.record import read_record

PAGE = Path(__file__).parents[2] / "docs" / "duplicates.md"


@pytest.mark.slow
def test_two_events_with_the_same_secret_names_and_nonces_have_the_same_deals(tmp_path: Path) -> None:
    [text] = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    other = text.replace('"solid"', '"default"')
    nonce = text.replace("02" * 16, "03" * 16)
    assert len({text, other, nonce}) == 3
    deals = []
    for number, written in enumerate((text, other, nonce)):
        (tmp_path / "club.toml").write_text(written, encoding="utf-8")
        played = ordago("run", tmp_path / "club.toml", "--out", tmp_path / str(number))
        assert played.exit_code == 0, played.output
        records = [read_record(file.read_bytes()) for file in (tmp_path / str(number) / "records").iterdir()]
        deals.append(sorted((one.match_id, one.deal_seed) for one in records))
    assert deals[0] == deals[1]
    assert len(deals[0]) > 0
    assert not {seed for _, seed in deals[0]} & {seed for _, seed in deals[2]}
