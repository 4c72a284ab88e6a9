"""Whether compiled modules run, or the sources beside them; and what classes say to the compiler about themselves.

A compiled build carries a module for the machine beside the source of each module that is worth it, and says of which
sources they were made. Python takes the compiled one. Where it would not be what stands in the source, where somebody
wants to look on at each line, and where ``ORDAGO_PLAIN`` asks for it, the sources run as in any other build.
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
# it says ``allow_interpreted_subclasses``. Those that copy themselves past ``__init__``, or are copied by ``copy``, say
# ``serializable`` beside it: so the compiler does not take for granted that every attribute is there.
if TYPE_CHECKING:
    # The compiler knows the decorator by its place, and nobody else needs the package that it is from.
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_attributes):
        """Return a decorator that leaves a class as it is."""
        return lambda decorated: decorated


ORIGIN: Final = "compiled_from.txt"
"""The file beside this one that says of which sources the modules were compiled: for each its SHA-256 and its path."""
PLAIN: Final = "ORDAGO_PLAIN"
"""The variable of the environment that asks for the sources, if it is not empty."""
SENTINEL: Final = "cards"
"""A module beside this one that every build compiles. It gives away those that do not say what they are made of."""
_RUNTIME: Final = "librt.strings"
"""What compiled modules write bytes by. A compiled wheel asks for it, and nothing else does."""
_CURE: Final = "so the sources run, only slower; install Ordago anew, or delete the compiled modules"


class StaleBuildWarning(UserWarning):
    """Compiled modules are not those of the sources beside them. Whoever changed either of them erred."""


def library_name(origin: bytes) -> str:
    """Return the name of the library that all compiled modules share, given what stands in the file ``ORIGIN``."""
    return f"ordago_{hashlib.sha256(origin).hexdigest()[:16]}__mypyc"


def line_of_origin(path: str, source: bytes) -> str:
    """Return the line of a source in the file ``ORIGIN``."""
    return f"{hashlib.sha256(source).hexdigest()}  {path}\n"


def settle(folder: str) -> bool:
    """Decide what runs of the package in a folder, before the first of its modules is imported.

    Returns:
        Whether compiled modules run.

    Warns:
        StaleBuildWarning: there are compiled modules, but of other sources.
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
    """Say whether somebody wants the sources: by a word, or by a debugger, which sees nothing of compiled functions."""
    return bool(os.environ.get(PLAIN)) or sys.gettrace() is not None or _is_monitored()


def _is_monitored() -> bool:
    """Say whether a debugger looks on in the way that Python has for it from 3.12 on."""
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None


def complaint_about(folder: str) -> str:
    """Say what is wrong with the compiled modules of a folder, as the beginning of a sentence; empty for nothing."""
    try:
        with open(os.path.join(folder, ORIGIN), "rb") as file:
            origin = file.read()
    except FileNotFoundError:
        return f"the compiled modules in {folder} do not say of which sources they were made"
    if not _stands(os.path.join(os.path.dirname(folder), library_name(origin))):
        return f"the compiled modules in {folder} are of another build than {ORIGIN} beside them"
    for line in origin.decode().splitlines(keepends=True):
        path = line.rstrip("\n").partition("  ")[2]
        if not _is_unchanged(os.path.join(os.path.dirname(folder), path), path, line):
            return f"the compiled modules in {folder} were made of another {path} than the one that is there"
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
    """Say whether there is a compiled module for this Python and this machine; others it would not import."""
    return any(os.path.exists(module + suffix) for suffix in EXTENSION_SUFFIXES)


class _Sources:
    """Finds the sources of Ordago, past the compiled modules beside them."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, _target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where a module of Ordago is read from; ``None`` for what others find."""
        if path is None or not name.startswith("ordago."):
            return None
        found = (FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name) for folder in path)
        return next((spec for spec in found if spec is not None and spec.loader is not None), None)
