"""What a file is after a power cut: whole, or as it was before."""

import os
from pathlib import Path

import pytest
from support.power_cut import failing_disk

from ordago.files import private_file, write_whole


def test_a_file_that_was_written_survives_a_power_cut(tmp_path: Path):
    with failing_disk(tmp_path) as disk:
        write_whole(tmp_path / "file", b"one")
        assert disk.certain() == {"file": b"one"}
        write_whole(tmp_path / "file", b"two")
        assert disk.certain() == {"file": b"two"}


def test_a_name_never_stands_for_a_file_that_is_not_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A power cut may come at once when the new file has taken the place of the old one."""
    replace, seen = os.replace, []
    with failing_disk(tmp_path) as disk:
        write_whole(tmp_path / "file", b"one")

        def replace_and_look(source: Path, target: Path) -> None:
            replace(source, target)
            seen.append((disk.certain(), disk.possible()))

        monkeypatch.setattr(os, "replace", replace_and_look)
        write_whole(tmp_path / "file", b"two")
    assert seen == [({"file": b"one"}, {"file": b"two"})]


def test_a_folder_is_not_taken_for_a_private_file(tmp_path: Path):
    mode = tmp_path.stat().st_mode
    with pytest.raises(FileExistsError, match="it is no file"):
        private_file(tmp_path)
    assert tmp_path.stat().st_mode == mode
