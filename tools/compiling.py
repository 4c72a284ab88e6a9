"""Compile modules with mypyc. In the folder server: ``PYTHONPATH=../tools python -m compiling FOLDER LEVEL``.

The folder gets the files that a compiled wheel has in addition. The level is the optimization level of the C compiler:
3, or 0 to compile in a third of the time.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from compiled_modules import compiled_modules
from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.command.build_ext import build_ext

from ordago.build import ORIGIN, library_name, line_of_origin

ROOT: Final = Path(__file__).parents[1]
SERVER: Final = ROOT / "server"
"""The required current folder, since tracebacks show paths of compiled modules relative to it."""
_CALLED_DIRECTLY: Final = ["-fvisibility=hidden", "-fno-plt"]
"""Options for the C compiler: symbols are hidden, so that calls between compiled functions are direct or inlined, and
functions of Python are called without the procedure linkage table."""


def compile_into(folder: Path, *, level: str) -> None:
    """Compile the modules into a folder with the layout of a wheel."""
    modules = compiled_modules(SERVER)
    origin = "".join(line_of_origin(path, (SERVER / path).read_bytes()) for path in modules).encode()
    with TemporaryDirectory() as scratch:
        _build(modules, folder, Path(scratch), level=level, group=library_name(origin).removesuffix("__mypyc"))
    (folder / "ordago" / ORIGIN).write_bytes(origin)


def _build(modules: list[str], folder: Path, scratch: Path, *, level: str, group: str) -> None:
    settings = [f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={scratch / 'cache'}"]
    extensions = mypycify(
        [*settings, *modules], target_dir=str(scratch / "c"), opt_level=level, debug_level="0", group_name=group
    )
    for extension in extensions:
        # A new list for each extension, since mypyc gives all of them the same one.
        extension.extra_compile_args = [*extension.extra_compile_args, *_CALLED_DIRECTLY]
    command = build_ext(Distribution({"name": "ordago", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(folder), str(scratch / "objects")
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    compile_into(Path(sys.argv[1]).absolute(), level=sys.argv[2])
