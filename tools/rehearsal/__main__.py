"""``make rehearse``: publish everything to a local registry, and install it from there as strangers do."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from packages import build

from rehearsal import languages, python, trouble, upgrades
from rehearsal.registry import publish, served
from rehearsal.steps import StepError

_ROOT: Final = Path(__file__).parents[2]


def main() -> None:
    """Publish and install; exit with 1 where a step fails."""
    parser = argparse.ArgumentParser(description="Publish to a local registry, and install from there.")
    parser.add_argument("--compile", choices=["1", "quick"], default="", help="compile the wheel of the server")
    parser.add_argument("--tests", action="store_true", help="run tests from the installed packages too")
    parser.add_argument(
        "--languages", nargs="*", default=[], choices=list(languages.PUBLISHED), help="rehearse these languages too"
    )
    parser.add_argument("--upgrade", action="store_true", help="go to a version that is made up, and back")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="rehearsal-") as scratch:
        registry = Path(scratch, "registry")
        publish(build(Path(scratch, "built"), compiled=asked.compile), registry / "pypi")
        with served(registry) as address:
            try:
                programs = python.rehearse(_ROOT, address, Path(scratch), is_tested=asked.tests)
                trouble.rehearse(address, Path(scratch), programs=programs)
                keys = asked.languages
                languages.rehearse(_ROOT, registry, address, Path(scratch), keys=keys, programs=programs)
                if asked.upgrade:
                    upgrades.rehearse(_ROOT, registry, address, Path(scratch))
            except StepError as error:
                sys.exit(str(error))


if __name__ == "__main__":
    main()
