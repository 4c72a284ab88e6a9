"""Choose between compiled modules and the sources beside them; hints to the compiler on classes.

A compiled build has a module for the machine beside the source of each module worth compiling, and a list of the
sources that were compiled. Python imports the compiled one. Where it differs from the source, where a debugger traces
each line, and where ``ORDAGO_PLAIN`` is set, the sources run as in any other build.
"""

import hashlib
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Final

# A compiled class cannot be derived from in Python that is not compiled, and its ``__new__`` calls ``__init__``, unless
# it says ``allow_interpreted_subclasses``. Classes that are copied past ``__init__``, by themselves or by ``copy``, say
# ``serializable`` too: the compiler then does not assume that every attribute is set.
if TYPE_CHECKING:
    # The compiler knows the decorator by its import, and nothing else needs the package.
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_attributes):
        """Return a decorator that leaves a class as it is."""
        return lambda decorated: decorated


ORIGIN: Final = "compiled_from.txt"
"""The file beside this one that lists the compiled sources: for each its SHA-256 and its path."""
PLAIN: Final = "ORDAGO_PLAIN"
"""The environment variable that selects the sources, if it is not empty."""
SENTINEL: Final = "cards"
"""A module beside this one that every build compiles. It reveals compiled modules whose ``ORIGIN`` is missing."""
_RUNTIME: Final = "librt.strings"
"""The library by which compiled modules write bytes. Only a compiled wheel requires it."""
_CURE: Final = "so Ordago runs from its sources, only slower; reinstall it, or delete the compiled modules"


class StaleBuildWarning(UserWarning):
    """The compiled modules were not made from the sources beside them: one of the two was changed."""


def library_name(origin: bytes) -> str:
    """Return the name of the library that all compiled modules share, given the content of the file ``ORIGIN``."""
    return f"ordago_{hashlib.sha256(origin).hexdigest()[:16]}__mypyc"


def line_of_origin(path: str, source: bytes) -> str:
    """Return the line of a source in the file ``ORIGIN``."""
    return f"{hashlib.sha256(source).hexdigest()}  {path}\n"


def settle(folder: str) -> bool:
    """Decide whether compiled modules or sources run, before the first module of the package in a folder is imported.

    Returns:
        True if compiled modules run.

    Warns:
        StaleBuildWarning: there are compiled modules, but they were made from other sources.
    """
    if not _stands(os.path.join(folder, SENTINEL)):
        return False
    complaint = "" if _is_unwanted() else complaint_about(folder)
    if complaint:
        warnings.warn(f"{complaint}, {_CURE}", StaleBuildWarning, stacklevel=3)
    elif not _is_unwanted():
        return True
    sys.meta_path.insert(0, _Sources())
    return False


def _is_unwanted() -> bool:
    """Return True if ``ORDAGO_PLAIN`` or a debugger, which cannot trace compiled functions, calls for the sources."""
    return bool(os.environ.get(PLAIN)) or sys.gettrace() is not None or _is_monitored()


def _is_monitored() -> bool:
    """Return True if a debugger uses ``sys.monitoring``, available from Python 3.12 on."""
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None


def complaint_about(folder: str) -> str:
    """Return the fault of the compiled modules of a folder, as the beginning of a sentence; empty for none."""
    try:
        with open(os.path.join(folder, ORIGIN), "rb") as file:
            origin = file.read()
    except FileNotFoundError:
        return f"the compiled modules in {folder} do not say which sources they were made from"
    if not _stands(os.path.join(os.path.dirname(folder), library_name(origin))):
        return f"the compiled modules in {folder} are from another build than {ORIGIN} next to them"
    for line in origin.decode().splitlines(keepends=True):
        path = line.rstrip("\n").partition("  ")[2]
        if not _is_unchanged(os.path.join(os.path.dirname(folder), path), path, line):
            return f"the compiled modules in {folder} were made from another version of {path}"
    return "" if _has_runtime() else f"the compiled modules in {folder} need {_RUNTIME}, which cannot be imported"


def _has_runtime() -> bool:
    try:
        import_module(_RUNTIME)
    except ImportError:
        return False
    return True


def _is_unchanged(place: str, path: str, line: str) -> bool:
    try:
        with open(place, "rb") as file:
            return line_of_origin(path, file.read()) == line
    except FileNotFoundError:
        return False


def _stands(module: str) -> bool:
    """Return True if there is a compiled module for this Python and this machine; it would not import others."""
    return any(os.path.exists(module + suffix) for suffix in EXTENSION_SUFFIXES)


class _Sources:
    """Finds the sources of Ordago and ignores the compiled modules beside them."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, _target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module of Ordago; ``None`` for modules left to other finders."""
        if path is None or not name.startswith("ordago."):
            return None
        found = (FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name) for folder in path)
        return next((spec for spec in found if spec is not None and spec.loader is not None), None)
