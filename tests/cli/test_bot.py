"""``ordago bot``: a project in a language that has an SDK, as a whole or not at all."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordago.version import __version__
from ordago_cli.bot import command, languages
from ordago_cli.bot.languages import Language, from_registry, languages_of_checkout, packaged_files
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE
from ordago_cli.program import program

PROJECT = """
language = "Snobol"
needs = ["sh", "no-such-program"]
sdk = ["*.sno", "deep/**/*.sno"]
proto = true
build = ["sh", "build it"]
run = ["./bot"]
test = ["sh", "-n"]
"""


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "checkout"
    files = {
        "clients/snobol/project.toml": PROJECT,
        "clients/snobol/sdk.sno": "the sdk of @NAME@",
        "clients/snobol/deep/er/more.sno": "more",
        "clients/snobol/built.o": "left over",
        "clients/snobol/template/bot.sno": "I am @NAME@",
        "clients/snobol/template/.gitignore": "*.o",
        "clients/vectors/decisions.jsonl": "{}",
        "clients/vectors/legality.json": "[]",
        "proto/ordago/v1/mus.proto": "a game",
        "proto/ordago/journal/v1/journal.proto": "nobody's business",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "clients/snobol/template/bot.sno").chmod(0o755)
    monkeypatch.setattr(command, "languages", lambda: languages_of_checkout(root))
    return root


def ordago(*arguments: object) -> Result:
    return CliRunner().invoke(program, ["bot", *map(str, arguments)])


def contents(folder: Path) -> dict[str, str]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


def test_a_project_has_the_template_with_its_name_and_the_sdk_as_it_is(tmp_path: Path) -> None:
    done = ordago("new", "snobol", tmp_path / "my-bot")
    assert done.exit_code == 0, done.output
    assert contents(tmp_path / "my-bot") == {
        "bot.sno": "I am my-bot",
        ".gitignore": "*.o",
        "decisions.jsonl": "{}",
        "ordago-sdk/sdk.sno": "the sdk of @NAME@",
        "ordago-sdk/deep/er/more.sno": "more",
        "ordago-sdk/proto/ordago/v1/mus.proto": "a game",
    }
    assert (tmp_path / "my-bot/bot.sno").stat().st_mode & 0o777 == 0o755


def test_a_project_takes_the_sdk_of_a_registry(checkout: Path, tmp_path: Path) -> None:
    registry = '[registry]\nbuild = ["fetch"]\nchanges = [["bot.sno", "am", "am with @VERSION@ of"]]\n'
    (checkout / "clients/snobol/project.toml").write_text(PROJECT + registry, encoding="utf-8")
    done = ordago("new", "snobol", tmp_path / "my-bot", "--sdk", "registry")
    assert done.exit_code == 0, done.output
    assert "    fetch" in done.output.splitlines()
    assert contents(tmp_path / "my-bot") == {
        "bot.sno": f"I am with {__version__} of my-bot",
        ".gitignore": "*.o",
        "decisions.jsonl": "{}",
    }


def test_a_language_without_a_registry_takes_a_copy(tmp_path: Path) -> None:
    done = ordago("new", "snobol", tmp_path / "my-bot", "--sdk", "registry")
    assert (done.exit_code, "leave out --sdk registry" in done.output) == (EXIT_USAGE, True)
    assert not (tmp_path / "my-bot").exists()


@pytest.mark.parametrize("language", languages.languages().values(), ids=lambda language: language.key)
def test_each_change_for_a_registry_finds_its_text(language: Language) -> None:
    changes = getattr(from_registry(language), "changes", ())
    for file, text, _ in changes:
        assert text in (language.folder / "template" / file).read_text(encoding="utf-8")
    changed = {file for file, _, _ in changes}
    for place, source in language.template_files():
        if changes and "ordago-sdk" in source.read_text(encoding="utf-8"):
            assert str(place) in changed


def test_it_says_what_is_missing_and_what_to_do_next(tmp_path: Path) -> None:
    output = ordago("new", "snobol", tmp_path / "a bot", "--name", "ana").output
    assert "Missing on this machine: no-such-program." in output
    assert f"ana, a bot in Snobol, is in {tmp_path / 'a bot'}" in output
    assert [line.strip() for line in output.splitlines()[-5:]] == [
        f"cd '{tmp_path}/a bot'",
        "sh 'build it'",
        "sh -n",
        "ordago doctor -- ./bot",
        "ordago play mittlere --bot cmd:./bot --bot house:random --bot house:random",
    ]


def test_a_line_for_a_shell_is_told_as_it_is_typed(checkout: Path, tmp_path: Path) -> None:
    line = '["sh", "-c", "make it && test it"]'
    settings = PROJECT.replace('["sh", "build it"]', line)
    (checkout / "clients/snobol/project.toml").write_text(settings, encoding="utf-8")
    output = ordago("new", "snobol", tmp_path / "my-bot").output
    assert "    make it && test it" in output.splitlines()


def test_an_empty_folder_is_filled_also_the_one_that_one_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert ordago("new", "snobol", ".").exit_code == 0
    assert (here / "bot.sno").read_text(encoding="utf-8") == "I am here"
    assert sorted(path.name for path in here.iterdir()) == [".gitignore", "bot.sno", "decisions.jsonl", "ordago-sdk"]


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_nothing_that_is_there_is_touched(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "bot"
    if kind == "folder":
        place.mkdir()
        (place / "thesis.txt").write_text("years of work", encoding="utf-8")
    elif kind == "file":
        place.write_text("years of work", encoding="utf-8")
    else:
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    before = contents(tmp_path)
    done = ordago("new", "snobol", place)
    assert done.exit_code == EXIT_OUTSIDE
    assert done.output == f"ordago: {place} already exists; choose a new or an empty folder\n"
    assert contents(tmp_path) == before


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command, "_copy", fails)
    done = ordago("new", "snobol", tmp_path / "bot")
    assert done.exit_code == EXIT_OUTSIDE
    assert done.output == f"ordago: cannot write to {tmp_path / 'bot'}: No space left on device\n"
    assert not list((tmp_path / "bot").iterdir())


@pytest.mark.parametrize("name", ["Ana", "ana b", "1st", "../up", "a" * 33, "ana\n", 'a"b'])
def test_a_name_that_some_language_would_not_take_is_refused(tmp_path: Path, name: str) -> None:
    done = ordago("new", "snobol", tmp_path / "bot", "--name", name)
    assert done.exit_code == EXIT_USAGE
    assert "small letters, digits and hyphens" in done.output
    assert not (tmp_path / "bot").exists()


def test_a_further_template_has_its_own_files_beside_the_others(checkout: Path, tmp_path: Path) -> None:
    further = checkout / "clients/snobol/template-policy/bot.sno"
    further.parent.mkdir()
    further.write_text("@NAME@ plays by a model", encoding="utf-8")
    assert ordago("new", "snobol", tmp_path / "my-bot", "--template", "policy").exit_code == 0
    written = contents(tmp_path / "my-bot")
    assert (written["bot.sno"], written[".gitignore"]) == ("my-bot plays by a model", "*.o")
    assert "sdk/snobol/template-policy/bot.sno" in {str(place) for _, place in packaged_files(checkout)}


@pytest.mark.parametrize("template", ["polic", "../template", ""])
def test_a_template_that_there_is_not_is_refused(tmp_path: Path, template: str) -> None:
    done = ordago("new", "snobol", tmp_path / "bot", "--template", template)
    assert done.exit_code == EXIT_USAGE
    assert done.output == f"ordago: there is no template {template!r} for Snobol; there are none\n"
    assert not (tmp_path / "bot").exists()


def test_a_language_without_an_sdk_is_refused(tmp_path: Path) -> None:
    done = ordago("new", "snobl", tmp_path / "bot")
    assert (done.exit_code, done.output) == (
        EXIT_USAGE,
        "ordago: there is no SDK for 'snobl'; did you mean 'snobol'?\n",
    )


def test_the_languages_are_listed_with_what_they_lack() -> None:
    assert "needs no-such-program" in ordago("languages").output
    [told] = json.loads(ordago("languages", "--json").output)
    assert told == {"language": "snobol", "name": "Snobol", "missing": ["no-such-program"]}


def test_an_installed_package_writes_the_same_project(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages/ordago"
    for source, place in packaged_files(checkout):
        (package / place).parent.mkdir(parents=True, exist_ok=True)
        (package / place).write_bytes(source.read_bytes())
    monkeypatch.setattr(languages, "_INSTALLED", package / "sdk")
    [installed] = languages.languages().values()
    [of_checkout] = languages_of_checkout(checkout).values()

    def places(language: Language) -> list[Path]:
        return [place for place, _ in (*language.template_files(), *language.sdk_files())]

    assert places(installed) == places(of_checkout)
    assert not any("journal" in str(path) or path.suffix == ".o" for path in package.rglob("*"))
