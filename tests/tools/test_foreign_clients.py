"""A language that is only half on the machine is left out by name, and one that cannot be built holds up no other."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import foreign_clients
from foreign_clients import CLIENTS, ROOT, Client, is_built, outcome_of
from missing import what_is_missing

# What the tools print, each where something is missing, and a word of what is said of it.
WANTING = {
    "cmake, without a library": (
        """CMake Error at tests/CMakeLists.txt:2 (find_package):
  By not providing "Findnlohmann_json.cmake" in CMAKE_MODULE_PATH this project has asked CMake to find a package.

  Could not find a package configuration file provided by
  "nlohmann_json" with any of the following names:
""",
        "nlohmann_json is not installed",
    ),
    "cmake, switched off": (
        "find_package for module nlohmann_json called with REQUIRED, but\n  CMAKE_DISABLE_FIND_PACKAGE is set",
        "nlohmann_json is not installed",
    ),
    "cmake, by a module": (
        "CMake Error at /usr/share/FindPackage.cmake:230 (message):\n  Could NOT find GTest (missing: GTEST_LIBRARY)",
        "GTest is not installed",
    ),
    "cmake, without a compiler": (
        "The CMAKE_CXX_COMPILER:\n\n    g++\n\n  is not a full path to an existing compiler tool.",
        "no C++ compiler",
    ),
    "cmake, with a compiler that is gone": (
        "Could not find compiler set in environment variable CXX:\n\n  /nonexistent/g++.",
        "no C++ compiler",
    ),
    "cmake, without make": (
        'CMake was unable to find a build program corresponding to "Unix Makefiles".  CMAKE_MAKE_PROGRAM is not set.',
        "no program 'make'",
    ),
    "cmake, with an old compiler": (
        'The compiler feature "cxx_std_20" is not known to CXX compiler "GNU" version 7.5.0.',
        "C++20",
    ),
    "g++, without a header": (
        "bot.cc:6:10: fatal error: grpcpp/grpcpp.h: No such file or directory\n    6 | #include <grpcpp/grpcpp.h>\n",
        "grpcpp/grpcpp.h is not installed",
    ),
    "g++, without a library": (
        "ld: cannot find -lgrpc++: No such file or directory",
        "grpc++ is not installed",
    ),
    "go, too old": ("go: go.mod requires go >= 1.25.0 (running go 1.24.1; GOTOOLCHAIN=local)", "go >= 1.25.0"),
    "go, far too old": (
        "go: errors parsing go.mod:\ngo.mod:3: invalid go version '1.25.0': must match format 1.23",
        "it needs Go 1.25.0",
    ),
    "go, offline": (
        "answers.go:6:2: google.golang.org/grpc@v1.84.0: module lookup disabled by GOPROXY=off",
        "packages cannot be fetched",
    ),
    "go, without a network": (
        'run.go:5:2: grpc@v1.84.0: Get "https://proxy.golang.org/grpc/@v/v1.84.0.zip": dial tcp: lookup: no such host',
        "packages cannot be fetched",
    ),
    "npm, without a network": ("npm error code ENOTFOUND\nnpm error syscall getaddrinfo", "packages cannot be fetched"),
    "npm, offline": ("npm ERR! code ENOTCACHED\nnpm ERR! request to https://registry", "packages cannot be fetched"),
    "node, too old": ("npm error code EBADENGINE\nnpm error engine Unsupported engine", "newer Node.js"),
    "npm, without what was installed": ("sh: 1: tsc: not found", "no program 'tsc'"),
    "npm, without node": ("/usr/bin/env: ‘node’: No such file or directory", "no program 'node'"),
    "cargo, without rustc": ("error: could not execute process `rustc -vV` (never executed)", "no program 'rustc'"),
    "cargo, too old": ("error: package `ordago v0.1.0` requires rustc 1.85 or newer", "rustc 1.85"),
    "cargo, of another edition": ("feature `edition2024` is required", "newer cargo"),
    "cargo, without a network": ("[6] Could not resolve host: index.crates.io", "packages cannot be fetched"),
    "cargo, offline": (
        "error: no matching package named `log` found\nAs a reminder, you're using offline mode (--offline)",
        "packages cannot be fetched",
    ),
    "cargo, without a linker": ("error: linker `cc` not found", "no program 'cc'"),
    "rustup, with nothing": ("error: rustup could not choose a version of cargo to run", "rustup has no toolchain"),
    "maven, without a JDK": (
        "[ERROR] No compiler is provided in this environment. Perhaps you are running on a JRE rather than a JDK?",
        "a JDK",
    ),
    "maven, with an old JDK": ("Fatal error compiling: error: release version 17 not supported", "Java 17"),
    "maven, without a network": (
        "\x1b[1;31mERROR\x1b[m] Could not transfer artifact io.grpc:grpc-core:pom:1.76.0 from/to central",
        "packages cannot be fetched",
    ),
    "maven, offline": ("Cannot access central (https://repo) in offline mode", "packages cannot be fetched"),
}
MISTAKES = (
    "./answers.go:31:9: undefined: Chosen",
    "src/bot.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "error[E0425]: cannot find value `hand` in this scope",
    'bot.cc:6:10: fatal error: anwser.h: No such file or directory\n    6 | #include "anwser.h"\n',
    "bot.cc:6:10: fatal error: ordago/bto.h: No such file or directory\n    6 | #include <ordago/bto.h>\n",
    "[ERROR] Bot.java:[12,9] cannot find symbol",
    "go: updates to go.mod needed; to update it:\n\tgo mod tidy",
    "error: the lock file needs to be updated but --locked was passed to prevent this",
    "-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\nbot.cc:7:1: error: 'Match' does not name a type",
    "the connection was refused, and no such host is known to the bot",
)


@pytest.mark.parametrize(("printed", "told"), WANTING.values(), ids=WANTING)
def test_a_build_that_fails_for_want_of_something_is_told_of_what(printed: str, told: str) -> None:
    assert told in what_is_missing(f"building\n{printed}\nit failed\n")


@pytest.mark.parametrize("printed", MISTAKES)
def test_a_mistake_in_a_client_is_nothing_that_is_missing(printed: str) -> None:
    assert what_is_missing(printed) == ""


def client_that(script: str, folder: Path, name: str) -> Client:
    (folder / name).mkdir(parents=True)
    build, built = ("sh", "-c", script), folder / name / "bot"
    return replace(CLIENTS[0], folder=folder / name, needs=("sh",), build=build, built=built, slow=False)


@pytest.fixture
def clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Client]:
    """Return clients that all fail in a way of their own, but for the last, in a checkout of their own."""
    folder = tmp_path / "clients"
    scripts = {
        "half": "echo 'CMake Error at x:1 (message): Could NOT find OpenSSL'; exit 1",
        "wrong": "echo 'undefined: Chosen'; exit 1",
        "no-program": "exit 1",
        "whole": "echo was here >>../../calls; touch bot",
    }
    clients = {name: client_that(script, folder, name) for name, script in scripts.items()}
    clients["no-program"] = replace(clients["no-program"], needs=("no-such-program",))
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)  # noqa: S603, S607 - on every machine here
    (folder / "whole/source").write_text("a source")
    (tmp_path / ".gitignore").write_text("bot\n")
    monkeypatch.setattr(foreign_clients, "ROOT", tmp_path)
    monkeypatch.setattr(foreign_clients, "PROTO", tmp_path / "proto")
    monkeypatch.setattr(foreign_clients, "STAMPS", tmp_path / "out/built")
    monkeypatch.setattr(foreign_clients, "CLIENTS", tuple(clients.values()))
    monkeypatch.setattr(sys, "argv", ["foreign_clients.py", "build"])
    return clients


def test_one_that_is_half_there_is_left_out_and_one_that_is_wrong_is_told_at_the_end(
    clients: dict[str, Client], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        foreign_clients.main()
    assert "random-wrong: this failed" in str(ended.value)
    assert "random-half" not in str(ended.value)
    said = capsys.readouterr().out
    assert "random-half: left out, since OpenSSL is not installed on this machine" in said
    assert "random-no-program: left out, since there is no program 'no-such-program' on this machine" in said
    assert "random-whole: built" in said
    assert [name for name, client in clients.items() if is_built(client)] == ["whole"]
    outcomes = {name: outcome_of(client) for name, client in clients.items()}
    assert outcomes["no-program"] is None
    assert [bool(outcome and outcome.failed) for outcome in outcomes.values()] == [False, True, False, False]


def test_what_was_only_missing_lets_the_tests_of_the_others_begin(
    clients: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tuple(client for name, client in clients.items() if name != "wrong")
    monkeypatch.setattr(foreign_clients, "CLIENTS", kept)
    with pytest.raises(SystemExit) as ended:
        foreign_clients.main()
    assert not ended.value.code


def test_what_is_built_is_built_again_only_when_it_has_changed(clients: dict[str, Client], tmp_path: Path) -> None:
    for _ in range(2):
        foreign_clients.done("build", clients["whole"])
    assert (tmp_path / "calls").read_text().count("was here") == 1
    (tmp_path / "clients/whole/source").write_text("another source")
    assert outcome_of(clients["whole"]) is None
    foreign_clients.done("build", clients["whole"])
    assert (tmp_path / "calls").read_text().count("was here") == 2


def test_what_is_locked_is_installed_as_it_is_locked() -> None:
    """Whatever may write a lock file anew changes the checkout."""
    scripts = json.loads((ROOT / "clients/typescript/package.json").read_text(encoding="utf-8"))["scripts"].values()
    own = [shlex.join(words) for client in CLIENTS for words in (client.build, client.test, client.generate)]
    commands = [command.strip() for line in (*scripts, *own) for command in line.split("&&")]
    assert not [command for command in commands if re.match(r"npm (i|install|update|add)\b|go (get|mod)\b", command)]
    assert all("--locked" in command for command in commands if command.startswith("cargo "))


@pytest.mark.parametrize("folder", ["clients/typescript", "clients/typescript/tools"])
def test_a_lock_file_of_npm_names_the_packages_of_all_platforms(folder: str) -> None:
    """One that names those of one machine alone is written anew on each other."""
    packages = json.loads((ROOT / folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = {name for package in packages.values() for name in package.get("optionalDependencies", ())}
    assert {name for name in wanted if f"node_modules/{name}" not in packages} == set()


@pytest.mark.parametrize(
    ("target", "selected"), [("test", ["not torture and not foreign"]), ("test-all", ["not alone", "alone"])]
)
@pytest.mark.parametrize("code", [0, 1])
def test_make_test_runs_the_tests_whatever_the_builds_come_to(
    tmp_path: Path, target: str, selected: list[str], code: int
) -> None:
    """The environment is one of shell scripts: the builds fail, and the tests write down that they ran."""
    (tmp_path / "bin").mkdir()
    python, pytest_program = '[ "$2" = passed ]', f"echo $* >>{tmp_path}/ran; exit {code}"
    for program, script in {"python": python, "pytest": pytest_program}.items():
        (tmp_path / "bin" / program).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / program).chmod(0o755)
    (tmp_path / ".installed").touch()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = [shutil.which("make") or "make", target, f"VENV={tmp_path}"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert (ended.returncode != 0) == (code != 0), ended.stderr
    ran = (tmp_path / "ran").read_text().splitlines()
    assert [line.partition("-m ")[2] for line in ran] == (selected if code == 0 else selected[:1])
