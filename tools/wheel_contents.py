"""Add files to the package that are not its sources: SDKs of other languages, built documentation, compiled modules.

Modules are compiled if ``ORDAGO_COMPILE`` is set: ``1`` optimizes for speed, ``quick`` for a short compilation, as for
tests.
"""

import importlib.util
import os
import subprocess
import sys
from importlib.metadata import version as installed
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_LEVELS: Final = {"1": "3", "quick": "0"}
"""The optimization level of the C compiler, for each value of the variable."""
_COMPILERS: Final = ["mypy[mypyc]>=2.4", "setuptools>=75"]
_TYPES: Final = [
    "outcome>=1.3",
    "trio>=0.30",
    "types-grpcio",
    "types-grpcio-health-checking",
    "types-grpcio-reflection",
    "types-protobuf>=6.30",
]
"""The typed dependencies of the compiled modules, which mypyc has to import."""


class PackageHook(BuildHookInterface):  # type: ignore[type-arg]  # its configuration is not used
    """A build hook that adds the files, except in an editable installation, which uses those of the checkout."""

    def dependencies(self) -> list[str]:
        """Return the requirements for building."""
        return _COMPILERS + _TYPES if _asked() and self.target_name == "wheel" else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Register the files and their places in the package."""
        if version == "editable":
            return
        for source, place in self._module("server/ordago_cli/bot/languages.py").packaged_files(Path(self.root)):
            build_data["force_include"][str(source)] = str(Path("ordago_cli") / place)
        build_data["force_include"] |= (documentation := built_documentation(Path(self.root)))
        if not documentation:
            self.app.display_warning("The documentation is not built, so this package is without it: make docs")
        if _asked():
            self._compile(build_data)

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Delete the compiled modules, which are in the wheel now."""
        if hasattr(self, "_scratch"):
            self._scratch.cleanup()

    def _compile(self, build_data: dict[str, Any]) -> None:
        asked = _asked()
        if asked not in _LEVELS:
            self.app.abort(f"ORDAGO_COMPILE takes 1 or quick, not {asked!r}")
        if missing := self._module("tools/compiled_modules.py").what_is_missing():
            self.app.abort(f"ORDAGO_COMPILE asks for compiled modules, but {missing}, or build without ORDAGO_COMPILE")
        self._scratch = TemporaryDirectory()
        command = (sys.executable, "-m", "compiling", self._scratch.name, _LEVELS[asked])
        # Keep the existing value: in an isolated build, pip uses it for the path of the build requirements.
        there = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        server, path = Path(self.root, "server"), os.pathsep.join([str(Path(self.root, "tools")), *filter(None, there)])
        compiler = subprocess.run(command, check=False, cwd=server, env={**os.environ, "PYTHONPATH": path})  # noqa: S603 - our own
        if compiler.returncode:
            self.app.abort("the modules could not be compiled; what the compiler says of it stands above")
        built = Path(self._scratch.name)
        for file in filter(Path.is_file, built.rglob("*")):
            build_data["force_include"][str(file)] = str(file.relative_to(built))
        build_data["dependencies"].append(f"librt>={installed('librt')}")  # A runtime library of compiled modules.
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def _module(self, place: str) -> ModuleType:
        """Return a module of the checkout, whose package cannot be imported before it is installed."""
        path = Path(self.root, place)
        spec = importlib.util.spec_from_file_location(f"ordago_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def built_documentation(root: Path) -> dict[str, str]:
    """Return the folder built by ``make docs``, if it exists, with its place in the package."""
    built = root / "out" / "docs"
    return {str(built): "ordago_web/built_docs"} if (built / "index.html").exists() else {}


def _asked() -> str:
    """Return the value of ``ORDAGO_COMPILE``; empty to compile nothing."""
    asked = os.environ.get("ORDAGO_COMPILE", "")
    return "" if asked == "0" else asked
