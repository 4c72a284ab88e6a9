"""Compiles modules by mypyc. In the folder server: ``PYTHONPATH=../tools python -m compiling FOLDER LEVEL``.

The folder gets what a wheel has more when it is compiled. The level is what the C compiler does for speed: 3, or 0
where it is to be done in a third of the time.
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
"""The folder to be in: what a traceback says of a compiled module is its path from there."""
_CALLED_DIRECTLY: Final = ["-fvisibility=hidden", "-fno-plt"]
"""For the C compiler: nothing that is compiled is to be replaced from outside, so it is called directly, or put in at
the place of its call, and what Python has is called without a detour. Both would go by way of a table otherwise."""


def compile_into(folder: Path, *, level: str) -> None:
    """Compile the modules, and put them into a folder as they lie in a wheel."""
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
        # Anew for each: what mypyc gives them is one list.
        extension.extra_compile_args = [*extension.extra_compile_args, *_CALLED_DIRECTLY]
    command = build_ext(Distribution({"name": "ordago", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(folder), str(scratch / "objects")
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    compile_into(Path(sys.argv[1]).absolute(), level=sys.argv[2])
