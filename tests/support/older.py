"""Databases as an older Ordago made them."""

import re
from pathlib import Path

from support.postgresql import execute

OLDER = Path(__file__).parents[1] / "store" / "older"


def make_older(place: Path | str, name: str, *more: str) -> None:
    """Make a database as an older Ordago made it."""
    statements = (OLDER / f"{name}.sql").read_text(encoding="utf-8")
    if "://" in str(place):
        statements = re.sub(r"X'(\w+)'", r"decode('\1', 'hex')", statements.replace("BLOB", "BYTEA"))
    execute(place, *filter(str.strip, statements.split(";\n")), *more)
