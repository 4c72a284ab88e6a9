"""What the bots of an event may reach, by its file."""

from pathlib import Path

import pytest

from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago.arena.processes.isolation.confinement import Confinement, Limits, Sandbox
from ordago_ladder.entrants import sandboxes as module
from ordago_ladder.entrants.launch import launch_command, what_is_missing
from ordago_ladder.entrants.sandboxes import BOTS_ARE_ROOT, NOT_ISOLATED, Sandboxes, exposures, isolation_of
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.settings.settings import Settings

EVENT = """
[event]
name = "small"
{terms}
[[game]]
name = "trio"
[[entrant]]
name = "ana"
command = "./bot"
folder = "bots/ana"
readable = ["models"]
[[entrant]]
name = "ben"
command = "sh bot.sh"
folder = "bots"
[[entrant]]
name = "house"
house = "random"
"""


class FakeIsolation:
    """Keeps what it is asked for."""

    sentence = "each bot is isolated by nobody"
    left_open = ""

    def __init__(self) -> None:
        self.asked: list[Confinement] = []

    def sandbox(self, confinement: Confinement) -> Sandbox:
        self.asked.append(confinement)
        return Sandbox(limits=confinement.limits)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("bots/ana", "models", "out"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "bots/ana/bot").touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def event(terms: str = "") -> Settings:
    return parse_event(EVENT.format(terms=terms))


def test_each_entrant_reads_his_folder_and_hides_it_from_those_who_do_not_work_there(folder: Path) -> None:
    isolation = FakeIsolation()
    settings = event()
    sandboxes = Sandboxes(settings, isolation, hidden=[folder / "out"], socket=folder / "s")
    for entrant in settings.entrants:
        assert sandboxes.of(entrant) is sandboxes.of(entrant), "lives of one entrant have cells of one kind"
    ana, ben, house = isolation.asked
    assert [one.folder for one in isolation.asked] == [folder / "bots/ana", folder / "bots", folder]
    assert folder / "models" in ana.readable
    assert folder / "models" not in ben.readable
    assert ana.hidden == (folder / "out",), "it works within the other folder"
    assert ben.hidden == (folder / "out", folder / "bots/ana")
    assert house.hidden == (folder / "out", folder / "bots/ana", folder / "bots")
    assert {one.socket for one in isolation.asked} == {folder / "s"}


def test_who_would_work_where_no_bot_may_read_is_refused(folder: Path) -> None:
    """As where the run is started in the folder that its output goes to."""
    for hidden in (folder / "bots", folder / "bots/ana"):
        with pytest.raises(NoIsolationError) as caught:
            Sandboxes(event(), FakeIsolation(), hidden=[hidden])
        assert f"'ana' would work in {folder}/bots/ana, but {hidden} is hidden" in str(caught.value)
    Sandboxes(event(), None, hidden=[folder / "bots"])
    of_the_house = "".join(f'[[entrant]]\nname = "{name}"\nhouse = "random"\n' for name in "abc")
    house = parse_event(EVENT.split("[[entrant]]")[0].format(terms="") + of_the_house)
    Sandboxes(house, FakeIsolation(), hidden=[folder])


@pytest.mark.usefixtures("folder")
def test_limits_come_from_the_file() -> None:
    isolation = FakeIsolation()
    text = "[limits]\nmemory_mib = 100\ncpu_seconds = 5\nprocesses = 10\nopen_files = 50\nscratch_mib = 7"
    for settings, limits in (
        (event(text), Limits(memory_mib=100, cpu_seconds=5, processes=10, open_files=50, scratch_mib=7)),
        (event(), Limits()),
    ):
        assert Sandboxes(settings, isolation, hidden=[]).of(settings.entrants[0]).limits == limits


def test_who_is_not_isolated_only_works_in_his_folder(folder: Path) -> None:
    settings = event('isolation = "none"')
    with isolation_of(settings) as isolation:
        assert isolation is None
        assert Sandboxes(settings, isolation, hidden=[folder]).of(settings.entrants[0]) == Sandbox(
            folder=folder / "bots/ana"
        )


