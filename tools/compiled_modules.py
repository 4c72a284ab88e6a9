"""The modules of a compiled build, the exceptions with their reasons, and the requirements.

Compiled code differs from Python. Decorators of ``ordago.build`` mark classes that need to be compiled differently.

- Plain classes cannot derive from a compiled class unless it says so (``MirrorCodec``, the ends of a session).
- Undeclared attributes cannot be set, so tests replace parts of a module, not of a class.
- A generator expression may become a list: write endless ones as generator functions.
- An error raised ``from`` another has only a context; set the cause as an attribute if somebody reads it.
- A nested function with a decorator is missing when its outer function is called from itself: call the decorator.
- A lambda in a loop or comprehension does not see its variables: put it into a function.
- Names from modules that are not compiled are looked up at each use: keep enumerations for hot paths in compiled ones.

The C flags ``-fvisibility=hidden`` and ``-fno-plt`` let functions be inlined and called directly.
"""

import os
import shutil
import sysconfig
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

COMPILED: Final = (
    "ordago/arena/admission/handler.py",
    "ordago/arena/bot.py",
    "ordago/arena/referee_clock.py",
    "ordago/arena/connection.py",
    "ordago/arena/deadline_queue.py",
    "ordago/arena/flood.py",
    "ordago/arena/bot_channel.py",
    "ordago/arena/play.py",
    "ordago/arena/referees/pooled_match.py",
    "ordago/arena/referees/steps.py",
    "ordago/arena/referees/worker.py",
    "ordago/arena/seat.py",
    "ordago/arena/verdict.py",
    "ordago/cards.py",
    "ordago/chance.py",
    "ordago/edge/stream.py",
    "ordago/edge/waking.py",
    "ordago/event.py",
    "ordago/games/**/*.py",
    "ordago/journal/file.py",
    "ordago/journal/frames.py",
    "ordago/journal/journal.py",
    "ordago/cache.py",
    "ordago/match/**/*.py",
    "ordago/record/builder.py",
    "ordago/record/digest.py",
    "ordago/record/replay.py",
    "ordago/record/rewriting.py",
    "ordago/protocol/**/*.py",
    "ordago/telemetry/counters.py",
    "ordago/telemetry/seat.py",
    "ordago/wire/*.py",
)
"""The modules on the path of every decision, from the frame of a bot to the journal, as glob patterns."""

LEFT_OUT: Final = {
    "*/__init__.py": "it joins the modules of its folder and does nothing itself",
    "ordago/games/definition.py": "a generic dataclass with slots cannot be compiled",
    "ordago/wire/codec.py": "a protocol, which does nothing",
    "ordago/wire/mirror.py": "it makes functions out of descriptors once, from types that only the run knows",
    "ordago/games/*/values.py": "NamedTuples and enumerations: compiled they stay the classes of Python that they are",
    "ordago/games/*/words.py": "what people read, which is no part of a decision",
    "ordago/games/*/stage.py": "the same",
    "ordago/games/shown.py": "the same",
    "ordago/games/mus/redealing.py": "a generator expression in it never ends, and the compiler makes a list of each",
}
"""The exceptions, as patterns, each with its reason."""


def compiled_modules(root: Path) -> list[str]:
    """Return the compiled sources as paths below ``root``, the parent folder of the package, sorted."""
    found = {path.relative_to(root).as_posix() for pattern in COMPILED for path in root.glob(pattern)}
    return sorted(path for path in found if not any(fnmatchcase(path, pattern) for pattern in LEFT_OUT))


def idle_patterns(root: Path) -> Iterator[str]:
    """Yield the patterns without any match, such as those of removed modules."""
    named = {path.relative_to(root).as_posix() for pattern in COMPILED for path in root.glob(pattern)}
    yield from (pattern for pattern in COMPILED if not any(root.glob(pattern)))
    yield from (pattern for pattern in LEFT_OUT if not any(fnmatchcase(path, pattern) for path in named))


def what_is_missing() -> str:
    """Return the missing requirement for compiling and a way to install it, as a sentence; empty if all is there."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler}): install one, as by apt install gcc"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "there are no headers of Python (Python.h): install them, as by apt install python3-dev"
    return ""
