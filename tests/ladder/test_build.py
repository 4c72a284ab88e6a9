"""The build step of entrants: what it makes, what becomes of one that fails or is hostile, and who builds when."""

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from support.cells import each_way, isolation_by, user_here, why_not

from ordago.arena.processes.errors import SandboxFailedError
from ordago.arena.processes.isolation.confinement import Confinement, Isolation, Sandbox
from ordago.arena.processes.isolation.landlock import Landlock
from ordago_ladder.entrants.build import BuildError, BuildPlace, build_all, folder_digest, settle, unfit_to_build_in
from ordago_ladder.entrants.event_builds import EventBuilds, noted_builds
from ordago_ladder.entrants.launch import what_is_missing
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.settings.identity import identity_of
from ordago_ladder.settings.settings import Settings

EVENT = """
[event]
name = "built"
{terms}
[limits]
scratch_mib = 8
[[game]]
name = "trio"
[[entrant]]
name = "house"
house = "random"
[[entrant]]
name = "solid"
house = "solid"
"""
ENTRANT = """
[[entrant]]
name = "{name}"
command = "{command}"
folder = "bots/{name}"
{more}
"""


class BrokenIsolation:
    """Makes cells that fail."""

    sentence = left_open = ""

    def sandbox(self, confinement: Confinement) -> Sandbox:
        """Return one of them."""
        return Sandbox(wrapper=("/bin/false",), limits=confinement.limits, writable=confinement.writable)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that an event is run from, with those of two entrants."""
    for name in ("bots/ana", "bots/eve", "out/built/private/logs"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "out/built/private/event.db").write_text("the secret")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def event(terms: str = "", **builds: str) -> Settings:
    """Return an event whose entrants build by these lines of a shell."""
    text = EVENT.format(terms=terms)
    for name, line in builds.items():
        text += ENTRANT.format(name=name, command="./bot", more=f"build = ['sh', '-c', '''{line}''']")
    return parse_event(text)


def place(here: Path, isolation: Isolation | None = None) -> BuildPlace:
    out = here / "out"
    return BuildPlace(isolation, (out,), out / "built/private/logs")


@pytest.fixture
def isolation(way: str, tmp_path_factory: pytest.TempPathFactory) -> Isolation:
    if why_not(way):
        pytest.skip(why_not(way))
    return isolation_by(way, tmp_path_factory.mktemp("scratches"), user_here())


@each_way
async def test_a_build_makes_what_the_bot_is_and_its_output_is_kept(isolation: Isolation, here: Path) -> None:
    settings = event(ana="echo it is made; cp /usr/bin/true bot")
    assert await build_all(settings, place(here, isolation)) == {}
    assert os.access(here / "bots/ana/bot", os.X_OK)
    log = here / "out/built/private/logs/ana.build.log"
    assert log.read_text() == "it is made\n"
    await build_all(settings, place(here, isolation))
    assert log.read_text() == "it is made\n", "the last build alone"


@each_way
async def test_a_hostile_build_gets_at_nothing(isolation: Isolation, here: Path) -> None:
    """It reads no secret, changes nothing of a neighbour, and prints no more than is kept."""
    (here / "bots/ana/bot").write_text("hers")
    (here / "bots/eve/door").symlink_to("../ana")
    (here / "bots/eve/logs").symlink_to(here / "out/built/private/logs")
    secret = here / "out/built/private/event.db"
    line = (
        f"cat {secret} > got; cat door/bot >> got; echo x > door/bot; rm door/bot; ln door/bot mine; "
        f"echo x > logs/ana; echo x > {here}/bots/ana/new; ls ../ana >> got; head -c 3000000 /dev/zero; exit 0"
    )
    assert await build_all(event(eve=line, ana="test -e bot"), place(here, isolation)) == {}
    assert (here / "bots/eve/got").read_text() == ""
    assert [path.read_text() for path in (here / "bots/ana").iterdir()] == ["hers"]
    logs = here / "out/built/private/logs"
    assert {path.name for path in logs.iterdir()} == {"ana.build.log", "eve.build.log"}
    assert (logs / "eve.build.log").stat().st_size < 600_000


async def test_a_build_that_fails_is_told_by_its_last_words(here: Path) -> None:
    log = here / "out/built/private/logs/ana.build.log"
    assert await build_all(event(ana="echo no compiler; exit 3"), place(here)) == {
        "ana": f"the build of 'ana' ended with code 3; its last line: no compiler (its output is in {log})"
    }


async def test_a_cell_that_cannot_be_made_is_no_fault_of_a_build(here: Path) -> None:
    sentence = "the build of 'ana' could not be started, through no fault of its own"
    with pytest.RaisesGroup(pytest.RaisesExc(SandboxFailedError, match=sentence), flatten_subgroups=True):
        await build_all(event(ana="true"), place(here, BrokenIsolation()))


async def test_nor_is_a_machine_that_starts_no_more_processes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(*_arguments: object, **_options: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", no_more)
    with pytest.RaisesGroup(pytest.RaisesExc(SandboxFailedError, match="temporarily"), flatten_subgroups=True):
        await build_all(event(ana="true"), place(here))


async def test_a_build_is_ended_at_its_time(here: Path) -> None:
    failed = await build_all(event("build_timeout = 0.3", eve="exec sleep 600"), place(here))
    assert failed["eve"].startswith("the build of 'eve' took longer than 0.3 s")


@each_way
async def test_what_a_build_fills_is_found_at_its_end_as_well(isolation: Isolation, here: Path) -> None:
    """It has ended before anybody has looked."""
    line = "for n in 1 2 3; do head -c 4000000 /dev/zero > $n; done"
    failed = await build_all(event(eve=line), place(here, isolation))
    assert "passed its limit of 8 MiB more in its folder" in failed["eve"]


async def test_who_shares_a_folder_builds_once(here: Path) -> None:
    text = EVENT.format(terms="") + "".join(
        ENTRANT.format(name=name, command="./bot", more="build = ['sh', '-c', 'echo x >> built']")
        for name in ("ana", "ben")
    ).replace("bots/ben", "bots/ana")
    assert not [sentence for sentence in what_is_missing(parse_event(text)) if "builds" in sentence]
    assert await build_all(parse_event(text), place(here)) == {}
    assert (here / "bots/ana/built").read_text() == "x\n"
    await build_all(parse_event(text), place(here), without=("ben",))
    assert (here / "bots/ana/built").read_text() == "x\n", "who has checked in shares it"


def test_nobody_builds_where_another_reads(here: Path) -> None:
    (here / "bots/eve/ana").mkdir()
    text = EVENT.format(terms="")
    text += ENTRANT.format(name="eve", command="./bot", more="build = 'make'")
    text += ENTRANT.format(name="ana", command="true", more="").replace("bots/ana", "bots/eve/ana")
    [sentence] = what_is_missing(parse_event(text))
    assert sentence.startswith("'eve' builds in 'bots/eve', which 'ana' reads: give each")
    # By a link it is the same place.
    (here / "link").symlink_to("bots/eve")
    [sentence] = what_is_missing(parse_event(text.replace("bots/eve/ana", "link")))
    assert "'eve' builds in 'bots/eve'" in sentence


def test_nobody_builds_around_the_event_or_ordago_or_by_a_second_name(here: Path) -> None:
    hidden = (here / "out",)
    assert f"overlaps with {here / 'out'}" in unfit_to_build_in(here, hidden)
    assert f"overlaps with {here / 'out'}" in unfit_to_build_in(here / "out/built", hidden)
    assert "Ordago itself runs from" in unfit_to_build_in(Path(sys.prefix).resolve().parent, hidden)
    own = here / "bots/eve"
    (own / "one").write_text("x")
    (own / "two").hardlink_to(own / "one")
    assert unfit_to_build_in(own, hidden) == "", "both names are there"
    (here / "bots/ana/bot").write_text("hers")
    (own / "hers").hardlink_to(here / "bots/ana/bot")
    assert f"the file {own / 'hers'} has a hard link outside" in unfit_to_build_in(own, hidden)


def test_what_was_built_lends_nobody_rights_and_can_be_started(tmp_path: Path) -> None:
    modes = {"suid": 0o6755, "open": 0o666, "program": 0o644, "script": 0o644}
    for name, mode in modes.items():
        (tmp_path / name).write_bytes(b"\x7fELF" if name == "program" else b"text")
        (tmp_path / name).chmod(mode)
    (tmp_path / "elsewhere").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    settle(tmp_path)
    found = {name: oct(stat.S_IMODE((tmp_path / name).stat().st_mode)) for name in modes}
    assert found == {"suid": "0o755", "open": "0o664", "program": "0o744", "script": "0o644"}


def test_the_digest_of_a_folder_knows_contents_names_links_and_what_can_be_started(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    path = tmp_path / "deep/bot"
    digests = [folder_digest(tmp_path)]
    for change in (
        lambda: path.write_text("1"),
        lambda: path.write_text("2"),
        lambda: path.chmod(0o755),
        lambda: path.rename(tmp_path / "bot"),
        lambda: (tmp_path / "link").symlink_to("bot"),
        lambda: ((tmp_path / "link").unlink(), (tmp_path / "link").symlink_to("deep")),
    ):
        change()
        digests.append(folder_digest(tmp_path))
    assert len(set(digests)) == len(digests)
    os.utime(tmp_path / "bot", (1, 1))
    assert folder_digest(tmp_path) == digests[-1]


async def test_who_has_checked_in_plays_to_the_end_what_he_checked_in_with(here: Path) -> None:
    way = "bubblewrap" if not why_not("bubblewrap") else "landlock"
    if why_not(way):
        pytest.skip(why_not(way))
    settings = event(ana="echo x >> bot")
    scratches = here / "scratches"
    scratches.mkdir()
    builds = EventBuilds(
        settings, place(here, isolation_by(way, scratches, user_here())), EventFolder(here / "out/built")
    )
    bot = here / "bots/ana/bot"
    await builds.before_start(())
    await builds.before_start(())
    assert bot.read_text() == "x\nx\n", "nobody had checked in"
    await builds.note({"ana", "house"})
    assert noted_builds(here / "out/built/private/builds.json").keys() == {"ana"}
    await builds.before_start({"ana", "house"})
    assert bot.read_text() == "x\nx\n", "it is built no more"
    bot.write_text("another")
    with pytest.raises(BuildError, match="the folder of 'ana' has changed since check-in"):
        await builds.before_start({"ana", "house"})
    await builds.note({"ana", "house"})
    with pytest.raises(BuildError):
        await builds.before_start({"ana", "house"})


async def test_an_event_goes_on_without_whose_build_fails_where_its_file_says_so(here: Path) -> None:
    builds = EventBuilds(event(ana="exit 1"), place(here), EventFolder(here / "out/built"))
    with pytest.raises(BuildError, match="the build of 'ana' ended with code 1"):
        await builds.before_start(())
    settings = event("absentees_forfeit = true", ana="exit 1")
    assert (await EventBuilds(settings, place(here), EventFolder(here / "out/built")).before_start(())).keys() == {
        "ana"
    }


@pytest.mark.parametrize(
    ("entrant", "sentence"),
    [
        ("house = 'random'\nbuild = 'make'", "'build' is for entrants with a 'command'"),
        ("remote = true\nbuild = 'make'", "'build' is for entrants with a 'command'"),
        ("command = './bot'\nbuild = 'make'", "'build' needs a 'folder' of the entrant's own"),
        ("command = './bot'\nfolder = 'bots/ana'\nbuild = '\"make'", "'build' has an open quote"),
    ],
)
def test_a_build_that_cannot_be_is_told(entrant: str, sentence: str) -> None:
    with pytest.raises(EventFileError, match=sentence):
        parse_event(EVENT.format(terms="") + f"[[entrant]]\nname = 'ana'\n{entrant}\n")


def test_a_build_belongs_to_what_an_event_is_only_where_there_is_one() -> None:
    def identity(**entrant: Any) -> str:
        settings = event(ana="make")
        changed = [*settings.entrants[:2], settings.entrants[2].model_copy(update=entrant)]
        return identity_of(settings.model_copy(update={"entrants": tuple(changed)}))

    assert identity(build=()) != identity(build=("make",)) != identity(build=("make", "all"))
    assert identity_of(event("build_timeout = 5.0", ana="make")) == identity_of(event(ana="make"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('head -c 9m /dev/urandom >"$TMPDIR/a" || exit 1', "scratch_mib = 8"),
        ("head -c 9m /dev/urandom >big || exit 1", "scratch_mib = 8"),
        ("echo cc1plus: virtual memory exhausted: Cannot allocate memory; exit 1", "memory_mib = 1024"),
        ("echo open /a: too many open files; exit 1", "open_files = 256"),
        ("echo java.lang.OutOfMemoryError: unable to create native thread; exit 1", "processes = 256"),
    ],
)
@each_way
async def test_a_build_that_ran_into_a_limit_is_told_its_key(
    line: str, told: str, isolation: Isolation, here: Path
) -> None:
    failed = await build_all(event(ana=f"{line}; true"), place(here, isolation))
    assert told.partition(" ")[0] in failed["ana"], failed
    assert told in failed["ana"] or "(scratch_mib)" in failed["ana"]


@each_way
async def test_a_build_that_took_too_long_is_told_its_key(isolation: Isolation, here: Path) -> None:
    failed = await build_all(event("build_timeout = 0.3", ana="sleep 30"), place(here, isolation))
    assert "took longer than 0.3 s (build_timeout)" in failed["ana"]


@each_way
async def test_a_build_that_failed_by_a_mistake_is_told_of_no_limit(isolation: Isolation, here: Path) -> None:
    failed = await build_all(event(ana="echo undefined: Chosen; exit 1"), place(here, isolation))
    assert "raise it" not in failed["ana"]


@each_way
async def test_a_build_that_sets_modes_is_told_what_it_needs_for_that(isolation: Isolation, here: Path) -> None:
    failed = await build_all(event(ana="touch bot; chmod 700 bot"), place(here, isolation))
    told = {name: "which Landlock prevents: install bubblewrap" in reason for name, reason in failed.items()}
    assert told == ({"ana": True} if isinstance(isolation, Landlock) else {})
