"""What is kept of analyses has a bound, and what was looked at lately stays."""

import os
from pathlib import Path

from ordago_web.analysis.cache import AnalysisCache


def test_those_go_first_that_nobody_looked_at(tmp_path: Path):
    cache = AnalysisCache(tmp_path, most_bytes=25)
    for name, looked_at in [("old", 1000), ("older", 900)]:
        cache.keep(name, bytes(10))
        os.utime(tmp_path / f"{name}.json", (looked_at, looked_at))
    assert cache.find("older") == bytes(10), "and with that it is looked at"
    cache.keep("new", bytes(10))
    assert [cache.find(name) is not None for name in ("old", "older", "new")] == [False, True, True]


def test_what_a_kill_left_half_written_goes(tmp_path: Path):
    (tmp_path / "half.json.part").write_bytes(bytes(10))
    AnalysisCache(tmp_path, most_bytes=100).keep("whole", b"{}")
    assert [path.name for path in tmp_path.iterdir()] == ["whole.json"]


def test_what_is_larger_than_all_the_room_is_not_kept(tmp_path: Path):
    cache = AnalysisCache(tmp_path, most_bytes=5)
    cache.keep("large", bytes(10))
    assert cache.find("large") is None
