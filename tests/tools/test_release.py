"""A release has one version in all packages, cut changelogs and equal builds, or is refused with a sentence."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from release import ROOT, RefusedError, check, differing, sums
from versions import PLACES, cut_changelogs, set_version, unreleased, versions

from ordago.version import __version__

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n- More.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n"
CUT = CHANGELOG.replace("- More", "- Less").replace("Unreleased]", "Unreleased]\n\n## [0.2.0] - 2026-02-03")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a copy of the files that have the version."""
    for path, _ in PLACES:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a repository with a changelog and the tag of an earlier release."""
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    git(tmp_path, "tag", "v0.9.0")
    return tmp_path


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True)  # noqa: S603, S607 - ours


def test_all_packages_have_one_version() -> None:
    assert {version for _, version in versions(ROOT)} == {__version__}


def test_another_version_is_written_everywhere_and_nothing_else_changes(tree: Path) -> None:
    before = {path: (tree / path).read_text() for path, _ in PLACES}
    set_version(tree, "12.3.45")
    assert {version for _, version in versions(tree)} == {"12.3.45"}
    assert {path: (tree / path).read_text().replace("12.3.45", __version__) for path in before} == before


def test_a_manifest_without_the_version_is_found(tree: Path) -> None:
    (tree / "clients/java/pom.xml").write_text("<project />")
    assert ("clients/java/pom.xml", "") in versions(tree)


def test_changelogs_are_cut_where_something_is_unreleased(tmp_path: Path) -> None:
    nothing = "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n"
    for name, text in (("CHANGELOG.md", CHANGELOG), ("clients/go/CHANGELOG.md", nothing)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert unreleased(tmp_path) == "- More."
    cut_changelogs(tmp_path, "0.2.0", "2026-02-03")
    assert (tmp_path / "CHANGELOG.md").read_text() == CUT.replace("- Less", "- More")
    assert unreleased(tmp_path) == ""
    assert (tmp_path / "clients/go/CHANGELOG.md").read_text() == nothing


@pytest.mark.parametrize(
    "path", ["CHANGELOG.md", *(str(f.relative_to(ROOT)) for f in ROOT.glob("clients/*/CHANGELOG.md"))]
)
def test_each_changelog_can_be_cut(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    assert text.count("\n## [Unreleased]\n") == 1


@pytest.mark.parametrize("version", ["", "1", "1.0", "v1.0.0", "01.0.0", "1.0.0-rc1", "1.0.0\n", "../1.0.0", "1١.0.0"])
def test_what_is_no_version_is_refused(version: str, checkout: Path) -> None:
    with pytest.raises(RefusedError, match="is not a version"):
        check(checkout, version, checkout / "out")


def test_a_version_that_exists_or_is_lower_is_refused(checkout: Path) -> None:
    with pytest.raises(RefusedError, match=r"the tag v0\.9\.0 exists"):
        check(checkout, "0.9.0", checkout / "out")
    with pytest.raises(RefusedError, match=r"lower than v0\.9\.0"):
        check(checkout, "0.8.10", checkout / "out")


def test_a_checkout_with_changes_is_refused(checkout: Path) -> None:
    (checkout / "new").touch()
    with pytest.raises(RefusedError, match=r"not committed[^\n]*\n\?\? new"):
        check(checkout, "0.10.0", checkout / "out")


def test_a_release_of_nothing_is_refused(checkout: Path) -> None:
    (checkout / "CHANGELOG.md").write_text(CHANGELOG.replace("- More.\n\n", ""))
    git(checkout, "commit", "--quiet", "--all", "--message", "nothing")
    with pytest.raises(RefusedError, match="nothing under Unreleased"):
        check(checkout, "0.10.0", checkout / "out")


def test_a_missing_language_and_a_folder_that_exists_are_refused(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path_factory.mktemp("programs")
    (programs / "git").symlink_to(shutil.which("git") or "git")
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(RefusedError, match="npm, cargo, mvn is missing"):
        check(checkout, "0.10.0", checkout / "out")
    for name in ("npm", "cargo", "mvn"):
        (programs / name).symlink_to(programs / "git")
    check(checkout, "0.10.0", checkout / "out")
    with pytest.raises(RefusedError, match="exists: remove it"):
        check(checkout, "0.10.0", programs)


def test_builds_that_differ_are_found(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        for name in ("a", "b"):
            (folder / name).write_text(name)
    assert differing(one, other) == []
    (one / "a").write_text("A")
    (other / "c").touch()
    assert differing(one, other) == ["a", "c"]


def test_checksums_are_those_of_sha256sum(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a").write_text("a")
    (tmp_path / "SUMS").write_text("".join(sums(tmp_path)))
    subprocess.run(["sha256sum", "--check", "--quiet", "SUMS"], cwd=tmp_path, check=True)  # noqa: S607 - coreutils
