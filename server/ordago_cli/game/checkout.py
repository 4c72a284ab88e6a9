"""A new game in a checkout: its files next to those of other games, and its name in all lists of games."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ordago_cli.errors import EXIT_OUTSIDE, CommandError

_PACKAGE: Final = Path(__file__).parents[1]
TEMPLATE: Final = next(filter(Path.is_dir, (_PACKAGE / "game_template", _PACKAGE.parent / "template")))
"""The package that is the template of a new game."""
MESSAGES: Final = ("Options", "View", "Action", "Event")
"""The messages of a game in the unions of the protocol, in the order of these."""
_MOST_ARMS: Final = 14
"""``other`` has the next number in each union."""
_FILES: Final = {
    "ordago_highcard/__init__.py": "server/ordago/games/highcard/__init__.py",
    "ordago_highcard/rules.py": "server/ordago/games/highcard/rules.py",
    "ordago_highcard/stage.py": "server/ordago/games/highcard/stage.py",
    "ordago_highcard/values.py": "server/ordago/games/highcard/values.py",
    "ordago_highcard/highcard.proto": "proto/ordago/v1/highcard.proto",
    "ordago_highcard/highcard.md": "docs/rules/highcard.md",
    "tests/test_highcard.py": "tests/games/highcard/test_rules.py",
    "checkout/table.py": "tests/games/highcard/table.py",
    "checkout/test_noninterference.py": "tests/games/highcard/test_noninterference.py",
}
"""The files of the template, and their places in a checkout."""
_SORTED: Final = {
    "proto/ordago/v1/games.proto": 'import "ordago/v1/highcard.proto";',
    "server/ordago/v1/__init__.py": "from ordago.v1.highcard_pb2 import *",
    "server/ordago/games/__init__.py": '    "highcard",',
    "clients/java/src/main/java/org/ordago/bot/Answers.java": "import org.ordago.v1.HighcardAction;",
}
"""Lines to insert in alphabetical order among lines with the same beginning and end."""
_LISTS: Final = (
    ("proto/cards.json", r"(?s)(.*\n    \})(?=\n  \]\n\}\n)", r"\1,\n{cards.json}"),
    ("tests/contract/sessions.md", r"(?s)\A(.*)\Z", r"\1\n{session.md}\n"),
    ("tools/faces/__init__.py", r'("french": \([^)]*")', r'\1, "highcard"'),
    ("clients/cpp/CMakeLists.txt", r"(set\(files [\w ]+)", r"\1 highcard"),
    (
        "clients/cpp/include/ordago/answer.h",
        r"(?s)(.*->mutable_\w+\(\) = std::move\(action\); \})",
        (
            r"\1\n  Answer(v1::HighcardAction action) "
            r"{ *message_.mutable_action()->mutable_highcard() = std::move(action); }"
        ),
    ),
    (
        "clients/rust/src/games.rs",
        r'(?s)(.*\n    "[^"]+": [\w ]+;)',
        r'\1\n    "High Card": highcard Highcard HighcardView HighcardAction HighcardOptions HighcardEvent;',
    ),
    ("clients/go/answers.go", r"(\*ordagov1\.\w+Action)(?=\n\})", r"\1 |\n\t\t*ordagov1.HighcardAction"),
    (
        "clients/go/answers.go",
        r"(?s)(.*&ordagov1\.Action_\w+\{\w+: action\})",
        r"\1\n\tcase *ordagov1.HighcardAction:\n\t\twhole.Game = &ordagov1.Action_Highcard{Highcard: action}",
    ),
    (
        "clients/java/src/main/java/org/ordago/bot/Answers.java",
        r"(?s)(.*\.set\w+\(action\)\.build\(\)\);\n    \}\n)",
        (
            r"\1\n    /** Returns the answer that is an action of High Card. */\n"
            r"    public static Answer of(HighcardAction action) {\n"
            r"        return of(Action.newBuilder().setHighcard(action).build());\n    }\n"
        ),
    ),
    ("README.md", r"(\| .*) and (.*), complete \|", r"\1, \2 and High Card, complete |"),
    (
        "README.md",
        r"(\]\(docs/rules/\w+\.md\))\s+and (\[[^]]+\]\(docs/rules/\w+\.md\)), and what",
        r"\1,\n  \2\n  and [High Card](docs/rules/highcard.md), and what",
    ),
    ("docs/games.md", r"(?s)(.*\(rules/\w+\.md\)\n)", r"\1- [High Card](rules/highcard.md)\n"),
)
"""Other lists to extend: the file, a pattern for the place, and its replacement; ``{…}`` inserts a file."""
_PROTO_OPTIONS: Final = r"""option csharp_namespace = "Ordago.V1";
option go_package = "github.com/ordago/ordago/clients/go/ordago/v1;ordagov1";
option java_multiple_files = true;
option java_outer_classname = "HighcardProto";
option java_package = "org.ordago.v1";
option objc_class_prefix = "ORD";
option php_namespace = "Ordago\\V1";
option ruby_package = "Ordago::V1";
"""


def renamed(text: str, name: str, title: str) -> str:
    """Return a text of the template with the name of another game."""
    names = {"High Card": title, "HIGHCARD": name.upper(), "Highcard": name.capitalize(), "highcard": name}
    return re.sub("|".join(names), lambda found: names[found[0]], text)


def in_checkout(root: Path, name: str, title: str) -> dict[Path, str]:
    """Return the files of a checkout that are new or extended.

    Raises:
        CommandError: a new file exists already, or a list is not in its place.
    """
    files = {}
    for source, place in _FILES.items():
        path = root / renamed(place, name, title)
        if path.exists():
            raise CommandError(f"{path} already exists; remove it, or choose another name", exit_code=EXIT_OUTSIDE)
        files[path] = renamed(_ours((TEMPLATE / source).read_text(encoding="utf-8")), name, title)
    for place in sorted({*_SORTED, *(place for place, _, _ in _LISTS)}):
        files[root / place] = _entered(place, (root / place).read_text(encoding="utf-8"), name, title)
    return files


def _ours(text: str) -> str:
    """Adapt a text of the package for a checkout, where the messages are part of the protocol."""
    text = re.sub(r"\n(from pathlib import Path|from \.\w+_pb2 .*|from ordago\.wire\.slots .*)(?=\n)", "", text)
    text = re.sub(r"\n +(messages=Messages|rule_page=).*", "", text)
    text = text.replace("ordago_highcard", "ordago.games.highcard").replace("``highcard.md``", "docs/rules/highcard.md")
    text = text.replace("``highcard.proto``", "the contract").replace("ordago.v1.Card", "Card")
    text = text.replace("package highcard.v1;", "package ordago.v1;")
    return text.replace('cards.proto";\n', f'cards.proto";\n\n{_PROTO_OPTIONS}')


def _entered(place: str, text: str, name: str, title: str) -> str:
    """Return a file with the game in each of its lists."""
    if place == "proto/ordago/v1/games.proto":
        text = _with_arms(text, name, title)
    for _, pattern, more in [entry for entry in _LISTS if entry[0] == place]:
        more = re.sub(r"\{(\w+\.\w+)\}", lambda file: _part(file[1]), more)
        text, found = re.subn(pattern, renamed(more, name, title), text, count=1)
        if not found:
            raise _not_found(place, name)
    return _with_line(place, text, name, title) if place in _SORTED else text


def _part(file: str) -> str:
    return (TEMPLATE / "checkout" / file).read_text(encoding="utf-8").rstrip()


def _with_line(place: str, text: str, name: str, title: str) -> str:
    begin, end = re.split("(?i)highcard", _SORTED[place])
    alike = list(re.finditer(rf"^{re.escape(begin)}\w+{re.escape(end)}\n", text, re.MULTILINE))
    if not alike:
        raise _not_found(place, name)
    line = renamed(_SORTED[place], name, title) + "\n"
    at = next((other.start() for other in alike if other[0] > line), alike[-1].end())
    return text[:at] + line + text[at:]


def _with_arms(text: str, name: str, title: str) -> str:
    """Add a game to the unions of all games, with the same number in each."""
    number = 1 + max(int(found) for found in re.findall(r" = (\d+);", text) if int(found) <= _MOST_ARMS)
    if number > _MOST_ARMS:
        raise CommandError("the unions of games.proto have no number left for an arm", exit_code=EXIT_OUTSIDE)
    arms: Iterator[str] = (f"    // {title}.\n    {name.capitalize()}{part} {name} = {number};\n" for part in MESSAGES)
    return re.sub(r"    // A game from elsewhere\.", lambda found: next(arms) + found[0], text)


def _not_found(place: str, name: str) -> CommandError:
    problem = f"cannot find where {name} goes in {place}; nothing was written"
    return CommandError(problem, exit_code=EXIT_OUTSIDE)
