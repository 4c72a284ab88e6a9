"""Generate the Python stubs of the contract, or check that those in a tree are up to date.

``make proto`` and ``make drift`` run it in a separate environment with grpcio-tools.
"""

import argparse
import filecmp
import shutil
import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

PROTO = Path("proto")
PACKAGES = (Path("ordago/v1"), Path("ordago/journal/v1"))
# The template of a game in a package of its own.
TEMPLATE = Path("server/template")
OUTSIDE = Path("template/ordago_highcard")
WELL_KNOWN = Path(protoc.__file__).parent / "_proto"


def generate(target: Path) -> None:
    """Generate all stubs into a folder."""
    protos = sorted(str(path) for package in PACKAGES for path in (PROTO / package).glob("*.proto"))
    services = [path for path in protos if "\nservice " in Path(path).read_text(encoding="utf-8")]
    _protoc([f"--python_out={target}", f"--pyi_out={target}", *protos])
    _protoc([f"--grpc_python_out={target}", *services])
    outside = target / OUTSIDE.parent
    outside.mkdir(exist_ok=True)
    games = map(str, TEMPLATE.glob("*/*.proto"))
    _protoc([f"-I{TEMPLATE}", f"--python_out={outside}", f"--pyi_out={outside}", *games])


def _protoc(arguments: list[str]) -> None:
    if protoc.main(["protoc", f"-I{PROTO}", f"-I{WELL_KNOWN}", *arguments]):
        sys.exit(1)


def _stubs(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for package in (*PACKAGES, OUTSIDE) for path in (folder / package).glob("*_pb2*")}


def replace(tree: Path) -> None:
    """Generate the stubs of a tree, then replace the old ones."""
    with tempfile.TemporaryDirectory() as fresh:
        generate(Path(fresh))
        for stub in _stubs(tree):
            (tree / stub).unlink()
        for package in (*PACKAGES, OUTSIDE):
            shutil.copytree(Path(fresh) / package, tree / package, dirs_exist_ok=True)


def differences(tree: Path) -> list[str]:
    """Return the names of the stubs of a tree that are missing, outdated or superfluous."""
    with tempfile.TemporaryDirectory() as fresh:
        generate(Path(fresh))
        names = {str(stub) for stub in _stubs(tree) | _stubs(Path(fresh))}
        _, different, missing = filecmp.cmpfiles(tree, fresh, names, shallow=False)
        return sorted(different + missing)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path, help="the folder that the package ordago lies in")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    if not arguments.check:
        replace(arguments.tree)
    elif wrong := differences(arguments.tree):
        sys.exit(f"these stubs are not those of the contract; make proto generates them anew: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
