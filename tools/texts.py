"""Write the catalogue of all texts on pages and its translations, or check that they are up to date.

``make texts`` and ``make drift`` run it. Texts are in templates (``_("…")``, ``{% trans %}``), in the code as
``sentence("…")`` or ``english("…")``, in the descriptions of game options, and in the names of faults.
"""

import argparse
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from ordago.games import find_game, game_names
from ordago_ladder.publication.exports import CAUSES

ROOT: Final = Path(__file__).parents[1]
CATALOGUE: Final = ROOT / "tournaments" / "ordago_ladder" / "locale" / "ordago.pot"
_SOURCES: Final = ("server/ordago", "server/ordago_cli", "tournaments/ordago_ladder", "tournaments/ordago_web")
_METHODS: Final = [("**.py", "python"), ("**.jinja", "jinja2")]
_OPTIONS: Final = {
    "**.jinja": {"trimmed": "true", "newstyle_gettext": "true", "trim_blocks": "true", "silent": "false"}
}
_KEYWORDS: Final[dict[str, tuple[int, ...] | None]] = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "sentence": None,
    "english": None,
}
_HEADER: Final = """\
# The texts of all pages. Written by tools/texts.py: make texts
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def catalogue() -> Catalog:
    """Return all texts, each with the files that contain it."""
    found = Catalog()
    for source in _SOURCES:
        for file, _, message, _, _ in extract_from_dir(
            ROOT / source, _METHODS, _OPTIONS, keywords=_KEYWORDS, strip_comment_tags=False
        ):
            found.add(message, locations=[(f"{source}/{file}", 0)])
    for text, file in _of_games():
        found.add(text, locations=[(file, 0)])
    return found


def _of_games() -> Iterator[tuple[str, str]]:
    for name in game_names():
        for spec in find_game(name).rules.option_specs:
            yield spec.sentence, f"server/ordago/games/{name}/rules.py"
    for cause in CAUSES:
        yield cause.replace("_", " "), "tournaments/ordago_ladder/publication/exports.py"


def written(found: Catalog) -> bytes:
    """Return the contents of the catalogue file, sorted by text."""
    file = io.BytesIO()
    write_po(file, found, width=120, sort_output=True, omit_header=True, include_lineno=False)
    return _HEADER.encode() + file.getvalue()


def translated(file: Path, found: Catalog) -> bytes:
    """Return the contents of a translation with the texts of today: new ones are empty, old ones are gone."""
    # The head has the glossary of the translators; Babel would put the time into it.
    head, _, _ = file.read_text(encoding="utf-8").partition("\n\n")
    with file.open("rb") as stream:
        known = read_po(stream, locale=file.parts[-3])
    known.update(found, no_fuzzy_matching=True, update_creation_date=False)
    body = io.BytesIO()
    write_po(body, known, width=120, sort_output=True, omit_header=True, include_lineno=False, ignore_obsolete=True)
    return f"{head}\n\n".encode() + body.getvalue()


def main() -> None:
    """Write the catalogue and its translations, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    found = catalogue()
    texts = {CATALOGUE: written(found)}
    texts |= {file: translated(file, found) for file in sorted(CATALOGUE.parent.glob("*/LC_MESSAGES/*.po"))}
    is_checked = parser.parse_args().check
    for file, text in texts.items():
        if not is_checked:
            file.write_bytes(text)
        elif file.read_bytes() != text:
            sys.exit(f"{file.relative_to(ROOT)} is not what templates and code say: make texts")


if __name__ == "__main__":
    main()
