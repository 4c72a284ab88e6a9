"""Arguments of a command line that variables of the environment stand in for."""

import argparse
import os
from collections.abc import Callable


class _OfVariable(str):
    """The value of a variable, in place of an argument that is left out."""


def add_substitutable(
    parser: argparse.ArgumentParser,
    option: str,
    *,
    convert: Callable[[str], object],
    otherwise: object,
    explanation: str,
    metavar: str | None = None,
    dest: str | None = None,
) -> None:
    """Add an argument whose variable has the same name, ``ORDAGO_TOKEN_FILE`` for ``--token-file``.

    Args:
        parser: the parser to add it to.
        option: the argument, with its hyphens.
        convert: reads its value; raises ``argparse.ArgumentTypeError`` if it cannot be. The error names the source.
        otherwise: the value if both are left out; an empty variable counts as left out.
        explanation: the text for ``--help``.
        metavar: the name of the value in that text; ``None`` for that of the argument.
        dest: the name of the parsed value; ``None`` for that of the argument.
    """
    variable = f"ORDAGO_{option.removeprefix('--').replace('-', '_').upper()}"

    def converted(text: str) -> object:
        try:
            return convert(text)
        except argparse.ArgumentTypeError as error:
            if isinstance(text, _OfVariable):
                raise argparse.ArgumentError(None, f"{variable}: {error}") from None
            raise

    default = _OfVariable(os.environ.get(variable, "")) or otherwise
    parser.add_argument(option, type=converted, default=default, help=explanation, metavar=metavar, dest=dest)
