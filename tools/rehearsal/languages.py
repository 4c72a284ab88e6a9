"""The rehearsal in other languages: each SDK in a registry, and a new bot that takes it from there.

There are a document for npm, a module proxy for Go, a repository for Maven, and a folder that cargo takes for a crate.
C++ has no registry of its own: the SDK is built from the sources of the release, and installed.
"""

import base64
import hashlib
import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from archives import GO_MODULE, crate, go_archive, npm_archive, run, sources

from ordago.version import __version__
from ordago_cli.bot.languages import Language, from_registry, languages
from rehearsal.steps import Stranger

_MAVEN_SETTINGS: Final = """<settings>
  <localRepository>{local}</localRepository>
  <profiles>
    <profile>
      <id>rehearsal</id>
      <repositories>
        <repository><id>ours</id><url>{ours}</url></repository>
        <repository><id>kept</id><url>{kept}</url></repository>
      </repositories>
      <pluginRepositories>
        <pluginRepository><id>kept</id><url>{kept}</url></pluginRepository>
      </pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>rehearsal</activeProfile></activeProfiles>
</settings>
"""
"""A local repository of its own, since ours would stay in the usual one, and be old the next time."""


def rehearse(root: Path, registry: Path, address: str, scratch: Path, *, keys: list[str], programs: Path) -> None:
    """Publish the SDK of each language whose programs are here, begin a bot with it, build it and let it play."""
    for key in keys:
        language = from_registry(languages()[key])
        assert language is not None
        if language.missing:
            print(f"\n{language.name}: left out, since {', '.join(language.missing)} is missing")  # noqa: T201 - a command
            continue
        folder = scratch / key
        folder.mkdir()
        variables = PUBLISHED[key](root, registry, address, folder)
        _follow(language, Stranger(language.name, folder, variables, programs=programs))


def _follow(language: Language, stranger: Stranger) -> None:
    stranger.does("ordago", "bot", "new", language.key, "my-bot", "--sdk", "registry")
    project = stranger.folder / "my-bot"
    stranger.does(*language.build, folder=project)
    stranger.does(*language.test, folder=project)
    seats = [word for bot in (f"cmd:{shlex.join(language.run)}", *["house:random"] * 2) for word in ("--bot", bot)]
    stranger.does("ordago", "play", "mittlere", *seats, folder=project)
    stranger.measures("my-bot")


def _publish_npm(root: Path, registry: Path, address: str, _scratch: Path) -> dict[str, str]:
    packed = registry / "tarballs"
    packed.mkdir(exist_ok=True)
    archive = npm_archive(root, packed)
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    distribution = {"tarball": f"{address}/tarballs/{archive.name}", "integrity": f"sha512-{digest}"}
    version = {
        **json.loads((root / "clients/typescript/package.json").read_text(encoding="utf-8")),
        "dist": distribution,
    }
    document = {"name": "ordago", "dist-tags": {"latest": __version__}, "versions": {__version__: version}}
    (registry / "npm").mkdir(exist_ok=True)
    (registry / "npm/ordago").write_text(json.dumps(document), encoding="utf-8")
    return {"NPM_CONFIG_REGISTRY": f"{address}/npm/"}


def _publish_go(root: Path, registry: Path, address: str, scratch: Path) -> dict[str, str]:
    versions = registry / "go" / GO_MODULE / "@v"
    versions.mkdir(parents=True)
    version = f"v{__version__}"
    (versions / "list").write_text(f"{version}\n", encoding="utf-8")
    (versions / f"{version}.info").write_text(json.dumps({"Version": version}), encoding="utf-8")
    (versions / f"{version}.mod").write_bytes((root / "clients/go/go.mod").read_bytes())
    go_archive(root, versions)
    kept = subprocess.run(["go", "env", "GOMODCACHE"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()  # noqa: S607 - go
    return {
        # Modules that this machine has are not fetched again. Ours would stay in its cache, and be old the next time.
        "GOPROXY": f"{address}/go,file://{kept}/cache/download,https://proxy.golang.org",
        "GOMODCACHE": str(scratch / "modules"),
        "GOFLAGS": "-modcacherw",
        "GONOSUMDB": GO_MODULE,
    }


def _publish_cargo(root: Path, _registry: Path, _address: str, scratch: Path) -> dict[str, str]:
    run("tar", "xzf", str(crate(root, scratch)), folder=scratch)
    # Cargo reads the settings of all folders above a project.
    settings = f'[patch.crates-io]\nordago = {{ path = "{scratch}/ordago-{__version__}" }}\n'
    (scratch / ".cargo").mkdir()
    (scratch / ".cargo/config.toml").write_text(settings, encoding="utf-8")
    return {}


def _publish_maven(root: Path, registry: Path, _address: str, scratch: Path) -> dict[str, str]:
    ours = (registry / "maven").as_uri()
    place = f"-DaltDeploymentRepository=ours::default::{ours}"
    run("mvn", "-q", "-B", "deploy", "-DskipTests", place, folder=root / "clients/java")
    settings = scratch / "settings.xml"
    kept = (Path.home() / ".m2/repository").as_uri()
    settings.write_text(_MAVEN_SETTINGS.format(local=scratch / "m2", ours=ours, kept=kept), encoding="utf-8")
    # Maven reads its options in the nearest folder above a project that has them.
    (scratch / ".mvn").mkdir()
    (scratch / ".mvn/maven.config").write_text(f"--settings\n{settings}\n", encoding="utf-8")
    return {}


def _install_with_cmake(root: Path, _registry: Path, _address: str, scratch: Path) -> dict[str, str]:
    archive = sources(root, scratch)
    run("tar", "xzf", str(archive), folder=scratch)
    installed = scratch / "installed"
    settings = ("-DORDAGO_TESTS=OFF", "-DORDAGO_BOTS=OFF", "-DCMAKE_BUILD_TYPE=Release")
    tree = scratch / archive.name.removesuffix("-sources.tar.gz") / "clients/cpp"
    run("cmake", "-S", str(tree), "-B", "built", *settings, folder=scratch)
    run("cmake", "--build", "built", "--parallel", "2", folder=scratch)
    run("cmake", "--install", "built", "--prefix", str(installed), folder=scratch)
    return {"CMAKE_PREFIX_PATH": str(installed)}


PUBLISHED: Final[dict[str, Callable[[Path, Path, str, Path], dict[str, str]]]] = {
    "typescript": _publish_npm,
    "go": _publish_go,
    "rust": _publish_cargo,
    "java": _publish_maven,
    "cpp": _install_with_cmake,
}
"""The functions that publish the SDK of each language and return what a stranger's environment says of the registry."""