def test_what_is_missing_is_looked_for_where_the_bot_works(folder: Path) -> None:
    settings = event()
    assert list(what_is_missing(settings)) == []
    (folder / "bots/ana/bot").unlink()
    (folder / "models").rmdir()
    assert list(what_is_missing(settings)) == [
        "[[entrant]] 1: there is no program './bot' for 'ana'; give its path",
        "[[entrant]] 1: there is no 'models' for 'ana' to read; fix 'readable'",
    ]
    (folder / "bots/ana").rmdir()
    assert "[[entrant]] 1: there is no folder 'bots/ana' for 'ana' to work in; create it, or fix 'folder'" in list(
        what_is_missing(settings)
    )


@pytest.mark.parametrize(
    ("terms", "problem"),
    [
        ('isolation = "some"', "[event]: 'isolation' takes \"full\" or \"none\", not 'some'"),
        ("[limits]\nmemory = 5", "[limits]: unknown key 'memory'; did you mean 'memory_mib'?"),
        ("[limits]\nmemory_mib = 5", "[limits]: 'memory_mib' takes a number of at least 64, not 5"),
        ("[[limits]]", "'limits' is a section of its own; begin it with the line [limits]"),
    ],
)
def test_what_cannot_be_is_told(terms: str, problem: str) -> None:
    with pytest.raises(EventFileError) as caught:
        event(terms)
    assert problem in caught.value.problems


@pytest.mark.parametrize(("as_root", "told"), [(False, [NOT_ISOLATED]), (True, [NOT_ISOLATED, BOTS_ARE_ROOT])])
def test_who_is_not_isolated_may_do_what_the_organiser_may(
    *, as_root: bool, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "runs_as_root", lambda: as_root)
    assert list(exposures(event('isolation = "none"'), None)) == told


@pytest.mark.usefixtures("folder")
def test_it_is_told_who_may_read_the_folder_of_the_organiser(folder: Path) -> None:
    isolation = FakeIsolation()
    assert list(exposures(event(), isolation)) == [], "all who have a command have a folder"
    text = EVENT.format(terms="").replace('folder = "bots"', "")
    (sentence,) = exposures(parse_event(text), isolation)
    assert sentence.startswith(f"'ben' will work in {folder} and may read all files there")


def with_rules(terms: str = "") -> Settings:
    text = EVENT.format(terms=terms)
    return parse_event(text.replace('readable = ["models"]', "rules = true"))


def test_the_rules_start_before_the_bot_and_make_a_socket_in_its_scratch_folder(folder: Path) -> None:
    isolation = FakeIsolation()
    settings = with_rules()
    sandboxes = Sandboxes(settings, isolation, hidden=[], socket=folder / "s")
    for entrant in settings.entrants:
        sandboxes.of(entrant)
    assert [one.makes_socket for one in isolation.asked] == [True, False, False]
    assert folder / "bots/ana/bot" in isolation.asked[0].readable, "its own program, not that of the rules"
    ana, ben, _ = settings.entrants
    assert launch_command(ana)[-2:] == ("--", "./bot")
    assert "rules" in launch_command(ana)
    assert launch_command(ben) == ("sh", "bot.sh")


def test_without_isolation_the_socket_of_the_rules_ends_with_that_of_the_server(folder: Path) -> None:
    ana, ben, _ = with_rules().entrants
    sandboxes = Sandboxes(with_rules(), None, hidden=[], socket=folder / "s")
    assert sandboxes.of(ana).environment == {"TMPDIR": str(folder)}
    assert not sandboxes.of(ben).environment


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("key", "too_few", "enough"), [("memory_mib", 191, 192), ("processes", 31, 32)], ids=["memory", "processes"]
)
def test_limits_without_room_for_the_rules_are_told(key: str, too_few: int, enough: int) -> None:
    [sentence] = what_is_missing(with_rules(f"[limits]\n{key} = {too_few}"))
    assert all(word in sentence for word in ("[limits]", f"{key} = {too_few}", "'ana'", str(enough)))
    assert not list(what_is_missing(with_rules(f"[limits]\n{key} = {enough}")))
    assert not list(what_is_missing(with_rules(f'isolation = "none"\n[limits]\n{key} = {too_few}')))
    assert not list(what_is_missing(event(f"[limits]\n{key} = {too_few}")))
